package dev.revealed.cuda;

import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Losses;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Network;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training.ExpertRows;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Tensors;
import java.util.Arrays;
import java.util.function.LongFunction;

/**
 * What learning changes, of all runs, in the device's memory: networks with Adam's moments, temperatures, sums and counts. A
 * run is saved under the names that {@link Sac} gives, so that either backend goes on where the other stopped.
 */
final class DeviceState {
    private static final int UPDATES = 0;
    private static final int LOG_ALPHA = 3; // of the scalars, and Adam's moments of it after that
    private static final int LOSSES = 6; // of the sums

    private final Layout layout;
    private final long[][] noise;
    private final int[] actorEvery;
    final DeviceMemory theta;
    final DeviceMemory first;
    final DeviceMemory second;
    final DeviceMemory scalars;
    final DeviceMemory settings;
    final DeviceMemory paces;
    final DeviceMemory sums;
    final DeviceMemory counts;
    final DeviceMemory seeds;

    /** @param memory gives so many bytes */
    DeviceState(Layout layout, LongFunction<DeviceMemory> memory) {
        this.layout = layout;
        long runs = layout.runs;
        noise = new long[layout.runs][2];
        actorEvery = new int[layout.runs];
        theta = memory.apply(runs * layout.thetaStride * Float.BYTES);
        first = memory.apply(runs * layout.thetaStride * Float.BYTES);
        second = memory.apply(runs * layout.thetaStride * Float.BYTES);
        scalars = memory.apply(runs * Layout.SCALARS * Float.BYTES);
        settings = memory.apply(runs * Layout.SETTINGS * Float.BYTES);
        paces = memory.apply(runs * layout.statePitch * Float.BYTES);
        sums = memory.apply(runs * Layout.SUMS * Double.BYTES);
        counts = memory.apply(runs * Layout.COUNTS * Long.BYTES);
        seeds = memory.apply(runs * Long.BYTES);
    }

    /** From now on a run learns by these. */
    void settings(int run, Sac.Settings of, ExpertRows expert) {
        actorEvery[run] = of.actorEvery();
        settings.put((long) run * Layout.SETTINGS, layout.settings(of, expert));
    }

    /** From now on learning rates of the first layers are multiplied by these numbers, one per observation; none for 1. */
    void paces(int run, float[] scale) {
        float[] all = new float[layout.statePitch];
        Arrays.fill(all, 1);
        System.arraycopy(scale, 0, all, 0, scale.length);
        paces.put((long) run * layout.statePitch, all);
    }

    GaussianActor policy(int run) {
        return new GaussianActor(network(layout.actorShape, run, 0), layout.bound);
    }

    private Network network(Mlp shape, int run, int at) {
        return new Network(shape, theta.floats((long) run * layout.thetaStride + at, shape.parameters()));
    }

    long[] counts(int run) {
        return counts.longs((long) run * Layout.COUNTS, Layout.COUNTS);
    }

    /** Means over the updates since this was last asked. */
    Losses takeLosses(int run) {
        double[] sum = sums.doubles((long) run * Layout.SUMS, Layout.SUMS);
        sums.put((long) run * Layout.SUMS, new double[Layout.SUMS]);
        return Losses.means(sum);
    }

    void save(int run, Tensors into) {
        long updates = counts(run)[UPDATES];
        policy(run).save(into);
        long actorUpdates = updates / actorEvery[run];
        saveAdam("actor", layout.actorShape, run, 0, actorUpdates, into);
        for (int k = 0; k < layout.critics; k++) {
            network(layout.criticShape, run, layout.critic(k)).save("critic" + k, into);
            network(layout.criticShape, run, layout.critic(layout.critics + k)).save("target" + k, into);
            saveAdam("critic" + k, layout.criticShape, run, layout.critic(k), updates, into);
        }
        float[] scalar = scalars.floats((long) run * Layout.SCALARS, Layout.SCALARS);
        into.put("temperature.log", new float[] {scalar[LOG_ALPHA]});
        into.put("temperature.adam.first", new float[] {scalar[LOG_ALPHA + 1]});
        into.put("temperature.adam.second", new float[] {scalar[LOG_ALPHA + 2]});
        into.put("temperature.adam.steps", layout.settings.temperature().tuned() ? actorUpdates : 0);
        into.put("sac.noise", noise[run].clone());
        into.put("sac.updates", updates);
        into.put("sac.losses", sums.doubles((long) run * Layout.SUMS, LOSSES));
    }

    private void saveAdam(String prefix, Mlp shape, int run, int at, long updates, Tensors into) {
        long from = (long) run * layout.thetaStride + at;
        into.put(prefix + ".adam.first", first.floats(from, shape.parameters()));
        into.put(prefix + ".adam.second", second.floats(from, shape.parameters()));
        into.put(prefix + ".adam.steps", updates);
    }

    /** Goes on from there, and gives the actor's parameters. */
    float[] restore(int run, Tensors from) {
        long updates = from.longs("sac.updates")[0];
        float[] actor = restored("actor", layout.actorShape, run, 0, from);
        restoreAdam("actor", layout.actorShape, run, 0, updates / actorEvery[run], from);
        for (int k = 0; k < layout.critics; k++) {
            restored("critic" + k, layout.criticShape, run, layout.critic(k), from);
            restored("target" + k, layout.criticShape, run, layout.critic(layout.critics + k), from);
            restoreAdam("critic" + k, layout.criticShape, run, layout.critic(k), updates, from);
        }
        float[] scalar = new float[Layout.SCALARS];
        if (from.has("temperature.log")) { // inverse soft Q-learning tunes none
            scalar[LOG_ALPHA] = from.floats("temperature.log")[0];
            scalar[LOG_ALPHA + 1] = from.floats("temperature.adam.first")[0];
            scalar[LOG_ALPHA + 2] = from.floats("temperature.adam.second")[0];
        }
        scalars.put((long) run * Layout.SCALARS, scalar);
        noise[run] = from.longs("sac.noise").clone();
        seeds.put(run, noise[run][0]);
        double[] sum = new double[Layout.SUMS];
        System.arraycopy(from.doubles("sac.losses"), 0, sum, 0, LOSSES);
        sums.put((long) run * Layout.SUMS, sum);
        long[] count = new long[Layout.COUNTS]; // how many rows there are comes with the next turn
        count[UPDATES] = updates;
        counts.put((long) run * Layout.COUNTS, count);
        return actor;
    }

    private float[] restored(String prefix, Mlp shape, int run, int at, Tensors from) {
        Network network = new Network(shape, new float[shape.parameters()]);
        network.restore(prefix, from);
        theta.put((long) run * layout.thetaStride + at, network.parameters());
        return network.parameters();
    }

    private void restoreAdam(String prefix, Mlp shape, int run, int at, long updates, Tensors from) {
        long steps = from.longs(prefix + ".adam.steps")[0];
        if (steps != updates) {
            throw new BadInput(
                    "the optimiser of '%s' made %d steps, and its updates are %d".formatted(prefix, steps, updates),
                    "The GPU counts one step for each update; go on with the CPU.");
        }
        float[] moments = new float[shape.parameters()];
        from.into(prefix + ".adam.first", moments);
        first.put((long) run * layout.thetaStride + at, moments);
        from.into(prefix + ".adam.second", moments);
        second.put((long) run * layout.thetaStride + at, moments);
    }
}

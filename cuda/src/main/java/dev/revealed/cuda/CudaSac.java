package dev.revealed.cuda;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Diverged;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Losses;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Network;
import dev.revealed.neural.Sac;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Soft Actor-Critic of many runs on one GPU, with their replays. Runs are of one task and one setting, take their updates
 * together and share nothing: each computes what it would compute alone.
 *
 * <p>{@link #update} hands work to the device and comes back. The policies that {@link #actor} gives are then those after
 * the call before, so that acting and learning overlap by a lag that is always the same. Rows that were added wait on the
 * host until the next call. See docs/design/cuda.md.
 */
public final class CudaSac implements AutoCloseable {
    private static final int UPDATES = 0;
    private static final int ROWS = 1;
    private static final int DIVERGED = 2;
    private static final int DIVERGED_IN = 3;
    /** From how many runs on large tiles are faster than many. */
    private static final int RUNS_FOR_LARGE_TILES = 8;

    private final Gpu gpu;
    private final Driver driver;
    private final Layout layout;
    private final int stagedRows;
    private final List<AutoCloseable> owned = new ArrayList<>();
    private final long stream;
    private final DeviceMemory theta;
    private final DeviceMemory first;
    private final DeviceMemory second;
    private final DeviceMemory replay;
    private final DeviceMemory work;
    private final DeviceMemory scalars;
    private final DeviceMemory sums;
    private final DeviceMemory counts;
    private final DeviceMemory seeds;
    private final DeviceMemory given;
    private final DeviceMemory staged;
    private final Stages stages;
    private long graph;

    private final GaussianActor[] actors;
    private final long[][] noise;
    private final long[] added;
    private final int[] waiting;

    /** Two of each, so that the host fills or reads one while the device has the other. */
    private final MemorySegment[] hostRows = new MemorySegment[2];

    private final MemorySegment[] hostActors = new MemorySegment[2];
    private final long[] done = new long[2];
    private int slot;

    /**
     * One run for each stream, from the same initial networks that {@link Sac} would draw from it.
     *
     * @param capacity transitions that each run remembers
     * @param stagedRows transitions that each run may add between two calls of {@link #update}
     */
    public CudaSac(
            Gpu gpu,
            Simulator.Space space,
            Sac.Settings settings,
            int capacity,
            int stagedRows,
            List<RandomStream> streams) {
        this(gpu, space, settings, capacity, stagedRows, streams, streams.size() < RUNS_FOR_LARGE_TILES ? 32 : 64);
    }

    CudaSac(
            Gpu gpu,
            Simulator.Space space,
            Sac.Settings settings,
            int capacity,
            int stagedRows,
            List<RandomStream> streams,
            int tile) {
        this.gpu = gpu;
        this.stagedRows = stagedRows;
        driver = gpu.driver();
        int runs = streams.size();
        layout = new Layout(space, settings, runs, capacity);
        gpu.bind();
        long needed = layout.bytes(stagedRows);
        long free = driver.memory()[0];
        if (needed > free) {
            throw new BadInput(
                    "%d runs need %.1f GB of the GPU's memory, of which %.1f GB are free"
                            .formatted(runs, needed * 1e-9, free * 1e-9),
                    "Use fewer runs at a time or a smaller replay.");
        }
        actors = new GaussianActor[runs];
        noise = new long[runs][];
        added = new long[runs];
        waiting = new int[runs];
        boolean complete = false;
        try {
            stream = driver.createStream();
            owned.add(() -> driver.destroyStream(stream));
            theta = memory((long) runs * layout.thetaStride * Float.BYTES);
            first = memory((long) runs * layout.thetaStride * Float.BYTES);
            second = memory((long) runs * layout.thetaStride * Float.BYTES);
            replay = memory(runs * layout.replayStride() * Float.BYTES);
            work = memory((long) runs * layout.workStride * Float.BYTES);
            scalars = memory((long) runs * Layout.SCALARS * Float.BYTES);
            sums = memory((long) runs * Layout.SUMS * Double.BYTES);
            counts = memory((long) runs * Layout.COUNTS * Long.BYTES);
            seeds = memory((long) runs * Long.BYTES);
            given = memory((long) runs * layout.batch * Integer.BYTES);
            staged = memory(layout.stagedBytes(stagedRows));
            for (int i = 0; i < 2; i++) {
                hostRows[i] = hostMemory(layout.stagedBytes(stagedRows));
                hostActors[i] = hostMemory((long) runs * layout.actorShape.parameters() * Float.BYTES);
                long event = driver.createEvent();
                owned.add(() -> driver.destroyEvent(event));
                done[i] = event;
            }
            long[] pointers = {
                theta.pointer(),
                first.pointer(),
                second.pointer(),
                replay.pointer(),
                work.pointer(),
                scalars.pointer(),
                sums.pointer(),
                counts.pointer(),
                seeds.pointer(),
                given.pointer(),
                staged.pointer() + layout.headBytes(),
                staged.pointer()
            };
            stages = new Stages(gpu, layout, stream, pointers, tile);
            owned.add(stages);
            stages.updateSlowly(
                    false); // on empty memory: loads every kernel, which a capture might not, and names a bad one
            for (int run = 0; run < runs; run++) {
                actors[run] = new GaussianActor(new Network(layout.actorShape, zeros(layout.actorShape)), layout.bound);
                Tensors initial = new Tensors();
                try (Sac sac = new Sac(space, settings, streams.get(run), 1)) {
                    sac.save(initial);
                }
                restore(run, initial);
            }
            graph = stages.capture(false);
            owned.add(() -> driver.destroyInstance(graph));
            owned.add(() -> driver.synchronize(stream)); // the first thing that close does
            complete = true;
        } finally {
            if (!complete) {
                close();
            }
        }
    }

    private static float[] zeros(Mlp shape) {
        return new float[shape.parameters()];
    }

    private DeviceMemory memory(long bytes) {
        DeviceMemory memory = new DeviceMemory(gpu, stream, bytes);
        owned.add(memory);
        return memory;
    }

    private MemorySegment hostMemory(long bytes) {
        MemorySegment memory = driver.hostAlloc(bytes);
        owned.add(() -> driver.hostFree(memory));
        return memory;
    }

    /** Bytes of the device's memory that so many runs take. */
    public static long bytes(Simulator.Space space, Sac.Settings settings, int capacity, int stagedRows, int runs) {
        return new Layout(space, settings, runs, capacity).bytes(stagedRows);
    }

    public int runs() {
        return layout.runs;
    }

    /** How many transitions a run was ever given. */
    public long added(int run) {
        return added[run] + waiting[run];
    }

    /** The policy of a run for acting on the host; it changes in {@link #update} alone. */
    public GaussianActor actor(int run) {
        return actors[run];
    }

    /** Adds a transition. Threads may add at the same time, each to a run of its own. */
    public void add(int run, float[] state, float[] action, double reward, boolean terminated, float[] nextState) {
        int row = waiting[run];
        if (row == stagedRows) {
            throw new IllegalStateException("more than %d rows without an update".formatted(stagedRows));
        }
        MemorySegment rows = hostRows[slot];
        long at = layout.headBytes() + ((long) row * layout.runs + run) * layout.rowPitch * Float.BYTES;
        at = put(rows, at, state, layout.observations);
        at = put(rows, at, action, layout.actions);
        rows.set(JAVA_FLOAT, at, (float) reward);
        rows.set(JAVA_FLOAT, at + Float.BYTES, terminated ? 0 : 1);
        put(rows, at + 2 * Float.BYTES, nextState, layout.observations);
        waiting[run] = row + 1;
    }

    private static long put(MemorySegment rows, long at, float[] values, int count) {
        MemorySegment.copy(values, 0, rows, JAVA_FLOAT, at, count);
        return at + (long) count * Float.BYTES;
    }

    /**
     * Sends the rows that wait, starts {@code count} updates of every run, and waits for those of the call before, whose
     * policies then act.
     */
    public void update(int count) {
        gpu.bind();
        send();
        for (int i = 0; i < count; i++) {
            driver.launchGraph(graph, stream);
        }
        long length = (long) layout.actorShape.parameters() * Float.BYTES;
        for (int run = 0; run < layout.runs; run++) {
            driver.toHost(
                    hostActors[slot].asSlice(run * length, length),
                    theta.pointer() + (long) run * layout.thetaStride * Float.BYTES,
                    length,
                    stream);
        }
        driver.record(done[slot], stream);
        slot = 1 - slot;
        driver.await(done[slot]);
        for (int run = 0; run < layout.runs; run++) {
            float[] parameters = actors[run].network().parameters();
            MemorySegment.copy(hostActors[slot], JAVA_FLOAT, run * length, parameters, 0, parameters.length);
        }
    }

    private void send() {
        MemorySegment rows = hostRows[slot];
        int most = 0;
        for (int run = 0; run < layout.runs; run++) {
            rows.setAtIndex(JAVA_LONG, 2L * run, added[run]);
            rows.setAtIndex(JAVA_LONG, 2L * run + 1, waiting[run]);
            most = Math.max(most, waiting[run]);
            added[run] += waiting[run];
            waiting[run] = 0;
        }
        if (most > 0) {
            driver.toDevice(staged.pointer(), rows, layout.stagedBytes(most), stream);
            stages.append(most);
        }
    }

    /** Waits until the device has done all it was told to. */
    public void await() {
        gpu.bind();
        driver.synchronize(stream);
    }

    /** Means over the updates of a run since this was last asked; waits for those that were started. */
    public Losses losses(int run) {
        await();
        requireSound(run);
        double[] sum = sums.doubles((long) run * Layout.SUMS, Layout.SUMS);
        sums.put((long) run * Layout.SUMS, new double[Layout.SUMS]);
        double n = sum[0] == 0 ? Double.NaN : sum[0];
        return new Losses((long) sum[0], sum[1] / n, sum[2] / n, sum[3] / n, sum[4] / n, sum[5] / n);
    }

    private void requireSound(int run) {
        long[] count = counts.longs((long) run * Layout.COUNTS, Layout.COUNTS);
        if (count[DIVERGED] != 0) {
            throw new Diverged(count[DIVERGED], count[DIVERGED_IN] == 1 ? "critic loss" : "actor loss", Double.NaN);
        }
    }

    /** Everything that the next updates of a run depend on but the replay, under the names that {@link Sac} gives. */
    public void save(int run, Tensors into) {
        await();
        long updates = counts.longs((long) run * Layout.COUNTS, 1)[UPDATES];
        Network actor = network(layout.actorShape, run, 0);
        new GaussianActor(actor, layout.bound).save(into);
        saveAdam("actor", actor, run, 0, updates, into);
        for (int k = 0; k < layout.critics; k++) {
            Network critic = network(layout.criticShape, run, layout.critic(k));
            critic.save("critic" + k, into);
            network(layout.criticShape, run, layout.critic(layout.critics + k)).save("target" + k, into);
            saveAdam("critic" + k, critic, run, layout.critic(k), updates, into);
        }
        float[] scalar = scalars.floats((long) run * Layout.SCALARS, Layout.SCALARS);
        into.put("temperature.log", new float[] {scalar[3]});
        into.put("temperature.adam.first", new float[] {scalar[4]});
        into.put("temperature.adam.second", new float[] {scalar[5]});
        into.put("temperature.adam.steps", layout.settings.tuned() ? updates : 0);
        into.put("sac.noise", noise[run].clone());
        into.put("sac.updates", updates);
        into.put("sac.losses", sums.doubles((long) run * Layout.SUMS, 6));
        into.put("cuda.acting", actors[run].network().parameters().clone());
    }

    private Network network(Mlp shape, int run, int at) {
        return new Network(shape, theta.floats((long) run * layout.thetaStride + at, shape.parameters()));
    }

    private void saveAdam(String prefix, Network network, int run, int at, long updates, Tensors into) {
        long from = (long) run * layout.thetaStride + at;
        int length = network.parameters().length;
        into.put(prefix + ".adam.first", first.floats(from, length));
        into.put(prefix + ".adam.second", second.floats(from, length));
        into.put(prefix + ".adam.steps", updates);
    }

    /** Goes on from there, whichever backend saved it; a policy that lagged behind its run goes on lagging. */
    public void restore(int run, Tensors from) {
        await();
        long updates = from.longs("sac.updates")[0];
        Network actor = restored("actor", layout.actorShape, run, 0, from);
        restoreAdam("actor", layout.actorShape, run, 0, updates, from);
        for (int k = 0; k < layout.critics; k++) {
            restored("critic" + k, layout.criticShape, run, layout.critic(k), from);
            restored("target" + k, layout.criticShape, run, layout.critic(layout.critics + k), from);
            restoreAdam("critic" + k, layout.criticShape, run, layout.critic(k), updates, from);
        }
        float[] scalar = new float[Layout.SCALARS];
        scalar[3] = from.floats("temperature.log")[0];
        scalar[4] = from.floats("temperature.adam.first")[0];
        scalar[5] = from.floats("temperature.adam.second")[0];
        scalars.put((long) run * Layout.SCALARS, scalar);
        noise[run] = from.longs("sac.noise").clone();
        seeds.put(run, noise[run][0]);
        double[] sum = new double[Layout.SUMS];
        System.arraycopy(from.doubles("sac.losses"), 0, sum, 0, 6);
        sums.put((long) run * Layout.SUMS, sum);
        long[] count = counts.longs((long) run * Layout.COUNTS, Layout.COUNTS);
        counts.put((long) run * Layout.COUNTS, updates, count[ROWS], 0, 0);
        int length = layout.actorShape.parameters();
        for (MemorySegment slots : hostActors) {
            MemorySegment.copy(actor.parameters(), 0, slots, JAVA_FLOAT, (long) run * length * Float.BYTES, length);
        }
        float[] acting = actors[run].network().parameters();
        if (from.has("cuda.acting")) {
            from.into("cuda.acting", acting);
        } else {
            System.arraycopy(actor.parameters(), 0, acting, 0, length);
        }
    }

    private Network restored(String prefix, Mlp shape, int run, int at, Tensors from) {
        Network network = new Network(shape, zeros(shape));
        network.restore(prefix, from);
        theta.put((long) run * layout.thetaStride + at, network.parameters());
        return network;
    }

    private void restoreAdam(String prefix, Mlp shape, int run, int at, long updates, Tensors from) {
        long steps = from.longs(prefix + ".adam.steps")[0];
        if (steps != updates) {
            throw new BadInput(
                    "the optimiser of '%s' made %d steps in %d updates".formatted(prefix, steps, updates),
                    "The GPU counts one step for each update; go on with the CPU.");
        }
        float[] moments = new float[shape.parameters()];
        from.into(prefix + ".adam.first", moments);
        first.put((long) run * layout.thetaStride + at, moments);
        from.into(prefix + ".adam.second", moments);
        second.put((long) run * layout.thetaStride + at, moments);
    }

    /** The numbers of a row of a run's replay: state, action, reward, live, next state. */
    public float[] row(int run, long number) {
        if (number < Math.max(0, added[run] - layout.capacity) || number >= added[run]) {
            throw new IllegalArgumentException("row %d of %d".formatted(number, added[run]));
        }
        await();
        long at = run * layout.replayStride() + number % layout.capacity * layout.rowPitch;
        return replay.floats(at, 2 * layout.observations + layout.actions + 2);
    }

    /** From now on rows and noise are those of {@link #give}, so that backends can be compared. */
    void takeGiven() {
        await();
        driver.destroyInstance(graph);
        graph = stages.capture(true);
    }

    /** @param noises those of next states, then those of states */
    void give(int run, int[] rows, float[] noises) {
        await();
        given.put((long) run * layout.batch, rows);
        work.put((long) run * layout.workStride + layout.noisePlace, noises);
    }

    /** Puts rows, as {@link #row} gives them but padded, into an empty replay at once. */
    void fill(int run, float[] rows) {
        await();
        replay.put(run * layout.replayStride(), rows);
        added[run] = rows.length / layout.rowPitch;
        counts.put((long) run * Layout.COUNTS + ROWS, added[run]);
    }

    int rowPitch() {
        return layout.rowPitch;
    }

    /** Noise of the last update: of next states, then of states. */
    float[] noise(int run) {
        await();
        return work.floats((long) run * layout.workStride + layout.noisePlace, 2 * layout.batch * layout.actions);
    }

    /** One update with a wait after every kernel, to find the one that fails. */
    void updateSlowly(boolean fromGiven) {
        gpu.bind();
        send();
        stages.updateSlowly(fromGiven);
    }

    /** Seconds that the device takes for so many updates of all runs. */
    double time(int count) {
        gpu.bind();
        long before = driver.createEvent();
        long after = driver.createEvent();
        try {
            driver.record(before, stream);
            for (int i = 0; i < count; i++) {
                driver.launchGraph(graph, stream);
            }
            driver.record(after, stream);
            driver.await(after);
            return 1e-3 * driver.milliseconds(before, after);
        } finally {
            driver.destroyEvent(before);
            driver.destroyEvent(after);
        }
    }

    @Override
    public void close() {
        gpu.bind();
        RuntimeException problem = null;
        for (AutoCloseable one : owned.reversed()) {
            try {
                one.close();
            } catch (RuntimeException e) {
                problem = problem == null ? e : problem;
            } catch (Exception e) {
                throw new IllegalStateException(e); // none of ours declares one
            }
        }
        owned.clear();
        if (problem != null) {
            throw problem;
        }
    }
}

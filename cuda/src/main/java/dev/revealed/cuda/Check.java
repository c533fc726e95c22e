package dev.revealed.cuda;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Losses;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Network;
import dev.revealed.neural.RewardNetwork;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Temperature;
import dev.revealed.neural.TransitionLayout;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.numeric.Tensors.Tensor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Whether the GPU computes what the CPU does, and the same every time. Parts stand alone: one that fails is reported, and
 * the next begins.
 */
public final class Check {
    /** What the backends may differ by: losses, and the change of parameters over all the updates. */
    static final double LOSS_TOLERANCE = 1e-3;

    static final double CHANGE_TOLERANCE = 1e-2;

    private final Gpu gpu;
    private final boolean small;
    private final Consumer<String> out;
    private final List<Part> parts = new ArrayList<>();

    private Check(Gpu gpu, boolean small, Consumer<String> out) {
        this.gpu = gpu;
        this.small = small;
        this.out = out;
    }

    record Size(String task, int observations, int actions, int batch) {
        Simulator.Space space() {
            return new Simulator.Space(task, observations, new Simulator.Actions.Box(actions, 0.8f), 1000);
        }

        String text() {
            return "%s batch %d".formatted(task, batch);
        }
    }

    static final List<Size> SIZES = List.of(
            new Size("hopper", 11, 3, 100),
            new Size("hopper", 11, 3, 256),
            new Size("humanoid", 376, 17, 100),
            new Size("humanoid", 376, 17, 256));

    /**
     * What came of one part.
     *
     * @param problem why it failed; null where all is well
     * @param cause what was thrown, where that is why
     */
    public record Part(
            String name,
            @Nullable String problem,
            double seconds,
            @Nullable Throwable cause) {
        public Part(String name, @Nullable String problem, double seconds) {
            this(name, problem, seconds, null);
        }

        public boolean passed() {
            return problem == null;
        }

        @Override
        public String toString() {
            return "%s: %s [%.1f s]".formatted(name, problem == null ? "ok" : "FAILED: " + problem, seconds);
        }
    }

    /**
     * Checks everything and says what it sees, line by line.
     *
     * @param small takes few and small updates, as a memory checker likes them
     */
    public static List<Part> run(Gpu gpu, boolean small, Consumer<String> out) {
        Check check = new Check(gpu, small, out);
        check.all();
        return List.copyOf(check.parts);
    }

    private interface Trial {
        /** Null where all is well. */
        @Nullable
        String problem();
    }

    private void part(String name, Trial trial) {
        long start = System.nanoTime();
        String problem;
        Throwable cause = null;
        try {
            problem = trial.problem();
        } catch (RuntimeException | Error e) {
            problem = e.getMessage() == null ? e.toString() : e.getMessage();
            cause = e;
        }
        Part part = new Part(name, problem, (System.nanoTime() - start) * 1e-9, cause);
        parts.add(part);
        out.accept(part.toString());
    }

    private void all() {
        List<Size> sizes = small
                ? List.of(new Size("small", 5, 3, 20), new Size("wider", 40, 17, 33))
                : List.of(SIZES.get(0), SIZES.get(3));
        part("compile and load sac.cu", () -> {
            try (CudaSac sac = sac(sizes.getFirst(), settings(sizes.getFirst()), 1, 32)) {
                out.accept("  %d run, %.1f GiB free".formatted(sac.runs(), gpu.freeMemory() / 0x1p30));
            }
            return null;
        });
        for (int tile : new int[] {32, 64}) {
            part("kernel after kernel, tiles of " + tile, () -> eachKernel(sizes.getFirst(), tile));
        }
        for (Size size : sizes) {
            for (int tile : new int[] {32, 64}) {
                String name = "against the CPU, %s, tiles of %d".formatted(size.text(), tile);
                part(name, () -> compare(size, settings(size), tile, 1, 0));
            }
        }
        Size first = sizes.getFirst();
        part("against the CPU, tuned temperature, run 2 of 3", () -> {
            return compare(first, settings(first).withTemperature(Temperature.TUNED), 32, 3, 1);
        });
        part("against the CPU, a temperature that halves with every update", () -> {
            return compare(first, settings(first).withTemperature(Temperature.halving(0.2, 1)), 32, 1, 0);
        });
        part("against the CPU, one critic and three", () -> {
            String one = compare(first, settings(first).withCritics(1), 32, 1, 0);
            String three = compare(first, settings(first).withCritics(3), 64, 1, 0);
            return one == null ? three : one;
        });
        part("against the CPU, rewards of states by a network", () -> rewarded(first, true));
        part(
                "against the CPU, rewards of states and actions by a network, after the end too",
                () -> rewarded(first, false));
        part("checkpoint to the CPU and back", () -> checkpoint(first));
        part("same seed twice, alone and among others", () -> repeat(first));
        part("chance", () -> chance(first));
        part("replay", () -> replay(first));
        part("lag of the policy", () -> lag(first));
        TrainingCheck training = new TrainingCheck(gpu, small, out);
        part("agents, alone and beside others", training::besideOthers);
        part("agents one after the other in one place", training::inTurn);
        part("agents in two simulators", training::manySimulators);
        part("agents from checkpoints, here and on the processor", () -> {
            try {
                return training.resumes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private Sac.Settings settings(Size size) {
        Sac.Settings paper = Sac.Settings.PAPER.withBatch(size.batch);
        return small ? paper.withHidden(64, 36) : paper;
    }

    private CudaSac sac(Size size, Sac.Settings settings, int runs, int tile) {
        CudaSac sac = new CudaSac(gpu, size.space(), settings, null, 3000, 500, runs, tile);
        sac.beginAll(100);
        return sac;
    }

    private @Nullable String eachKernel(Size size, int tile) {
        try (CudaSac sac = sac(size, settings(size), 2, tile)) {
            new Transitions(size, 200, RandomStream.of(1)).addTo(sac, 0);
            new Transitions(size, 200, RandomStream.of(2)).addTo(sac, 1);
            sac.updateSlowly(false);
            Losses one = sac.losses(0);
            Losses other = sac.losses(1);
            out.accept("  " + text(one) + " | " + text(other));
            return Double.isFinite(one.critic() + one.actor() + other.critic() + other.actor())
                    ? null
                    : "a loss is not finite";
        }
    }

    private static String text(Losses losses) {
        return String.format(
                Locale.ROOT,
                "critic %.6g actor %.6g entropy %.6g value %.6g",
                losses.critic(),
                losses.actor(),
                losses.entropy(),
                losses.value());
    }

    private @Nullable String compare(Size size, Sac.Settings settings, int tile, int runs, int which) {
        return verdict(compare(gpu, size, settings, tile, runs, which, small ? 8 : 20));
    }

    private @Nullable String verdict(Comparison comparison) {
        out.accept("  " + comparison);
        return comparison.holds() ? null : "too far apart";
    }

    private @Nullable String rewarded(Size size, boolean stateOnly) {
        int inputs = stateOnly ? size.observations : size.observations + size.actions;
        Mlp shape = Mlp.of(new int[] {inputs, 64, 36, 1}, Mlp.Activation.TANH, Mlp.Activation.RELU, Mlp.Activation.NONE)
                .withClamp(0.2f);
        RewardNetwork reward =
                new RewardNetwork(Network.random(shape, RandomStream.of(3)), size.space(), stateOnly ? 0 : 7);
        return verdict(compare(gpu, size, settings(size), reward, stateOnly ? 32 : 64, 2, 1, small ? 8 : 20));
    }

    /**
     * @param loss largest relative difference of a loss in any update
     * @param change relative difference of what the updates changed, in the network where it is largest
     * @param place that network
     */
    record Comparison(double loss, double change, String place, double firstLoss, Losses cpu, Losses gpu) {
        boolean holds() {
            return loss <= LOSS_TOLERANCE && change <= CHANGE_TOLERANCE;
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "losses differ by %.2e (first update %.2e), changes of parameters by %.2e (%s); last: CPU %s, GPU %s",
                    loss,
                    firstLoss,
                    change,
                    place,
                    text(cpu),
                    text(gpu));
        }
    }

    /** Updates from the same networks, batches and noise; run {@code which} of the GPU's is the one compared. */
    static Comparison compare(Gpu gpu, Size size, Sac.Settings settings, int tile, int runs, int which, int updates) {
        return compare(gpu, size, settings, null, tile, runs, which, updates);
    }

    /** @param reward that labels the batches of the run that is compared, instead of what is stored with them */
    private static Comparison compare(
            Gpu gpu,
            Size size,
            Sac.Settings settings,
            @Nullable RewardNetwork reward,
            int tile,
            int runs,
            int which,
            int updates) {
        RandomStream chance = RandomStream.of(7);
        Transitions rows = new Transitions(size, 400, chance);
        try (Sac cpu = new Sac(size.space(), settings, RandomStream.of(5), 1);
                CudaSac cuda = new CudaSac(gpu, size.space(), settings, reward, 1000, 400, runs, tile)) {
            cuda.beginAll(200);
            for (int i = 0; i < 5; i++) {
                cpu.update(rows.batch(draw(size.batch, rows.count(), chance)), () -> {});
            }
            cpu.losses();
            Tensors start = Tensors.of(cpu::save);
            cuda.restore(which, start);
            cuda.takeGiven();
            if (reward != null) {
                cuda.reward(which, reward);
            }
            for (int run = 0; run < runs; run++) {
                (run == which ? rows : new Transitions(size, 400, RandomStream.of(run))).addTo(cuda, run);
                cuda.give(run, draw(size.batch, rows.count(), RandomStream.of(run)), noise(size, RandomStream.of(run)));
            }
            RandomStream noise = RandomStream.resume(start.longs("sac.noise"));
            double worst = 0;
            double firstLoss = 0;
            Losses ours = cpu.losses();
            Losses theirs = ours;
            for (int i = 0; i < updates; i++) {
                int[] drawn = draw(size.batch, rows.count(), chance);
                cuda.give(which, drawn, noise(size, noise));
                cuda.update(1);
                Batch batch = rows.batch(drawn);
                if (reward != null) {
                    reward.relabel(batch);
                }
                cpu.update(batch, () -> {});
                ours = cpu.losses();
                theirs = cuda.losses(which);
                worst = worse(worst, apart(ours, theirs));
                firstLoss = i == 0 ? worst : firstLoss;
            }
            Tensors endOfCpu = Tensors.of(cpu::save);
            Tensors endOfGpu = cuda.saved(which);
            double change = 0;
            String place = "none";
            List<String> networks = new ArrayList<>(List.of("actor"));
            for (int k = 0; k < settings.critics(); k++) {
                networks.add("critic" + k);
                networks.add("target" + k);
            }
            if (settings.temperature().tuned()) {
                networks.add("temperature");
            }
            for (String network : networks) {
                double difference = changeApart(network, start, endOfCpu, endOfGpu);
                if (!(difference <= change)) {
                    change = difference;
                    place = network;
                }
            }
            return new Comparison(worst, change, place, firstLoss, ours, theirs);
        }
    }

    private static double worse(double a, double b) {
        return a >= b ? a : b; // a NaN in b wins
    }

    private static int[] draw(int count, int limit, RandomStream stream) {
        int[] drawn = new int[count];
        Arrays.setAll(drawn, i -> stream.nextInt(limit));
        return drawn;
    }

    private static float[] noise(Size size, RandomStream stream) {
        float[] noise = new float[2 * size.batch * size.actions];
        for (int i = 0; i < noise.length; i++) {
            noise[i] = (float) stream.nextGaussian();
        }
        return noise;
    }

    private static double apart(Losses a, Losses b) {
        double worst = apart(a.critic(), b.critic());
        worst = worse(worst, apart(a.actor(), b.actor()));
        worst = worse(worst, apart(a.entropy(), b.entropy()));
        return worse(worst, apart(a.temperature(), b.temperature()));
    }

    /** Relative to the value, or to a hundredth where a mean of terms of either sign happens to be smaller. */
    private static double apart(double a, double b) {
        return Math.abs(a - b) / Math.max(Math.abs(a), 1e-2);
    }

    /** Over all arrays of a network: |change on one - change on the other| / |change|, in the Euclidean norm. */
    private static double changeApart(String network, Tensors start, Tensors one, Tensors other) {
        double difference = 0;
        double change = 0;
        for (String name : start.names()) {
            boolean parameters = name.startsWith(network + ".weight")
                    || name.startsWith(network + ".bias")
                    || name.equals(network + ".log");
            if (parameters) {
                float[] a = start.floats(name);
                float[] b = one.floats(name);
                float[] c = other.floats(name);
                for (int i = 0; i < a.length; i++) {
                    difference += Math.pow(b[i] - c[i], 2);
                    change += Math.pow(b[i] - a[i], 2);
                }
            }
        }
        return Math.sqrt(difference / change);
    }

    /** What a checkpoint holds is the same after a trip to the CPU, and to a second GPU learner. */
    private @Nullable String checkpoint(Size size) {
        Sac.Settings settings = settings(size);
        try (CudaSac one = sac(size, settings, 1, 32);
                CudaSac two = sac(size, settings, 1, 32);
                Sac cpu = new Sac(size.space(), settings, RandomStream.of(9), 1)) {
            Transitions rows = new Transitions(size, 300, RandomStream.of(3));
            rows.addTo(one, 0);
            rows.addTo(two, 0);
            one.update(5);
            Tensors saved = one.saved(0);
            cpu.restore(saved);
            String lost = difference(Tensors.of(cpu::save), saved);
            if (lost != null) {
                return "the CPU changed " + lost;
            }
            two.restore(0, saved);
            one.update(5);
            two.update(5);
            String apart = difference(one.saved(0), two.saved(0));
            return apart == null ? null : "after a restore " + apart + " goes another way";
        }
    }

    private @Nullable String repeat(Size size) {
        Tensors first = afterUpdates(size, 1, 32);
        String again = difference(first, afterUpdates(size, 1, 32));
        String among = difference(first, afterUpdates(size, 4, 64));
        if (again != null) {
            return "the second time %s differs".formatted(again);
        }
        return among == null ? null : "among others %s differs".formatted(among);
    }

    private Tensors afterUpdates(Size size, int runs, int tile) {
        try (CudaSac sac = sac(size, settings(size).withTemperature(Temperature.TUNED), runs, tile)) {
            for (int run = 0; run < runs; run++) {
                new Transitions(size, 500, RandomStream.of(40 + run)).addTo(sac, run);
            }
            sac.update(small ? 3 : 100);
            sac.update(small ? 2 : 100);
            return sac.saved(0);
        }
    }

    /** Name of the first tensor of one that the other has otherwise, to the last bit. */
    static @Nullable String difference(Tensors one, Tensors other) {
        for (String name : one.names()) {
            boolean same = switch (one.get(name)) {
                case Tensor.Floats t -> Arrays.equals(t.values(), other.floats(name));
                case Tensor.Doubles t -> Arrays.equals(t.values(), other.doubles(name));
                case Tensor.Longs t -> Arrays.equals(t.values(), other.longs(name));
            };
            if (!same) {
                return name;
            }
        }
        return null;
    }

    /** Noise has the moments of the normal distribution, and changes from update to update. */
    private @Nullable String chance(Size size) {
        try (CudaSac sac = sac(size, settings(size), 2, 32)) {
            for (int run = 0; run < 2; run++) {
                new Transitions(size, 500, RandomStream.of(40)).addTo(sac, run);
            }
            int count = 0;
            double[] moments = new double[4];
            double across = 0;
            float[] before = new float[0];
            for (int i = 0; i < (small ? 10 : 100); i++) {
                sac.update(1);
                float[] noise = sac.noise(0);
                float[] beside = sac.noise(1);
                if (Arrays.equals(noise, before) || Arrays.equals(noise, beside)) {
                    return "the same noise twice";
                }
                before = noise;
                for (int j = 0; j < noise.length; j++) {
                    double z = noise[j];
                    count++;
                    moments[0] += z;
                    moments[1] += z * z;
                    moments[2] += z * z * z;
                    moments[3] += z * z * z * z;
                    across += z * beside[j];
                }
            }
            double deviation = 1 / Math.sqrt(count);
            out.accept(String.format(
                    Locale.ROOT,
                    "  %d normal numbers: moments %.4f %.4f %.4f %.4f, correlation of runs %.4f",
                    count,
                    moments[0] / count,
                    moments[1] / count,
                    moments[2] / count,
                    moments[3] / count,
                    across / count));
            boolean normal = Math.abs(moments[0] / count) < 5 * deviation
                    && Math.abs(moments[1] / count - 1) < 5 * Math.sqrt(2) * deviation
                    && Math.abs(moments[2] / count) < 5 * Math.sqrt(15) * deviation
                    && Math.abs(moments[3] / count - 3) < 5 * Math.sqrt(96) * deviation
                    && Math.abs(across / count) < 5 * deviation;
            return normal ? null : "not normal";
        }
    }

    /** Rows come back as they were added, also after the replay went round. */
    private @Nullable String replay(Size size) {
        try (CudaSac sac = sac(size, settings(size), 2, 32)) {
            Transitions rows = new Transitions(size, 450, RandomStream.of(3));
            for (int i = 0; i < 8; i++) { // 3600 rows where 3000 fit
                rows.addTo(sac, 1);
                sac.update(0);
            }
            ByteArrayOutputStream written = new ByteArrayOutputStream();
            try {
                sac.writeRows(1, 600, 3600, written);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            FloatBuffer values = ByteBuffer.wrap(written.toByteArray())
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asFloatBuffer();
            TransitionLayout layout = TransitionLayout.of(size.space());
            float[] row = new float[layout.width()];
            for (int number = 600; number < 3600; number++) {
                values.get(row);
                int i = number % 450;
                boolean same = Arrays.equals(Arrays.copyOf(row, size.observations), rows.states[i])
                        && row[layout.reward()] == rows.rewards[i]
                        && row[layout.live()] == (rows.ends[i] ? 0 : 1)
                        && row[row.length - 1] == rows.next[i][size.observations - 1];
                if (!same) {
                    return "row %d is not what was added".formatted(number);
                }
            }
            return sac.added(0) == 0 ? null : "rows went to the wrong run";
        }
    }

    /** The host acts with the policy of the call before. */
    private @Nullable String lag(Size size) {
        try (CudaSac sac = sac(size, settings(size), 1, 32)) {
            new Transitions(size, 300, RandomStream.of(3)).addTo(sac, 0);
            float[] last = sac.actor(0).network().parameters().clone();
            for (int i = 0; i < 4; i++) {
                Tensors before = sac.saved(0);
                sac.update(2);
                float[] acting = sac.actor(0).network().parameters();
                int weights = before.floats("actor.weight0").length;
                if (!Arrays.equals(before.floats("actor.weight0"), Arrays.copyOf(acting, weights))) {
                    return "call %d does not act with the policy before it".formatted(i);
                }
                if (i > 0 && Arrays.equals(last, acting)) {
                    return "the policy did not change";
                }
                last = acting.clone();
            }
            return null;
        }
    }
}

package dev.revealed.cuda;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Losses;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Network;
import dev.revealed.neural.RewardNetwork;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Temperature;
import dev.revealed.neural.Training.ExpertRows;
import dev.revealed.neural.TransitionLayout;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.numeric.Tensors.Tensor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
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

    /** Moments of the normal distribution, the fifth that of two independent numbers, and the variances of their powers. */
    private static final double[] MOMENTS = {0, 1, 0, 3, 0};

    private static final double[] VARIANCES = {1, 2, 15, 96, 1};

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

    /** What a part found wrong. */
    private static final class Mismatch extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Mismatch(String problem) {
            super(problem);
        }
    }

    static void require(boolean holds, String problem) {
        if (!holds) {
            throw new Mismatch(problem);
        }
    }

    /** Requires that the other has every tensor of one, to the last bit; {@code %s} of the problem is the first it has not. */
    static void requireSame(Tensors one, Tensors other, String problem) {
        for (String name : one.names()) {
            boolean same = switch (one.get(name)) {
                case Tensor.Floats t -> Arrays.equals(t.values(), other.floats(name));
                case Tensor.Doubles t -> Arrays.equals(t.values(), other.doubles(name));
                case Tensor.Longs t -> Arrays.equals(t.values(), other.longs(name));
            };
            require(same, problem.formatted(name));
        }
    }

    private interface Trial {
        void run() throws IOException;
    }

    private void part(String name, Trial trial) {
        long start = System.nanoTime();
        String problem = null;
        Throwable cause = null;
        try {
            trial.run();
        } catch (Mismatch e) {
            problem = e.getMessage();
        } catch (IOException | RuntimeException | Error e) {
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
        Size first = sizes.getFirst();
        Sac.Settings paper = settings(first);
        part("compile and load sac.cu", () -> {
            try (CudaSac sac = sac(first, paper, 1, 32)) {
                out.accept("  %d run, %.1f GiB free".formatted(sac.runs(), gpu.freeMemory() / 0x1p30));
            }
        });
        for (int tile : new int[] {32, 64}) {
            part("kernel after kernel, tiles of " + tile, () -> eachKernel(first, tile));
        }
        for (Size size : sizes) {
            for (int tile : new int[] {32, 64}) {
                String name = "against the CPU, %s, tiles of %d".formatted(size.text(), tile);
                part(name, () -> compare(new Case(size, settings(size), null, tile, 1, 0)));
            }
        }
        part("against the CPU, tuned temperature, run 2 of 3", () -> {
            compare(new Case(first, paper.withTemperature(Temperature.TUNED), null, 32, 3, 1));
        });
        part("against the CPU, a temperature that halves with every update", () -> {
            compare(new Case(first, paper.withTemperature(Temperature.halving(0.2, 1)), null, 32, 1, 0));
        });
        part("against the CPU, one critic and three", () -> {
            compare(new Case(first, paper.withCritics(1), null, 32, 1, 0));
            compare(new Case(first, paper.withCritics(3), null, 64, 1, 0));
        });
        normed(first, 32, Map.of("layer-norm", true));
        normed(sizes.getLast(), 64, Map.of("layer-norm", true, "critics", 3));
        normed(first, 64, Map.of("feature-norm", true));
        normed(first, 32, Map.of("layer-norm", true, "feature-norm", true));
        part("against the CPU, decay of the critics and a slower actor", () -> {
            Map<String, Double> other = Map.of("critic-decay", 5.0, "actor-learning-rate", 1e-4);
            compare(new Case(first, paper.with(other), null, 32, 1, 0));
        });
        part("against the CPU, an actor that resembles an expert, run 2 of 3", () -> {
            compare(new Case(first, paper, null, 32, 3, 1, new ExpertRows(7, 0.3, 50)));
        });
        part("against the CPU, rewards of states by a network", () -> rewarded(first, true));
        part(
                "against the CPU, rewards of states and actions by a network, after the end too",
                () -> rewarded(first, false));
        part("checkpoint to the CPU and back", () -> checkpoint(first));
        part("same seed twice, alone and among others", () -> repeat(first, Map.of()));
        part("same seed twice, layer norm, alone and among others", () -> repeat(first, Map.of("layer-norm", true)));
        part("noise", () -> noise(first));
        part("replay", () -> replay(first));
        part("rows of an expert", () -> expert(first));
        part("lag of the policy", () -> lag(first));
        TrainingCheck training = new TrainingCheck(gpu, small, out);
        part("agents, alone and among others", training::amongOthers);
        part("agents one after the other in one place", training::inTurn);
        part("agents in two simulators", training::manySimulators);
        part("agents from checkpoints, here and on the processor", training::resumes);
    }

    private Sac.Settings settings(Size size) {
        Sac.Settings paper = Sac.Settings.PAPER.withBatch(size.batch);
        return small ? paper.withHidden(64, 36) : paper;
    }

    private CudaSac sac(Size size, Sac.Settings settings, int runs, int tile) {
        CudaSac sac = new CudaSac(gpu, size.space(), settings, null, CudaSac.Room.of(3000, 500), runs, tile);
        sac.beginAll(100);
        return sac;
    }

    private void eachKernel(Size size, int tile) {
        try (CudaSac sac = sac(size, settings(size), 2, tile)) {
            new Transitions(size, 200, RandomStream.of(1)).addTo(sac, 0);
            new Transitions(size, 200, RandomStream.of(2)).addTo(sac, 1);
            sac.updateSlowly(false);
            Losses one = sac.losses(0);
            Losses other = sac.losses(1);
            out.accept("  " + text(one) + " | " + text(other));
            double sum = one.critic() + one.actor() + other.critic() + other.actor();
            require(Double.isFinite(sum), "a loss is not finite");
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

    private void compare(Case given) {
        Comparison comparison = compare(gpu, given, small ? 8 : 20);
        out.accept("  " + comparison);
        require(comparison.holds(), "too far apart");
    }

    /** Critics that normalise, run 2 of 3. */
    private void normed(Size size, int tile, Map<String, ?> norms) {
        String name =
                "against the CPU, %s, %s".formatted(String.join(", ", new TreeMap<>(norms).keySet()), size.text());
        part(name, () -> compare(new Case(size, settings(size).with(norms), null, tile, 3, 1)));
    }

    private void rewarded(Size size, boolean stateOnly) {
        int inputs = stateOnly ? size.observations : size.observations + size.actions;
        Mlp shape = Mlp.of(new int[] {inputs, 64, 36, 1}, Mlp.Activation.TANH, Mlp.Activation.RELU, Mlp.Activation.NONE)
                .withClamp(0.2f);
        RewardNetwork reward =
                new RewardNetwork(Network.random(shape, RandomStream.of(3)), size.space(), stateOnly ? 0 : 7);
        compare(new Case(size, settings(size), reward, stateOnly ? 32 : 64, 2, 1));
    }

    /**
     * What is compared.
     *
     * @param reward that labels the batches of the run that is compared, instead of what is stored with them
     * @param runs of the GPU
     * @param which of them is compared
     * @param expert whom that one's actor is to resemble in the last rows of a batch
     */
    record Case(
            Size size,
            Sac.Settings settings,
            @Nullable RewardNetwork reward,
            int tile,
            int runs,
            int which,
            ExpertRows expert) {
        Case(Size size, Sac.Settings settings, @Nullable RewardNetwork reward, int tile, int runs, int which) {
            this(size, settings, reward, tile, runs, which, ExpertRows.NONE);
        }
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

    /** Updates from the same networks, batches and noise. */
    static Comparison compare(Gpu gpu, Case given, int updates) {
        Size size = given.size;
        RewardNetwork reward = given.reward;
        int which = given.which;
        RandomStream random = RandomStream.of(7);
        Transitions rows = new Transitions(size, 400, random);
        try (Sac cpu = new Sac(size.space(), given.settings, RandomStream.of(5), 1);
                CudaSac cuda = new CudaSac(
                        gpu,
                        size.space(),
                        given.settings,
                        reward,
                        new CudaSac.Room(1000, 400, given.expert.count()),
                        given.runs,
                        given.tile)) {
            cuda.beginAll(200);
            cpu.cloneLast(given.expert.in(size.batch), given.expert.cloning());
            if (given.expert.count() > 0) {
                cuda.expert(which, rows.batch(new int[given.expert.count()]), given.expert);
            }
            for (int i = 0; i < 5; i++) {
                cpu.update(rows.batch(draw(size.batch, rows.count(), random)), () -> {});
            }
            cpu.losses();
            Tensors start = Tensors.of(cpu::save);
            cuda.restore(which, start);
            cuda.takeGiven();
            if (reward != null) {
                cuda.reward(which, reward);
            }
            for (int run = 0; run < given.runs; run++) {
                (run == which ? rows : new Transitions(size, 400, RandomStream.of(run))).addTo(cuda, run);
                cuda.give(run, draw(size.batch, rows.count(), RandomStream.of(run)), noise(size, RandomStream.of(run)));
            }
            RandomStream noise = RandomStream.resume(start.longs("sac.noise"));
            double worst = 0;
            double firstLoss = 0;
            Losses ours = cpu.losses();
            Losses theirs = ours;
            for (int i = 0; i < updates; i++) {
                int[] drawn = draw(size.batch, rows.count(), random);
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
            for (String network : networks(given.settings)) {
                double difference = changeApart(network, start, endOfCpu, endOfGpu);
                if (!(difference <= change)) {
                    change = difference;
                    place = network;
                }
            }
            return new Comparison(worst, change, place, firstLoss, ours, theirs);
        }
    }

    private static List<String> networks(Sac.Settings settings) {
        List<String> networks = new ArrayList<>(List.of("actor"));
        for (int k = 0; k < settings.critics(); k++) {
            networks.addAll(List.of("critic" + k, "target" + k));
        }
        if (settings.temperature().tuned()) {
            networks.add("temperature");
        }
        return networks;
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
    private void checkpoint(Size size) {
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
            requireSame(Tensors.of(cpu::save), saved, "the CPU changed %s");
            two.restore(0, saved);
            one.update(5);
            two.update(5);
            requireSame(one.saved(0), two.saved(0), "after a restore %s goes another way");
        }
    }

    private void repeat(Size size, Map<String, ?> other) {
        Tensors first = afterUpdates(size, other, 1, 32);
        requireSame(first, afterUpdates(size, other, 1, 32), "the second time %s differs");
        requireSame(first, afterUpdates(size, other, 4, 64), "among others %s differs");
    }

    private Tensors afterUpdates(Size size, Map<String, ?> other, int runs, int tile) {
        try (CudaSac sac = sac(size, settings(size).with(other).withTemperature(Temperature.TUNED), runs, tile)) {
            for (int run = 0; run < runs; run++) {
                new Transitions(size, 500, RandomStream.of(40 + run)).addTo(sac, run);
            }
            sac.update(small ? 3 : 100);
            sac.update(small ? 2 : 100);
            return sac.saved(0);
        }
    }

    /** Noise has the moments of the normal distribution, changes from update to update, and differs between runs. */
    private void noise(Size size) {
        try (CudaSac sac = sac(size, settings(size), 2, 32)) {
            for (int run = 0; run < 2; run++) {
                new Transitions(size, 500, RandomStream.of(40)).addTo(sac, run);
            }
            int count = 0;
            double[] sums = new double[5]; // of four powers, and of the product with the other run
            float[] before = new float[0];
            for (int i = 0; i < (small ? 10 : 100); i++) {
                sac.update(1);
                float[] noise = sac.noise(0);
                float[] other = sac.noise(1);
                boolean fresh = !Arrays.equals(noise, before) && !Arrays.equals(noise, other);
                require(fresh, "the same noise twice");
                before = noise;
                for (int j = 0; j < noise.length; j++) {
                    count++;
                    double power = 1;
                    for (int k = 0; k < 4; k++) {
                        power *= noise[j];
                        sums[k] += power;
                    }
                    sums[4] += (double) noise[j] * other[j];
                }
            }
            String means = "";
            boolean normal = true;
            for (int k = 0; k < sums.length; k++) {
                double mean = sums[k] / count;
                means += String.format(Locale.ROOT, k < 4 ? " %.4f" : ", correlation of runs %.4f", mean);
                normal &= Math.abs(mean - MOMENTS[k]) < 5 * Math.sqrt(VARIANCES[k] / count);
            }
            out.accept("  %d normal numbers: moments%s".formatted(count, means));
            require(normal, "not normal");
        }
    }

    /** The last rows of a batch are the expert's, and each of these is drawn some time. */
    private void expert(Size size) {
        ExpertRows wanted = new ExpertRows(7, 0.3, 0);
        CudaSac.Room room = new CudaSac.Room(100, 100, 9); // more than there are
        try (CudaSac sac = new CudaSac(gpu, size.space(), settings(size), null, room, 2, 32)) {
            sac.beginAll(100);
            for (int run = 0; run < 2; run++) {
                new Transitions(size, 100, RandomStream.of(40 + run)).addTo(sac, run);
                int base = 1000 * (run + 1);
                Batch expert = new Transitions(size, 7, RandomStream.of(50)).batch(new int[] {0, 1, 2, 3, 4, 5, 6});
                for (int i = 0; i < 7; i++) {
                    expert.rewards()[i] = base + i;
                }
                sac.expert(run, expert, wanted);
            }
            boolean[][] seen = new boolean[2][7];
            for (int i = 0; i < 20; i++) {
                sac.update(1);
                for (int run = 0; run < 2; run++) {
                    float[] rewards = sac.lastRewards(run);
                    for (int row = 0; row < size.batch; row++) {
                        int number = Math.round(rewards[row]) - 1000 * (run + 1);
                        boolean experts = number >= 0 && number < 7;
                        boolean due = row >= size.batch - wanted.in(size.batch);
                        require(experts == due, "row %d of run %d belongs to another run".formatted(row, run));
                        if (experts) {
                            seen[run][number] = true;
                        }
                    }
                }
            }
            require(!Arrays.deepToString(seen).contains("false"), "some rows of the expert are never drawn");
        }
    }

    /** Rows come back as they were added, also after the replay went round. */
    private void replay(Size size) throws IOException {
        try (CudaSac sac = sac(size, settings(size), 2, 32)) {
            Transitions rows = new Transitions(size, 450, RandomStream.of(3));
            for (int i = 0; i < 8; i++) { // 3600 rows where 3000 fit
                rows.addTo(sac, 1);
                sac.update(0);
            }
            ByteArrayOutputStream written = new ByteArrayOutputStream();
            sac.writeRows(1, 600, 3600, written);
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
                require(same, "row %d is not what was added".formatted(number));
            }
            require(sac.added(0) == 0, "rows went to the wrong run");
        }
    }

    /** The host acts with the policy of the call before. */
    private void lag(Size size) {
        try (CudaSac sac = sac(size, settings(size), 1, 32)) {
            new Transitions(size, 300, RandomStream.of(3)).addTo(sac, 0);
            float[] last = sac.actor(0).network().parameters().clone();
            for (int i = 0; i < 4; i++) {
                float[] before = sac.saved(0).floats("actor.weight0");
                sac.update(2);
                float[] acting = sac.actor(0).network().parameters();
                boolean lags = Arrays.equals(before, Arrays.copyOf(acting, before.length));
                require(lags, "call %d does not act with the policy before it".formatted(i));
                require(i == 0 || !Arrays.equals(last, acting), "the policy did not change");
                last = acting.clone();
            }
        }
    }
}

package dev.revealed.cuda;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Losses;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Temperature;
import dev.revealed.neural.Training.ExpertRows;
import dev.revealed.neural.TransitionLayout;
import dev.revealed.neural.objective.Objective;
import dev.revealed.neural.softq.InverseSoftQ;
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

    private static final int FEW = 8; // updates

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
                part(name, () -> compare(new CpuComparison.Case(size, settings(size), tile, 1, 0)));
            }
        }
        part("against the CPU, tuned temperature, run 2 of 3", () -> {
            compare(new CpuComparison.Case(first, paper.withTemperature(Temperature.TUNED), 32, 3, 1));
        });
        part("against the CPU, a temperature that halves with every update", () -> {
            compare(new CpuComparison.Case(first, paper.withTemperature(Temperature.halving(0.2, 1)), 32, 1, 0));
        });
        part("against the CPU, one critic and three", () -> {
            compare(new CpuComparison.Case(first, paper.withCritics(1), 32, 1, 0));
            compare(new CpuComparison.Case(first, paper.withCritics(3), 64, 1, 0));
        });
        normed(first, 32, Map.of("layer-norm", true));
        normed(sizes.getLast(), 64, Map.of("layer-norm", true, "critics", 3));
        normed(first, 64, Map.of("feature-norm", true));
        normed(first, 32, Map.of("layer-norm", true, "feature-norm", true));
        part("against the CPU, decay of the critics and an actor that learns ever more slowly", () -> {
            Map<String, Double> other = Map.of("critic-decay", 5.0, "actor-learning-rate", 1e-4, "actor-halving", 20.0);
            compare(new CpuComparison.Case(first, paper.with(other), 32, 1, 0));
        });
        part("against the CPU, an actor that learns in every third update, run 2 of 3", () -> {
            Map<String, ?> other = Map.of("actor-every", 3, "layer-norm", true);
            compare(new CpuComparison.Case(first, paper.with(other), 32, 3, 1));
            compare(new CpuComparison.Case(
                    first, paper.with(Map.of("actor-every", 2)).withTemperature(Temperature.TUNED), 64, 3, 1));
        });
        part("against the CPU, an actor that resembles an expert, run 2 of 3", () -> {
            compare(new CpuComparison.Case(first, paper, 32, 3, 1).with(new ExpertRows(7, 0.3, 50)));
        });
        part("against the CPU, scaled inputs, run 2 of 3", () -> {
            compare(new CpuComparison.Case(first, paper, 32, 3, 1).withScaledInputs());
            compare(new CpuComparison.Case(first, paper.with(Map.of("layer-norm", true)), 64, 3, 1).withScaledInputs());
        });
        part("against the CPU, rewards of states by a network", () -> rewarded(first, true, Mlp.Output.PLAIN));
        part("against the CPU, softplus of the same", () -> rewarded(first, true, Mlp.Output.SOFTPLUS));
        String after = "against the CPU, rewards of states and actions by a network, after the end too";
        part(after, () -> rewarded(first, false, Mlp.Output.PLAIN));
        part(after + ", log-sigmoid", () -> rewarded(first, false, Mlp.Output.LOG_SIGMOID));
        part("against the CPU, rows of an expert paid", () -> {
            compare(new CpuComparison.Case(first, paper, 32, 2, 1)
                    .with(new ExpertRows(7, 0.5, 0))
                    .with(new Objective.ExpertPaid(9)));
        });
        InverseSoftQ.Loss published = new InverseSoftQ.Loss(
                InverseSoftQ.Term.V0, 0.5, true, InverseSoftQ.Actions.DRAWN, 0.5, InverseSoftQ.End.ZERO);
        InverseSoftQ.Loss other = new InverseSoftQ.Loss(
                InverseSoftQ.Term.VALUE, 0.3, false, InverseSoftQ.Actions.STORED, 0.5, InverseSoftQ.End.LIMIT);
        Sac.Settings normed = paper.with(Map.of("layer-norm", true));
        part("against the CPU, " + published, () -> inverse(first, 1, 32, paper, published));
        part("against the CPU, two critics, " + other, () -> inverse(first, 2, 64, paper, other));
        part("against the CPU, three critics, layer norm, " + other, () -> inverse(first, 3, 32, normed, other));
        part("against the CPU, two critics, layer norm, " + published, () -> inverse(first, 2, 64, normed, published));
        part("checkpoint to the CPU and back", () -> checkpoint(first));
        part("same seed twice, alone and among others", () -> repeat(first, Map.of()));
        part("same seed twice, layer norm, alone and among others", () -> repeat(first, Map.of("layer-norm", true)));
        part("graphs without actors where none learns", () -> withoutActors(first));
        part("noise", () -> noise(first));
        part("replay", () -> replay(first));
        part("rows of an expert", () -> expert(first));
        part("lag of the policy", () -> lag(first));
        TrainingCheck training = new TrainingCheck(gpu, small, out);
        part("agents, alone and among others", training::amongOthers);
        part("agents one after the other in one place", training::inTurn);
        part("agents in two simulators", training::manySimulators);
        part("agents from checkpoints, here and on the processor", training::resumes);
        int passes = small ? 1 : 3;
        part("an ensemble against the CPU", () -> new EnsembleCheck(gpu, false).compare(passes, out));
        part("an ensemble that learns terminations", () -> new EnsembleCheck(gpu, true).compare(passes, out));
        part("an ensemble from a checkpoint", () -> new EnsembleCheck(gpu, true).resume());
    }

    private Sac.Settings settings(Size size) {
        Sac.Settings paper = Sac.Settings.PAPER.withBatch(size.batch);
        return small ? paper.withHidden(64, 36) : paper;
    }

    private CudaSac sac(Size size, Sac.Settings settings, int runs, int tile) {
        CudaSac sac =
                new CudaSac(gpu, size.space(), settings, Objective.STORED, CudaSac.Room.of(3000, 500), runs, tile);
        sac.beginAll(100);
        return sac;
    }

    private void eachKernel(Size size, int tile) {
        try (CudaSac sac = sac(size, settings(size), 2, tile)) {
            new Transitions(size, 200, RandomStream.of(1)).addTo(sac, 0);
            new Transitions(size, 200, RandomStream.of(2)).addTo(sac, 1);
            sac.updateSlowly(false);
            Map<String, Double> seconds = sac.stageSeconds(1);
            out.accept("  kernels: " + String.join(", ", seconds.keySet()));
            require(
                    seconds.keySet().containsAll(List.of("gather", "drawActions", "actorSlopes")),
                    "a kernel is missing");
            Losses one = sac.losses(0);
            Losses other = sac.losses(1);
            out.accept("  " + one.byName() + " | " + other.byName());
            double sum = one.critic() + one.actor() + other.critic() + other.actor();
            require(Double.isFinite(sum), "a loss is not finite");
        }
    }

    private void compare(CpuComparison.Case given) {
        compare(given, small ? FEW : 20);
    }

    private void compare(CpuComparison.Case given, int updates) {
        CpuComparison comparison = CpuComparison.of(gpu, given, updates);
        out.accept("  " + comparison);
        require(comparison.holds(), "too far apart");
    }

    /** Critics that normalise, run 2 of 3. */
    private void normed(Size size, int tile, Map<String, ?> norms) {
        String name =
                "against the CPU, %s, %s".formatted(String.join(", ", new TreeMap<>(norms).keySet()), size.text());
        part(name, () -> compare(new CpuComparison.Case(size, settings(size).with(norms), tile, 3, 1)));
    }

    /**
     * Critics that learn by inverse soft Q-learning, half of a batch the expert's. Few updates: where the slope goes through
     * the smallest of several critics on both sides of a step, roundings grow a thousandfold in twenty.
     */
    private void inverse(Size size, int critics, int tile, Sac.Settings settings, InverseSoftQ.Loss loss) {
        compare(
                new CpuComparison.Case(size, settings.withCritics(critics), tile, 3, 1)
                        .with(new ExpertRows(7, 0.5, 0))
                        .with(new Objective.Inverse(loss)),
                FEW);
    }

    private void rewarded(Size size, boolean stateOnly, Mlp.Output output) {
        int inputs = stateOnly ? size.observations : size.observations + size.actions;
        Mlp shape = Mlp.of(new int[] {inputs, 64, 36, 1}, Mlp.Activation.TANH, Mlp.Activation.RELU, Mlp.Activation.NONE)
                .withClamp(0.2f);
        compare(new CpuComparison.Case(size, settings(size), stateOnly ? 32 : 64, 2, 1)
                .with(new Objective.Labelled(shape.withOutput(output), stateOnly ? 0 : 7)));
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

    /** Kernel after kernel all stages run in every update. */
    private void withoutActors(Size size) {
        Tensors[] after = new Tensors[2];
        for (int i = 0; i < 2; i++) {
            try (CudaSac sac = sac(size, settings(size).with(Map.of("actor-every", 3, "layer-norm", true)), 1, 32)) {
                new Transitions(size, 500, RandomStream.of(40)).addTo(sac, 0);
                for (int update = 0; update < 4; update++) {
                    if (i == 0) {
                        sac.update(1);
                    } else {
                        sac.updateSlowly(false);
                    }
                }
                sac.update(0);
                sac.update(0); // now the newest policy acts
                after[i] = sac.saved(0);
            }
        }
        requireSame(after[0], after[1], "%s differs");
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
        try (CudaSac sac = new CudaSac(gpu, size.space(), settings(size), Objective.STORED, room, 2, 32)) {
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

package dev.revealed.bench;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Sac;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Soft Actor-Critic updates per second at the sizes of Hopper and Humanoid: ours, without and with layer norm in the
 * critics, libtorch's where it was built in, and the floor, which is the multiplications an update cannot do without at the speed of the processor's multiply-adds. All take
 * turns, round after round, and the best round of each counts, so that what else the machine does counts little.
 *
 * @param seconds for each contender at each size
 * @param missingRival a sentence on how to get libtorch, for a build without it
 */
public record SacBench(double seconds, String missingRival) {
    private static final int ROUNDS = 5;
    private static final int HIDDEN = 256;

    /** What a rival needs to be: one SAC update at a time, on data of its own making. */
    public interface Rival {
        String name();

        /** An update of the paper's settings on {@code threads} threads. */
        Runnable update(int observations, int actions, int batch, int threads);
    }

    /** @param shareOfFloor updates per second over those of the floor */
    public record Row(String name, String task, int batch, int threads, double updatesPerSecond, double shareOfFloor) {}

    /**
     * @param peakGigaflops what one core multiplied and added at best in this run
     * @param note how to get a rival that is missing; empty where none is
     */
    public record Result(double peakGigaflops, List<Row> rows, String note) {}

    record Size(String task, int observations, int actions, int batch) {
        /** Of the matrix products alone: multiplications and additions, with each row going back through one critic only. */
        double flops() {
            double square = HIDDEN * HIDDEN;
            double critic = (observations + actions) * HIDDEN + square + HIDDEN;
            double actor = observations * HIDDEN + square + 2 * actions * HIDDEN;
            double forward = 2 * actor + 6 * critic;
            double criticStep = 2 * (critic + square + HIDDEN);
            double throughCritic = square + HIDDEN + actions * HIDDEN;
            double actorStep = actor + square + 2 * actions * HIDDEN;
            return 2 * batch * (forward + criticStep + throughCritic + actorStep);
        }
    }

    static final List<Size> SIZES = List.of(
            new Size("hopper", 11, 3, 100),
            new Size("hopper", 11, 3, 256),
            new Size("humanoid", 376, 17, 100),
            new Size("humanoid", 376, 17, 256));

    static final class Contender {
        private final String name;
        private final Size size;
        private final int threads;
        private final Runnable update;
        double best; // updates per second of a round

        Contender(String name, Size size, int threads, Runnable update) {
            this.name = name;
            this.size = size;
            this.threads = threads;
            this.update = update;
        }

        void run(double seconds) {
            long begin = System.nanoTime();
            long spent = 0;
            int updates = 0;
            while (spent < seconds * 1e9) {
                update.run();
                updates++;
                spent = System.nanoTime() - begin;
            }
            best = Math.max(best, 1e9 * updates / spent);
        }

        Row row(double floor) {
            return new Row(name, size.task, size.batch, threads, best, best / floor);
        }
    }

    public Result run(long seed, int maxThreads, ProgressListener listener) {
        BadInput.when(!(seconds > 0), "%s seconds".formatted(seconds), "Measure for some time.");
        Optional<Rival> rival = rival();
        FmaPeak peak = new FmaPeak();
        List<Row> rows = new ArrayList<>();
        List<List<Contender>> bySize = new ArrayList<>();
        int done = 0;
        for (Size size : SIZES) {
            List<Contender> contenders = new ArrayList<>();
            List<Sac> ours = new ArrayList<>();
            for (int threads = 1; threads <= Math.min(2, maxThreads); threads++) {
                Batch batch = batch(size, RandomStream.of(seed).named("batch"));
                Sac sac = sac(size, threads, seed);
                Sac normed = sac(size, threads, seed, Map.of("layer-norm", true));
                ours.addAll(List.of(sac, normed));
                contenders.add(new Contender("revealed", size, threads, () -> sac.update(batch, () -> {})));
                contenders.add(
                        new Contender("revealed, layer norm", size, threads, () -> normed.update(batch, () -> {})));
                if (rival.isPresent()) {
                    Runnable update = rival.get().update(size.observations, size.actions, size.batch, threads);
                    contenders.add(new Contender(rival.get().name(), size, threads, update));
                }
            }
            for (int round = 0; round < ROUNDS; round++) {
                listener.progress("updating", done++, (long) SIZES.size() * ROUNDS);
                peak.measure(seconds / ROUNDS / 10);
                contenders.forEach(contender -> contender.run(seconds / ROUNDS));
            }
            ours.forEach(Sac::close);
            bySize.add(contenders);
        }
        for (List<Contender> contenders : bySize) {
            Size size = contenders.getFirst().size;
            double floor = 1e9 * peak.gigaflops() / size.flops();
            contenders.forEach(contender -> rows.add(contender.row(floor * contender.threads)));
            contenders.stream()
                    .mapToInt(contender -> contender.threads)
                    .distinct()
                    .forEach(threads -> rows.add(new Row("floor", size.task, size.batch, threads, threads * floor, 1)));
        }
        String note = rival.isPresent() ? "" : missingRival;
        return new Result(peak.gigaflops(), rows, note);
    }

    /** The rival of the profile {@code libtorch}, which other builds do not have. */
    private static Optional<Rival> rival() {
        try {
            return Optional.of(Class.forName("dev.revealed.bench.Libtorch")
                    .asSubclass(Rival.class)
                    .getDeclaredConstructor()
                    .newInstance());
        } catch (ReflectiveOperationException | LinkageError e) {
            return Optional.empty();
        }
    }

    static Simulator.Space space(Size size) {
        return new Simulator.Space(size.task, size.observations, new Simulator.Actions.Box(size.actions, 1), 1000);
    }

    static Sac sac(Size size, int threads, long seed) {
        return sac(size, threads, seed, Map.of());
    }

    private static Sac sac(Size size, int threads, long seed, Map<String, ?> others) {
        Sac.Settings settings = Sac.Settings.PAPER.withBatch(size.batch).with(others);
        return new Sac(space(size), settings, RandomStream.of(seed), threads);
    }

    static Batch batch(Size size, RandomStream stream) {
        Batch batch = Batch.of(size.batch, space(size));
        for (float[] values : List.of(batch.states(), batch.nextStates(), batch.rewards())) {
            for (int i = 0; i < values.length; i++) {
                values[i] = (float) stream.nextGaussian();
            }
        }
        for (int i = 0; i < batch.actions().length; i++) {
            batch.actions()[i] = 2 * stream.nextFloat() - 1;
        }
        Arrays.fill(batch.live(), 1);
        return batch;
    }
}

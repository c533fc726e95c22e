package dev.revealed.bench;

import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.model.RandomProcess;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.List;

/**
 * Time of one soft Bellman sweep per nonzero of the kernel: ours at one and more threads, a plain-Java reference in
 * separate passes, and the floor, a bare read of the arrays a sweep must read. All take turns in one run, so that a busy
 * machine slows them alike; the best of many repetitions counts.
 */
public record BellmanBench(int states, int actions, int successors, int repetitions) {
    private static final int REACH = 64;
    private static final int IN_A_ROW = 5;

    /** @param checksum sum of the values after the sweep, which all ways must agree on */
    public record Row(String name, int threads, double nsPerNonzero, double checksum) {}

    public record Result(
            int states, int actions, int successors, long nonzeros, List<Row> rows, double twoThreadSpeedUp) {}

    /** One way to sweep, with the best time so far. */
    private static final class Contender {
        private final String name;
        private final int threads;
        private final Runnable sweep;
        private final double[] next;
        private double best = Double.POSITIVE_INFINITY;

        Contender(String name, int threads, Runnable sweep, double[] next) {
            this.name = name;
            this.threads = threads;
            this.sweep = sweep;
            this.next = next;
        }

        void run() {
            Parallel.threads(threads);
            for (int i = 0; i < IN_A_ROW; i++) { // the first of a row wakes the threads
                long begin = System.nanoTime();
                sweep.run();
                best = Math.min(best, (double) (System.nanoTime() - begin));
            }
        }

        Row row(long nonzeros) {
            return new Row(name, threads, best / nonzeros, Vec.sum(next));
        }
    }

    public Result run(long seed, int maxThreads, ProgressListener listener) {
        BadInput.when(repetitions < 1, "%d repetitions".formatted(repetitions), "Measure at least once.");
        BadInput.when(
                states < 2 * REACH + 1
                        || actions < 1
                        || successors < 1
                        || (long) states * actions * successors >= 1L << 31,
                "%d states, %d actions, %d successors".formatted(states, actions, successors),
                "Use at least %d states, and fewer than 2^31 entries in all.".formatted(2 * REACH + 1));
        RandomStream stream = RandomStream.of(seed);
        listener.progress("building the kernel", 0, 1);
        Kernel kernel = RandomProcess.kernel(states, actions, successors, REACH, stream.named("kernel"));
        Mdp mdp = Mdp.uniformStart(kernel, 0.95);
        double[] reward = stream.named("reward").doubles(kernel.rows(), -1, 1).toArray();
        double[] values = stream.named("values").doubles(states, -5, 5).toArray();
        SoftProcess process = new SoftProcess(mdp, InformationCost.STANDARD);

        List<Contender> contenders = new ArrayList<>();
        for (int threads = 1; threads <= maxThreads; threads *= 2) {
            double[] next = new double[states];
            contenders.add(new Contender("revealed", threads, () -> process.backup(reward, values, next), next));
        }
        SeparatePasses separate = new SeparatePasses(kernel, 0.95);
        contenders.add(new Contender("separate passes", 1, () -> separate.sweep(reward, values), separate.next()));
        double[] sum = new double[1];
        contenders.add(new Contender("memory read", 1, () -> sum[0] = read(kernel, reward, values), sum));
        for (int i = 0; i < repetitions; i += IN_A_ROW) {
            listener.progress("sweeping", i, repetitions);
            contenders.forEach(Contender::run);
        }
        Parallel.threads(maxThreads);
        List<Row> rows = contenders.stream().map(c -> c.row(kernel.nonzeros())).toList();
        double expected = rows.getFirst().checksum();
        for (Row row : rows.subList(0, rows.size() - 1)) { // the last only reads
            if (!(Math.abs(row.checksum() - expected) <= 1e-9 * Math.abs(expected))) {
                throw new IllegalStateException("%s does not compute the same values: %s, not %s"
                        .formatted(row.name(), row.checksum(), expected));
            }
        }
        double speedUp = maxThreads < 2
                ? Double.NaN
                : rows.get(0).nsPerNonzero() / rows.get(1).nsPerNonzero();
        return new Result(states, actions, successors, kernel.nonzeros(), rows, speedUp);
    }

    /** The floor: what a sweep must read, read once in order. */
    private static double read(Kernel kernel, double[] reward, double[] values) {
        return total(kernel.probability())
                + total(kernel.successor())
                + total(kernel.rowStart())
                + total(reward)
                + total(values);
    }

    private static double total(double[] x) {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        for (int i = 0; i + 3 < x.length; i += 4) {
            a += x[i];
            b += x[i + 1];
            c += x[i + 2];
            d += x[i + 3];
        }
        return a + b + c + d;
    }

    private static long total(int[] x) {
        int sum = 0;
        for (int value : x) {
            sum ^= value; // vectorises, unlike a sum in long
        }
        return sum;
    }

    /** A sweep as array languages do it: one pass per operation, each to memory and back. */
    private static final class SeparatePasses {
        private final Kernel kernel;
        private final double discount;
        private final double[] q;
        private final double[] top;
        private final double[] next;

        SeparatePasses(Kernel kernel, double discount) {
            this.kernel = kernel;
            this.discount = discount;
            q = new double[kernel.rows()];
            top = new double[kernel.states()];
            next = new double[kernel.states()];
        }

        double[] next() {
            return next;
        }

        void sweep(double[] reward, double[] values) {
            int actions = kernel.actions();
            int[] rowStart = kernel.rowStart();
            int[] successor = kernel.successor();
            double[] probability = kernel.probability();
            for (int row = 0; row < q.length; row++) {
                double sum = 0;
                for (int k = rowStart[row]; k < rowStart[row + 1]; k++) {
                    sum += probability[k] * values[successor[k]];
                }
                q[row] = sum;
            }
            for (int row = 0; row < q.length; row++) {
                q[row] = reward[row] + discount * q[row];
            }
            for (int s = 0; s < top.length; s++) {
                double max = Double.NEGATIVE_INFINITY;
                for (int row = s * actions; row < (s + 1) * actions; row++) {
                    max = Math.max(max, q[row]);
                }
                top[s] = max;
            }
            for (int row = 0; row < q.length; row++) {
                q[row] = Math.exp(q[row] - top[row / actions]);
            }
            for (int s = 0; s < next.length; s++) {
                double sum = 0;
                for (int row = s * actions; row < (s + 1) * actions; row++) {
                    sum += q[row];
                }
                next[s] = sum;
            }
            for (int s = 0; s < next.length; s++) {
                next[s] = top[s] + Math.log(next[s]);
            }
        }
    }
}

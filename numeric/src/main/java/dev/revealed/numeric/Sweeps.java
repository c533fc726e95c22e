package dev.revealed.numeric;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Single passes over the kernel of a finite decision process.
 *
 * <p>A kernel has a row {@code s * actions + a} for each state and action. Every pass works on the states [from, to), writes nothing outside them,
 * and computes each state by the same operations in the same order wherever a range begins: any split over threads
 * gives the same bits. Threads need one {@link Scratch} each. Nothing is allocated.
 *
 * <p>Row sums are the plainest loop there is: C2 compiles it better than unrolled, masked or blocked variants.
 */
public final class Sweeps {

    /** States at a time: enough for the vector loops, small enough for the first-level cache. */
    private static final int BLOCK = 256;

    private Sweeps() {}

    /** Sparse rows: the entries of row i are {@code start[i] .. start[i + 1]} of {@code column} and {@code value}. */
    public record Rows(int[] start, int[] column, double[] value) {}

    /** Work space of one thread, and the smallest and largest change of a value in its last pass. */
    public static final class Scratch {
        private final double[] rows;
        private final double[][] q;
        private final double[] top = new double[BLOCK];
        private final double[] sum = new double[BLOCK];
        private double minChange;
        private double maxChange;

        public Scratch(int actions) {
            rows = new double[actions * BLOCK];
            q = new double[actions][BLOCK];
        }

        /** Smallest next(s) - value(s); NaN if any is. */
        public double minChange() {
            return minChange;
        }

        /** Largest next(s) - value(s); NaN if any is. */
        public double maxChange() {
            return maxChange;
        }
    }

    /**
     * Soft Bellman backup: next(s) = tau log sum_a w(a|s) exp(Q(s,a) / tau), Q = reward + gamma P value, with tau times
     * scale(s) in place of tau where there are scales.
     *
     * @param scale of the shocks by state; null where it is 1 everywhere
     * @param ahead what the kernel's columns refer to: the values, or what a factored kernel makes of them
     * @param logWeight log w by row, minus infinity for actions not available; null for w = 1. A state without any
     *     action becomes NaN, as does everything that touches a NaN.
     * @param logPolicy receives log pi(a|s) by row; null where only values are wanted
     * @param policy receives pi(a|s) by row; null together with {@code logPolicy}
     */
    public static void softBackup(
            int from,
            int to,
            int actions,
            Rows kernel,
            double[] reward,
            double @Nullable [] logWeight,
            double gamma,
            double tau,
            double @Nullable [] scale,
            double[] ahead,
            double[] value,
            double[] next,
            double @Nullable [] logPolicy,
            double @Nullable [] policy,
            Scratch scratch) {
        scratch.minChange = Double.POSITIVE_INFINITY;
        scratch.maxChange = Double.NEGATIVE_INFINITY;
        double[][] q = scratch.q;
        for (int first = from; first < to; first += BLOCK) {
            int n = Math.min(BLOCK, to - first);
            rowValues(first * actions, n * actions, kernel, reward, gamma, ahead, scratch.rows);
            byAction(n, actions, scratch.rows, q);
            if (scale != null) {
                divide(first, n, scale, q);
            }
            if (logWeight != null) {
                addLogWeights(first, n, actions, logWeight, tau, q);
            }
            softMax(n, actions, tau, q, scratch.top, scratch.sum);
            finish(first, n, tau, scale, value, next, scratch);
            if (logPolicy != null && policy != null) {
                writePolicy(first, n, actions, tau, q, scratch.top, scratch.sum, logPolicy, policy);
            }
        }
    }

    /** The action values of n rows, in the kernel's order: one loop less around the row sums than with q in place. */
    private static void rowValues(
            int first, int n, Rows kernel, double[] reward, double gamma, double[] value, double[] rows) {
        int[] start = kernel.start;
        int[] column = kernel.column;
        double[] entry = kernel.value;
        int k = start[first];
        for (int i = 0; i < n; i++) {
            int end = start[first + i + 1];
            rows[i] = Math.fma(gamma, dot(k, end, column, entry, value), reward[first + i]);
            k = end;
        }
    }

    /** q[a][i] = rows[i * actions + a], so that the loops over states that follow are contiguous. */
    private static void byAction(int n, int actions, double[] rows, double[][] q) {
        for (int a = 0; a < actions; a++) {
            double[] qa = q[a];
            for (int i = 0; i < n; i++) {
                qa[i] = rows[i * actions + a];
            }
        }
    }

    /** q / scale, whose soft maximum times scale is that of q with scaled shocks. */
    private static void divide(int first, int n, double[] scale, double[][] q) {
        for (double[] qa : q) {
            for (int i = 0; i < n; i++) {
                qa[i] /= scale[first + i];
            }
        }
    }

    private static double dot(int from, int to, int[] index, double[] weight, double[] x) {
        double sum = 0;
        for (int k = from; k < to; k++) {
            sum = Math.fma(weight[k], x[index[k]], sum);
        }
        return sum;
    }

    private static void addLogWeights(int first, int n, int actions, double[] logWeight, double tau, double[][] q) {
        for (int a = 0; a < actions; a++) {
            double[] qa = q[a];
            for (int i = 0; i < n; i++) {
                qa[i] = Math.fma(tau, logWeight[(first + i) * actions + a], qa[i]);
            }
        }
    }

    /** top = max_a q, sum = sum_a exp((q - top) / tau). */
    private static void softMax(int n, int actions, double tau, double[][] q, double[] top, double[] sum) {
        System.arraycopy(q[0], 0, top, 0, n);
        for (int a = 1; a < actions; a++) {
            raise(top, q[a], n);
        }
        Arrays.fill(sum, 0, n, 0.0);
        for (int a = 0; a < actions; a++) {
            Elementary.addExp(q[a], top, tau, sum, n);
        }
    }

    private static void raise(double[] top, double[] x, int n) {
        for (int i = 0; i < n; i++) {
            top[i] = Math.max(top[i], x[i]);
        }
    }

    private static void finish(
            int first, int n, double tau, double @Nullable [] scale, double[] value, double[] next, Scratch scratch) {
        double[] top = scratch.top;
        double[] sum = scratch.sum;
        double min = scratch.minChange;
        double max = scratch.maxChange;
        for (int i = 0; i < n; i++) {
            double soft = Math.fma(tau, Elementary.log(sum[i]), top[i]);
            double v = scale == null ? soft : scale[first + i] * soft;
            next[first + i] = v;
            double change = v - value[first + i];
            min = Math.min(min, change);
            max = Math.max(max, change);
        }
        scratch.minChange = min;
        scratch.maxChange = max;
    }

    private static void writePolicy(
            int first,
            int n,
            int actions,
            double tau,
            double[][] q,
            double[] top,
            double[] sum,
            double[] logPolicy,
            double[] policy) {
        for (int i = 0; i < n; i++) {
            double logSum = Elementary.log(sum[i]);
            for (int a = 0; a < actions; a++) {
                double log = (q[a][i] - top[i]) / tau - logSum;
                logPolicy[(first + i) * actions + a] = log;
                policy[(first + i) * actions + a] = Elementary.exp(log);
            }
        }
    }

    /**
     * y = offset + gamma P x on the rows [from, to): action values of a reward and values; occupancy of a start and flows, over
     * a transposed kernel.
     */
    public static void affine(int from, int to, Rows p, double[] offset, double gamma, double[] x, double[] y) {
        int[] start = p.start;
        int[] column = p.column;
        double[] entry = p.value;
        for (int row = from; row < to; row++) {
            y[row] = Math.fma(gamma, dot(start[row], start[row + 1], column, entry, x), offset[row]);
        }
    }

    /**
     * Evaluation sweep of a fixed policy: next(s) = sum_a policy(a|s) (reward(s,a) + gamma P value).
     *
     * @param ahead what the kernel's columns refer to: the values, or what a factored kernel makes of them
     */
    public static void evaluate(
            int from,
            int to,
            int actions,
            Rows kernel,
            double[] reward,
            double[] policy,
            double gamma,
            double[] ahead,
            double[] value,
            double[] next,
            Scratch scratch) {
        int[] start = kernel.start;
        int[] column = kernel.column;
        double[] entry = kernel.value;
        double min = Double.POSITIVE_INFINITY;
        double max = Double.NEGATIVE_INFINITY;
        int row = from * actions;
        int k = start[row];
        for (int s = from; s < to; s++) {
            double v = 0;
            for (int a = 0; a < actions; a++) {
                int end = start[row + 1];
                double q = Math.fma(gamma, dot(k, end, column, entry, ahead), reward[row]);
                v = Math.fma(policy[row], q, v);
                k = end;
                row++;
            }
            next[s] = v;
            double change = v - value[s];
            min = Math.min(min, change);
            max = Math.max(max, change);
        }
        scratch.minChange = min;
        scratch.maxChange = max;
    }

    /** flow(s,a) = occupancy(s) policy(a|s). */
    public static void flow(int from, int to, int actions, double[] occupancy, double[] policy, double[] flow) {
        for (int s = from; s < to; s++) {
            for (int row = s * actions; row < (s + 1) * actions; row++) {
                flow[row] = occupancy[s] * policy[row];
            }
        }
    }
}

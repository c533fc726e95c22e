package dev.revealed.numeric.sparse;

import java.util.Arrays;
import java.util.function.Predicate;

/**
 * The spectral radius of a sparse nonnegative matrix: what it must be divided by for elimination of I - M to meet positive
 * pivots only, by bisection. No eigenvalue iteration, which stalls on long rings and on parts that are hardly connected.
 */
public final class SpectralRadius {
    private static final double TOLERANCE = 1e-10;

    private SpectralRadius() {}

    /**
     * The spectral radius, to ten digits.
     *
     * @param start of each row among the entries
     * @param m entries, none negative
     * @param below whether a matrix of the same pattern has a spectral radius below 1
     */
    public static double of(int[] start, int[] column, double[] m, Predicate<double[]> below) {
        double high = 0;
        for (int k = 0; k + 1 < start.length; k++) {
            double sum = 0;
            for (int e = start[k]; e < start[k + 1]; e++) {
                sum += m[e];
            }
            high = Math.max(high, sum);
        }
        if (high == Double.POSITIVE_INFINITY || Double.isNaN(high)) {
            return high;
        }
        if (acyclic(start, column, m)) {
            return 0;
        }
        // No less than the geometric mean along a ring, hence than the least entry.
        double low = 0.5 * Arrays.stream(m).filter(own -> own > 0).min().orElseThrow();
        double[] scaled = new double[m.length];
        while (high - low > TOLERANCE * high) {
            double middle = high > 2 * low ? Math.sqrt(low) * Math.sqrt(high) : 0.5 * (low + high);
            for (int e = 0; e < m.length; e++) {
                scaled[e] = m[e] / middle;
            }
            if (below.test(scaled)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    /** Whether rows can be left out one by one, each when none of those left enters it. */
    private static boolean acyclic(int[] start, int[] column, double[] m) {
        int n = start.length - 1;
        int[] entered = new int[n];
        for (int e = 0; e < start[n]; e++) {
            entered[column[e]] += m[e] > 0 ? 1 : 0;
        }
        int[] queue = new int[n];
        int size = 0;
        for (int k = 0; k < n; k++) {
            if (entered[k] == 0) {
                queue[size++] = k;
            }
        }
        for (int i = 0; i < size; i++) {
            for (int e = start[queue[i]]; e < start[queue[i] + 1]; e++) {
                if (m[e] > 0 && --entered[column[e]] == 0) {
                    queue[size++] = column[e];
                }
            }
        }
        return size == n;
    }
}

package dev.revealed.numeric;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** The few vector operations everything else is written in. */
public final class Vec {
    private Vec() {}

    public static double dot(double[] x, double[] y) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            sum += x[i] * y[i];
        }
        return sum;
    }

    public static double sum(double[] x) {
        double sum = 0;
        for (double value : x) {
            sum += value;
        }
        return sum;
    }

    public static double norm(double[] x) {
        return Math.sqrt(dot(x, x));
    }

    /** Largest absolute component; NaN if any component is. */
    public static double maxAbs(double[] x) {
        double max = 0;
        for (double value : x) {
            max = Math.max(max, Math.abs(value));
        }
        return max;
    }

    /** The span seminorm max - min: zero for constants, which no choice depends on; NaN if any component is. */
    public static double span(double[] x) {
        double[] min = new double[Parallel.blocks(x.length)];
        double[] max = new double[min.length];
        Parallel.range(x.length, (from, to) -> {
            double low = Double.POSITIVE_INFINITY;
            double high = Double.NEGATIVE_INFINITY;
            for (int i = from; i < to; i++) {
                low = Math.min(low, x[i]);
                high = Math.max(high, x[i]);
            }
            min[from / Parallel.BLOCK] = low;
            max[from / Parallel.BLOCK] = high;
        });
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (int block = 0; block < min.length; block++) {
            low = Math.min(low, min[block]);
            high = Math.max(high, max[block]);
        }
        return high - low;
    }

    /** x + scale * y as a new array. */
    public static double[] plus(double[] x, double scale, double[] y) {
        double[] sum = x.clone();
        axpy(scale, y, sum);
        return sum;
    }

    /** y += scale * x. */
    public static void axpy(double scale, double[] x, double[] y) {
        for (int i = 0; i < y.length; i++) {
            y[i] += scale * x[i];
        }
    }

    /** The components of x, then those of y. */
    public static double[] joined(double[] x, double[] y) {
        double[] all = Arrays.copyOf(x, x.length + y.length);
        System.arraycopy(y, 0, all, x.length, y.length);
        return all;
    }

    public static boolean isFinite(double[] x) {
        for (double value : x) {
            if (!Double.isFinite(value)) {
                return false;
            }
        }
        return true;
    }

    /** The indices 0 to n - 1 by their keys in ascending order; equal keys keep their order. */
    public static int[] order(int n, IntToDoubleFunction key) {
        Comparator<Integer> ascending = Comparator.comparingDouble(key::applyAsDouble);
        return IntStream.range(0, n).boxed().sorted(ascending).mapToInt(i -> i).toArray();
    }

    /** Pearson's correlation. */
    public static double correlation(double[] x, double[] y) {
        return products(x, y) / Math.sqrt(products(x, x) * products(y, y));
    }

    /** The sum of the products of what x and y are away from their means. */
    private static double products(double[] x, double[] y) {
        double meanX = mean(x);
        double meanY = mean(y);
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            sum += (x[i] - meanX) * (y[i] - meanY);
        }
        return sum;
    }

    public static double mean(double[] x) {
        return sum(x) / x.length;
    }

    /** The root of the mean square around the mean. */
    public static double deviation(double[] x) {
        return Math.sqrt(products(x, x) / x.length);
    }

    /** Standard error of the mean of independent draws. */
    public static double standardError(double[] x) {
        return deviation(x) / Math.sqrt(x.length - 1);
    }

    /** Least-squares slope of y on x. */
    public static double slope(double[] x, double[] y) {
        return products(x, y) / products(x, x);
    }
}

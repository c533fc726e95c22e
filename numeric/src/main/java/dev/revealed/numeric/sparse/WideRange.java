package dev.revealed.numeric.sparse;

/**
 * Numbers that are not negative, of any size: a double of at least 1 times a power of 2^512, or 0. Sums and products are as
 * accurate as those of doubles, and do not underflow.
 */
final class WideRange {
    private static final double UP = 0x1p512;
    private static final double DOWN = 0x1p-512;
    private static final double LOG_UP = 512 * Math.log(2);

    private final double[] mantissa;
    private final int[] exponent;

    WideRange(int n) {
        mantissa = new double[n];
        exponent = new int[n];
    }

    void set(int i, double value) {
        mantissa[i] = value;
        exponent[i] = 0;
        normalise(i);
    }

    void multiply(int i, double factor) {
        mantissa[i] *= factor;
        normalise(i);
    }

    /** Adds {@code factor} times number {@code j} to number {@code i}. */
    void add(int i, double factor, int j) {
        double term = factor * mantissa[j];
        if (term == 0) {
            return;
        }
        int size = exponent[j];
        while (term < 1) {
            term *= UP;
            size--;
        }
        if (mantissa[i] == 0 || size > exponent[i]) {
            mantissa[i] = term + (size == exponent[i] + 1 ? mantissa[i] * DOWN : 0);
            exponent[i] = size;
        } else if (size == exponent[i]) {
            mantissa[i] += term;
        } else if (size == exponent[i] - 1) {
            mantissa[i] += term * DOWN;
        }
        if (mantissa[i] >= UP) {
            normalise(i);
        }
    }

    double log(int i) {
        return mantissa[i] == 0 ? Double.NEGATIVE_INFINITY : Math.log(mantissa[i]) + exponent[i] * LOG_UP;
    }

    private void normalise(int i) {
        if (mantissa[i] == 0) {
            return;
        }
        while (mantissa[i] < 1) {
            mantissa[i] *= UP;
            exponent[i]--;
        }
        while (mantissa[i] >= UP) {
            mantissa[i] *= DOWN;
            exponent[i]++;
        }
    }
}

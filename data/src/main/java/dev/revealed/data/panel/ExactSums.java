package dev.revealed.data.panel;

import java.util.Arrays;

/**
 * Sums of positive numbers below 2^62 in fixed point, with 52 binary digits after the point. Addition of integers is
 * associative, so the sums do not depend on the order of their terms. Numbers from 1 on are added exactly; of smaller
 * ones, digits beyond the 52nd are cut off.
 */
final class ExactSums {
    private static final int DIGITS = 52;
    private static final long MASK = (1L << DIGITS) - 1;
    private static final double SCALE = 1L << DIGITS;

    private long[] whole;
    private long[] rest;

    ExactSums(int capacity) {
        this(new long[capacity], new long[capacity]);
    }

    private ExactSums(long[] whole, long[] rest) {
        this.whole = whole;
        this.rest = rest;
    }

    /** The inverse of {@link #toArray}. */
    static ExactSums of(long[] pairs) {
        ExactSums sums = new ExactSums(pairs.length / 2);
        for (int i = 0; i < sums.whole.length; i++) {
            sums.whole[i] = pairs[2 * i];
            sums.rest[i] = pairs[2 * i + 1];
        }
        return sums;
    }

    void add(int i, double value) {
        long floor = (long) value;
        add(i, floor, (long) ((value - floor) * SCALE));
    }

    void add(int i, ExactSums other, int j) {
        add(i, other.whole[j], other.rest[j]);
    }

    private void add(int i, long more, long digits) {
        long sum = rest[i] + digits;
        rest[i] = sum & MASK;
        whole[i] = Math.addExact(whole[i], more + (sum >>> DIGITS));
    }

    double get(int i) {
        return whole[i] + rest[i] / SCALE;
    }

    void grow(int capacity) {
        whole = Arrays.copyOf(whole, capacity);
        rest = Arrays.copyOf(rest, capacity);
    }

    /** The first n sums, two numbers each. */
    long[] toArray(int n) {
        long[] pairs = new long[2 * n];
        for (int i = 0; i < n; i++) {
            pairs[2 * i] = whole[i];
            pairs[2 * i + 1] = rest[i];
        }
        return pairs;
    }
}

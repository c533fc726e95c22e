package dev.revealed.data.panel;

import dev.revealed.numeric.BadInput;
import java.util.Arrays;

/**
 * Sums of positive numbers below 2^62 in fixed point, with 104 binary digits after the point. Addition of integers is
 * associative, so the sums do not depend on the order of their terms. Numbers from 2^-52 on are added exactly; of smaller
 * ones, digits beyond the 104th are cut off.
 */
final class ExactSums {
    /** Numbers that a sum is made of: its whole part, and twice 52 digits after the point. */
    static final int WORDS = 3;

    private static final long LARGEST = 1L << 62;
    private static final int DIGITS = 52;
    private static final long MASK = (1L << DIGITS) - 1;
    private static final double SCALE = 1L << DIGITS;

    private long[] words;

    ExactSums(int capacity) {
        this(new long[WORDS * capacity]);
    }

    private ExactSums(long[] words) {
        this.words = words;
    }

    /** The inverse of {@link #toArray}. */
    static ExactSums of(long[] words) {
        return new ExactSums(words.clone());
    }

    void add(int i, double value) {
        if (!(value < LARGEST)) {
            throw tooLarge();
        }
        long floor = (long) value;
        double upper = (value - floor) * SCALE; // exact, as is all of this: powers of two alone
        long high = (long) upper;
        add(i, floor, high, (long) ((upper - high) * SCALE));
    }

    void add(int i, ExactSums other, int j) {
        add(i, other.words[WORDS * j], other.words[WORDS * j + 1], other.words[WORDS * j + 2]);
    }

    private void add(int i, long floor, long high, long low) {
        int at = WORDS * i;
        long lows = words[at + 2] + low;
        long highs = words[at + 1] + high + (lows >>> DIGITS);
        words[at + 2] = lows & MASK;
        words[at + 1] = highs & MASK;
        words[at] += floor + (highs >>> DIGITS); // both are below 2^62
        if (words[at] >= LARGEST) {
            throw tooLarge();
        }
    }

    private static BadInput tooLarge() {
        return new BadInput(
                "the weights, or their squares, add up to more than %.1e".formatted((double) LARGEST),
                "Give smaller ones: of sampling weights only the ratios matter, so all may be divided by 1000.");
    }

    double get(int i) {
        int at = WORDS * i;
        return words[at] + (words[at + 1] + words[at + 2] / SCALE) / SCALE;
    }

    void grow(int capacity) {
        words = Arrays.copyOf(words, WORDS * capacity);
    }

    /** The first n sums, {@link #WORDS} numbers each. */
    long[] toArray(int n) {
        return Arrays.copyOf(words, WORDS * n);
    }
}

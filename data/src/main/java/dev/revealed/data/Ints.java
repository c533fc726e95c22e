package dev.revealed.data;

import java.util.Arrays;

/** A growing array of integers. */
final class Ints {
    private int[] values = new int[64];
    private int size;

    void add(int value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, Doubles.grown(size));
        }
        values[size++] = value;
    }

    int size() {
        return size;
    }

    int get(int i) {
        return values[i];
    }

    void set(int i, int value) {
        values[i] = value;
    }

    int[] toArray() {
        return Arrays.copyOf(values, size);
    }
}

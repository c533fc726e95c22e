package dev.revealed.data;

import java.util.Arrays;

/** A growing array of integers. */
public final class Ints {
    private int[] values = new int[64];
    private int size;

    public void add(int value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, Doubles.grown(size));
        }
        values[size++] = value;
    }

    public int size() {
        return size;
    }

    public int get(int i) {
        return values[i];
    }

    public void set(int i, int value) {
        values[i] = value;
    }

    public int[] toArray() {
        return Arrays.copyOf(values, size);
    }
}

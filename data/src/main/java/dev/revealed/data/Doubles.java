package dev.revealed.data;

import dev.revealed.numeric.BadInput;
import java.util.Arrays;

/** A growing array of numbers. */
public final class Doubles {
    private double[] values = new double[64];
    private int size;

    public void add(double value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, grown(size));
        }
        values[size++] = value;
    }

    public double get(int i) {
        return values[i];
    }

    public double[] toArray() {
        return Arrays.copyOf(values, size);
    }

    public static int grown(int size) {
        BadInput.when(
                size >= Integer.MAX_VALUE - 8,
                "a table has more than %d rows".formatted(size),
                "Split the file, or use a smaller one.");
        return (int) Math.min(Integer.MAX_VALUE - 8L, 2L * size);
    }
}

package dev.revealed.data.npz;

import dev.revealed.numeric.BadInput;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * An array as NumPy stores it: a shape and its values in C order (last index fastest). A shape without dimensions is a
 * scalar. All widths of integers and booleans are held as {@code long}, floats as {@code double} or {@code float}.
 */
public sealed interface NpyArray {
    /** Lengths of the dimensions; do not modify. */
    int[] shape();

    /** Number of values. */
    default int size() {
        return size(shape());
    }

    /** The values as numbers; do not modify. */
    double[] numbers();

    record Floats(int[] shape, double[] values) implements NpyArray {
        public Floats {
            check(shape, values.length);
        }

        @Override
        public double[] numbers() {
            return values;
        }
    }

    /** Floats in single precision, NumPy's {@code float32}. */
    record Singles(int[] shape, float[] values) implements NpyArray {
        public Singles {
            check(shape, values.length);
        }

        @Override
        public double[] numbers() {
            double[] numbers = new double[values.length];
            Arrays.setAll(numbers, i -> values[i]);
            return numbers;
        }
    }

    record Integers(int[] shape, long[] values) implements NpyArray {
        public Integers {
            check(shape, values.length);
        }

        @Override
        public double[] numbers() {
            return Arrays.stream(values).asDoubleStream().toArray();
        }
    }

    /** Strings, NumPy's {@code <U}. */
    record Text(int[] shape, List<String> values) implements NpyArray {
        public Text {
            check(shape, values.size());
            values = List.copyOf(values);
        }

        @Override
        public double[] numbers() {
            throw new BadInput("an array of strings where numbers are needed", "Give numbers.");
        }
    }

    static NpyArray scalar(double value) {
        return new Floats(new int[0], new double[] {value});
    }

    static NpyArray of(double... values) {
        return new Floats(new int[] {values.length}, values);
    }

    static NpyArray of(int... values) {
        return matrix(values, values.length);
    }

    /** Integers in the given shape. */
    static NpyArray matrix(int[] values, int... shape) {
        return new Integers(shape, Arrays.stream(values).asLongStream().toArray());
    }

    static NpyArray of(List<String> values) {
        return new Text(new int[] {values.size()}, values);
    }

    /** The strings of a text array, or the lines of UTF-8 bytes in an integer array. */
    default List<String> strings() {
        return switch (this) {
            case Text text -> text.values();
            case Integers bytes -> {
                byte[] utf8 = new byte[bytes.size()];
                for (int i = 0; i < utf8.length; i++) {
                    utf8[i] = (byte) bytes.values()[i];
                }
                String joined = new String(utf8, StandardCharsets.UTF_8);
                yield joined.isEmpty() ? List.of() : joined.lines().toList();
            }
            case Floats _, Singles _ ->
                throw new BadInput(
                        "an array of floats where names are needed",
                        "Give strings, or UTF-8 bytes with a newline between names.");
        };
    }

    /** The number of values a shape holds, checked to fit a Java array. */
    static int size(int[] shape) {
        long size = 1;
        for (int length : shape) {
            if (length < 0 || (size *= length) > Integer.MAX_VALUE) {
                throw new BadInput(
                        "the shape %s holds more than 2^31-1 values".formatted(Arrays.toString(shape)),
                        "Split the array.");
            }
        }
        return (int) size;
    }

    private static void check(int[] shape, int values) {
        Objects.requireNonNull(shape);
        if (size(shape) != values) {
            throw new IllegalArgumentException("%d values for the shape %s".formatted(values, Arrays.toString(shape)));
        }
    }
}

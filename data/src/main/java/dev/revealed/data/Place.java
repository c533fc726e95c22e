package dev.revealed.data;

import dev.revealed.numeric.BadInput;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * Where the rows of a table came from, so that a complaint found long after reading still names file and line.
 *
 * @param file the file as the user named it
 * @param unit what a row is called: line, entry
 * @param number how the user counts row i
 */
public record Place(String file, String unit, IntFunction<String> number) {
    private static final int SHOWN = 8;

    /** Rows of a CSV file, each on the line given. */
    public static Place lines(Path file, int[] line) {
        return new Place(file.toString(), "line", i -> Integer.toString(line[i]));
    }

    /** Entries of the arrays of an NPZ file, counted from 0 as NumPy does. */
    public static Place entries(Path file) {
        return new Place(file.toString(), "entry", Integer::toString);
    }

    /** A number as people write it: 5000 rather than 5000.0. */
    public static String plain(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    public BadInput bad(int row, String problem, String remedy) {
        return new BadInput("%s, %s %s: %s".formatted(file, unit, number.apply(row), problem), remedy);
    }

    /** {@code line 3}, or {@code lines 3, 4, 5}; the first few where they are many. */
    public String list(int... rows) {
        String numbers = Arrays.stream(rows).limit(SHOWN).mapToObj(number).collect(Collectors.joining(", "));
        String many = unit.equals("entry") ? "entries" : unit + "s";
        return (rows.length == 1 ? unit : many) + " " + numbers + (rows.length > SHOWN ? ", ..." : "");
    }

    /** Checks {@code 0 <= index < limit}. */
    public void index(int row, String field, int index, int limit, String remedy) {
        if (index < 0 || index >= limit) {
            throw bad(row, "%s is %d, outside 0..%d".formatted(field, index, limit - 1), remedy);
        }
    }

    public void probability(int row, double p) {
        if (!(p >= 0 && p <= 1 + 1e-9)) {
            throw bad(row, "probability is " + p, "Probabilities lie between 0 and 1.");
        }
    }

    public void finite(int row, String field, double value) {
        if (!Double.isFinite(value)) {
            throw bad(row, field + " is " + value, "Give a finite number.");
        }
    }
}

package dev.revealed.data;

import java.nio.file.Path;
import java.util.Optional;

/** Counts numbers of a column that lie far beyond the grid whose nearest value is taken for them. */
public final class FarValues {
    private final String column;
    private final Grid grid;
    private long rows;
    private long line;
    private double value;
    private double distance = -1;

    public FarValues(String column, Grid grid) {
        this.column = column;
        this.grid = grid;
    }

    public void see(double number, long at) {
        if (grid.isFar(number)) {
            rows++;
            double off = Math.abs(number - taken(number));
            if (off > distance) {
                distance = off;
                value = number;
                line = at;
            }
        }
    }

    /** Adds what was seen elsewhere. */
    public void merge(FarValues other) {
        rows += other.rows;
        if (other.distance > distance || (other.distance == distance && other.line < line)) {
            distance = other.distance;
            value = other.value;
            line = other.line;
        }
    }

    /** All of it as plain numbers. */
    public double[] notes() {
        return new double[] {rows, line, value, distance};
    }

    /** Adds what another has noted. */
    public void remember(double[] notes) {
        FarValues other = new FarValues(column, grid);
        other.rows = (long) notes[0];
        other.line = (long) notes[1];
        other.value = notes[2];
        other.distance = notes[3];
        merge(other);
    }

    private double taken(double number) {
        return grid.values()[grid.nearest(number)];
    }

    /** A sentence about them, where there are any. */
    Optional<String> warning(Path file) {
        return warning(file.toString(), "line %d".formatted(line));
    }

    /** Where the farthest of them stands. */
    public long farthest() {
        return line;
    }

    /**
     * A sentence about them, where there are any.
     *
     * @param row where the farthest of them stands, in words
     */
    public Optional<String> warning(String file, String row) {
        if (rows == 0) {
            return Optional.empty();
        }
        return Optional.of(
                ("%s: in %s %s is more than half a grid step beyond the model's values %s. The farthest is %s on"
                                + " %s, taken for %s. Correct the data, or widen the grid.")
                        .formatted(
                                file,
                                rows == 1 ? "1 row" : rows + " rows",
                                column,
                                grid,
                                Place.plain(value),
                                row,
                                Place.plain(taken(value))));
    }
}

package dev.revealed.data;

import java.nio.file.Path;
import java.util.Optional;

/** Counts numbers of a column that lie far beyond the grid whose nearest value is taken for them. */
final class FarValues {
    private final String column;
    private final Grid grid;
    private long rows;
    private int line;
    private double value;
    private double distance = -1;

    FarValues(String column, Grid grid) {
        this.column = column;
        this.grid = grid;
    }

    void see(double number, int at) {
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

    private double taken(double number) {
        return grid.values()[grid.nearest(number)];
    }

    /** A sentence about them, where there are any. */
    Optional<String> warning(Path file) {
        if (rows == 0) {
            return Optional.empty();
        }
        return Optional.of(
                ("%s: in %s %s is more than half a grid step beyond the model's values %s. The farthest is %s on"
                                + " line %d, taken for %s. Correct the data, or widen the grid.")
                        .formatted(
                                file,
                                rows == 1 ? "1 row" : rows + " rows",
                                column,
                                grid,
                                Place.plain(value),
                                line,
                                Place.plain(taken(value))));
    }
}

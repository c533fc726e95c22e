package dev.revealed.app.view;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/** An immutable matrix of values to look at; what is missing is NaN. */
public record Grid(double[][] values, int columns) {

    /** Copies the rows; short rows are filled up with NaN. */
    public static Grid of(double[][] rows) {
        int columns = Arrays.stream(rows).mapToInt(row -> row.length).max().orElse(0);
        return of(rows.length, columns, (i, j) -> j < rows[i].length ? rows[i][j] : Double.NaN);
    }

    /** Fills a grid cell by cell. */
    public static Grid of(int rows, int columns, Cell cell) {
        double[][] values = new double[rows][columns];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                values[i][j] = cell.at(i, j);
            }
        }
        return new Grid(values, columns);
    }

    /** The value of a cell. */
    @FunctionalInterface
    public interface Cell {
        double at(int row, int column);
    }

    public int rows() {
        return values.length;
    }

    public double at(int row, int column) {
        return values[row][column];
    }

    boolean isEmpty() {
        return rows() == 0 || columns == 0;
    }

    DoubleStream finite() {
        return Arrays.stream(values).flatMapToDouble(Arrays::stream).filter(Double::isFinite);
    }

    /** A grid no larger than asked, whose cells are means of the finite values they cover. */
    Grid shrink(int maxRows, int maxColumns) {
        int newRows = Math.min(rows(), maxRows);
        int newColumns = Math.min(columns, maxColumns);
        return newRows == rows() && newColumns == columns
                ? this
                : of(newRows, newColumns, (i, j) -> {
                    int to = edge(j + 1, columns, newColumns);
                    return Arrays.stream(values, edge(i, rows(), newRows), edge(i + 1, rows(), newRows))
                            .flatMapToDouble(row -> Arrays.stream(row, edge(j, columns, newColumns), to))
                            .filter(Double::isFinite)
                            .average()
                            .orElse(Double.NaN);
                });
    }

    private static int edge(int i, int from, int to) {
        return (int) ((long) i * from / to);
    }
}

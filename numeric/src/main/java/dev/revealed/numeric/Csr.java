package dev.revealed.numeric;

import java.util.Arrays;

/** A square matrix in compressed sparse rows. The arrays belong to whoever made it; nothing here copies them. */
public record Csr(int size, int[] start, int[] column, double[] value) implements LinearMap {

    @Override
    public void multiply(double[] x, double[] y) {
        Parallel.range(size, (from, to) -> {
            for (int i = from; i < to; i++) {
                double sum = 0;
                for (int k = start[i]; k < start[i + 1]; k++) {
                    sum += value[k] * x[column[k]];
                }
                y[i] = sum;
            }
        });
    }

    /** The transposed matrix, columns of each row in ascending order. */
    public Csr transpose() {
        int[] rows = new int[size + 1];
        for (int k = 0; k < start[size]; k++) {
            rows[column[k] + 1]++;
        }
        for (int i = 0; i < size; i++) {
            rows[i + 1] += rows[i];
        }
        int[] next = Arrays.copyOf(rows, size);
        int[] columns = new int[rows[size]];
        double[] values = new double[rows[size]];
        for (int i = 0; i < size; i++) {
            for (int k = start[i]; k < start[i + 1]; k++) {
                int at = next[column[k]]++;
                columns[at] = i;
                values[at] = value[k];
            }
        }
        return new Csr(size, rows, columns, values);
    }
}

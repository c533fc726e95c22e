package dev.revealed.numeric.nlp;

import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/**
 * LU factors of a sparse square matrix, column by column (Gilbert and Peierls 1988), sparse columns first: nearly no fill
 * where a matrix is a narrow band with a few full rows and columns, as the Bellman equations of replacement problems are.
 * The diagonal is taken as pivot unless another entry of its column is much larger.
 */
final class SparseLu {
    private static final double DIAGONAL = 0.1;
    private static final double SINGULAR = 1e-14;

    private final int n;
    private final int[] order; // order[k]: the k-th column eliminated
    private final int[] pivotRow;
    private final double[] pivot;
    private final int[][] lowerRow;
    private final double[][] lower;
    private final int[][] upperAt; // positions, not rows
    private final double[][] upper;

    private SparseLu(int[] order) {
        n = order.length;
        this.order = order;
        pivotRow = new int[n];
        pivot = new double[n];
        lowerRow = new int[n][];
        lower = new double[n][];
        upperAt = new int[n][];
        upper = new double[n][];
    }

    /** The sparsest columns first. */
    static int[] order(int[] start) {
        return Vec.order(start.length - 1, j -> start[j + 1] - start[j]);
    }

    /** Factors of a matrix in compressed columns, repeated entries added up; empty when it is singular or not finite. */
    static Optional<SparseLu> of(int[] order, int[] start, int[] row, double[] value) {
        SparseLu lu = new SparseLu(order);
        return lu.factorise(start, row, value) ? Optional.of(lu) : Optional.empty();
    }

    private boolean factorise(int[] start, int[] row, double[] value) {
        int[] position = new int[n]; // of the pivot in each row, n while it has none
        Arrays.fill(position, n);
        double[] work = new double[n];
        BitSet pending = new BitSet(n); // positions of pivots the column still has to meet
        BitSet rows = new BitSet(n);
        for (int k = 0; k < n; k++) {
            int column = order[k];
            double size = 0;
            for (int e = start[column]; e < start[column + 1]; e++) {
                work[row[e]] += value[e];
                size = Math.max(size, Math.abs(value[e]));
                note(row[e], position, pending, rows);
            }
            int met = pending.cardinality();
            int[] at = new int[met];
            double[] above = new double[met];
            met = 0;
            // A column of L only holds rows whose pivots came later, so ascending order meets each pivot once.
            for (int j = pending.nextSetBit(0); j >= 0; j = pending.nextSetBit(j + 1)) {
                double x = work[pivotRow[j]];
                work[pivotRow[j]] = 0;
                if (met == at.length) {
                    at = Arrays.copyOf(at, 2 * met + 1);
                    above = Arrays.copyOf(above, 2 * met + 1);
                }
                at[met] = j;
                above[met++] = x;
                for (int e = 0; e < lowerRow[j].length; e++) {
                    int r = lowerRow[j][e];
                    work[r] -= lower[j][e] * x;
                    note(r, position, pending, rows);
                }
            }
            upperAt[k] = Arrays.copyOf(at, met);
            upper[k] = Arrays.copyOf(above, met);
            if (!eliminate(k, size, work, rows)) {
                return false;
            }
            position[pivotRow[k]] = k;
            pending.clear();
            rows.clear();
        }
        return true;
    }

    private void note(int row, int[] position, BitSet pending, BitSet rows) {
        if (position[row] < n) {
            pending.set(position[row]);
        } else {
            rows.set(row);
        }
    }

    /** Chooses the pivot of column k among its rows and stores the rest of it as a column of L. */
    private boolean eliminate(int k, double size, double[] work, BitSet rows) {
        int best = -1;
        for (int r = rows.nextSetBit(0); r >= 0; r = rows.nextSetBit(r + 1)) {
            if (best < 0 || Math.abs(work[r]) > Math.abs(work[best])) {
                best = r;
            }
        }
        if (best < 0 || !(Math.abs(work[best]) > SINGULAR * size) || Double.isInfinite(work[best])) {
            return false;
        }
        int diagonal = order[k];
        if (rows.get(diagonal) && Math.abs(work[diagonal]) >= DIAGONAL * Math.abs(work[best])) {
            best = diagonal;
        }
        pivotRow[k] = best;
        pivot[k] = work[best];
        lowerRow[k] = new int[rows.cardinality() - 1];
        lower[k] = new double[lowerRow[k].length];
        int e = 0;
        for (int r = rows.nextSetBit(0); r >= 0; r = rows.nextSetBit(r + 1)) {
            if (r != best) {
                lowerRow[k][e] = r;
                lower[k][e++] = work[r] / pivot[k];
            }
            work[r] = 0;
        }
        return true;
    }

    /** The solution of A x = b. */
    double[] solve(double[] b) {
        double[] work = b.clone();
        double[] y = new double[n];
        for (int k = 0; k < n; k++) {
            y[k] = work[pivotRow[k]];
            for (int e = 0; e < lower[k].length; e++) {
                work[lowerRow[k][e]] -= lower[k][e] * y[k];
            }
        }
        double[] x = new double[n];
        for (int k = n - 1; k >= 0; k--) {
            double own = y[k] / pivot[k];
            x[order[k]] = own;
            for (int e = 0; e < upper[k].length; e++) {
                y[upperAt[k][e]] -= upper[k][e] * own;
            }
        }
        return x;
    }

    /** The solution of A' x = b. */
    double[] solveTransposed(double[] b) {
        double[] y = new double[n];
        for (int k = 0; k < n; k++) {
            double sum = b[order[k]];
            for (int e = 0; e < upper[k].length; e++) {
                sum -= upper[k][e] * y[upperAt[k][e]];
            }
            y[k] = sum / pivot[k];
        }
        double[] x = new double[n];
        for (int k = n - 1; k >= 0; k--) {
            double sum = y[k];
            for (int e = 0; e < lower[k].length; e++) {
                sum -= lower[k][e] * x[lowerRow[k][e]];
            }
            x[pivotRow[k]] = sum;
        }
        return x;
    }
}

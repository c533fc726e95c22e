package dev.revealed.numeric.sparse;

import java.util.Arrays;

/**
 * LU factors of I - M for a sparse matrix M without negative entries, eliminated along the diagonal without pivoting. All
 * pivots are positive exactly where the spectral radius of M is below 1, which {@link #factor} decides. I - M is an
 * M-matrix there: beside the diagonal its factors are negative or zero, so both substitutions only add where the
 * right-hand side is not negative, and each component of the solution has full relative accuracy.
 *
 * <p>Right-hand sides lie in arrays of {@code n * lanes} cells, component by component; they are overwritten by the
 * solution. One object serves one thread at a time while it is filled, any number while it solves.
 */
public final class LuFactors {
    /** Right-hand sides of a block. */
    public static final int LANES = 8;

    /** The Vector API where the JVM has it; the same bits either way. */
    private static final boolean VECTORS =
            ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent() && VectorLanes.USEFUL;

    private final LuPattern pattern;
    private final double[] upper; // -U by rows, diagonal left out
    private final double[] lower; // -L by columns, diagonal left out
    private final double[] inverse; // of pivots
    private final double[] ones;
    private final double[] work;
    private final boolean[] changed;

    public LuFactors(LuPattern pattern) {
        this.pattern = pattern;
        upper = new double[pattern.entries()];
        lower = new double[pattern.entries()];
        inverse = new double[pattern.n];
        work = new double[pattern.n];
        ones = new double[pattern.n];
        changed = new boolean[pattern.n];
        Arrays.fill(ones, 1);
    }

    /**
     * Factors I - M.
     *
     * @param m entries of M in the pattern's order, none negative
     * @return whether the spectral radius of M is below 1; solve nothing where it is not
     */
    public boolean factor(double[] m) {
        for (int i = 0; i < pattern.n; i++) {
            if (!eliminate(i, m)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Factors I - M where M differs in few rows from a matrix that has been factored: rows of the factors that depend on
     * no changed entry are copied. The result is the same to the last bit.
     */
    public boolean factor(double[] m, LuFactors base, double[] baseEntries) {
        System.arraycopy(base.upper, 0, upper, 0, upper.length);
        System.arraycopy(base.lower, 0, lower, 0, lower.length);
        System.arraycopy(base.inverse, 0, inverse, 0, inverse.length);
        for (int i = 0; i < pattern.n; i++) {
            boolean other = false;
            for (int e = pattern.start[i]; e < pattern.start[i + 1] && !other; e++) {
                other = m[e] != baseEntries[e];
            }
            for (int e = pattern.rowStart[i]; e < pattern.rowStart[i + 1] && !other; e++) {
                other = changed[pattern.row[e]];
            }
            changed[i] = other;
            if (other && !eliminate(i, m)) {
                return false;
            }
        }
        return true;
    }

    /** Row i of both factors, from the rows of U before it. */
    private boolean eliminate(int i, double[] m) {
        double[] w = work;
        int[] fill = pattern.fill;
        int[] fillStart = pattern.fillStart;
        w[i] = 0;
        for (int e = pattern.start[i]; e < pattern.start[i + 1]; e++) {
            w[pattern.column[e]] += m[e];
        }
        for (int r = pattern.rowStart[i]; r < pattern.rowStart[i + 1]; r++) {
            int k = pattern.row[r];
            double factor = w[k] * inverse[k];
            w[k] = 0;
            lower[pattern.slot[r]] = factor;
            int end = fillStart[k + 1];
            for (int e = fillStart[k]; e < end; e++) {
                w[fill[e]] += factor * upper[e];
            }
        }
        for (int e = fillStart[i]; e < fillStart[i + 1]; e++) {
            upper[e] = w[fill[e]];
            w[fill[e]] = 0;
        }
        double pivot = 1 - w[i];
        w[i] = 0;
        inverse[i] = 1 / pivot;
        return pivot > 0 && inverse[i] < Double.POSITIVE_INFINITY;
    }

    /** Solves (I - M) x = b in place, {@link #LANES} right-hand sides at a time. */
    public void solve(double[] x) {
        scatter(lower, ones, pattern.all, pattern.n, x);
        gather(upper, inverse, pattern.all, pattern.n, x);
    }

    /** The same where all right-hand sides are zero outside the given rows. */
    public void solve(double[] x, Reach rows) {
        scatter(lower, ones, rows.rows, rows.count, x);
        gather(upper, inverse, pattern.all, pattern.n, x);
    }

    /** The same where the solution is only wanted in some rows; what is left elsewhere means nothing. */
    public void solve(double[] x, Reach rows, Reach wanted) {
        scatter(lower, ones, rows.rows, rows.count, x);
        gather(upper, inverse, wanted.rows, wanted.count, x);
    }

    /** Solves (I - M)' x = b in place, where all right-hand sides are zero outside the given rows. */
    public void solveTransposed(double[] x, Reach rows) {
        scatter(upper, inverse, rows.rows, rows.count, x);
        gather(lower, ones, pattern.all, pattern.n, x);
    }

    /** Solves (I - M) x = b in place for one right-hand side that is zero outside the given rows. */
    public void solveOne(double[] x, Reach rows) {
        scatterOne(lower, ones, rows.rows, rows.count, x);
        gatherOne(upper, inverse, x);
    }

    /** Solves (I - M) x = b in place for one right-hand side. */
    public void solveOne(double[] x) {
        scatterOne(lower, ones, pattern.all, pattern.n, x);
        gatherOne(upper, inverse, x);
    }

    /** Solves (I - M)' x = b in place for one right-hand side that is zero outside the given rows. */
    public void solveOneTransposed(double[] x, Reach rows) {
        scatterOne(upper, inverse, rows.rows, rows.count, x);
        gatherOne(lower, ones, x);
    }

    /**
     * Natural logarithms of the solution of (I - M) x = b, where b is 1 in the given rows and 0 elsewhere: however small it
     * is, and minus infinity where it is 0. Several times slower than {@link #solveOne}, which ends where doubles do.
     */
    public double[] logSolution(int[] rows) {
        WideRange wide = new WideRange(pattern.n);
        for (int row : rows) {
            wide.set(row, 1);
        }
        Reach reach = new Reach(pattern).of(rows, rows.length);
        int[] fill = pattern.fill;
        int[] fillStart = pattern.fillStart;
        for (int r = 0; r < reach.count; r++) {
            int i = reach.rows[r];
            for (int e = fillStart[i]; e < fillStart[i + 1]; e++) {
                wide.add(fill[e], lower[e], i);
            }
        }
        double[] logs = new double[pattern.n];
        for (int i = pattern.n - 1; i >= 0; i--) {
            for (int e = fillStart[i]; e < fillStart[i + 1]; e++) {
                wide.add(i, upper[e], fill[e]);
            }
            wide.multiply(i, inverse[i]);
            logs[i] = wide.log(i);
        }
        return logs;
    }

    /**
     * Makes these the factors of D^-1 (I - M) D, D having the given powers of two on its diagonal: entries are multiplied by
     * powers of two, hence exact. With exponents near the base-2 logarithms of a solution, solutions of the new system are
     * near 1 where the old ones would leave the range of doubles.
     *
     * @param exponent of each row; {@link #NONE} for rows where the solution is 0, which are cut off
     */
    public void rescale(LuFactors base, int[] exponent) {
        System.arraycopy(base.inverse, 0, inverse, 0, inverse.length);
        for (int i = 0; i < pattern.n; i++) {
            for (int e = pattern.fillStart[i]; e < pattern.fillStart[i + 1]; e++) {
                int j = pattern.fill[e];
                upper[e] = shifted(base.upper[e], exponent[j], exponent[i]);
                lower[e] = shifted(base.lower[e], exponent[i], exponent[j]);
            }
        }
    }

    /** The exponent of a row to be cut off. */
    public static final int NONE = Integer.MIN_VALUE;

    /** {@code value * 2^(up - down)}, 0 where one of the exponents is {@link #NONE}. */
    public static double shifted(double value, int up, int down) {
        return value == 0 || up == NONE || down == NONE ? 0 : Math.scalb(value, up - down);
    }

    /**
     * The rows that forward substitution visits for a nearly empty right-hand side, which are also those that backward
     * substitution needs for a few components of the solution.
     */
    public static final class Reach {
        private final LuPattern pattern;
        private final boolean[] mark;
        private final int[] rows;
        private int count;

        public Reach(LuPattern pattern) {
            this.pattern = pattern;
            mark = new boolean[pattern.n];
            rows = new int[pattern.n];
        }

        /** For right-hand sides whose nonzeros, or solutions whose wanted components, are among the first {@code count} of the given rows. */
        public Reach of(int[] nonzeros, int nonzeroCount) {
            count = pattern.reach(nonzeros, nonzeroCount, mark, rows);
            return this;
        }
    }

    private void scatter(double[] values, double[] scale, int[] rows, int count, double[] x) {
        if (VECTORS) {
            VectorLanes.scatter(pattern, values, scale, rows, count, x);
            return;
        }
        int[] fill = pattern.fill;
        int[] fillStart = pattern.fillStart;
        for (int r = 0; r < count; r++) {
            int i = rows[r];
            int at = i * LANES;
            double s = scale[i];
            double x0 = x[at] *= s;
            double x1 = x[at + 1] *= s;
            double x2 = x[at + 2] *= s;
            double x3 = x[at + 3] *= s;
            double x4 = x[at + 4] *= s;
            double x5 = x[at + 5] *= s;
            double x6 = x[at + 6] *= s;
            double x7 = x[at + 7] *= s;
            int end = fillStart[i + 1];
            for (int e = fillStart[i]; e < end; e++) {
                double v = values[e];
                int to = fill[e] * LANES;
                x[to] += v * x0;
                x[to + 1] += v * x1;
                x[to + 2] += v * x2;
                x[to + 3] += v * x3;
                x[to + 4] += v * x4;
                x[to + 5] += v * x5;
                x[to + 6] += v * x6;
                x[to + 7] += v * x7;
            }
        }
    }

    private void gather(double[] values, double[] scale, int[] rows, int count, double[] x) {
        if (VECTORS) {
            VectorLanes.gather(pattern, values, scale, rows, count, x);
            return;
        }
        int[] fill = pattern.fill;
        int[] fillStart = pattern.fillStart;
        for (int r = count - 1; r >= 0; r--) {
            int i = rows[r];
            int at = i * LANES;
            double x0 = x[at];
            double x1 = x[at + 1];
            double x2 = x[at + 2];
            double x3 = x[at + 3];
            double x4 = x[at + 4];
            double x5 = x[at + 5];
            double x6 = x[at + 6];
            double x7 = x[at + 7];
            int end = fillStart[i + 1];
            for (int e = fillStart[i]; e < end; e++) {
                double v = values[e];
                int from = fill[e] * LANES;
                x0 += v * x[from];
                x1 += v * x[from + 1];
                x2 += v * x[from + 2];
                x3 += v * x[from + 3];
                x4 += v * x[from + 4];
                x5 += v * x[from + 5];
                x6 += v * x[from + 6];
                x7 += v * x[from + 7];
            }
            double s = scale[i];
            x[at] = s * x0;
            x[at + 1] = s * x1;
            x[at + 2] = s * x2;
            x[at + 3] = s * x3;
            x[at + 4] = s * x4;
            x[at + 5] = s * x5;
            x[at + 6] = s * x6;
            x[at + 7] = s * x7;
        }
    }

    private void scatterOne(double[] values, double[] scale, int[] rows, int count, double[] x) {
        int[] fill = pattern.fill;
        int[] fillStart = pattern.fillStart;
        for (int r = 0; r < count; r++) {
            int i = rows[r];
            double own = x[i] *= scale[i];
            int end = fillStart[i + 1];
            for (int e = fillStart[i]; e < end; e++) {
                x[fill[e]] += values[e] * own;
            }
        }
    }

    private void gatherOne(double[] values, double[] scale, double[] x) {
        int[] fill = pattern.fill;
        int[] fillStart = pattern.fillStart;
        for (int i = pattern.n - 1; i >= 0; i--) {
            double own = x[i];
            int end = fillStart[i + 1];
            for (int e = fillStart[i]; e < end; e++) {
                own += values[e] * x[fill[e]];
            }
            x[i] = scale[i] * own;
        }
    }
}

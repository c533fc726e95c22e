package dev.revealed.numeric.sparse;

import java.util.Arrays;

/**
 * Systems with I - M for a sparse nonnegative M whose rows are in any order: ordered and analysed once, factored anew for
 * every set of values.
 */
public final class SparseSystem {
    private final int[] position; // of a row in elimination order
    private final int[] entry; // by entry in elimination order: its place in M as given
    private final double[] m;
    private final LuFactors factors;
    private final LuFactors.Reach everything;
    private final double[] work;

    /** For matrices in compressed rows with this pattern, the diagonal included or not. */
    public SparseSystem(int n, int[] start, int[] column) {
        int[] order = MinimumDegree.order(n, start, column);
        position = new int[n];
        for (int k = 0; k < n; k++) {
            position[order[k]] = k;
        }
        int[] ownStart = new int[n + 1];
        int[] ownColumn = new int[column.length];
        entry = new int[column.length];
        int at = 0;
        for (int k = 0; k < n; k++) {
            for (int e = start[order[k]]; e < start[order[k] + 1]; e++, at++) {
                ownColumn[at] = position[column[e]];
                entry[at] = e;
            }
            ownStart[k + 1] = at;
        }
        LuPattern pattern = LuPattern.of(n, ownStart, ownColumn);
        m = new double[column.length];
        factors = new LuFactors(pattern);
        int[] all = new int[n];
        Arrays.setAll(all, k -> k);
        everything = new LuFactors.Reach(pattern).of(all, n);
        work = new double[n];
    }

    /**
     * Prepares systems.
     *
     * @param values of M, none negative, in the order of the pattern given
     * @return whether the spectral radius of M is below 1; solve nothing where it is not
     */
    public boolean factor(double[] values) {
        for (int e = 0; e < m.length; e++) {
            m[e] = values[entry[e]];
        }
        return factors.factor(m);
    }

    /** Solves (I - M) x = b in place. */
    public void solve(double[] x) {
        permute(x);
        factors.solveOne(work);
        back(x);
    }

    /** Solves (I - M)' x = b in place. */
    public void solveTransposed(double[] x) {
        permute(x);
        factors.solveOneTransposed(work, everything);
        back(x);
    }

    private void permute(double[] x) {
        for (int i = 0; i < x.length; i++) {
            work[position[i]] = x[i];
        }
    }

    private void back(double[] x) {
        for (int i = 0; i < x.length; i++) {
            x[i] = work[position[i]];
        }
    }
}

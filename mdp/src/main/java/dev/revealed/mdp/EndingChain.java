package dev.revealed.mdp;

import dev.revealed.numeric.Csr;
import dev.revealed.numeric.sparse.LuFactors;
import dev.revealed.numeric.sparse.LuPattern;
import dev.revealed.numeric.sparse.MinimumDegree;
import java.util.Arrays;

/**
 * Linear systems of a policy in a process without discount that ends. I - P of the states that go on is a nonsingular
 * M-matrix exactly where the process ends surely under the policy, and that is so exactly where elimination along the
 * diagonal meets positive pivots only.
 */
final class EndingChain {
    private final SoftProcess process;
    private final PolicyChain chain;
    private final int[] position; // of a state in elimination order
    private final int[] entry; // by entry of M in elimination order: its place in the chain's matrix
    private final int[] row; // by entry, in elimination order
    private final boolean[] end; // in elimination order
    private final double[] m;
    private final LuFactors factors;
    private final LuFactors.Reach everything;
    private final double[] work;

    EndingChain(SoftProcess process) {
        this.process = process;
        Mdp mdp = process.mdp();
        int n = mdp.states();
        chain = new PolicyChain(mdp.kernel());
        Csr pattern = chain.at(new double[mdp.rows()], 1);
        int[] order = MinimumDegree.order(n, pattern.start(), pattern.column());
        position = new int[n];
        for (int k = 0; k < n; k++) {
            position[order[k]] = k;
        }
        end = new boolean[n];
        for (int s : mdp.ends()) {
            end[position[s]] = true;
        }
        int[] start = new int[n + 1];
        int[] column = new int[pattern.column().length];
        entry = new int[column.length];
        row = new int[column.length];
        int at = 0;
        for (int k = 0; k < n; k++) {
            for (int e = pattern.start()[order[k]]; e < pattern.start()[order[k] + 1]; e++, at++) {
                column[at] = position[pattern.column()[e]];
                entry[at] = e;
                row[at] = k;
            }
            start[k + 1] = at;
        }
        LuPattern lu = LuPattern.of(n, start, column);
        m = new double[column.length];
        factors = new LuFactors(lu);
        int[] all = new int[n];
        Arrays.setAll(all, k -> k);
        everything = new LuFactors.Reach(lu).of(all, n);
        work = new double[n];
    }

    /** Prepares the systems of a policy, whatever it says of ended states; false where the process does not end surely under it. */
    boolean factor(double[] policy) {
        Csr matrix = chain.at(policy, 1);
        process.passes().add(1);
        for (int e = 0; e < m.length; e++) {
            double value = matrix.value()[entry[e]];
            boolean diagonal = position[matrix.column()[entry[e]]] == row[e];
            m[e] = end[row[e]] ? 0 : Math.max(0, diagonal ? 1 - value : -value);
        }
        return factors.factor(m);
    }

    /** x = (I - P)^-1 x, and 0 where the process has ended. */
    void solve(double[] x) {
        permute(x);
        for (int k = 0; k < end.length; k++) {
            work[k] = end[k] ? 0 : work[k];
        }
        factors.solveOne(work);
        back(x);
    }

    /** x = (I - P')^-1 x. */
    void solveTransposed(double[] x) {
        permute(x);
        factors.solveOneTransposed(work, everything);
        back(x);
    }

    private void permute(double[] x) {
        for (int s = 0; s < x.length; s++) {
            work[position[s]] = x[s];
        }
        process.passes().add(1);
    }

    private void back(double[] x) {
        for (int s = 0; s < x.length; s++) {
            x[s] = work[position[s]];
        }
    }
}

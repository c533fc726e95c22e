package dev.revealed.mdp.kernel;

import dev.revealed.mdp.Kernel;
import dev.revealed.numeric.Csr;
import dev.revealed.numeric.Parallel;
import java.util.Arrays;

/**
 * The matrix I - gamma P_pi of a policy. Collapsing the actions once makes every later product cheap, since successors that
 * actions share are stored once; where the entries lie does not depend on the policy and is found once.
 */
public final class PolicyChain {
    private final Kernel kernel;
    private final Csr matrix;

    public PolicyChain(Kernel kernel) {
        this.kernel = kernel;
        matrix = pattern(kernel);
    }

    /** Writes the matrix for a policy; one pass over the kernel. The next call overwrites it. */
    public Csr at(double[] policy, double discount) {
        int[] start = matrix.start();
        int[] column = matrix.column();
        double[] entry = matrix.value();
        int actions = kernel.actions();
        int[] rowStart = kernel.rowStart();
        int[] successor = kernel.successor();
        double[] probability = kernel.probability();
        Parallel.range(kernel.states(), (from, to) -> {
            for (int s = from; s < to; s++) {
                Arrays.fill(entry, start[s], start[s + 1], 0);
                for (int row = s * actions; row < (s + 1) * actions; row++) {
                    double factor = discount * policy[row];
                    for (int k = rowStart[row]; k < rowStart[row + 1]; k++) {
                        entry[find(column, start[s], start[s + 1], successor[k])] -= factor * probability[k];
                    }
                }
                entry[find(column, start[s], start[s + 1], s)] += 1;
            }
        });
        return matrix;
    }

    /** Position of a column in a sorted row: rows are short, so straight search beats bisection up to a point. */
    private static int find(int[] column, int from, int to, int wanted) {
        if (to - from > 16) {
            return Arrays.binarySearch(column, from, to, wanted);
        }
        int k = from;
        while (column[k] != wanted) {
            k++;
        }
        return k;
    }

    private static Csr pattern(Kernel kernel) {
        int states = kernel.states();
        int actions = kernel.actions();
        int[][] columns = new int[states][];
        Parallel.range(states, (from, to) -> {
            for (int s = from; s < to; s++) {
                int first = kernel.rowStart()[s * actions];
                int end = kernel.rowStart()[(s + 1) * actions];
                int[] all = Arrays.copyOf(Arrays.copyOfRange(kernel.successor(), first, end), end - first + 1);
                all[end - first] = s;
                Arrays.sort(all);
                int kept = 0;
                for (int next : all) {
                    if (kept == 0 || all[kept - 1] != next) {
                        all[kept++] = next;
                    }
                }
                columns[s] = Arrays.copyOf(all, kept);
            }
        });
        int[] start = new int[states + 1];
        for (int s = 0; s < states; s++) {
            start[s + 1] = Math.addExact(start[s], columns[s].length);
        }
        int[] column = new int[start[states]];
        for (int s = 0; s < states; s++) {
            System.arraycopy(columns[s], 0, column, start[s], columns[s].length);
        }
        return new Csr(states, start, column, new double[column.length]);
    }
}

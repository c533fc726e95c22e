package dev.revealed.numeric.sparse;

import java.util.Arrays;

/**
 * Where the LU factors of a sparse matrix can have entries when it is eliminated along its diagonal in the order of its
 * rows. Found once per pattern; {@link LuFactors} are then filled anew for every set of values. Bring the rows into the
 * order of {@link MinimumDegree} first: fill depends on it.
 *
 * <p>The pattern is that of the matrix made symmetric, so column k of L and row k of U have entries in the same places.
 */
public final class LuPattern {
    final int n;
    final int[] start; // rows of the matrix
    final int[] column;
    final int[] fillStart; // rows of U, columns of L: diagonal left out, ascending
    final int[] fill;
    final int[] rowStart; // rows of L
    final int[] row;
    final int[] slot; // where the entry of a row of L stands in its column
    final int[] parent; // in the elimination tree, -1 of a root
    final int[] all;

    private LuPattern(int n, int[] start, int[] column) {
        this.n = n;
        this.start = start;
        this.column = column;
        parent = new int[n];
        all = new int[n];
        Arrays.setAll(all, i -> i);
        int[][] later = new int[n][];
        int[][] above = above(n, start, column);
        int[] child = new int[n];
        int[] sibling = new int[n];
        int[] mark = new int[n];
        Arrays.fill(child, -1);
        Arrays.fill(mark, -1);
        int[] found = new int[n];
        for (int k = 0; k < n; k++) {
            int count = 0;
            for (int j : above[k]) {
                if (mark[j] != k) {
                    mark[j] = k;
                    found[count++] = j;
                }
            }
            for (int c = child[k]; c >= 0; c = sibling[c]) {
                for (int j : later[c]) {
                    if (j != k && mark[j] != k) {
                        mark[j] = k;
                        found[count++] = j;
                    }
                }
            }
            later[k] = Arrays.copyOf(found, count);
            Arrays.sort(later[k]);
            parent[k] = count == 0 ? -1 : later[k][0];
            if (count > 0) {
                sibling[k] = child[parent[k]];
                child[parent[k]] = k;
            }
        }
        fillStart = new int[n + 1];
        rowStart = new int[n + 1];
        for (int k = 0; k < n; k++) {
            fillStart[k + 1] = Math.addExact(fillStart[k], later[k].length);
            for (int j : later[k]) {
                rowStart[j + 1]++;
            }
        }
        for (int k = 0; k < n; k++) {
            rowStart[k + 1] += rowStart[k];
        }
        fill = new int[fillStart[n]];
        row = new int[fill.length];
        slot = new int[fill.length];
        int[] next = Arrays.copyOf(rowStart, n);
        for (int k = 0; k < n; k++) {
            System.arraycopy(later[k], 0, fill, fillStart[k], later[k].length);
            for (int e = fillStart[k]; e < fillStart[k + 1]; e++) {
                int at = next[fill[e]]++;
                row[at] = k;
                slot[at] = e;
            }
        }
    }

    /** The pattern of the factors of a matrix in compressed rows. */
    public static LuPattern of(int n, int[] start, int[] column) {
        return new LuPattern(n, start, column);
    }

    /** For each k the rows or columns after k that share an entry with it. */
    private static int[][] above(int n, int[] start, int[] column) {
        int[] count = new int[n];
        for (int i = 0; i < n; i++) {
            for (int e = start[i]; e < start[i + 1]; e++) {
                count[Math.min(i, column[e])] += column[e] == i ? 0 : 1;
            }
        }
        int[][] above = new int[n][];
        Arrays.setAll(above, i -> new int[count[i]]);
        for (int i = 0; i < n; i++) {
            for (int e = start[i]; e < start[i + 1]; e++) {
                int low = Math.min(i, column[e]);
                if (column[e] != i) {
                    above[low][--count[low]] = Math.max(i, column[e]);
                }
            }
        }
        return above;
    }

    /** Entries of U beside its diagonal, and as many of L. */
    public int entries() {
        return fill.length;
    }

    /**
     * The rows that a right-hand side with the given nonzeros reaches in forward substitution: the nonzeros and their
     * ancestors in the elimination tree, ascending.
     *
     * @param mark of n cells, all false; left so
     * @param rows of n cells, receives the rows
     * @return how many there are
     */
    int reach(int[] nonzeros, int count, boolean[] mark, int[] rows) {
        int size = 0;
        for (int c = 0; c < count; c++) {
            for (int i = nonzeros[c]; i >= 0 && !mark[i]; i = parent[i]) {
                mark[i] = true;
                rows[size++] = i;
            }
        }
        Arrays.sort(rows, 0, size);
        for (int r = 0; r < size; r++) {
            mark[rows[r]] = false;
        }
        return size;
    }
}

package dev.revealed.numeric;

import java.util.Arrays;

/**
 * Rows grouped by a key, in their order within each group: one counting sort, so that checks over millions of rows need
 * neither hashing nor comparisons.
 *
 * @param start where the group of each key begins in {@code row}
 * @param row row numbers, group by group
 */
public record Buckets(int[] start, int[] row) {

    /** Groups rows by {@code key[row]} in 0..keys-1; rows with a negative key belong to no group. */
    public static Buckets of(int[] key, int keys) {
        int[] start = new int[keys + 1];
        for (int k : key) {
            if (k >= 0) {
                start[k + 1]++;
            }
        }
        for (int k = 0; k < keys; k++) {
            start[k + 1] += start[k];
        }
        int[] position = Arrays.copyOf(start, keys);
        int[] row = new int[start[keys]];
        for (int i = 0; i < key.length; i++) {
            if (key[i] >= 0) {
                row[position[key[i]]++] = i;
            }
        }
        return new Buckets(start, row);
    }
}

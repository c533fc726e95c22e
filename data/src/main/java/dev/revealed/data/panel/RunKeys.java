package dev.revealed.data.panel;

import java.util.Arrays;
import java.util.List;

/** The keys of the individuals of each piece, in the order of their rows. */
final class RunKeys {
    private static final int FEW = 1000;

    /** Keys after which to look whether all of them need be remembered. */
    private static final int MANY = 1 << 20;

    private final Piece[] pieces;

    RunKeys(int count) {
        pieces = new Piece[count];
        Arrays.setAll(pieces, i -> new Piece());
    }

    Piece of(int piece) {
        return pieces[piece];
    }

    /** Keys in ascending order are known by the first and the last of them. */
    static final class Piece {
        private boolean ascending = true;
        private long first;
        private long last;
        private long[] all = new long[16];
        private int size;
        private boolean apart;

        void add(long key) {
            boolean above = size == 0 || key > last;
            first = size == 0 ? key : first;
            last = key;
            ascending &= above;
            if (size >= MANY && all.length == 0) {
                apart |= !above; // as far as one knows
            } else {
                if (size == all.length) {
                    grow();
                }
                if (all.length > 0) {
                    all[size] = key;
                }
            }
            size++;
        }

        private void grow() {
            if (size >= MANY && ascending) {
                all = new long[0];
                return;
            }
            apart |= size >= MANY && twice();
            all = Arrays.copyOf(all, 2 * size);
        }

        private boolean twice() {
            long[] sorted = Arrays.copyOf(all, size);
            Arrays.sort(sorted);
            return !eachOnce(sorted, size);
        }

        /** Whether an individual is known to have rows in two places of the piece. */
        boolean apart() {
            return apart;
        }

        /** As another machine has found it. */
        void set(PieceCounts piece) {
            ascending = piece.ascending();
            size = piece.individuals();
            first = size == 0 ? 0 : piece.ends()[0];
            last = size == 0 ? 0 : piece.ends()[1];
            all = piece.keys();
        }

        /** Forgets what need not be known. */
        void end() {
            if (ascending) {
                all = size > FEW ? new long[0] : all;
            } else if (!apart) {
                all = Arrays.copyOf(all, size);
                apart = twice();
            }
        }

        boolean ascending() {
            return ascending;
        }

        int size() {
            return size;
        }

        /** The first and the last; none where there are no rows. */
        long[] ends() {
            return size == 0 ? new long[0] : new long[] {first, last};
        }

        /** All of them, where they need be known. */
        long[] all() {
            return Arrays.copyOf(all, Math.min(all.length, size));
        }
    }

    boolean none() {
        return Arrays.stream(pieces).allMatch(piece -> piece.size == 0);
    }

    /** Whether no individual has rows in two places; at the border of two pieces they may go on. */
    boolean different() {
        List<Piece> some = Arrays.stream(pieces).filter(piece -> piece.size > 0).toList();
        return some.stream().allMatch(piece -> piece.ascending) ? disjoint(some) : eachOnce(some);
    }

    private static boolean disjoint(List<Piece> some) {
        List<Piece> sorted =
                some.stream().sorted((a, b) -> Long.compare(a.first, b.first)).toList();
        for (int i = 1; i < sorted.size(); i++) {
            Piece before = sorted.get(i - 1);
            Piece piece = sorted.get(i);
            boolean next = some.indexOf(piece) == some.indexOf(before) + 1;
            if (piece.first < before.last || (piece.first == before.last && !next)) {
                return false;
            }
        }
        return true;
    }

    private static boolean eachOnce(List<Piece> some) {
        if (some.stream().anyMatch(piece -> piece.all.length == 0)) {
            return false; // not known, so they are brought together
        }
        long[] all = new long[some.stream().mapToInt(piece -> piece.size).sum()];
        int n = 0;
        for (Piece piece : some) {
            for (int i = 0; i < piece.size; i++) {
                if (i > 0 || n == 0 || all[n - 1] != piece.all[0]) {
                    all[n++] = piece.all[i];
                }
            }
        }
        Arrays.sort(all, 0, n);
        return eachOnce(all, n);
    }

    private static boolean eachOnce(long[] sorted, int n) {
        for (int i = 1; i < n; i++) {
            if (sorted[i] == sorted[i - 1]) {
                return false;
            }
        }
        return true;
    }
}

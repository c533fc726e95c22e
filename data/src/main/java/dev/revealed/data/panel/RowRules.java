package dev.revealed.data.panel;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Which rows of an individual count, and which led to which.
 *
 * @param skip first decisions of each individual that do not count, though the moves after them do
 * @param gaps whether periods of an individual may be missing
 * @param missing whether rows may lack their action; they are then left out
 * @param ended places in which the process has ended
 */
public record RowRules(int skip, boolean gaps, boolean missing, BitSet ended) {

    /** The rows of an individual that count, in the order of time. Used again for the next individual. */
    public static final class Kept {
        int size;
        int decisions;
        int breaks;
        int links;
        int holes;
        int dropped;
        int[] before = new int[64];
        int[] code = new int[64];

        /** How many rows count, a last one without a decision among them. */
        public int size() {
            return size;
        }

        public int decisions() {
            return decisions;
        }

        /** Code of the row that led to row t, or {@link PanelCounts#NONE}. */
        public int before(int t) {
            return before[t];
        }

        public int code(int t) {
            return code[t];
        }

        private void add(int from, int to) {
            if (size == code.length) {
                before = Arrays.copyOf(before, 2 * size);
                code = Arrays.copyOf(code, 2 * size);
            }
            before[size] = from;
            code[size++] = to;
        }
    }

    /** Picks the rows that count; false where something is wrong with them. */
    boolean keep(IndividualRows rows, RowCodes codes, Kept kept) {
        kept.size = 0;
        kept.decisions = 0;
        kept.breaks = 0;
        kept.links = 0;
        kept.holes = 0;
        kept.dropped = 0;
        rows.sort();
        int n = rows.size();
        boolean whole = true;
        for (int k = 1; k < n; k++) {
            int step = rows.period(k) - rows.period(k - 1);
            whole &= step == 1 || (gaps && step > 1);
        }
        if (!whole || rows.uneven()) {
            return false;
        }
        int end = untilEnd(rows, codes);
        for (int k = skip; k < end; k++) {
            int code = rows.code(k);
            int from = PanelCounts.NONE;
            if (k > 0) {
                boolean next = !gaps || rows.period(k) - rows.period(k - 1) == 1;
                kept.links++;
                kept.holes += next ? 0 : 1;
                from = next && codes.decided(rows.code(k - 1)) ? rows.code(k - 1) : PanelCounts.NONE;
            }
            if (codes.decided(code)) {
                kept.breaks += kept.decisions > 0 && from == PanelCounts.NONE ? 1 : 0;
                kept.decisions++;
                kept.add(from, code);
            } else if (k == end - 1 && k > skip && from != PanelCounts.NONE) {
                kept.add(from, code);
            } else {
                kept.dropped++;
            }
        }
        for (int k = 0; k < end - 1 && !missing; k++) {
            if (!codes.decided(rows.code(k))) {
                return false;
            }
        }
        return true;
    }

    /** What comes after the end of the process does not count. */
    private int untilEnd(IndividualRows rows, RowCodes codes) {
        int n = rows.size();
        if (ended.isEmpty()) {
            return n;
        }
        int k = 0;
        while (k < n && !ended.get(codes.place(rows.code(k)))) {
            k++;
        }
        return Math.min(k + 1, n);
    }

    /** Counts the rows of an individual; false, and nothing counted, where something is wrong with them. */
    public boolean count(IndividualRows rows, RowCodes codes, Kept kept, PanelCounts counts) {
        if (!keep(rows, codes, kept)) {
            return false;
        }
        counts.add(PanelCounts.Total.ROWS, rows.size());
        counts.add(PanelCounts.Total.LINKS, kept.links);
        counts.add(PanelCounts.Total.HOLES, kept.holes);
        counts.add(PanelCounts.Total.DROPPED, kept.dropped);
        if (kept.decisions > 0) {
            counts.addIndividual(rows.firstWhere(), kept.decisions, kept.breaks, rows.weight());
            for (int t = 0; t < kept.size; t++) {
                counts.add(kept.before[t], kept.code[t], rows.weight());
            }
        }
        return true;
    }
}

package dev.revealed.data;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Buckets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Rows of a panel put in the order of time. Periods of an individual follow each other without gaps, so that a row's
 * period says where it belongs and nothing needs sorting.
 */
final class Periods {
    private Periods() {}

    /** Rows grouped by individual, each in the order of its periods, which may have gaps. */
    static Buckets sorted(Place place, String who, List<String> names, int[] individual, int[] period) {
        Buckets rows = Buckets.of(individual, names.size());
        int[] ordered = new int[rows.row().length];
        for (int i = 0; i < names.size(); i++) {
            int begin = rows.start()[i];
            int end = rows.start()[i + 1];
            int[] own = Arrays.stream(rows.row(), begin, end)
                    .boxed()
                    .sorted(Comparator.comparingInt(row -> period[row]))
                    .mapToInt(row -> row)
                    .toArray();
            for (int k = 1; k < own.length; k++) {
                if (period[own[k]] == period[own[k - 1]]) {
                    throw twice(place, who, names.get(i), period[own[k]], own[k - 1], own[k]);
                }
            }
            System.arraycopy(own, 0, ordered, begin, own.length);
        }
        return new Buckets(rows.start(), ordered);
    }

    private static BadInput twice(Place place, String who, String name, int period, int before, int row) {
        return place.bad(
                row,
                "period is %d, which %s %s already has (%s)".formatted(period, who, name, place.list(before)),
                "Each period must occur once; perhaps a row is given twice, or two individuals share a name.");
    }

    /**
     * Rows grouped by individual, each in the order of its periods, whatever their order in the file.
     *
     * @param who what an individual is called, for messages
     */
    static Buckets inOrder(Place place, String who, List<String> names, int[] individual, int[] period) {
        return inOrder(place, who, names, individual, period, "");
    }

    /** @param hint what else to do about a gap */
    static Buckets inOrder(Place place, String who, List<String> names, int[] individual, int[] period, String hint) {
        Buckets rows = Buckets.of(individual, names.size());
        int[] ordered = new int[rows.row().length];
        Arrays.fill(ordered, -1);
        for (int i = 0; i < names.size(); i++) {
            int begin = rows.start()[i];
            int end = rows.start()[i + 1];
            int first = Integer.MAX_VALUE;
            for (int k = begin; k < end; k++) {
                first = Math.min(first, period[rows.row()[k]]);
            }
            int stray = -1; // a row whose period lies beyond a gap
            for (int k = begin; k < end; k++) {
                int row = rows.row()[k];
                long at = (long) begin + period[row] - first;
                if (at >= end) {
                    stray = stray < 0 || period[row] < period[stray] ? row : stray;
                } else if (ordered[(int) at] >= 0) {
                    throw twice(place, who, names.get(i), period[row], ordered[(int) at], row);
                } else {
                    ordered[(int) at] = row;
                }
            }
            if (stray >= 0) {
                int hole = begin;
                while (ordered[hole] >= 0) {
                    hole++;
                }
                int next = hole;
                while (next < end && ordered[next] < 0) {
                    next++;
                }
                int row = next < end ? ordered[next] : stray;
                int missing = first + hole - begin;
                throw place.bad(
                        row,
                        "period is %d, but %s %s has no period %d; the one before is on %s"
                                .formatted(period[row], who, names.get(i), missing, place.list(ordered[hole - 1])),
                        "Periods follow each other without gaps; a stretch after a gap can go under another name."
                                + hint);
            }
        }
        return new Buckets(rows.start(), ordered);
    }
}

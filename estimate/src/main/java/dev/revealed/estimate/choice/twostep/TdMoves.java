package dev.revealed.estimate.choice.twostep;

import dev.revealed.numeric.Vec;

/**
 * Decisions of some individuals, and the pairs of consecutive ones: all that temporal differences need of them.
 *
 * @param counts how often each row was chosen
 * @param from the row that a move leads from, and {@code to} the one it leads to
 * @param times how often that move was made
 */
record TdMoves(double[] counts, int[] from, int[] to, double[] times) {
    /** How many moves there are. */
    double total() {
        return Vec.sum(times);
    }

    /** How many moves start at each row. */
    double[] departures() {
        double[] departures = new double[counts.length];
        for (int m = 0; m < from.length; m++) {
            departures[from[m]] += times[m];
        }
        return departures;
    }
}

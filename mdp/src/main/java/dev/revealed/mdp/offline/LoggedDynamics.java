package dev.revealed.mdp.offline;

import dev.revealed.mdp.Kernel;
import dev.revealed.numeric.BadInput;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The transition law estimated from a log, and the uncertainty of that estimate. The posterior of a (state, action) is
 * the Dirichlet distribution whose parameters are its counts plus a prior weight that is spread evenly over all states.
 * Where nothing was logged, the law is the mean of the prior: every state alike.
 *
 * @param kernel the estimated law
 * @param uncertainty of each row: the posterior standard deviation of the law, the root of the summed variances of its
 *     probabilities; do not modify
 * @param unvisited rows that were never logged and do not belong to a terminal state, in ascending order; do not modify
 */
public record LoggedDynamics(Kernel kernel, double[] uncertainty, int[] unvisited) {
    private static final long MOST_ENTRIES = 50_000_000;

    /** How counts become probabilities. */
    public enum Law {
        /** Shares of the counts: maximum likelihood. */
        COUNTS,
        /** The mean of the posterior: shares of the counts and the prior's weight together. */
        SMOOTHED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * @param law how counts become probabilities
     * @param prior weight of the prior of each (state, action), in moves
     * @param terminal states where the process ends: they lead to themselves, which is known and not estimated
     */
    public static LoggedDynamics of(MoveCounts counts, Law law, double prior, Set<Integer> terminal) {
        BadInput.positive("`prior`", prior);
        BitSet ends = new BitSet();
        for (int state : terminal) {
            ends.set(BadInput.index("terminal state", state, counts.states()));
        }
        int actions = counts.actions();
        int[] unvisited = IntStream.range(0, counts.rows())
                .filter(row -> counts.begin(row) == counts.begin(row + 1) && !ends.get(row / actions))
                .toArray();
        long spread = law == Law.SMOOTHED ? counts.rows() : unvisited.length;
        BadInput.when(
                spread * counts.states() > MOST_ENTRIES,
                "%d pairs of state and action would lead to each of %d states".formatted(spread, counts.states()),
                law == Law.SMOOTHED
                        ? "Take `dynamics` counts, or fewer states."
                        : "That many pairs were never logged. Check for a mistyped state, number states without gaps, or take"
                                + " fewer of them.");
        double[] uncertainty = new double[counts.rows()];
        Kernel kernel = Kernel.of(counts.states(), actions, (state, action, row) -> {
            int at = state * actions + action;
            if (ends.get(state)) {
                refuseMoves(counts, at, state);
                row.add(state, 1);
                return;
            }
            uncertainty[at] = deviation(counts, at, prior);
            write(counts, at, law == Law.SMOOTHED || counts.begin(at) == counts.begin(at + 1) ? prior : 0, row);
        });
        return new LoggedDynamics(kernel, uncertainty, unvisited);
    }

    private static void refuseMoves(MoveCounts counts, int row, int state) {
        for (int k = counts.begin(row); k < counts.begin(row + 1); k++) {
            BadInput.when(
                    counts.next(k) != state,
                    "state %d is given as terminal, but the log leaves it with action %d for state %d"
                            .formatted(state, row % counts.actions(), counts.next(k)),
                    "Leave it out of `terminal`, or correct the log.");
        }
    }

    private static void write(MoveCounts counts, int row, double prior, Kernel.Row into) {
        double total = counts.visits(row) + prior;
        double[] p = new double[prior > 0 ? counts.states() : counts.begin(row + 1) - counts.begin(row)];
        Arrays.fill(p, prior / counts.states() / total);
        for (int k = counts.begin(row); k < counts.begin(row + 1); k++) {
            p[prior > 0 ? counts.next(k) : k - counts.begin(row)] += counts.count(k) / total;
        }
        for (int i = 0; i < p.length; i++) {
            into.add(prior > 0 ? i : counts.next(counts.begin(row) + i), p[i]);
        }
    }

    /** Variances of Dirichlet probabilities with means m and total weight w sum to (1 - sum m^2) / (w + 1). */
    private static double deviation(MoveCounts counts, int row, double prior) {
        double total = counts.visits(row) + prior;
        double even = prior / counts.states() / total; // mean of a state that was never seen next
        double squares = even * even * counts.states();
        for (int k = counts.begin(row); k < counts.begin(row + 1); k++) {
            double mean = even + counts.count(k) / total;
            squares += mean * mean - even * even;
        }
        return Math.sqrt(Math.max(0, 1 - squares) / (total + 1));
    }
}

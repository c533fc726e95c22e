package dev.revealed.data;

import dev.revealed.mdp.Kernel;
import dev.revealed.numeric.BadInput;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Kernel entries as read; checked here, where each complaint can still name its line. */
record KernelEntries(Place place, int[] state, int[] action, int[] next, double[] probability) {

    /** As many states and actions as the largest index needs. */
    Kernel kernel() {
        BadInput.when(state.length == 0, place.file() + ": there are no transitions", "Give at least one row.");
        for (int i = 0; i < probability.length; i++) {
            place.probability(i, probability[i]);
        }
        int largestState = largest(state);
        int largestNext = largest(next);
        int largestAction = largest(action);
        long states = 1L + Math.max(state[largestState], next[largestNext]);
        long actions = 1L + action[largestAction];
        int byState = state[largestState] >= next[largestNext] ? largestState : largestNext;
        refuseGaps(states, actions, byState, largestAction);
        refuseBadSums((int) (states * actions), (int) actions);
        return BadInput.placed(
                place.file(), () -> Kernel.ofTriplets((int) states, (int) actions, state, action, next, probability));
    }

    private static int largest(int[] values) {
        int at = 0;
        for (int i = 1; i < values.length; i++) {
            at = values[i] > values[at] ? i : at;
        }
        return at;
    }

    /**
     * Every (state, action) needs an entry. One mistyped index can promise billions of them, so nothing is allocated by
     * what the file promises: among n entries the first gap is at most n.
     */
    private void refuseGaps(long states, long actions, int byState, int byAction) {
        boolean[] seen = new boolean[(int) Math.min(states * actions, state.length + 1L)];
        for (int i = 0; i < state.length; i++) {
            long row = state[i] * actions + action[i];
            if (row < seen.length) {
                seen[(int) row] = true;
            }
        }
        for (int row = 0; row < seen.length; row++) {
            if (!seen[row]) {
                String all = "%d states (%s) and %d actions (%s)"
                        .formatted(states, place.list(byState), actions, place.list(byAction));
                throw new BadInput(
                        "%s: state %d, action %d has no transitions, though there are %s"
                                .formatted(place.file(), row / actions, row % actions, all),
                        "Every action needs transitions in every state: a terminal state goes to itself with probability 1,"
                                + " and an action that is not available there has probability 0 in the reference policy.");
            }
        }
    }

    private void refuseBadSums(int rows, int actions) {
        double[] sum = new double[rows];
        for (int i = 0; i < state.length; i++) {
            sum[state[i] * actions + action[i]] += probability[i];
        }
        for (int row = 0; row < rows; row++) {
            double gap = Math.abs(sum[row] - 1);
            if (gap > Kernel.ROW_SUM_TOLERANCE) {
                int s = row / actions;
                int a = row % actions;
                int[] entries = IntStream.range(0, state.length)
                        .filter(i -> state[i] == s && action[i] == a)
                        .toArray();
                throw new BadInput(
                        "%s: probabilities of state %d, action %d sum to %s (%s)"
                                .formatted(place.file(), s, a, sum[row], place.list(entries)),
                        gap < 1e-4
                                ? "They must sum to 1 within 1e-9: write them with all their digits."
                                : "They must sum to 1; perhaps a successor is missing or given twice.");
            }
        }
    }

    /** The entries of a kernel, row by row. */
    static KernelEntries of(Kernel kernel, Place place) {
        int[] state = new int[kernel.nonzeros()];
        int[] action = new int[kernel.nonzeros()];
        for (int row = 0; row < kernel.rows(); row++) {
            Arrays.fill(state, kernel.rowStart()[row], kernel.rowStart()[row + 1], row / kernel.actions());
            Arrays.fill(action, kernel.rowStart()[row], kernel.rowStart()[row + 1], row % kernel.actions());
        }
        return new KernelEntries(place, state, action, kernel.successor(), kernel.probability());
    }
}

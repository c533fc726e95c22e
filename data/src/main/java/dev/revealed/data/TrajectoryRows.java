package dev.revealed.data;

import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Trajectory;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Buckets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Observed decisions as read, one per row; the rows of a trajectory stand in the order of time. Checked here against the
 * process.
 *
 * @param names of the trajectories, as the file calls them
 * @param trajectory number of the trajectory a row belongs to
 * @param action action of a row, -1 where none is given
 * @param hasActions whether actions were observed at all
 */
record TrajectoryRows(
        Place place, List<String> names, int[] trajectory, int[] state, int[] action, boolean hasActions) {

    /** @param remedy what to do about a move that has probability 0 */
    Demonstrations check(Mdp mdp, String remedy) {
        refuseNone();
        for (int i = 0; i < state.length; i++) {
            place.index(i, "state", state[i], mdp.states(), "Number states from 0, as the process does.");
            if (action[i] != -1) {
                place.index(i, "action", action[i], mdp.actions(), "Number actions from 0, as the process does.");
            }
        }
        Buckets byTrajectory = Buckets.of(trajectory, names.size());
        int[] successor = successors(byTrajectory);
        int impossible = Demonstrations.firstImpossible(mdp, state, hasActions ? action : new int[0], successor);
        if (impossible >= 0) {
            refuse(impossible, successor, remedy);
        }

        List<Trajectory> trajectories = new ArrayList<>(names.size());
        for (int t = 0; t < names.size(); t++) {
            int[] rows = Arrays.copyOfRange(
                    byTrajectory.row(), byTrajectory.start()[t], byTrajectory.start()[t + 1]);
            int decisions = action[rows[rows.length - 1]] == -1 ? rows.length - 1 : rows.length;
            int[] states = Arrays.stream(rows).map(i -> state[i]).toArray();
            int[] actions =
                    Arrays.stream(rows).limit(decisions).map(i -> action[i]).toArray();
            trajectories.add(hasActions ? new Trajectory(states, actions) : ofStates(states));
        }
        return new Demonstrations(trajectories);
    }

    @SuppressWarnings("NullAway") // javac loses the annotation of a compact constructor's parameter in the class file
    private static Trajectory ofStates(int[] states) {
        return new Trajectory(states, null);
    }

    private void refuseNone() {
        BadInput.when(
                state.length == 0,
                place.file() + ": there are no trajectories",
                "Give at least one with one decision.");
    }

    /** The row that follows each row in its trajectory, -1 after the last. */
    int[] successors() {
        refuseNone();
        return successors(Buckets.of(trajectory, names.size()));
    }

    /** The same; checks that decisions are complete. */
    private int[] successors(Buckets byTrajectory) {
        int[] successor = new int[state.length];
        for (int t = 0; t < names.size(); t++) {
            int begin = byTrajectory.start()[t];
            int end = byTrajectory.start()[t + 1];
            for (int k = begin; k < end; k++) {
                int i = byTrajectory.row()[k];
                successor[i] = k + 1 < end ? byTrajectory.row()[k + 1] : -1;
                if (k + 1 < end && hasActions && action[i] == -1) {
                    throw place.bad(
                            i,
                            "action is blank, and this is not the last row of trajectory '%s'".formatted(names.get(t)),
                            "Only a final state has no action; leave out the whole column where only states were seen.");
                }
            }
            int only = byTrajectory.row()[begin];
            if (end - begin == 1 && action[only] == -1) {
                throw place.bad(
                        only,
                        "trajectory '%s' is a single state without a decision".formatted(names.get(t)),
                        "Leave it out, or give the action taken there.");
            }
        }
        return successor;
    }

    private void refuse(int next, int[] successor, String remedy) {
        int from = 0;
        while (successor[from] != next) {
            from++;
        }
        BadInput impossible = Demonstrations.impossible(
                state[from], hasActions ? action[from] : -1, state[next], " (%s)".formatted(place.list(from)));
        throw place.bad(next, impossible.problem(), remedy);
    }
}

package dev.revealed.data;

import dev.revealed.mdp.LinearReward;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Buckets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reward features as read: entries that are not zero.
 *
 * @param action null where features belong to states alone
 */
record FeatureEntries(
        Place place, List<String> names, int[] state, int @Nullable [] action, int[] feature, double[] value) {

    LinearReward reward(int states, int actions) {
        BadInput.when(names.isEmpty(), place.file() + ": there are no features", "Give at least one.");
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            if (name.isBlank() || !seen.add(name)) {
                throw new BadInput(
                        "%s: the feature name '%s' is blank or occurs twice".formatted(place.file(), name),
                        "Give every feature a name of its own.");
            }
        }
        int[] index = new int[state.length];
        for (int i = 0; i < state.length; i++) {
            place.index(i, "state", state[i], states, "The kernel has no such state.");
            place.index(i, "feature", feature[i], names.size(), "There are fewer feature names.");
            place.finite(i, "value", value[i]);
            index[i] = state[i];
            if (action != null) {
                place.index(i, "action", action[i], actions, "The kernel has no such action.");
                index[i] = state[i] * actions + action[i];
            }
        }
        int rows = action == null ? states : states * actions;
        refuseTwice(index, rows);
        return LinearReward.ofTriplets(actions, action == null, rows, names, index, feature, value);
    }

    private void refuseTwice(int[] index, int rows) {
        Buckets buckets = Buckets.of(index, rows);
        int[] last = new int[names.size()]; // the entry that gave this feature last, plus 1
        for (int row = 0; row < rows; row++) {
            for (int k = buckets.start()[row]; k < buckets.start()[row + 1]; k++) {
                int i = buckets.row()[k];
                int before = last[feature[i]] - 1;
                if (before >= 0 && index[before] == row) {
                    String where = "state " + state[i] + (action == null ? "" : ", action " + action[i]);
                    throw place.bad(
                            i,
                            "feature '%s' of %s is given again, after %s"
                                    .formatted(names.get(feature[i]), where, place.list(before)),
                            "Give each value once.");
                }
                last[feature[i]] = i + 1;
            }
        }
    }

    /** The entries of a linear reward, feature by feature. A feature that is zero everywhere keeps one entry, its name's. */
    static FeatureEntries of(LinearReward reward, int states, int actions, Place place) {
        Ints state = new Ints();
        Ints action = new Ints();
        Ints feature = new Ints();
        Doubles value = new Doubles();
        double[] rows = new double[states * actions];
        double[] theta = new double[reward.parameters()];
        int step = reward.stateOnly() ? actions : 1;
        for (int j = 0; j < reward.parameters(); j++) {
            Arrays.fill(rows, 0);
            reward.derivative(theta, j, rows); // of a linear reward: the feature itself
            int before = feature.size();
            for (int row = 0; row < rows.length; row += step) {
                if (rows[row] != 0 || (row == rows.length - step && feature.size() == before)) {
                    state.add(row / actions);
                    action.add(row % actions);
                    feature.add(j);
                    value.add(rows[row]);
                }
            }
        }
        int[] actionOrNone = reward.stateOnly() ? null : action.toArray();
        return new FeatureEntries(
                place, reward.names(), state.toArray(), actionOrNone, feature.toArray(), value.toArray());
    }
}

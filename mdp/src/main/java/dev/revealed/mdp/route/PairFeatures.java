package dev.revealed.mdp.route;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Vec;
import java.util.List;

/**
 * Features of pairs of links, in which the reward is linear.
 *
 * @param values by feature, then by pair of the network
 */
public record PairFeatures(List<String> names, double[][] values) {

    public PairFeatures {
        names = List.copyOf(names);
        BadInput.when(names.isEmpty(), "there are no features", "Name at least one.");
        BadInput.when(
                names.size() != values.length,
                "%d features have %d rows of values".formatted(names.size(), values.length),
                "Give every feature its values.");
        for (int j = 0; j < values.length; j++) {
            int length = values[0].length;
            BadInput.when(
                    values[j].length != length,
                    "feature '%s' has %d values, the first one %d".formatted(names.get(j), values[j].length, length),
                    "Give one value for every pair of links.");
            BadInput.when(
                    !Vec.isFinite(values[j]),
                    "feature '%s' is NaN or infinite for some pair".formatted(names.get(j)),
                    "Give every pair a finite number.");
        }
    }

    public int size() {
        return names.size();
    }

    /** Sum of each feature over the steps of a trip. */
    public double[] along(Network network, int[] links) {
        double[] sum = new double[size()];
        for (int t = 1; t < links.length; t++) {
            int pair = network.pair(links[t - 1], links[t]);
            for (int j = 0; j < sum.length; j++) {
                sum[j] += values[j][pair];
            }
        }
        return sum;
    }
}

package dev.revealed.mdp.route;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Vec;
import java.util.List;

/**
 * Features of links, in which the logarithm of a link's scale is linear.
 *
 * @param values by feature, then by link of the network
 */
public record LinkFeatures(List<String> names, double[][] values) {

    public LinkFeatures {
        names = List.copyOf(names);
        for (int j = 0; j < values.length; j++) {
            BadInput.when(
                    !Vec.isFinite(values[j]),
                    "feature '%s' is NaN or infinite for some link".formatted(names.get(j)),
                    "Give every link a finite number.");
        }
    }

    public int size() {
        return names.size();
    }
}

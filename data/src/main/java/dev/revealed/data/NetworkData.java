package dev.revealed.data;

import dev.revealed.mdp.route.Network;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import java.util.List;

/**
 * A network as read, with attributes of its pairs of links.
 *
 * @param attributes by attribute, then by pair of the network
 * @param notes what a reader of results should know: blank cells that were read as 0
 */
public record NetworkData(Network network, List<String> names, double[][] attributes, List<String> notes) {

    public NetworkData {
        names = List.copyOf(names);
        notes = List.copyOf(notes);
    }

    /** The values of an attribute by pair. */
    public double[] attribute(String name) {
        int at = names.indexOf(name);
        if (at < 0) {
            throw new BadInput(
                    "there is no attribute '%s' among %s".formatted(name, String.join(", ", names)),
                    Closest.question(name, names) + "Name a column of the file of link pairs.");
        }
        return attributes[at];
    }
}

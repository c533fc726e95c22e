package dev.revealed.mdp.route;

import dev.revealed.numeric.BadInput;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Observed trips, checked against a network: each link can be entered from the one before, and the destination from the
 * last.
 */
public record Trips(Network network, List<Destination> destinations, List<Trip> list) {

    /**
     * One trip.
     *
     * @param name what the user calls it
     * @param links driven, in order
     * @param destination number of the destination
     */
    public record Trip(String name, int[] links, int destination) {
        public int origin() {
            return links[0];
        }

        /** Refuses a trip that the network does not allow. */
        public void check(Network network, List<Destination> destinations) {
            BadInput.when(
                    links.length == 0,
                    "trip '%s' has no links".formatted(name),
                    "Name the links it drives, the origin first.");
            for (int t = 0; t < links.length; t++) {
                BadInput.index("link", links[t], network.links());
                if (t > 0 && network.pair(links[t - 1], links[t]) < 0) {
                    throw new BadInput(
                            "trip '%s' goes from link '%s' to link '%s' (steps %d and %d), which do not touch"
                                    .formatted(
                                            name,
                                            network.names().get(links[t - 1]),
                                            network.names().get(links[t]),
                                            t,
                                            t + 1),
                            "Add the pair to the network, or correct the trip.");
                }
            }
            Destination end = destinations.get(BadInput.index("destination", destination, destinations.size()));
            int last = links[links.length - 1];
            if (Arrays.stream(end.lastLinks()).noneMatch(link -> link == last)) {
                throw new BadInput(
                        "trip '%s' ends on link '%s', from which its destination '%s' cannot be entered"
                                .formatted(name, network.names().get(last), end.name()),
                        "Add that link to the last links of the destination, or correct the trip.");
            }
            if (end instanceof Destination.OnLink
                    && Arrays.stream(links).filter(link -> link == last).count() > 1) {
                throw new BadInput(
                        "trip '%s' passes its destination, link '%s', before it ends there".formatted(name, end.name()),
                        "End the trip at the first passage, or give destinations of their own with their last links.");
            }
        }
    }

    public Trips {
        destinations = List.copyOf(destinations);
        list = List.copyOf(list);
        BadInput.when(list.isEmpty(), "there are no trips", "Give at least one.");
        Set<String> names = new HashSet<>();
        for (Trip trip : list) {
            trip.check(network, destinations);
            BadInput.when(
                    !names.add(trip.name),
                    "trip '%s' occurs twice".formatted(trip.name),
                    "Give each trip its own name.");
        }
    }

    public int size() {
        return list.size();
    }

    /** Steps between links, those into destinations not counted. */
    public long steps() {
        return list.stream().mapToLong(trip -> trip.links.length - 1).sum();
    }
}

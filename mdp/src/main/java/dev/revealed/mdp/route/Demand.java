package dev.revealed.mdp.route;

import dev.revealed.mdp.route.Trips.Trip;
import dev.revealed.numeric.BadInput;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How many trips go from which link to which destination; each pair occurs once. */
public record Demand(Network network, List<Destination> destinations, List<Flow> flows) {

    /**
     * Trips between an origin and a destination.
     *
     * @param origin number of the link
     * @param destination number of the destination
     */
    public record Flow(int origin, int destination, double trips) {
        public Flow {
            BadInput.notNegative("the number of trips", trips);
        }
    }

    public Demand {
        destinations = List.copyOf(destinations);
        flows = List.copyOf(flows);
    }

    /** Demand with the trips of equal pairs added up, in the order in which pairs first occur. */
    public static Demand of(Network network, List<Destination> destinations, List<Flow> all) {
        Map<Long, Flow> pairs = new LinkedHashMap<>();
        for (Flow flow : all) {
            pairs.merge(
                    (long) flow.destination * network.links() + flow.origin,
                    flow,
                    (a, b) -> new Flow(a.origin, a.destination, a.trips + b.trips));
        }
        return new Demand(network, destinations, List.copyOf(pairs.values()));
    }

    /** Demand of observed trips. */
    public static Demand of(Trips trips) {
        return of(
                trips.network(),
                trips.destinations(),
                trips.list().stream()
                        .map(trip -> new Flow(trip.origin(), trip.destination(), 1))
                        .toList());
    }

    public double total() {
        return flows.stream().mapToDouble(Flow::trips).sum();
    }

    /** What a network allows of a demand, and what it does not. */
    public record Split(Demand possible, List<Flow> impossible) {}

    /** Parts flows whose destination can be reached from those whose cannot. */
    public Split split() {
        Map<Integer, int[]> next = new HashMap<>();
        List<Flow> possible = new ArrayList<>();
        List<Flow> impossible = new ArrayList<>();
        for (Flow flow : flows) {
            int[] towards = next.computeIfAbsent(flow.destination, d -> towards(destinations.get(d)));
            (towards[flow.origin] == UNREACHABLE ? impossible : possible).add(flow);
        }
        return new Split(new Demand(network, destinations, possible), impossible);
    }

    private static final int UNREACHABLE = -2;
    private static final int END = -1;

    /** By link, the next one on a path of fewest links; {@link #END} where the destination is next. */
    private int[] towards(Destination destination) {
        int[][] before = network.before();
        int[] next = new int[network.links()];
        Arrays.fill(next, UNREACHABLE);
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        for (int last : destination.lastLinks()) {
            next[last] = END;
            queue.add(last);
        }
        while (!queue.isEmpty()) {
            int link = queue.remove();
            for (int previous : before[link]) {
                if (next[previous] == UNREACHABLE) {
                    next[previous] = link;
                    queue.add(previous);
                }
            }
        }
        return next;
    }

    /** A path of fewest links for every flow, as trips; all of them must be possible. */
    public Trips paths() {
        Map<Integer, int[]> next = new HashMap<>();
        List<Trip> trips = new ArrayList<>();
        for (Flow flow : flows) {
            int[] towards = next.computeIfAbsent(flow.destination, d -> towards(destinations.get(d)));
            int[] path = new int[16];
            int length = 0;
            for (int link = flow.origin; link != END; link = towards[link]) {
                BadInput.when(
                        link == UNREACHABLE,
                        "destination '%s' cannot be reached from link '%s'"
                                .formatted(
                                        destinations.get(flow.destination).name(),
                                        network.names().get(flow.origin)),
                        "Leave that flow out.");
                path = length == path.length ? Arrays.copyOf(path, 2 * length) : path;
                path[length++] = link;
            }
            trips.add(new Trip(Integer.toString(trips.size() + 1), Arrays.copyOf(path, length), flow.destination));
        }
        return new Trips(network, destinations, trips);
    }
}

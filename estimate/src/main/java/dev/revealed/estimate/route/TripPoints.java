package dev.revealed.estimate.route;

import java.util.Arrays;

/**
 * At which links values towards each destination enter the log-likelihood, and how often they are subtracted: at origins
 * as often as trips start there; where trips end on a link, at that link, with the opposite sign. Destinations without
 * trips are left out, and the others stand in elimination order of the first link they are entered from, which keeps
 * neighbours together.
 */
final class TripPoints {
    private final RouteGraph graph;
    private final int[] used;
    private final int[][] points;
    private final double[][] weights;
    private final int[] place; // of a trip: its destination among those used
    private final int[] slot; // of a trip: its origin among the points of its destination

    TripPoints(RouteGraph graph) {
        this.graph = graph;
        int trips = graph.origin.length;
        used = Arrays.stream(graph.destination)
                .distinct()
                .boxed()
                .sorted((a, b) -> graph.ends[a][0] != graph.ends[b][0]
                        ? Integer.compare(graph.ends[a][0], graph.ends[b][0])
                        : Integer.compare(a, b))
                .mapToInt(d -> d)
                .toArray();
        int[] number = new int[graph.ends.length];
        for (int u = 0; u < used.length; u++) {
            number[used[u]] = u;
        }
        place = Arrays.stream(graph.destination).map(d -> number[d]).toArray();
        slot = new int[trips];
        points = new int[used.length][];
        weights = new double[used.length][];
        int[][] tripsTo = grouped(place, used.length);
        for (int u = 0; u < used.length; u++) {
            int[] origins = Arrays.stream(tripsTo[u])
                    .map(i -> graph.origin[i])
                    .sorted()
                    .distinct()
                    .toArray();
            boolean onLink = graph.onLink[used[u]];
            points[u] = onLink ? Arrays.copyOf(origins, origins.length + 1) : origins;
            weights[u] = new double[points[u].length];
            for (int trip : tripsTo[u]) {
                slot[trip] = Arrays.binarySearch(origins, graph.origin[trip]);
                weights[u][slot[trip]]++;
            }
            if (onLink) {
                points[u][origins.length] = graph.ends[used[u]][0];
                weights[u][origins.length] = -tripsTo[u].length;
            }
        }
    }

    /** Numbers of items by the group they are in, ascending. */
    static int[][] grouped(int[] group, int groups) {
        int[] count = new int[groups];
        for (int g : group) {
            count[g]++;
        }
        int[][] items = new int[groups][];
        Arrays.setAll(items, g -> new int[count[g]]);
        Arrays.fill(count, 0);
        for (int i = 0; i < group.length; i++) {
            items[group[i]][count[group[i]]++] = i;
        }
        return items;
    }

    /** How many destinations have trips. */
    int destinations() {
        return used.length;
    }

    /** The number in the graph of a destination that has trips. */
    int destination(int used) {
        return this.used[used];
    }

    int[] points(int used) {
        return points[used];
    }

    double[] weights(int used) {
        return weights[used];
    }

    /** Of what is known at the points, by used destination: what a trip takes, the value at its origin for one. */
    double ofTrip(int trip, double[][] atPoints) {
        double[] own = atPoints[place[trip]];
        return own[slot[trip]] - (graph.onLink[graph.destination[trip]] ? own[own.length - 1] : 0);
    }
}

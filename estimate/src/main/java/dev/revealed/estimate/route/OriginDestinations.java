package dev.revealed.estimate.route;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The distinct pairs of origin and destination, each with its trips, in the order in which trips meet them. */
final class OriginDestinations {
    private final RouteGraph graph;
    private final int[][] trips;

    OriginDestinations(RouteGraph graph) {
        this.graph = graph;
        Map<Long, List<Integer>> groups = new LinkedHashMap<>();
        for (int i = 0; i < graph.origin.length; i++) {
            long key = (long) graph.destination[i] * graph.n + graph.origin[i];
            groups.computeIfAbsent(key, _ -> new ArrayList<>()).add(i);
        }
        trips = groups.values().stream()
                .map(list -> list.stream().mapToInt(i -> i).toArray())
                .toArray(int[][]::new);
    }

    int count() {
        return trips.length;
    }

    int[] trips(int pair) {
        return trips[pair];
    }

    int origin(int pair) {
        return graph.origin[trips[pair][0]];
    }

    int destination(int pair) {
        return graph.destination[trips[pair][0]];
    }

    /** Feature sums of trips with the sum of link size over the links they enter at the end. */
    double[][] observed(LinkSize size) {
        double[][] observed = new double[graph.observed.length][];
        double[] passages = new double[graph.n];
        for (int pair = 0; pair < trips.length; pair++) {
            size.passages(origin(pair), destination(pair), passages);
            for (int trip : trips[pair]) {
                int[] links = graph.trips.list().get(trip).links();
                double sum = 0;
                for (int t = 1; t < links.length; t++) {
                    sum += passages[graph.position[links[t]]];
                }
                double[] own = Arrays.copyOf(graph.observed[trip], graph.observed[trip].length + 1);
                own[own.length - 1] = sum;
                observed[trip] = own;
            }
        }
        return observed;
    }
}

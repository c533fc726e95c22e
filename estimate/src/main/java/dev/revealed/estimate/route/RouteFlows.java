package dev.revealed.estimate.route;

import dev.revealed.numeric.sparse.LuFactors;
import dev.revealed.numeric.sparse.LuFactors.Reach;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Expected passages of links under recursive logit. */
public final class RouteFlows {
    private RouteFlows() {}

    /**
     * Passages of each link of the network when one unit of demand chooses freely among all observed origins and all
     * destinations: the flow that scales of nested recursive logit depend on.
     */
    public static double[] pooled(RouteGraph graph, double[] theta) {
        LuFactors factors = new LuFactors(graph.pattern);
        if (!factors.factor(graph.exponentials(theta))) {
            throw RouteEstimator.infeasible(graph, theta);
        }
        double[] z = new double[graph.n];
        for (int[] ends : graph.ends) {
            for (int link : ends) {
                z[link] += 1;
            }
        }
        factors.solveOne(z);
        double[] w = new double[graph.n];
        int[] origins = Arrays.stream(graph.origin).distinct().toArray();
        double total = 0;
        for (int origin : origins) {
            w[origin] = 1;
            total += z[origin];
        }
        factors.solveOneTransposed(w, new Reach(graph.pattern).of(origins, origins.length));
        double[] flow = new double[graph.n];
        for (int k = 0; k < graph.n; k++) {
            flow[k] = w[k] * z[k] / total;
        }
        return graph.byNetwork(flow);
    }

    /**
     * Expected passages of each link of the network on the observed demand: as many trips between the same origins and
     * destinations, each choosing anew.
     */
    public static double[] expected(RouteGraph graph, double[] theta) {
        LuFactors factors = new LuFactors(graph.pattern);
        if (!factors.factor(graph.exponentials(theta))) {
            throw RouteEstimator.infeasible(graph, theta);
        }
        double[] flow = new double[graph.n];
        Reach reach = new Reach(graph.pattern);
        double[] z = new double[graph.n];
        double[] w = new double[graph.n];
        for (int d = 0; d < graph.ends.length; d++) {
            int own = d;
            int[] trips = IntStream.range(0, graph.destination.length)
                    .filter(i -> graph.destination[i] == own)
                    .toArray();
            if (trips.length == 0) {
                continue;
            }
            values(graph, factors, reach, d, z);
            Arrays.fill(w, 0);
            int[] rows =
                    Arrays.copyOf(Arrays.stream(trips).map(i -> graph.origin[i]).toArray(), trips.length + 1);
            rows[trips.length] = graph.ends[d][0];
            for (int trip : trips) {
                w[graph.origin[trip]] += 1 / z[graph.origin[trip]];
            }
            if (graph.onLink[d]) { // what passes the destination does not go on
                w[graph.ends[d][0]] -= trips.length / z[graph.ends[d][0]];
                flow[graph.ends[d][0]] += trips.length;
            }
            factors.solveOneTransposed(w, reach.of(rows, rows.length));
            for (int k = 0; k < flow.length; k++) {
                flow[k] += w[k] * z[k];
            }
        }
        return graph.byNetwork(flow);
    }

    /** Scaled exponentials of the values towards a destination. */
    static void values(RouteGraph graph, LuFactors factors, Reach reach, int destination, double[] z) {
        int[] ends = graph.ends[destination];
        Arrays.fill(z, 0);
        for (int end : ends) {
            z[end] = DestinationBlock.SCALE;
        }
        factors.solveOne(z, reach.of(ends, ends.length));
    }
}

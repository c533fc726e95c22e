package dev.revealed.estimate.route;

import dev.revealed.mdp.route.Trips;
import dev.revealed.mdp.route.Trips.Trip;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.sparse.LuFactors;
import dev.revealed.numeric.sparse.LuFactors.Reach;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Draws trips from recursive logit. */
public final class RouteSimulation {
    /** A trip longer than this hints at parameters under which trips hardly end. */
    private static final int LONGEST = 1_000_000;

    private RouteSimulation() {}

    /** A trip for each observed one, from the same origin to the same destination. */
    public static Trips draw(RouteGraph graph, double[] theta, RandomStream stream) {
        double[] m = graph.exponentials(theta);
        LuFactors factors = new LuFactors(graph.pattern);
        if (!factors.factor(m)) {
            throw RouteEstimator.infeasible(graph, theta);
        }
        double[][] values = new double[graph.ends.length][0];
        Reach reach = new Reach(graph.pattern);
        List<Trip> trips = new ArrayList<>();
        for (int i = 0; i < graph.origin.length; i++) {
            int d = graph.destination[i];
            if (values[d].length == 0) {
                values[d] = new double[graph.n];
                RouteFlows.values(graph, factors, reach, d, values[d]);
            }
            int[] drawn = path(graph, m, values[d], i, stream.at(i));
            int[] links = Arrays.stream(drawn).map(k -> graph.link[k]).toArray();
            trips.add(new Trip(graph.trips.list().get(i).name(), links, d));
        }
        return new Trips(graph.trips.network(), graph.trips.destinations(), trips);
    }

    private static int[] path(RouteGraph graph, double[] m, double[] z, int trip, RandomStream stream) {
        int d = graph.destination[trip];
        int[] path = new int[64];
        int length = 0;
        int k = graph.origin[trip];
        while (true) {
            if (length == path.length) {
                BadInput.when(
                        length > LONGEST,
                        "a simulated trip does not end within %,d links".formatted(LONGEST),
                        "Use stronger penalties.");
                path = Arrays.copyOf(path, 2 * length);
            }
            path[length++] = k;
            int here = k;
            boolean canEnd = Arrays.stream(graph.ends[d]).anyMatch(end -> end == here);
            if (canEnd && graph.onLink[d]) {
                return Arrays.copyOf(path, length);
            }
            double left = stream.nextDouble() * z[k];
            if (canEnd) {
                left -= DestinationBlock.SCALE;
                if (left < 0) {
                    return Arrays.copyOf(path, length);
                }
            }
            int next = -1;
            for (int e = graph.start[k]; e < graph.start[k + 1] && (left >= 0 || next < 0); e++) {
                double share = m[e] * z[graph.to[e]];
                if (share > 0) {
                    next = graph.to[e];
                    left -= share;
                }
            }
            if (next < 0) { // rounding: the destination was all there was
                return Arrays.copyOf(path, length);
            }
            k = next;
        }
    }
}

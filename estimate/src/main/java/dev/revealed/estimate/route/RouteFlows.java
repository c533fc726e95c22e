package dev.revealed.estimate.route;

import dev.revealed.numeric.sparse.LuFactors;
import dev.revealed.numeric.sparse.LuFactors.Reach;
import java.util.Arrays;

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
        for (int link = 0; link < graph.n; link++) {
            int k = graph.position[link];
            flow[link] = w[k] * z[k] / total;
        }
        return flow;
    }
}

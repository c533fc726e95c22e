package dev.revealed.studies.route;

import dev.revealed.estimate.route.RecursiveLogit;
import dev.revealed.estimate.route.RouteGraph;
import dev.revealed.estimate.route.RouteMethod;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Recursive logit on the trips of Borlänge by every way to maximise its likelihood, from the same start. */
public final class MethodsStudy {
    /** All ways can leave from here, and it is far from the estimate. */
    private static final double START = -1.5;

    private MethodsStudy() {}

    /**
     * Where a method ended and what it took.
     *
     * @param values of the parameters
     * @param distance from the maximum, in standard errors
     * @param largestDifference from Newton's estimate, in any parameter
     * @param solves values solved for all destinations, derivatives and adjoints counted
     * @param sweeps passes over all pairs for all destinations
     * @param cpuSeconds of the calling thread
     */
    public record Row(
            String method,
            double logLikelihood,
            List<Double> values,
            double distance,
            double largestDifference,
            int iterations,
            long solves,
            double sweeps,
            double seconds,
            double cpuSeconds) {}

    public static List<Row> run(RouteGraph graph, ProgressListener listener) {
        RecursiveLogit logit = new RecursiveLogit(graph);
        double[] start = new double[logit.names().size()];
        Arrays.fill(start, START);
        List<Row> rows = new ArrayList<>();
        double[] first = new double[0];
        for (RouteMethod method : RouteMethod.values()) {
            RouteMethod.Found found = method.fit(logit, start, listener);
            first = rows.isEmpty() ? found.theta() : first;
            rows.add(new Row(
                    method.toString(),
                    found.logLikelihood(),
                    Arrays.stream(found.theta()).boxed().toList(),
                    found.distance(),
                    Vec.maxAbs(Vec.plus(found.theta(), -1, first)),
                    found.iterations(),
                    found.solves(),
                    found.sweeps(),
                    found.seconds(),
                    found.cpuSeconds()));
        }
        return rows;
    }
}

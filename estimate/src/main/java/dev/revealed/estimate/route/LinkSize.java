package dev.revealed.estimate.route;

import static dev.revealed.numeric.sparse.LuFactors.LANES;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.sparse.LuFactors;
import dev.revealed.numeric.sparse.LuFactors.Reach;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Link size: how often a link is expected to be passed on trips from an origin to a destination under recursive logit with
 * fixed parameters. As a feature it corrects for paths that overlap. It differs by pair of origin and destination.
 */
public final class LinkSize {
    private final RouteGraph graph;
    private final int[] origins; // links from which adjoints start
    private final double[][] adjoint; // by origin, then by link
    private final double[][] value; // by destination, then by link

    /** At parameters of recursive logit, one for each feature. */
    public LinkSize(RouteGraph graph, double[] fixed) {
        this.graph = graph;
        double[] m = graph.exponentials(fixed);
        LuFactors factors = new LuFactors(graph.pattern);
        if (!factors.factor(m)) {
            BadInput reason = RouteEstimator.infeasible(graph, fixed);
            throw new BadInput("link size: " + reason.problem(), "Choose stronger fixed parameters for link size.");
        }
        int[] links = IntStream.range(0, graph.ends.length)
                .filter(d -> graph.onLink[d])
                .map(d -> graph.ends[d][0])
                .toArray();
        origins = IntStream.concat(Arrays.stream(graph.origin), Arrays.stream(links))
                .sorted()
                .distinct()
                .toArray();
        adjoint = solved(factors, true, origins.length, o -> new int[] {origins[o]}, 1);
        value = solved(factors, false, graph.ends.length, d -> graph.ends[d], DestinationBlock.SCALE);
    }

    /** Right-hand sides that are nearly empty. */
    private interface Nonzeros {
        int[] of(int number);
    }

    private double[][] solved(LuFactors factors, boolean transposed, int count, Nonzeros nonzeros, double size) {
        double[][] all = new double[count][];
        Parallel.tasks((count + LANES - 1) / LANES, block -> {
            int first = block * LANES;
            int last = Math.min(count, first + LANES);
            double[] x = new double[graph.n * LANES];
            int[] rows = IntStream.range(first, last)
                    .flatMap(i -> Arrays.stream(nonzeros.of(i)))
                    .toArray();
            for (int i = first; i < last; i++) {
                for (int row : nonzeros.of(i)) {
                    x[row * LANES + i - first] = size;
                }
            }
            Reach reach = new Reach(graph.pattern).of(rows, rows.length);
            if (transposed) {
                factors.solveTransposed(x, reach);
            } else {
                factors.solve(x, reach);
            }
            for (int i = first; i < last; i++) {
                double[] own = new double[graph.n];
                for (int k = 0; k < own.length; k++) {
                    own[k] = x[k * LANES + i - first];
                }
                all[i] = own;
            }
        });
        return all;
    }

    /** Writes the expected passages of each link, in the graph's numbering. */
    void passages(int origin, int destination, double[] into) {
        double[] w = adjoint[Arrays.binarySearch(origins, origin)];
        double[] z = value[destination];
        if (!(z[origin] > DestinationBlock.LEAST)) {
            throw DestinationBlock.outOfRange(graph, origin, destination);
        }
        double scale = 1 / z[origin];
        if (!graph.onLink[destination]) {
            for (int k = 0; k < into.length; k++) {
                into[k] = w[k] * (z[k] * scale);
            }
            return;
        }
        // Passages after the first one of the destination are no part of the trip.
        int end = graph.ends[destination][0];
        double[] after = adjoint[Arrays.binarySearch(origins, end)];
        double share = z[origin] / z[end];
        for (int k = 0; k < into.length; k++) {
            into[k] = Math.max(0, w[k] - share * after[k]) * (z[k] * scale);
        }
        into[end] = 1;
    }
}

package dev.revealed.estimate.route;

import static dev.revealed.numeric.sparse.LuFactors.LANES;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Elementary;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.Vec;
import dev.revealed.numeric.sparse.LuFactors;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Recursive logit (Fosgerau, Frejinger and Karlström 2013): one factorisation per parameter vector, eight destinations at
 * a time. The log-likelihood of a trip is its reward less the value at its origin; of a trip that ends on a link, plus the
 * value at that link, since only first passages count.
 */
public final class RecursiveLogit implements RouteLikelihood {
    /** Right-hand sides are multiplied by this: values only need room downwards. */
    static final double SCALE = 0x1p900;

    static final double LOG_SCALE = 900 * Math.log(2);

    /** Below this a value has left the range of double precision. */
    static final double LEAST = 1e-300;

    private final RouteGraph graph;
    private final int[] used; // destinations with trips
    private final int[][] points; // by used destination: links whose values enter the likelihood
    private final double[][] weights; // how often each is subtracted
    private final int[] slot; // of a trip: its origin among the points of its destination
    private final int[] place; // of a trip: its destination among those used
    private final ConcurrentLinkedQueue<Workspace> workspaces = new ConcurrentLinkedQueue<>();

    public RecursiveLogit(RouteGraph graph) {
        this.graph = graph;
        used = Arrays.stream(graph.destination).distinct().sorted().toArray();
        points = new int[used.length][];
        weights = new double[used.length][];
        slot = new int[graph.origin.length];
        place = new int[graph.origin.length];
        for (int i = 0; i < place.length; i++) {
            place[i] = Arrays.binarySearch(used, graph.destination[i]);
        }
        int[][] origins = new int[used.length][0];
        for (int i = 0; i < place.length; i++) {
            int d = place[i];
            origins[d] = Arrays.copyOf(origins[d], origins[d].length + 1);
            origins[d][origins[d].length - 1] = graph.origin[i];
        }
        for (int d = 0; d < used.length; d++) {
            int[] distinct = Arrays.stream(origins[d]).sorted().distinct().toArray();
            points[d] = distinct;
            weights[d] = new double[distinct.length];
            for (int o : origins[d]) {
                weights[d][Arrays.binarySearch(distinct, o)]++;
            }
            if (graph.onLink[used[d]]) {
                points[d] = Arrays.copyOf(distinct, distinct.length + 1);
                points[d][distinct.length] = graph.ends[used[d]][0];
                weights[d] = Arrays.copyOf(weights[d], distinct.length + 1);
                weights[d][distinct.length] = -origins[d].length;
            }
        }
        for (int i = 0; i < place.length; i++) {
            int[] all = points[place[i]];
            int count = graph.onLink[graph.destination[i]] ? all.length - 1 : all.length;
            slot[i] = Arrays.binarySearch(all, 0, count, graph.origin[i]);
        }
    }

    public RouteGraph graph() {
        return graph;
    }

    @Override
    public List<String> names() {
        return graph.features.names();
    }

    @Override
    public boolean cheapGradient() {
        return true;
    }

    @Override
    public Evaluation at(double[] theta, Depth depth) {
        check(theta);
        double[] m = graph.exponentials(theta);
        LuFactors factors = new LuFactors(graph.pattern);
        if (!factors.factor(m)) {
            return Evaluation.INFEASIBLE;
        }
        int k = theta.length;
        int blocks = (used.length + LANES - 1) / LANES;
        Part[] parts = new Part[blocks];
        double[][][] slopes = new double[used.length][][];
        double[][] values = new double[used.length][];
        Parallel.tasks(blocks, block -> {
            Workspace pooled = workspaces.poll();
            Workspace own = pooled == null ? new Workspace(graph, k) : pooled;
            parts[block] = own.evaluate(block, m, factors, depth, values, slopes);
            workspaces.add(own);
        });
        double value = 0;
        double[] gradient = new double[k];
        for (int i = 0; i < slot.length; i++) {
            value += Vec.dot(theta, graph.observed[i]);
            Vec.axpy(1, graph.observed[i], gradient);
        }
        double[][] hessian = new double[depth == Depth.SECOND ? k : 0][k];
        for (Part part : parts) {
            value -= part.value;
            Vec.axpy(-1, part.expected, gradient);
            for (int j = 0; j < hessian.length; j++) {
                Vec.axpy(-1, part.curvature[j], hessian[j]);
            }
        }
        return new Evaluation(
                value,
                depth == Depth.VALUE ? new double[0] : gradient,
                depth == Depth.SECOND ? scores(slopes) : new double[0][],
                hessian);
    }

    private double[][] scores(double[][][] slopes) {
        double[][] scores = new double[slot.length][];
        for (int i = 0; i < slot.length; i++) {
            double[][] own = slopes[place[i]];
            scores[i] = Vec.plus(graph.observed[i], -1, own[slot[i]]);
            if (graph.onLink[graph.destination[i]]) {
                Vec.axpy(1, own[own.length - 1], scores[i]);
            }
        }
        return scores;
    }

    /** The log-probability of each trip; refused where the parameters are not allowed. */
    public double[] logProbabilities(double[] theta) {
        check(theta);
        double[] m = graph.exponentials(theta);
        LuFactors factors = new LuFactors(graph.pattern);
        if (!factors.factor(m)) {
            throw RouteEstimator.infeasible(graph, theta);
        }
        double[][] values = new double[used.length][];
        Workspace own = new Workspace(graph, theta.length);
        for (int block = 0; block * LANES < used.length; block++) {
            own.evaluate(block, m, factors, Depth.VALUE, values, new double[used.length][][]);
        }
        double[] all = new double[slot.length];
        for (int i = 0; i < all.length; i++) {
            double[] own2 = values[place[i]];
            all[i] = Vec.dot(theta, graph.observed[i])
                    - own2[slot[i]]
                    + (graph.onLink[graph.destination[i]] ? own2[own2.length - 1] : 0);
        }
        return all;
    }

    /** What a block of destinations adds: to be subtracted from what was observed. */
    private record Part(double value, double[] expected, double[][] curvature) {}

    /** Arrays for one block at a time. */
    private final class Workspace {
        private final double[] z;
        private final double[] w;
        private final double[][] tangent;
        private final LuFactors.Reach reach;
        private int[] rows = new int[64];
        private int count;

        Workspace(RouteGraph graph, int k) {
            z = new double[graph.n * LANES];
            w = new double[graph.n * LANES];
            tangent = new double[k][0];
            reach = new LuFactors.Reach(graph.pattern);
        }

        private void nonzero(int row) {
            if (count == rows.length) {
                rows = Arrays.copyOf(rows, 2 * count);
            }
            rows[count++] = row;
        }

        Part evaluate(int block, double[] m, LuFactors factors, Depth depth, double[][] values, double[][][] slopes) {
            int first = block * LANES;
            int last = Math.min(used.length, first + LANES);
            int k = tangent.length;
            Arrays.fill(z, 0);
            count = 0;
            for (int d = first; d < last; d++) {
                for (int link : graph.ends[used[d]]) {
                    z[link * LANES + d - first] = SCALE;
                    nonzero(link);
                }
            }
            factors.solve(z, reach.of(rows, count));
            double value = 0;
            for (int d = first; d < last; d++) {
                double[] own = new double[points[d].length];
                for (int p = 0; p < own.length; p++) {
                    own[p] = Elementary.log(inRange(z[points[d][p] * LANES + d - first], points[d][p], d)) - LOG_SCALE;
                    value += weights[d][p] * own[p];
                }
                values[d] = own;
            }
            double[] expected = new double[k];
            double[][] curvature = new double[k][k];
            if (depth == Depth.VALUE) {
                return new Part(value, expected, curvature);
            }
            Arrays.fill(w, 0);
            count = 0;
            for (int d = first; d < last; d++) {
                for (int p = 0; p < points[d].length; p++) {
                    int at = points[d][p] * LANES + d - first;
                    w[at] += weights[d][p] / z[at];
                    nonzero(points[d][p]);
                }
            }
            factors.solveTransposed(w, reach.of(rows, count));
            if (depth == Depth.GRADIENT) {
                expect(m, expected);
            } else {
                tangents(m, factors);
                expect(m, expected, curvature);
                slopes(first, last, slopes, curvature);
            }
            return new Part(value, expected, curvature);
        }

        private double inRange(double own, int link, int d) {
            if (!(own > LEAST && own < Double.POSITIVE_INFINITY)) {
                throw outOfRange(graph, link, used[d]);
            }
            return own;
        }

        /** Expected feature sums. */
        private void expect(double[] m, double[] expected) {
            for (int i = 0; i < graph.n; i++) {
                for (int e = graph.start[i]; e < graph.start[i + 1]; e++) {
                    double uses = m[e] * dot(w, i, z, graph.to[e]);
                    for (int j = 0; j < expected.length; j++) {
                        expected[j] += uses * graph.x[j][e];
                    }
                }
            }
        }

        private void tangents(double[] m, LuFactors factors) {
            for (int j = 0; j < tangent.length; j++) {
                if (tangent[j].length == 0) {
                    tangent[j] = new double[z.length];
                }
                double[] t = tangent[j];
                double[] x = graph.x[j];
                for (int i = 0; i < graph.n; i++) {
                    int at = i * LANES;
                    for (int lane = 0; lane < LANES; lane++) {
                        t[at + lane] = 0;
                    }
                    for (int e = graph.start[i]; e < graph.start[i + 1]; e++) {
                        double mx = m[e] * x[e];
                        int from = graph.to[e] * LANES;
                        for (int lane = 0; lane < LANES; lane++) {
                            t[at + lane] += mx * z[from + lane];
                        }
                    }
                }
                factors.solve(t);
            }
        }

        /** Expected feature sums, and the second derivatives of values that enter the likelihood, in part. */
        private void expect(double[] m, double[] expected, double[][] curvature) {
            int k = expected.length;
            double[] along = new double[k];
            double[] x = new double[k];
            for (int i = 0; i < graph.n; i++) {
                for (int e = graph.start[i]; e < graph.start[i + 1]; e++) {
                    double uses = m[e] * dot(w, i, z, graph.to[e]);
                    for (int j = 0; j < k; j++) {
                        along[j] = m[e] * dot(w, i, tangent[j], graph.to[e]);
                        x[j] = graph.x[j][e];
                        expected[j] += uses * x[j];
                    }
                    for (int j = 0; j < k; j++) {
                        for (int h = 0; h <= j; h++) {
                            curvature[j][h] += uses * x[j] * x[h] + x[j] * along[h] + x[h] * along[j];
                        }
                    }
                }
            }
        }

        /** Derivatives of log values at the points, and what they take from the second derivatives. */
        private void slopes(int first, int last, double[][][] slopes, double[][] curvature) {
            int k = tangent.length;
            for (int d = first; d < last; d++) {
                double[][] own = new double[points[d].length][k];
                for (int p = 0; p < own.length; p++) {
                    int at = points[d][p] * LANES + d - first;
                    for (int j = 0; j < k; j++) {
                        own[p][j] = tangent[j][at] / z[at];
                    }
                    for (int j = 0; j < k; j++) {
                        for (int h = 0; h <= j; h++) {
                            curvature[j][h] -= weights[d][p] * own[p][j] * own[p][h];
                        }
                    }
                }
                slopes[d] = own;
            }
            for (int j = 0; j < k; j++) {
                for (int h = 0; h < j; h++) {
                    curvature[h][j] = curvature[j][h];
                }
            }
        }
    }

    private static double dot(double[] w, int i, double[] z, int a) {
        int p = i * LANES;
        int q = a * LANES;
        return w[p] * z[q]
                + w[p + 1] * z[q + 1]
                + w[p + 2] * z[q + 2]
                + w[p + 3] * z[q + 3]
                + w[p + 4] * z[q + 4]
                + w[p + 5] * z[q + 5]
                + w[p + 6] * z[q + 6]
                + w[p + 7] * z[q + 7];
    }

    static BadInput outOfRange(RouteGraph graph, int link, int destination) {
        int number = 0;
        while (graph.position[number] != link) {
            number++;
        }
        return new BadInput(
                "the value of link '%s' towards destination '%s' is outside of -1,300..80 at these parameters"
                        .formatted(
                                graph.trips.network().names().get(number),
                                graph.trips.destinations().get(destination).name()),
                "Start nearer to zero, or scale features down; on such a network trips must be shorter.");
    }
}

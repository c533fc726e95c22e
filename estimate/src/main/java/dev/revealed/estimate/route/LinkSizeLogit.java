package dev.revealed.estimate.route;

import static dev.revealed.numeric.sparse.LuFactors.LANES;

import dev.revealed.numeric.Elementary;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.Vec;
import dev.revealed.numeric.sparse.LuFactors;
import dev.revealed.numeric.sparse.LuFactors.Reach;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Recursive logit with link size as its last feature. Rewards then differ by pair of origin and destination: each pair has
 * its own factors, of which the rows that link size does not reach are copied from the factors without it.
 */
public final class LinkSizeLogit implements RouteLikelihood {
    /** A pair used less often than this changes no digit of anything. */
    private static final double NEVER = 1e-25;

    private final RouteGraph graph;
    private final LinkSize size;
    private final OriginDestinations pairs;
    private final List<String> names;
    private final double[][] observed; // feature sums of trips, link size last
    private final ConcurrentLinkedQueue<Workspace> workspaces = new ConcurrentLinkedQueue<>();

    public LinkSizeLogit(RouteGraph graph, LinkSize size) {
        this.graph = graph;
        this.size = size;
        pairs = new OriginDestinations(graph);
        List<String> all = new ArrayList<>(graph.features.names());
        all.add("linkSize");
        names = List.copyOf(all);
        observed = pairs.observed(size);
    }

    @Override
    public List<String> names() {
        return names;
    }

    /** Sum of link size over the links that each trip enters. */
    public double[] linkSizes() {
        return Arrays.stream(observed)
                .mapToDouble(sums -> sums[sums.length - 1])
                .toArray();
    }

    @Override
    public Evaluation at(double[] theta, Depth depth) {
        check(theta);
        int k = theta.length;
        double[] base = graph.exponentials(theta);
        LuFactors common = new LuFactors(graph.pattern);
        boolean based = common.factor(base);
        Part[] parts = new Part[pairs.count()];
        Parallel.tasks(parts.length, pair -> {
            Workspace pooled = workspaces.poll();
            Workspace own = pooled == null ? new Workspace() : pooled;
            size.passages(pairs.origin(pair), pairs.destination(pair), own.passages);
            own.rewards(theta[k - 1], base);
            boolean feasible = based ? own.factors.factor(own.m, common, base) : own.factors.factor(own.m);
            parts[pair] = feasible ? own.evaluate(pair, depth) : Part.INFEASIBLE;
            workspaces.add(own);
        });
        double value = 0;
        double[] gradient = new double[k];
        double[] logs = new double[observed.length];
        double[][] scores = new double[depth.includes(Depth.SCORES) ? observed.length : 0][];
        double[][] hessian = new double[depth == Depth.SECOND ? k : 0][k];
        for (int pair = 0; pair < parts.length; pair++) {
            Part part = parts[pair];
            if (part.value == Double.NEGATIVE_INFINITY) {
                return Evaluation.INFEASIBLE;
            }
            int[] trips = pairs.trips(pair);
            for (int trip : trips) {
                logs[trip] = Vec.dot(theta, observed[trip]) - part.value;
                value += logs[trip];
                if (depth.includes(Depth.SCORES)) {
                    scores[trip] = Vec.plus(observed[trip], -1, part.expected);
                }
                if (depth != Depth.VALUE) {
                    Vec.axpy(1, observed[trip], gradient);
                }
            }
            if (depth != Depth.VALUE) {
                Vec.axpy(-trips.length, part.expected, gradient);
            }
            for (int j = 0; j < hessian.length; j++) {
                Vec.axpy(-trips.length, part.curvature[j], hessian[j]);
            }
        }
        return new Evaluation(value, logs, depth == Depth.VALUE ? new double[0] : gradient, scores, hessian);
    }

    /** The log-probability of each trip; refused where the parameters are not allowed. */
    public double[] logProbabilities(double[] theta) {
        Evaluation found = at(theta, Depth.VALUE);
        if (!found.feasible()) {
            throw RouteEstimator.infeasible(graph, theta);
        }
        return found.logs();
    }

    /** The log value of a pair of origin and destination, and its derivatives. */
    private record Part(double value, double[] expected, double[][] curvature) {
        static final Part INFEASIBLE = new Part(Double.NEGATIVE_INFINITY, new double[0], new double[0][]);
    }

    /** Arrays for one pair of origin and destination at a time. */
    private final class Workspace {
        private final double[] passages = new double[graph.n];
        private final double[] factor = new double[graph.n];
        private final double[] m = new double[graph.to.length];
        private final LuFactors factors = new LuFactors(graph.pattern);
        private final Reach reach = new Reach(graph.pattern);
        private final double[] z = new double[graph.n];
        private final double[] w = new double[graph.n];
        private double[][] tangent = new double[0][]; // lanes of features
        private final int[] points = new int[2];

        void rewards(double coefficient, double[] base) {
            for (int k = 0; k < factor.length; k++) {
                double power = coefficient * passages[k];
                factor[k] = Math.abs(power) < 0x1p-54 ? 1 : Elementary.exp(power);
            }
            for (int e = 0; e < m.length; e++) {
                m[e] = base[e] * factor[graph.to[e]];
            }
        }

        Part evaluate(int pair, Depth depth) {
            int origin = pairs.origin(pair);
            int destination = pairs.destination(pair);
            int[] ends = graph.ends[destination];
            Arrays.fill(z, 0);
            for (int end : ends) {
                z[end] = DestinationBlock.SCALE;
            }
            factors.solveOne(z, reach.of(ends, ends.length));
            double value = log(origin, destination) - DestinationBlock.LOG_SCALE;
            boolean onLink = graph.onLink[destination];
            if (onLink) {
                value -= log(ends[0], destination) - DestinationBlock.LOG_SCALE;
            }
            int k = names.size();
            if (depth == Depth.VALUE) {
                return new Part(value, new double[0], new double[0][]);
            }
            Arrays.fill(w, 0);
            points[0] = origin;
            points[1] = ends[0];
            w[origin] += 1 / z[origin];
            if (onLink) {
                w[ends[0]] -= 1 / z[ends[0]];
            }
            factors.solveOneTransposed(w, reach.of(points, onLink ? 2 : 1));
            double[] expected = new double[k];
            double[][] curvature = new double[k][k];
            if (depth != Depth.SECOND) {
                expect(expected);
            } else {
                tangents();
                expect(expected, curvature);
                subtract(origin, 1, curvature);
                if (onLink) {
                    subtract(ends[0], -1, curvature);
                }
                for (int j = 0; j < k; j++) {
                    for (int h = 0; h < j; h++) {
                        curvature[h][j] = curvature[j][h];
                    }
                }
            }
            return new Part(value, expected, curvature);
        }

        private double log(int link, int destination) {
            if (!(z[link] > DestinationBlock.LEAST && z[link] < Double.POSITIVE_INFINITY)) {
                throw DestinationBlock.outOfRange(graph, link, destination);
            }
            return Elementary.log(z[link]);
        }

        private double feature(int j, int e) {
            return j < graph.x.length ? graph.x[j][e] : passages[graph.to[e]];
        }

        private void expect(double[] expected) {
            for (int i = 0; i < graph.n; i++) {
                for (int e = graph.start[i]; e < graph.start[i + 1]; e++) {
                    double uses = w[i] * m[e] * z[graph.to[e]];
                    for (int j = 0; Math.abs(uses) > NEVER && j < expected.length; j++) {
                        expected[j] += uses * feature(j, e);
                    }
                }
            }
        }

        /** Derivatives of z, a lane for each feature. */
        private void tangents() {
            int k = names.size();
            if (tangent.length == 0) {
                tangent = new double[(k + LANES - 1) / LANES][graph.n * LANES];
            }
            for (int block = 0; block < tangent.length; block++) {
                double[] lanes = tangent[block];
                int first = block * LANES;
                int last = Math.min(k, first + LANES);
                Arrays.fill(lanes, 0);
                for (int i = 0; i < graph.n; i++) {
                    int at = i * LANES - first;
                    for (int e = graph.start[i]; e < graph.start[i + 1]; e++) {
                        double mz = m[e] * z[graph.to[e]];
                        for (int j = first; j < last; j++) {
                            lanes[at + j] += mz * feature(j, e);
                        }
                    }
                }
                factors.solve(lanes);
            }
        }

        private void expect(double[] expected, double[][] curvature) {
            int k = expected.length;
            double[] x = new double[k];
            double[] half = new double[k * k]; // the curvature is this and its transpose
            for (int i = 0; i < graph.n; i++) {
                for (int e = graph.start[i]; e < graph.start[i + 1]; e++) {
                    double wm = w[i] * m[e];
                    double uses = wm * z[graph.to[e]];
                    if (Math.abs(uses) <= NEVER) {
                        continue;
                    }
                    int at = graph.to[e] * LANES;
                    for (int j = 0; j < k; j++) {
                        x[j] = feature(j, e);
                        expected[j] += uses * x[j];
                    }
                    for (int h = 0; h < k; h++) {
                        double along = wm * tangent[h / LANES][at + h % LANES] + 0.5 * uses * x[h];
                        for (int j = 0; j < k; j++) {
                            half[h * k + j] += x[j] * along;
                        }
                    }
                }
            }
            for (int j = 0; j < k; j++) {
                for (int h = 0; h <= j; h++) {
                    curvature[j][h] += half[h * k + j] + half[j * k + h];
                }
            }
        }

        private double slope(int j, int link) {
            return tangent[j / LANES][link * LANES + j % LANES] / z[link];
        }

        private void subtract(int link, double weight, double[][] curvature) {
            for (int j = 0; j < curvature.length; j++) {
                for (int h = 0; h <= j; h++) {
                    curvature[j][h] -= weight * slope(j, link) * slope(h, link);
                }
            }
        }
    }
}

package dev.revealed.estimate.route;

import static dev.revealed.numeric.sparse.LuFactors.LANES;

import dev.revealed.estimate.route.DestinationBlock.Matrix;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.Vec;
import dev.revealed.numeric.sparse.LuFactors;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Recursive logit (Fosgerau, Frejinger and Karlström 2013): one factorisation per parameter vector, eight destinations at
 * a time. The log-likelihood of a trip is its reward less the value at its origin; of a trip that ends on a link, plus the
 * value at that link, since only first passages count.
 */
public final class RecursiveLogit implements RouteLikelihood {
    /** Blocks of destinations are dealt out to this many tasks at most, each with sums of its own. */
    private static final int TASKS = 16;

    private final RouteGraph graph;
    private final TripPoints points;
    private final double[] observed; // feature sums of all trips
    private final ConcurrentLinkedQueue<DestinationBlock> workspaces = new ConcurrentLinkedQueue<>();

    public RecursiveLogit(RouteGraph graph) {
        this.graph = graph;
        points = new TripPoints(graph);
        observed = new double[graph.x.length];
        for (double[] trip : graph.observed) {
            Vec.axpy(1, trip, observed);
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
        return solved(graph.rewards(theta), depth)
                .map(solution -> evaluation(theta, depth, solution))
                .orElse(Evaluation.INFEASIBLE);
    }

    private Evaluation evaluation(double[] theta, Depth depth, Solution solution) {
        double value = Vec.dot(theta, observed) - solution.value;
        double[] logs = logs(theta, solution);
        if (depth == Depth.VALUE) {
            return new Evaluation(value, logs, new double[0], new double[0][], new double[0][]);
        }
        int k = theta.length;
        double[] gradient = observed.clone();
        for (int j = 0; j < k; j++) {
            gradient[j] -= Vec.dot(graph.x[j], solution.uses);
        }
        double[][] hessian = new double[depth == Depth.SECOND ? k : 0][k];
        double[][] scores = new double[depth.includes(Depth.SCORES) ? graph.origin.length : 0][];
        for (int j = 0; j < hessian.length; j++) {
            for (int h = 0; h <= j; h++) {
                double sum = solution.curvature[j][h];
                for (int e = 0; e < graph.to.length; e++) {
                    sum += solution.uses[e] * graph.x[j][e] * graph.x[h][e];
                }
                hessian[j][h] = -sum;
                hessian[h][j] = -sum;
            }
        }
        for (int i = 0; i < scores.length; i++) {
            scores[i] = graph.observed[i].clone();
            for (int j = 0; j < k; j++) {
                scores[i][j] -= points.ofTrip(i, solution.slopes[j]);
            }
        }
        return new Evaluation(value, logs, gradient, scores, hessian);
    }

    /** The log-probability of each trip; refused where the parameters are not allowed. */
    public double[] logProbabilities(double[] theta) {
        check(theta);
        return logs(
                theta,
                solved(graph.rewards(theta), Depth.VALUE).orElseThrow(() -> RouteEstimator.infeasible(graph, theta)));
    }

    private double[] logs(double[] theta, Solution solution) {
        double[] all = new double[graph.origin.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = Vec.dot(theta, graph.observed[i]) - ofTrip(i, solution);
        }
        return all;
    }

    /** What is subtracted from the reward of a trip: the value at its origin. */
    double ofTrip(int trip, Solution solution) {
        return points.ofTrip(trip, solution.values);
    }

    /**
     * What rewards of pairs imply for the trips.
     *
     * @param value what is subtracted from the rewards of all trips: values at origins
     * @param values at the points of each destination
     * @param uses how often each pair is expected to be used on all trips; empty where only values were asked for
     * @param slopes by feature: derivatives of values; empty where scores were not asked for
     * @param curvature lower half of the second derivatives of the value, less what uses give; zero but at depth SECOND
     */
    record Solution(double value, double[][] values, double[] uses, double[][][] slopes, double[][] curvature) {}

    /** Values for any rewards of pairs, whether linear in features or not; empty where there are none. */
    Optional<Solution> solved(double[] rewards, Depth depth) {
        double[] m = RouteGraph.exp(rewards);
        LuFactors factors = new LuFactors(graph.pattern);
        if (!factors.factor(m)) {
            return Optional.empty();
        }
        Matrix matrix = new Matrix(m, factors);
        int used = points.destinations();
        int blocks = (used + LANES - 1) / LANES;
        int tasks = Math.min(TASKS, blocks);
        int k = graph.x.length;
        Sums[] sums = new Sums[tasks];
        double[][] values = new double[used][];
        double[][][] slopes = new double[depth.includes(Depth.SCORES) ? k : 0][used][];
        Parallel.tasks(tasks, task -> {
            DestinationBlock pooled = workspaces.poll();
            DestinationBlock own = pooled == null ? new DestinationBlock(graph, points, matrix) : pooled;
            Sums mine = new Sums(depth == Depth.VALUE ? 0 : m.length, k);
            for (int block = task; block < blocks; block += tasks) {
                int first = block * LANES;
                own.solve(first, Math.min(used, first + LANES), matrix, depth != Depth.VALUE, solved -> {
                    mine.value += solved.values(values);
                    if (depth != Depth.VALUE) {
                        solved.uses(mine.uses);
                    }
                    if (depth.includes(Depth.SCORES)) {
                        solved.slopes(slopes);
                    }
                    if (depth == Depth.SECOND) {
                        solved.second(slopes, mine.curvature);
                    }
                });
            }
            sums[task] = mine;
            workspaces.add(own);
        });
        Sums all = sums[0];
        for (int task = 1; task < tasks; task++) {
            all.add(sums[task]);
        }
        return Optional.of(new Solution(all.value, values, all.uses, slopes, all.curvature));
    }

    /** What blocks add up. */
    private static final class Sums {
        private double value;
        private final double[] uses;
        private final double[][] curvature;

        Sums(int pairs, int k) {
            uses = new double[pairs];
            curvature = new double[k][k];
        }

        void add(Sums other) {
            value += other.value;
            Vec.axpy(1, other.uses, uses);
            for (int j = 0; j < curvature.length; j++) {
                Vec.axpy(1, other.curvature[j], curvature[j]);
            }
        }
    }
}

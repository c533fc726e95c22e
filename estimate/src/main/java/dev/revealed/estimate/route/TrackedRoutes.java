package dev.revealed.estimate.route;

import static dev.revealed.numeric.sparse.LuFactors.LANES;

import dev.revealed.mdp.Gradient;
import dev.revealed.mdp.SingleLoop;
import dev.revealed.numeric.Elementary;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Policy step and score of the single loop for route choice: values, their derivatives and expected passages are carried
 * from one reward to the next and follow it by sweeps, z = b + M z, without any factorisation. Values first move along with
 * their derivatives. Sweeps end when values at the points of the likelihood move less than the next reward step deserves.
 */
final class TrackedRoutes
        implements SingleLoop.Lower<double[], TrackedRoutes.Policy>,
                SingleLoop.Score<double[], TrackedRoutes.Policy, Gradient> {
    private static final int MOST_SWEEPS = 2000;

    private final RouteGraph graph;
    private final TripPoints points;
    private final double accuracy;
    private final int[] inStart; // pairs by the link they enter
    private final int[] inPair;
    private final int[] from; // of a pair
    private final int[][] order; // by block: links from its destinations outwards, against the direction of driving
    private final long[] sweeps; // by block
    private double[] m = new double[0];
    private double[] last = new double[0];
    private double decrement = Double.POSITIVE_INFINITY;

    /**
     * By block of eight destinations, then by link and destination.
     *
     * @param z exponentials of values, scaled
     * @param w expected passages over z, from all origins
     * @param tangent derivatives of z by each coefficient
     */
    record Policy(double[][] z, double[][] w, double[][][] tangent) {}

    /** @param accuracy change of a value in a sweep that is small far from the optimum; it gets smaller on the way to it */
    TrackedRoutes(RouteGraph graph, double accuracy) {
        this.graph = graph;
        this.accuracy = accuracy;
        points = new TripPoints(graph);
        from = new int[graph.to.length];
        inStart = new int[graph.n + 1];
        for (int k = 0; k < graph.n; k++) {
            for (int e = graph.start[k]; e < graph.start[k + 1]; e++) {
                from[e] = k;
                inStart[graph.to[e] + 1]++;
            }
        }
        for (int k = 0; k < graph.n; k++) {
            inStart[k + 1] += inStart[k];
        }
        inPair = new int[graph.to.length];
        int[] next = Arrays.copyOf(inStart, graph.n);
        for (int e = 0; e < inPair.length; e++) {
            inPair[next[graph.to[e]]++] = e;
        }
        sweeps = new long[blocks()];
        order = new int[blocks()][];
        Arrays.setAll(order, this::outwards);
    }

    /** Values spread from destinations against the direction of driving: in this order, far in one sweep. */
    private int[] outwards(int block) {
        int[] all = new int[graph.n];
        boolean[] seen = new boolean[graph.n];
        int count = 0;
        for (int d = block * LANES; d < last(block); d++) {
            for (int link : graph.ends[points.destination(d)]) {
                if (!seen[link]) {
                    seen[link] = true;
                    all[count++] = link;
                }
            }
        }
        for (int next = 0; next < count; next++) {
            for (int r = inStart[all[next]]; r < inStart[all[next] + 1]; r++) {
                int before = from[inPair[r]];
                if (!seen[before]) {
                    seen[before] = true;
                    all[count++] = before;
                }
            }
        }
        for (int link = 0; link < graph.n; link++) {
            if (!seen[link]) { // leads to none of them
                all[count++] = link;
            }
        }
        return all;
    }

    private int blocks() {
        return (points.destinations() + LANES - 1) / LANES;
    }

    Policy start() {
        int cells = graph.n * LANES;
        return new Policy(
                new double[blocks()][cells], new double[blocks()][cells], new double[blocks()][graph.x.length][cells]);
    }

    /** Sweeps so far, of one destination on average: each passes once over the pairs, for z and every derivative or for w. */
    double sweeps() {
        return (double) Arrays.stream(sweeps).sum() / sweeps.length;
    }

    @Override
    public Policy improve(Policy policy, double[] theta) {
        m = graph.exponentials(theta);
        double[] move = last.length == 0 ? new double[0] : Vec.plus(theta, -1, last);
        last = theta.clone();
        double wanted = accuracy * Math.min(1, decrement);
        Parallel.tasks(blocks(), block -> {
            double[] z = policy.z[block];
            double[] w = policy.w[block];
            for (int i = 0; i < z.length; i++) {
                w[i] *= z[i]; // passages change less than what they are divided by
            }
            if (move.length > 0) {
                follow(z, policy.tangent[block], move);
            }
            settle(block, policy, wanted);
            for (int i = 0; i < z.length; i++) {
                w[i] = z[i] > 0 ? w[i] / z[i] : 0;
            }
        });
        return policy;
    }

    /** Sweeps of values and derivatives until they hardly change at the points. */
    private void settle(int block, Policy policy, double wanted) {
        boolean[] end = ends(block);
        double[] before = new double[0];
        for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
            sweep(policy.z[block], policy.tangent[block], end, order[block]);
            sweeps[block]++;
            double[] now = atPoints(block, policy.z[block], policy.tangent[block]);
            if (before.length > 0 && distance(before, now) <= wanted) {
                return;
            }
            before = now;
        }
    }

    /** Values move with their derivatives, and the derivatives with the values. */
    private static void follow(double[] z, double[][] tangent, double[] move) {
        for (int i = 0; i < z.length; i++) {
            if (z[i] == 0) {
                continue;
            }
            double change = 0;
            for (int j = 0; j < move.length; j++) {
                change += move[j] * tangent[j][i];
            }
            double factor = Elementary.exp(change / z[i]);
            z[i] *= factor;
            for (double[] t : tangent) {
                t[i] *= factor;
            }
        }
    }

    private boolean[] ends(int block) {
        boolean[] end = new boolean[graph.n * LANES];
        for (int d = block * LANES; d < last(block); d++) {
            for (int link : graph.ends[points.destination(d)]) {
                end[link * LANES + d - block * LANES] = true;
            }
        }
        return end;
    }

    private int last(int block) {
        return Math.min(points.destinations(), (block + 1) * LANES);
    }

    /** One pass in place: z = b + M z, and its derivatives. */
    private void sweep(double[] z, double[][] tangent, boolean[] end, int[] outwards) {
        int k = tangent.length;
        double[] own = new double[LANES];
        double[][] slope = new double[k][LANES];
        for (int i : outwards) {
            int at = i * LANES;
            for (int lane = 0; lane < LANES; lane++) {
                own[lane] = end[at + lane] ? DestinationBlock.SCALE : 0;
            }
            for (double[] t : slope) {
                Arrays.fill(t, 0);
            }
            for (int e = graph.start[i]; e < graph.start[i + 1]; e++) {
                int to = graph.to[e] * LANES;
                for (int lane = 0; lane < LANES; lane++) {
                    own[lane] += m[e] * z[to + lane];
                }
                for (int j = 0; j < k; j++) {
                    double x = graph.x[j][e];
                    double[] t = tangent[j];
                    double[] sum = slope[j];
                    for (int lane = 0; lane < LANES; lane++) {
                        sum[lane] += m[e] * (x * z[to + lane] + t[to + lane]);
                    }
                }
            }
            System.arraycopy(own, 0, z, at, LANES);
            for (int j = 0; j < k; j++) {
                System.arraycopy(slope[j], 0, tangent[j], at, LANES);
            }
        }
    }

    /** Values and their derivatives at the points of a block; NaN where no path has been found yet. */
    private double[] atPoints(int block, double[] z, double[][] tangent) {
        return IntStream.range(block * LANES, last(block))
                .boxed()
                .flatMapToDouble(d -> Arrays.stream(points.points(d)).boxed().flatMapToDouble(link -> {
                    int at = link * LANES + d - block * LANES;
                    double[] own = new double[tangent.length + 1];
                    own[0] = Math.log(z[at]);
                    for (int j = 0; j < tangent.length; j++) {
                        own[j + 1] = tangent[j][at] / z[at];
                    }
                    return Arrays.stream(own);
                }))
                .toArray();
    }

    private static double distance(double[] a, double[] b) {
        double largest = 0;
        for (int i = 0; i < a.length; i++) {
            double own = Math.abs(a[i] - b[i]) / Math.max(1, Math.abs(b[i]));
            if (Double.isNaN(own)) {
                return Double.POSITIVE_INFINITY;
            }
            largest = Math.max(largest, own);
        }
        return largest;
    }

    /** Observed less expected features, and the information: what choices along the expected trips reveal. */
    @Override
    public Gradient at(double[] theta, Policy policy, RandomStream stream) {
        int k = theta.length;
        double[][] gradients = new double[blocks()][k];
        double[][][] informations = new double[blocks()][k][k];
        double wanted = accuracy * Math.min(1, decrement);
        Parallel.tasks(blocks(), block -> {
            passages(block, policy.z[block], policy.w[block], wanted);
            expect(block, policy, gradients[block], informations[block]);
        });
        double[] gradient = new double[k];
        double[][] information = new double[k][k];
        for (double[] trip : graph.observed) {
            Vec.axpy(1, trip, gradient);
        }
        for (int block = 0; block < gradients.length; block++) {
            Vec.axpy(-1, gradients[block], gradient);
            for (int j = 0; j < k; j++) {
                Vec.axpy(1, informations[block][j], information[j]);
            }
        }
        Gradient found = new Gradient(gradient, information);
        decrement = found.decrement();
        return found;
    }

    /** Sweeps of w until as many trips arrive as have started. */
    private void passages(int block, double[] z, double[] w, double wanted) {
        double[] right = new double[w.length];
        double[] started = new double[LANES];
        double trips = 0;
        for (int d = block * LANES; d < last(block); d++) {
            int lane = d - block * LANES;
            for (int p = 0; p < points.points(d).length; p++) {
                int at = points.points(d)[p] * LANES + lane;
                right[at] += points.weights(d)[p] / z[at];
                started[lane] += points.weights(d)[p];
                trips += Math.max(0, points.weights(d)[p]);
            }
        }
        double[] own = new double[LANES];
        double missing = Double.POSITIVE_INFINITY;
        for (int sweep = 0; sweep < MOST_SWEEPS && !(missing <= wanted * trips); sweep++) {
            for (int step = 0; step < graph.n; step++) {
                int i = order[block][graph.n - 1 - step];
                System.arraycopy(right, i * LANES, own, 0, LANES);
                for (int r = inStart[i]; r < inStart[i + 1]; r++) {
                    int e = inPair[r];
                    int at = from[e] * LANES;
                    for (int lane = 0; lane < LANES; lane++) {
                        own[lane] += m[e] * w[at + lane];
                    }
                }
                System.arraycopy(own, 0, w, i * LANES, LANES);
            }
            sweeps[block]++;
            missing = 0;
            for (int d = block * LANES; d < last(block); d++) {
                int lane = d - block * LANES;
                double arrived = 0;
                for (int link : graph.ends[points.destination(d)]) {
                    arrived += w[link * LANES + lane] * DestinationBlock.SCALE;
                }
                missing += Math.abs(started[lane] - arrived);
            }
        }
    }

    private void expect(int block, Policy policy, double[] gradient, double[][] information) {
        double[] z = policy.z[block];
        double[] w = policy.w[block];
        double[][] tangent = policy.tangent[block];
        int k = gradient.length;
        double[] surprise = new double[k];
        boolean[] end = ends(block);
        for (int d = block * LANES; d < last(block); d++) {
            for (int p = 0; p < points.points(d).length; p++) {
                int at = points.points(d)[p] * LANES + d - block * LANES;
                for (int j = 0; j < k; j++) {
                    gradient[j] += points.weights(d)[p] * tangent[j][at] / z[at];
                }
            }
        }
        for (int at = 0; at < z.length; at++) {
            int i = at / LANES;
            int lane = at % LANES;
            if (!(w[at] * z[at] > 1e-12)) { // passed by nobody
                continue;
            }
            if (end[at]) {
                for (int j = 0; j < k; j++) {
                    surprise[j] = -tangent[j][at] / z[at];
                }
                add(w[at] * DestinationBlock.SCALE, surprise, information);
            }
            for (int e = graph.start[i]; e < graph.start[i + 1]; e++) {
                int to = graph.to[e] * LANES + lane;
                double uses = w[at] * m[e] * z[to];
                if (uses > 0) {
                    for (int j = 0; j < k; j++) {
                        surprise[j] = graph.x[j][e] + tangent[j][to] / z[to] - tangent[j][at] / z[at];
                    }
                    add(uses, surprise, information);
                }
            }
        }
    }

    private static void add(double weight, double[] x, double[][] square) {
        for (int j = 0; j < x.length; j++) {
            Vec.axpy(weight * x[j], x, square[j]);
        }
    }
}

package dev.revealed.estimate.route;

import static dev.revealed.numeric.sparse.LuFactors.LANES;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Elementary;
import dev.revealed.numeric.sparse.LuFactors;
import dev.revealed.numeric.sparse.LuFactors.Reach;
import java.util.Arrays;

/**
 * Values of up to eight destinations at a time and what follows from them, in arrays that serve one block after another.
 *
 * <p>Values z = exp V lie in doubles, with right-hand sides of 2^900 since they only need room downwards. Where that is not
 * enough at a point that enters the likelihood, the block is solved again in units of its own: z(k) in units of 2^p(k),
 * where 2^p is about the sum of the block's values. That is a similarity D^-1 M D by powers of two: exact, and everything
 * that is computed from w, M and z stays the same.
 */
final class DestinationBlock {
    private static final int SCALE_EXPONENT = 900;

    /** Right-hand sides are multiplied by this. */
    static final double SCALE = 0x1p900;

    static final double LOG_SCALE = SCALE_EXPONENT * Math.log(2);

    /** Below this at a point, values of links that matter to it might have left the range of doubles. */
    static final double LEAST = 1e-280;

    private final RouteGraph graph;
    private final TripPoints trips;
    private final double[] z;
    private final double[] w;
    private final Reach reach;
    private final Reach wanted;
    private double[][] tangent = new double[0][];
    private int[] rows = new int[64];
    private int count;
    private Matrix matrix; // of the last solve
    private int first;
    private int last;

    /**
     * M and the factors of I - M.
     *
     * @param exponent of each link's unit; empty where all are 1
     */
    record Matrix(double[] m, LuFactors factors, int[] exponent) {
        Matrix(double[] m, LuFactors factors) {
            this(m, factors, new int[0]);
        }

        int exponent(int link) {
            return exponent.length == 0 ? 0 : exponent[link];
        }
    }

    DestinationBlock(RouteGraph graph, TripPoints trips, Matrix any) {
        this.graph = graph;
        this.trips = trips;
        matrix = any;
        z = new double[graph.n * LANES];
        w = new double[graph.n * LANES];
        reach = new Reach(graph.pattern);
        wanted = new Reach(graph.pattern);
    }

    /** What can be done with the values of some destinations, all of which {@link #solve} found. */
    interface Use {
        void solved(DestinationBlock block);
    }

    /**
     * Finds values and hands them over: all destinations of the block at once or, where their values are too far apart for
     * that, in several parts.
     *
     * @param everywhere whether values are needed at all links, or only at the points of the likelihood
     */
    void solve(int from, int to, Matrix common, boolean everywhere, Use use) {
        if (inRange(from, to, common, everywhere) || inRange(from, to, inOwnUnits(from, to, common), everywhere)) {
            use.solved(this);
            return;
        }
        for (int d = from; d < to; d++) {
            if (!inRange(d, d + 1, inOwnUnits(d, d + 1, common), everywhere)) {
                throw outOfRange(graph, trips.points(d)[0], trips.destination(d));
            }
            use.solved(this);
        }
    }

    private boolean inRange(int from, int to, Matrix in, boolean everywhere) {
        first = from;
        last = to;
        matrix = in;
        Arrays.fill(z, 0);
        count = 0;
        for (int d = from; d < to; d++) {
            for (int link : graph.ends[trips.destination(d)]) {
                z[link * LANES + d - from] = Math.scalb(1.0, SCALE_EXPONENT - in.exponent(link));
                nonzero(link);
            }
        }
        reach.of(rows, count);
        if (everywhere) {
            in.factors.solve(z, reach);
        } else {
            count = 0;
            for (int d = from; d < to; d++) {
                for (int link : trips.points(d)) {
                    nonzero(link);
                }
            }
            in.factors.solve(z, reach, wanted.of(rows, count));
        }
        for (int d = from; d < to; d++) {
            for (int link : trips.points(d)) {
                double own = z[link * LANES + d - from];
                if (!(own > LEAST && own < Double.POSITIVE_INFINITY)) {
                    return false;
                }
            }
        }
        return true;
    }

    private void nonzero(int row) {
        if (count == rows.length) {
            rows = Arrays.copyOf(rows, 2 * count);
        }
        rows[count++] = row;
    }

    /** The same matrix in units in which the values of these destinations together are near 1. */
    private Matrix inOwnUnits(int from, int to, Matrix common) {
        int[] ends = new int[0];
        for (int d = from; d < to; d++) {
            int[] own = graph.ends[trips.destination(d)];
            ends = Arrays.copyOf(ends, ends.length + own.length);
            System.arraycopy(own, 0, ends, ends.length - own.length, own.length);
        }
        double[] logs = common.factors.logSolution(ends);
        int[] exponent = new int[logs.length];
        Arrays.setAll(
                exponent,
                k -> logs[k] == Double.NEGATIVE_INFINITY ? LuFactors.NONE : (int) Math.rint(logs[k] / Math.log(2)));
        double[] m = new double[common.m.length];
        for (int k = 0; k < graph.n; k++) {
            for (int e = graph.start[k]; e < graph.start[k + 1]; e++) {
                m[e] = LuFactors.shifted(common.m[e], exponent[graph.to[e]], exponent[k]);
            }
        }
        LuFactors factors = new LuFactors(graph.pattern);
        factors.rescale(common.factors, exponent);
        return new Matrix(m, factors, exponent);
    }

    /** Values at the points of each destination, and their weighted sum. */
    double values(double[][] values) {
        double sum = 0;
        for (int d = first; d < last; d++) {
            int[] points = trips.points(d);
            double[] own = new double[points.length];
            for (int p = 0; p < own.length; p++) {
                own[p] = Elementary.log(z[points[p] * LANES + d - first])
                        - LOG_SCALE
                        + matrix.exponent(points[p]) * Math.log(2);
                sum += trips.weights(d)[p] * own[p];
            }
            values[d] = own;
        }
        return sum;
    }

    /** Adds how often each pair is expected to be used on all trips to these destinations. */
    void uses(double[] uses) {
        Arrays.fill(w, 0);
        count = 0;
        for (int d = first; d < last; d++) {
            int[] points = trips.points(d);
            for (int p = 0; p < points.length; p++) {
                int at = points[p] * LANES + d - first;
                w[at] += trips.weights(d)[p] / z[at];
                nonzero(points[p]);
            }
        }
        matrix.factors.solveTransposed(w, reach.of(rows, count));
        for (int k = 0; k < graph.n; k++) {
            for (int e = graph.start[k]; e < graph.start[k + 1]; e++) {
                uses[e] += matrix.m[e] * dot(w, k, z, graph.to[e]);
            }
        }
    }

    /** Derivatives of values at the points by the coefficients of features. */
    void slopes(double[][][] slopes) {
        tangents();
        for (int d = first; d < last; d++) {
            int[] points = trips.points(d);
            for (int j = 0; j < slopes.length; j++) {
                double[] own = new double[points.length];
                for (int p = 0; p < points.length; p++) {
                    int at = points[p] * LANES + d - first;
                    own[p] = tangent[j][at] / z[at];
                }
                slopes[j][d] = own;
            }
        }
    }

    /**
     * Adds the part of the second derivatives of the points' weighted values that expected uses alone do not give. After
     * {@link #uses} and {@link #slopes}.
     */
    void second(double[][][] slopes, double[][] curvature) {
        int k = graph.x.length;
        double[][] products = new double[k][k];
        for (int i = 0; i < graph.n; i++) {
            for (int e = graph.start[i]; e < graph.start[i + 1]; e++) {
                for (int h = 0; h < k; h++) {
                    double along = matrix.m[e] * dot(w, i, tangent[h], graph.to[e]);
                    for (int j = 0; j < k; j++) {
                        products[j][h] += graph.x[j][e] * along;
                    }
                }
            }
        }
        for (int j = 0; j < k; j++) {
            for (int h = 0; h <= j; h++) {
                curvature[j][h] += products[j][h] + products[h][j];
            }
        }
        for (int d = first; d < last; d++) {
            int[] points = trips.points(d);
            for (int p = 0; p < points.length; p++) {
                for (int j = 0; j < k; j++) {
                    for (int h = 0; h <= j; h++) {
                        curvature[j][h] -= trips.weights(d)[p] * slopes[j][d][p] * slopes[h][d][p];
                    }
                }
            }
        }
    }

    /** Derivatives of z by each coefficient: (I - M) dz = dM z. */
    private void tangents() {
        if (tangent.length == 0) {
            tangent = new double[graph.x.length][z.length];
        }
        for (int j = 0; j < tangent.length; j++) {
            double[] t = tangent[j];
            Arrays.fill(t, 0);
            for (int i = 0; i < graph.n; i++) {
                int at = i * LANES;
                for (int e = graph.start[i]; e < graph.start[i + 1]; e++) {
                    double mx = matrix.m[e] * graph.x[j][e];
                    if (mx == 0) {
                        continue;
                    }
                    int from = graph.to[e] * LANES;
                    for (int lane = 0; lane < LANES; lane++) {
                        t[at + lane] += mx * z[from + lane];
                    }
                }
            }
            matrix.factors.solve(t);
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
                "the value of link '%s' towards destination '%s' is too small for double precision at these parameters"
                        .formatted(
                                graph.trips.network().names().get(number),
                                graph.trips.destinations().get(destination).name()),
                "Start nearer to zero, or scale features down.");
    }
}

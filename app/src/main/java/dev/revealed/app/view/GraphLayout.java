package dev.revealed.app.view;

import dev.revealed.numeric.Dense;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * Places nodes of a graph without coordinates so that those few steps apart lie near each other: classical scaling of
 * the steps to some pivots (pivot MDS). The same graph always has the same layout.
 */
public final class GraphLayout {
    private static final int PIVOTS = 60;

    private GraphLayout() {}

    /**
     * Coordinates by node.
     *
     * @param from one end of each edge
     * @param to its other end
     */
    public static double[][] of(int nodes, int[] from, int[] to) {
        int[][] neighbours = neighbours(nodes, from, to);
        int pivots = Math.min(PIVOTS, nodes);
        double[][] steps = new double[pivots][];
        double[] nearest = new double[nodes];
        Arrays.fill(nearest, Double.POSITIVE_INFINITY);
        int next = 0;
        for (int p = 0; p < pivots; p++) {
            steps[p] = steps(neighbours, next);
            for (int k = 0; k < nodes; k++) {
                nearest[k] = Math.min(nearest[k], steps[p][k]);
                next = nearest[k] > nearest[next] ? k : next;
            }
        }
        double[][] centred = centred(steps, nodes);
        double[][] products = new double[pivots][pivots];
        for (int p = 0; p < pivots; p++) {
            for (int q = 0; q <= p; q++) {
                double sum = 0;
                for (int k = 0; k < nodes; k++) {
                    sum += centred[p][k] * centred[q][k];
                }
                products[p][q] = products[q][p] = sum;
            }
        }
        Dense.Eigen eigen = Dense.symmetricEigen(products);
        double[][] places = new double[nodes][2];
        for (int axis = 0; axis < Math.min(2, pivots); axis++) {
            double[] weights = eigen.vectors()[pivots - 1 - axis];
            double sign = Math.signum(Arrays.stream(weights)
                    .filter(w -> Math.abs(w) > 1e-9)
                    .findFirst()
                    .orElse(1));
            for (int k = 0; k < nodes; k++) {
                for (int p = 0; p < pivots; p++) {
                    places[k][axis] += sign * weights[p] * centred[p][k];
                }
            }
        }
        return places;
    }

    private static int[][] neighbours(int nodes, int[] from, int[] to) {
        int[] count = new int[nodes];
        for (int e = 0; e < from.length; e++) {
            count[from[e]]++;
            count[to[e]]++;
        }
        int[][] neighbours = new int[nodes][];
        Arrays.setAll(neighbours, k -> new int[count[k]]);
        for (int e = 0; e < from.length; e++) {
            neighbours[from[e]][--count[from[e]]] = to[e];
            neighbours[to[e]][--count[to[e]]] = from[e];
        }
        return neighbours;
    }

    /** Steps from a node; nodes of other components are a little further than the farthest. */
    private static double[] steps(int[][] neighbours, int start) {
        double[] steps = new double[neighbours.length];
        Arrays.fill(steps, -1);
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        steps[start] = 0;
        queue.add(start);
        double farthest = 0;
        while (!queue.isEmpty()) {
            int k = queue.remove();
            farthest = steps[k];
            for (int other : neighbours[k]) {
                if (steps[other] < 0) {
                    steps[other] = steps[k] + 1;
                    queue.add(other);
                }
            }
        }
        double beyond = farthest + 2;
        return Arrays.stream(steps).map(s -> s < 0 ? beyond : s).toArray();
    }

    private static double[][] centred(double[][] steps, int nodes) {
        int pivots = steps.length;
        double[][] squares = new double[pivots][nodes];
        double[] byNode = new double[nodes];
        double[] byPivot = new double[pivots];
        double all = 0;
        for (int p = 0; p < pivots; p++) {
            for (int k = 0; k < nodes; k++) {
                squares[p][k] = steps[p][k] * steps[p][k];
                byNode[k] += squares[p][k] / pivots;
                byPivot[p] += squares[p][k] / nodes;
            }
            all += byPivot[p] / pivots;
        }
        for (int p = 0; p < pivots; p++) {
            for (int k = 0; k < nodes; k++) {
                squares[p][k] = -0.5 * (squares[p][k] - byNode[k] - byPivot[p] + all);
            }
        }
        return squares;
    }
}

package dev.revealed.estimate.choice.twostep;

import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Functions of state and action that long-run values are sought among. Every basis has the features of utility, and
 * functions of the state variables for each action of its own.
 *
 * @param degree of the polynomials: all products of the variables up to this total degree
 * @param knots of the piecewise linear functions of each variable; 0 for one at every value
 */
record ValueBasis(Shape shape, int degree, int knots) {

    /** What the functions of the state variables are. */
    enum Shape {
        /** Polynomials of the variables. */
        POLYNOMIALS,
        /**
         * Polynomials of the variables' ranks among the decisions for the action. Polynomials of a variable itself swing
         * where a single individual strays; ranks give every decision the same weight.
         */
        RANKS,
        /** Piecewise linear functions of each variable, and polynomials for what variables do together. */
        SPLINES,
        /** An indicator of each visited state. */
        CELLS
    }

    static ValueBasis polynomials(int degree) {
        return new ValueBasis(Shape.POLYNOMIALS, degree, 0);
    }

    static ValueBasis ranks(int degree) {
        return new ValueBasis(Shape.RANKS, degree, 0);
    }

    static ValueBasis splines(int degree, int knots) {
        return new ValueBasis(Shape.SPLINES, degree, knots);
    }

    static ValueBasis cells() {
        return new ValueBasis(Shape.CELLS, 0, 0);
    }

    /** What bases have in common that differ in degree alone. */
    record Family(Shape shape, int knots) {}

    Family family() {
        return new Family(shape, knots);
    }

    /** How many functions of the state variables there are, all actions together, before what depends on others. */
    long size(TdPanel panel) {
        int actions = panel.visits().actions();
        if (shape == Shape.CELLS) {
            return panel.visits().rows();
        }
        StateSpace space = panel.problem().model().space();
        long size = polynomials(space.variables().size(), degree);
        if (shape == Shape.SPLINES) {
            for (StateSpace.Variable variable : space.variables()) {
                size += knots == 0 ? variable.size() : Math.min(knots, variable.size());
            }
        }
        return actions * size;
    }

    private static long polynomials(int variables, int degree) {
        long count = 1;
        for (int d = 1; d <= degree; d++) {
            count = count * (variables + d) / d;
        }
        return count;
    }

    /** {@code [row][function]} at the rows of the visited states. */
    double[][] at(TdPanel panel) {
        int rows = panel.visits().rows();
        int actions = panel.visits().actions();
        double[][] payoffs = panel.payoffs();
        double[][][] own = new double[actions][][];
        Arrays.setAll(own, a -> shape == Shape.CELLS ? indicators(rows / actions) : ofStates(panel, a));
        int size = Arrays.stream(own).mapToInt(of -> of[0].length).max().orElse(0); // actions may differ in knots
        double[][] functions = new double[rows][actions * size + payoffs.length];
        for (int row = 0; row < rows; row++) {
            System.arraycopy(
                    own[row % actions][row / actions],
                    0,
                    functions[row],
                    row % actions * size,
                    own[row % actions][0].length);
            for (int j = 0; j < payoffs.length; j++) {
                functions[row][actions * size + j] = payoffs[j][row];
            }
        }
        return functions;
    }

    private static double[][] indicators(int states) {
        double[][] indicators = new double[states][states];
        for (int i = 0; i < states; i++) {
            indicators[i][i] = 1;
        }
        return indicators;
    }

    /** {@code [visited state][function]} for one action. */
    private double[][] ofStates(TdPanel panel, int action) {
        StateSpace space = panel.problem().model().space();
        int[] states = panel.visits().states();
        int variables = space.variables().size();
        double[][] scaled = new double[variables][];
        List<double[]> hats = new ArrayList<>(); // by coordinate
        List<Integer> ofVariable = new ArrayList<>();
        for (int v = 0; v < variables; v++) {
            scaled[v] = shape == Shape.RANKS ? ranks(counts(panel, v, action)) : scaled(space, states, v);
            if (shape == Shape.SPLINES) {
                for (double[] hat : hats(space.variables().get(v).values(), departures(panel, v, action))) {
                    hats.add(hat);
                    ofVariable.add(v);
                }
            }
        }
        List<int[]> exponents = new ArrayList<>();
        exponents(new int[variables], 0, degree, exponents);
        double[][] functions = new double[states.length][exponents.size() + hats.size()];
        for (int i = 0; i < states.length; i++) {
            int at = 0;
            for (int[] exponent : exponents) {
                double product = 1;
                for (int v = 0; v < variables; v++) {
                    product *= legendre(exponent[v], scaled[v][space.coordinate(states[i], v)]);
                }
                functions[i][at++] = product;
            }
            for (int k = 0; k < hats.size(); k++) {
                functions[i][at++] = hats.get(k)[space.coordinate(states[i], ofVariable.get(k))];
            }
        }
        return functions;
    }

    /** How often the action was taken at each value of a variable. */
    private static double[] counts(TdPanel panel, int v, int action) {
        StateSpace space = panel.problem().model().space();
        double[] counts = new double[space.variables().get(v).size()];
        for (int i = 0; i < panel.visits().states().length; i++) {
            counts[space.coordinate(panel.visits().states()[i], v)] +=
                    panel.visits().counts()[i * panel.visits().actions() + action];
        }
        return counts;
    }

    /** How many moves start with the action at each value of a variable. */
    private static double[] departures(TdPanel panel, int v, int action) {
        StateSpace space = panel.problem().model().space();
        double[] counts = new double[space.variables().get(v).size()];
        double[] rows = panel.all().departures();
        for (int row = action; row < rows.length; row += panel.visits().actions()) {
            counts[space.coordinate(panel.visits().states()[row / panel.visits().actions()], v)] += rows[row];
        }
        return counts;
    }

    /** The values of a variable on [-1, 1] over the visited ones. */
    private static double[] scaled(StateSpace space, int[] states, int v) {
        double[] values = space.variables().get(v).values();
        double low = Arrays.stream(states)
                .mapToDouble(s -> values[space.coordinate(s, v)])
                .min()
                .orElse(0);
        double high = Arrays.stream(states)
                .mapToDouble(s -> values[space.coordinate(s, v)])
                .max()
                .orElse(0);
        return Arrays.stream(values)
                .map(x -> high == low ? 0 : (2 * x - low - high) / (high - low))
                .toArray();
    }

    /** The share of decisions below a value and half of those at it, on [-1, 1]. */
    private static double[] ranks(double[] counts) {
        double total = Vec.sum(counts);
        double below = 0;
        double[] rank = new double[counts.length];
        for (int c = 0; c < rank.length; c++) {
            rank[c] = total == 0 ? 0 : (2 * below + counts[c]) / total - 1;
            below += counts[c];
        }
        return rank;
    }

    /** Hat functions by coordinate: 1 at a knot, 0 at the others, linear between and constant beyond. */
    private double[][] hats(double[] values, double[] counts) {
        int[] at = knots(counts);
        if (at.length < 3) {
            return new double[0][];
        }
        double[][] hats = new double[at.length][values.length];
        for (int c = 0; c < values.length; c++) {
            int right = 1;
            while (right < at.length - 1 && at[right] < c) {
                right++;
            }
            double from = values[at[right - 1]];
            double share = Math.clamp((values[c] - from) / (values[at[right]] - from), 0.0, 1.0);
            hats[right][c] = share;
            hats[right - 1][c] = 1 - share;
        }
        return hats;
    }

    /** Coordinates of the knots: the ones moves start at, or as many of them as there are knots, evenly by moves. */
    private int[] knots(double[] counts) {
        int[] visited =
                IntStream.range(0, counts.length).filter(c -> counts[c] > 0).toArray();
        if (knots == 0 || visited.length <= knots) {
            return visited;
        }
        double total = Vec.sum(counts);
        int[] chosen = new int[knots];
        for (int k = 0; k < knots; k++) {
            double below = 0;
            int c = 0;
            while (c < visited.length - 1 && below + counts[visited[c]] < total * k / (knots - 1)) {
                below += counts[visited[c++]];
            }
            chosen[k] = visited[c];
        }
        chosen[knots - 1] = visited[visited.length - 1];
        return Arrays.stream(chosen).distinct().toArray();
    }

    private static void exponents(int[] exponent, int v, int left, List<int[]> all) {
        if (v == exponent.length) {
            all.add(exponent.clone());
            return;
        }
        for (int e = 0; e <= left; e++) {
            exponent[v] = e;
            exponents(exponent, v + 1, left - e, all);
        }
        exponent[v] = 0;
    }

    /** Legendre's polynomial of a degree, by its recurrence. */
    private static double legendre(int degree, double x) {
        double last = 0;
        double p = 1;
        for (int n = 0; n < degree; n++) {
            double next = ((2 * n + 1) * x * p - n * last) / (n + 1);
            last = p;
            p = next;
        }
        return p;
    }

    /** In words, for the status of an estimate. */
    String describe() {
        return words(Integer.toString(degree));
    }

    /** The same where a higher degree was asked for. */
    String describeInsteadOf(int asked) {
        return words("%d instead of %d".formatted(degree, asked));
    }

    private String words(String ofDegree) {
        return switch (shape) {
            case POLYNOMIALS -> "polynomials of degree " + ofDegree;
            case RANKS -> "polynomials of degree %s, of the variables' ranks".formatted(ofDegree);
            case SPLINES ->
                "splines with %s, and polynomials of degree %s"
                        .formatted(knots == 0 ? "a knot at every value" : knots + " knots", ofDegree);
            case CELLS -> "an indicator of every visited state";
        };
    }
}

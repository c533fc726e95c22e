package dev.revealed.estimate.choice.twostep;

import dev.revealed.estimate.choice.Visits;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.List;

/**
 * Functions of state and action that long-run values are sought among: for each action the polynomials of the state
 * variables up to a total degree, and what utility is made of.
 *
 * <p>A variable enters by its rank among the visits, from -1 to 1. Polynomials of the variable itself swing widely where a
 * single individual strays, and that individual then decides all values; ranks give everybody the same say.
 */
final class ValueBasis {
    private ValueBasis() {}

    /** How many polynomials each action has. */
    static long polynomials(int variables, int degree) {
        long count = 1;
        for (int d = 1; d <= degree; d++) {
            count = count * (variables + d) / d;
        }
        return count;
    }

    /** {@code [row][function]} at the rows of the visited states; {@code parts} are added as they are, by rows. */
    static double[][] of(ChoiceModel model, Visits visits, int degree, double[][] parts) {
        StateSpace space = model.space();
        int variables = space.variables().size();
        double[][][] rank = new double[visits.actions()][variables][];
        for (int a = 0; a < rank.length; a++) {
            for (int v = 0; v < variables; v++) {
                rank[a][v] = ranks(space, visits, v, a);
            }
        }
        List<int[]> exponents = new ArrayList<>();
        exponents(new int[variables], 0, degree, exponents);
        int actions = visits.actions();
        double[][] functions = new double[visits.rows()][actions * exponents.size() + parts.length];
        for (int row = 0; row < functions.length; row++) {
            int state = visits.states()[row / actions];
            int at = row % actions * exponents.size();
            for (int[] exponent : exponents) {
                double product = 1;
                for (int v = 0; v < variables; v++) {
                    product *= legendre(exponent[v], rank[row % actions][v][space.coordinate(state, v)]);
                }
                functions[row][at++] = product;
            }
            for (int j = 0; j < parts.length; j++) {
                functions[row][actions * exponents.size() + j] = parts[j][row];
            }
        }
        return functions;
    }

    /** The share of visits below a value and half of those at it, on [-1, 1]. */
    private static double[] ranks(StateSpace space, Visits visits, int v, int action) {
        double[] rank = new double[space.variables().get(v).size()];
        for (int i = 0; i < visits.states().length; i++) {
            rank[space.coordinate(visits.states()[i], v)] += visits.counts()[i * visits.actions() + action];
        }
        double total = Vec.sum(rank);
        double below = 0;
        for (int c = 0; c < rank.length; c++) {
            double own = rank[c];
            rank[c] = total == 0 ? 0 : (2 * below + own) / total - 1;
            below += own;
        }
        return rank;
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
}

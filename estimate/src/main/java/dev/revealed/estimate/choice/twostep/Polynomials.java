package dev.revealed.estimate.choice.twostep;

import dev.revealed.mdp.choice.StateSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Products of Chebyshev polynomials of the state variables up to a total degree, the constant first. A variable is scaled to
 * [-1, 1] over a part of its grid, and beyond that taken for the nearest value in it.
 *
 * @param lowest where that part of the grid begins, by variable
 * @param highest where it ends
 * @param degree the highest among them
 * @param exponents {@code [polynomial][variable]}
 */
public record Polynomials(StateSpace space, int[] lowest, int[] highest, int degree, int[][] exponents) {

    /** Of the given degree, or the highest below it with at most so many polynomials; scaled over the given states. */
    public static Polynomials over(StateSpace space, int[] states, int degree, int most) {
        int variables = space.variables().size();
        int[] lowest = new int[variables];
        int[] highest = new int[variables];
        Arrays.fill(lowest, Integer.MAX_VALUE);
        for (int s : states) {
            for (int v = 0; v < variables; v++) {
                lowest[v] = Math.min(lowest[v], space.coordinate(s, v));
                highest[v] = Math.max(highest[v], space.coordinate(s, v));
            }
        }
        List<int[]> all = new ArrayList<>();
        int reached = -1;
        for (int d = 0; d <= degree; d++) {
            int before = all.size();
            exponents(new int[variables], 0, d, most, all);
            if (all.size() > most && d > 0) {
                all.subList(before, all.size()).clear();
                break;
            }
            reached = d;
        }
        return new Polynomials(space, lowest, highest, reached, all.toArray(int[][]::new));
    }

    /** Adds the exponents of one total degree, no more than {@code most} and one. */
    private static void exponents(int[] exponent, int v, int left, int most, List<int[]> all) {
        if (v == exponent.length - 1) {
            exponent[v] = left;
            all.add(exponent.clone());
            return;
        }
        for (int e = left; e >= 0 && all.size() <= most; e--) {
            exponent[v] = e;
            exponents(exponent, v + 1, left - e, most, all);
        }
    }

    public int size() {
        return exponents.length;
    }

    /** The state itself, or the nearest whose variables are in the range. */
    public int nearest(int state) {
        int near = 0;
        for (int v = 0; v < lowest.length; v++) {
            near += space.stride(v) * Math.clamp(space.coordinate(state, v), lowest[v], highest[v]);
        }
        return near;
    }

    /** Writes the polynomials at a state, from {@code first} on. */
    public void at(int state, double[] to, int first) {
        double[][] powers = new double[lowest.length][degree + 1];
        for (int v = 0; v < powers.length; v++) {
            double[] grid = space.variables().get(v).values();
            double low = grid[lowest[v]];
            double high = grid[highest[v]];
            double x = grid[Math.clamp(space.coordinate(state, v), lowest[v], highest[v])];
            double z = high == low ? 0 : (2 * x - low - high) / (high - low);
            for (int d = 0; d <= degree; d++) {
                powers[v][d] = d == 0 ? 1 : d == 1 ? z : 2 * z * powers[v][d - 1] - powers[v][d - 2];
            }
        }
        for (int k = 0; k < exponents.length; k++) {
            double product = 1;
            for (int v = 0; v < powers.length; v++) {
                product *= powers[v][exponents[k][v]];
            }
            to[first + k] = product;
        }
    }
}

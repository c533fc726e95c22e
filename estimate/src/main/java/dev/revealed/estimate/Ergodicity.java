package dev.revealed.estimate;

import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.Mdp;
import java.util.Optional;

/**
 * The constants of the paper's Assumption 2, ergodic dynamics: after t decisions the distribution of states is within
 * kappa rho^t of the stationary one in total variation, from whatever state. They come from Dobrushin's coefficient, the
 * largest distance between two rows of the transition matrix, by which every step contracts.
 *
 * @param everyPolicy whether the constants hold for every policy, or for one alone
 */
public record Ergodicity(double kappa, double rho, boolean everyPolicy) {
    /** Work grows with the cube of the states. */
    private static final int MOST_STATES = 400;

    private static final int MOST_ROWS = 2000;
    private static final int MOST_DOUBLINGS = 20;

    /** Distances this far below 1 are no rounding. */
    private static final double ROUNDING = 1e-9;

    /** Whether a process is small enough to be looked at. */
    public static boolean fits(Mdp mdp) {
        return mdp.states() <= MOST_STATES && mdp.rows() <= MOST_ROWS;
    }

    /**
     * Constants for every policy where each single step contracts, else for the given policy.
     *
     * @param policy choice probabilities, row by row
     * @return empty where the chain of the policy does not forget where it started
     */
    public static Optional<Ergodicity> of(Mdp mdp, double[] policy) {
        double every = everyPolicy(mdp.kernel());
        return every < 1 - ROUNDING ? Optional.of(new Ergodicity(1, every, true)) : ofPolicy(mdp.kernel(), policy);
    }

    /** The largest distance between what may follow two different states, whatever is chosen in them. */
    private static double everyPolicy(Kernel kernel) {
        int actions = kernel.actions();
        double largest = 0;
        double[] row = new double[kernel.states()];
        double[] other = new double[kernel.states()];
        for (int i = 0; i < kernel.rows(); i++) {
            add(kernel, i, 1, row);
            for (int j = (i / actions + 1) * actions; j < kernel.rows() && largest < 1 - ROUNDING; j++) {
                double shared = 0;
                add(kernel, j, 1, other);
                for (int k = kernel.rowStart()[j]; k < kernel.rowStart()[j + 1]; k++) {
                    int next = kernel.successor()[k];
                    shared += Math.min(other[next], row[next]);
                    other[next] = 0;
                }
                largest = Math.max(largest, 1 - shared);
            }
            add(kernel, i, -1, row);
        }
        return largest;
    }

    /** By powers of the transition matrix, doubled until half of every difference is forgotten. */
    private static Optional<Ergodicity> ofPolicy(Kernel kernel, double[] policy) {
        double[][] power = new double[kernel.states()][kernel.states()];
        for (int i = 0; i < kernel.rows(); i++) {
            add(kernel, i, policy[i], power[i / kernel.actions()]);
        }
        Ergodicity best = null;
        double steps = 1;
        for (int doubling = 0; doubling <= MOST_DOUBLINGS; doubling++, steps *= 2) {
            double left = coefficient(power);
            if (left < 1 - ROUNDING) {
                // the distance shrinks by this every so many steps: left^floor(t / steps) <= left^((t - steps + 1) /
                // steps)
                double rho = steps == 1 ? left : Math.pow(Math.max(left, 0.01), 1 / steps);
                if (best == null || rho < best.rho - ROUNDING) {
                    best = new Ergodicity(steps == 1 ? 1 : Math.pow(rho, 1 - steps), rho, false);
                }
            }
            if (left <= 0.5) {
                break;
            }
            power = squared(power);
        }
        return Optional.ofNullable(best);
    }

    private static void add(Kernel kernel, int row, double weight, double[] to) {
        for (int k = kernel.rowStart()[row]; k < kernel.rowStart()[row + 1]; k++) {
            to[kernel.successor()[k]] += weight * kernel.probability()[k];
        }
    }

    private static double coefficient(double[][] matrix) {
        double largest = 0;
        for (int i = 0; i < matrix.length; i++) {
            for (int j = 0; j < i; j++) {
                double distance = 0;
                for (int k = 0; k < matrix.length; k++) {
                    distance += Math.abs(matrix[i][k] - matrix[j][k]);
                }
                largest = Math.max(largest, distance / 2);
            }
        }
        return largest;
    }

    private static double[][] squared(double[][] matrix) {
        int n = matrix.length;
        double[][] product = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < n; k++) {
                double entry = matrix[i][k];
                for (int j = 0; entry != 0 && j < n; j++) {
                    product[i][j] += entry * matrix[k][j];
                }
            }
        }
        return product;
    }
}

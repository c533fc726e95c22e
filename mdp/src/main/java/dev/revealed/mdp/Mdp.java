package dev.revealed.mdp;

import dev.revealed.numeric.BadInput;
import java.util.Arrays;

/**
 * A finite decision process without its reward: transition law, discount, and where trajectories start.
 *
 * @param start the start distribution; do not modify
 */
public record Mdp(Kernel kernel, double discount, double[] start) {

    public Mdp {
        BadInput.discount(discount);
        start = start.clone();
        if (start.length != kernel.states()) {
            throw new BadInput(
                    "the start distribution has %d entries for %d states".formatted(start.length, kernel.states()),
                    "Give one probability per state.");
        }
        double sum = 0;
        for (int s = 0; s < start.length; s++) {
            if (!(start[s] >= 0)) {
                throw new BadInput(
                        "the start probability of state %d is %s".formatted(s, start[s]),
                        "Probabilities are not negative.");
            }
            sum += start[s];
        }
        if (Math.abs(sum - 1) > Kernel.ROW_SUM_TOLERANCE) {
            throw new BadInput("the start distribution sums to " + sum, "It must sum to 1.");
        }
    }

    /** A process whose trajectories start anywhere with equal chance. */
    public static Mdp uniformStart(Kernel kernel, double discount) {
        double[] start = new double[kernel.states()];
        Arrays.fill(start, 1.0 / start.length);
        return new Mdp(kernel, discount, start);
    }

    public Mdp withStart(double[] other) {
        return new Mdp(kernel, discount, other);
    }

    public int states() {
        return kernel.states();
    }

    public int actions() {
        return kernel.actions();
    }

    /** Number of (state, action) rows. */
    public int rows() {
        return kernel.rows();
    }

    /** Discounted expected value of what follows a row: gamma P(row) values. */
    double expected(int row, double[] values) {
        double sum = 0;
        for (int k = kernel.rowStart()[row]; k < kernel.rowStart()[row + 1]; k++) {
            sum += kernel.probability()[k] * values[kernel.successor()[k]];
        }
        return discount * sum;
    }
}

package dev.revealed.mdp;

import dev.revealed.numeric.BadInput;
import java.util.Arrays;

/**
 * A finite decision process without its reward: transition law, discount, and distribution of initial states. With a
 * discount of 1 the process ends in the states that no action leaves, and their value is 0.
 *
 * @param start the start distribution; do not modify
 */
public record Mdp(Kernel kernel, double discount, double[] start) {

    public Mdp {
        if (discount == 1 && kernel.layers() == 1) {
            kernel = kernel.writtenDown(); // systems without discount are solved by elimination
            checkEnds(kernel);
        } else if (discount != 1) {
            BadInput.discount(discount);
        }
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

    /** Refuses a process without discount that need not end. */
    private static void checkEnds(Kernel kernel) {
        BadInput.when(
                kernel.absorbing().length == 0,
                "the discount is 1, but no state ends the process",
                "Choose a discount below 1, for example 0.95; or let the process end: in a state from which every action"
                        + " leads back to it with probability 1.");
        boolean[] ends = new boolean[kernel.states()];
        int[] queue = Arrays.copyOf(kernel.absorbing(), kernel.states());
        int count = kernel.absorbing().length;
        for (int i = 0; i < count; i++) {
            ends[queue[i]] = true;
        }
        Kernel.Incoming incoming = kernel.incoming();
        for (int next = 0; next < count; next++) {
            for (int k = incoming.start()[queue[next]]; k < incoming.start()[queue[next] + 1]; k++) {
                int before = incoming.row()[k] / kernel.actions();
                if (!ends[before] && incoming.probability()[k] > 0) {
                    ends[before] = true;
                    queue[count++] = before;
                }
            }
        }
        for (int s = 0; s < ends.length; s++) {
            BadInput.when(
                    !ends[s],
                    "the discount is 1, but from state %d no end can be reached".formatted(s),
                    "Choose a discount below 1, or let every state lead to one that ends the process.");
        }
    }

    /** Whether values are sums without discount, until the process ends in some state. */
    public boolean undiscounted() {
        return discount == 1 && !layered();
    }

    /** Whether there is a horizon: states come in layers, one for each period, and values follow by backward induction. */
    public boolean layered() {
        return kernel.layers() > 1;
    }

    /** The states in which a process without discount ends; none with a discount. */
    public int[] ends() {
        return undiscounted() ? kernel.absorbing() : new int[0];
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

    /** Discounted expected value of what follows a row, from {@link Kernel#ahead} of the values. */
    public double expected(int row, double[] ahead) {
        if (kernel.operator() != null) {
            return discount * ahead[row];
        }
        double sum = 0;
        for (int k = kernel.rowStart()[row]; k < kernel.rowStart()[row + 1]; k++) {
            sum += kernel.probability()[k] * ahead[kernel.successor()[k]];
        }
        return discount * sum;
    }
}

package dev.revealed.mdp;

import dev.revealed.numeric.RandomStream;
import java.util.List;

/**
 * A reward r(x; theta) with x a state or a (state, action) pair. Values are always written for every row {@code s*A + a};
 * a state-only reward writes the same number for all actions of a state.
 */
public interface Reward {
    int parameters();

    /** Names of the parameters, as tables and warnings show them. */
    List<String> names();

    /** Whether the reward ignores the action: then demonstrations need none (the paper's section 7). */
    boolean stateOnly();

    /** Number of rows s*A + a it is defined on: must be the process's. */
    int rows();

    /** rows[s*A + a] = r(s, a; theta). */
    void values(double[] theta, double[] rows);

    /** gradient += sum over rows of weight[row] * dr(row)/dtheta: the one form every score has. */
    void accumulate(double[] theta, double[] weight, double[] gradient);

    /** rows[s*A + a] = dr(s, a; theta)/dtheta_j. */
    void derivative(double[] theta, int j, double[] rows);

    /** {@code [parameter][row]}: the derivatives with respect to all parameters. */
    default double[][] derivatives(double[] theta) {
        double[][] columns = new double[parameters()][rows()];
        for (int j = 0; j < columns.length; j++) {
            derivative(theta, j, columns[j]);
        }
        return columns;
    }

    /** A sensible first guess. */
    default double[] initial(RandomStream stream) {
        return new double[parameters()];
    }
}

package dev.revealed.mdp;

import dev.revealed.mdp.rules.ParameterRules;
import dev.revealed.mdp.shock.Shocks;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * A reward r(x; theta) with x a state or a (state, action) pair. Values are always written for every row {@code s*A + a};
 * a state-only reward writes the same number for all actions of a state.
 */
public interface Reward {
    default int parameters() {
        return names().size();
    }

    /** Names of the parameters, as tables and warnings show them. */
    List<String> names();

    /** Whether the reward ignores the action: then demonstrations need none (the paper's section 7). */
    boolean stateOnly();

    /** Number of rows s*A + a it is defined on: must be the process's. */
    int rows();

    /** rows[s*A + a] = r(s, a; theta). */
    void values(double[] theta, double[] rows);

    /** The same, refused where a value is not finite. */
    default void finiteValues(double[] theta, double[] rows) {
        values(theta, rows);
        if (!Vec.isFinite(rows)) {
            throw new BadInput(
                    "the reward became NaN or infinite at parameters of size " + Vec.maxAbs(theta),
                    "Take smaller steps or add a ridge.");
        }
    }

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

    /** The shocks to utility at these parameters, where they are not independent Gumbel ones. */
    default Optional<Shocks> shocks(double[] theta) {
        return Optional.empty();
    }

    /** How the parameters of the shocks move with theta_j. */
    default double[] shockSlope(int j) {
        return new double[0];
    }

    /** Whether there is a model at these parameters. */
    default boolean admits(double[] theta) {
        return true;
    }

    /** Whether values are linear in the parameters, but for a known part. */
    default boolean linear() {
        return false;
    }

    /** What is known of the parameters beforehand. */
    default ParameterRules rules() {
        return ParameterRules.NONE;
    }

    /** A sensible first guess. */
    default double[] initial(RandomStream stream) {
        return new double[parameters()];
    }

    /** A reward that delegates to another, except for the methods it overrides. */
    interface Derived extends Reward {
        Reward free();

        @Override
        default List<String> names() {
            return free().names();
        }

        @Override
        default int rows() {
            return free().rows();
        }

        @Override
        default boolean linear() {
            return free().linear();
        }

        @Override
        default ParameterRules rules() {
            return free().rules();
        }

        @Override
        default boolean stateOnly() {
            return false;
        }

        @Override
        default void values(double[] theta, double[] rows) {
            free().values(theta, rows);
        }

        @Override
        default void accumulate(double[] theta, double[] weight, double[] gradient) {
            free().accumulate(theta, weight, gradient);
        }

        @Override
        default void derivative(double[] theta, int j, double[] rows) {
            free().derivative(theta, j, rows);
        }

        @Override
        default double[] initial(RandomStream stream) {
            return free().initial(stream);
        }
    }

    /** A reward that is computed once per input, which is a state or a row. */
    abstract class PerInput implements Reward {
        private final int actions;
        private final boolean stateOnly;

        PerInput(int actions, boolean stateOnly) {
            this.actions = actions;
            this.stateOnly = stateOnly;
        }

        abstract int inputs();

        @Override
        public final boolean stateOnly() {
            return stateOnly;
        }

        @Override
        public final int rows() {
            return inputs() * (stateOnly ? actions : 1);
        }

        final int actions() {
            return actions;
        }

        /** Writes the number of an input to its rows. */
        final void write(int input, double x, double[] rows) {
            if (stateOnly) {
                Arrays.fill(rows, input * actions, (input + 1) * actions, x);
            } else {
                rows[input] = x;
            }
        }

        /** The weight of an input's rows together. */
        final double weight(int input, double[] weights) {
            if (!stateOnly) {
                return weights[input];
            }
            double sum = 0;
            for (int row = input * actions; row < (input + 1) * actions; row++) {
                sum += weights[row];
            }
            return sum;
        }
    }

    /** Names made when asked for: a large model has millions of parameters, and few are ever shown. */
    final class LazyNames extends AbstractList<String> {
        private final int size;
        private final IntFunction<String> name;

        public LazyNames(int size, IntFunction<String> name) {
            this.size = size;
            this.name = name;
        }

        @Override
        public String get(int index) {
            return name.apply(Objects.checkIndex(index, size));
        }

        @Override
        public int size() {
            return size;
        }
    }
}

package dev.revealed.mdp;

import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;
import org.jspecify.annotations.Nullable;

/**
 * The gradient of a likelihood with respect to reward parameters.
 *
 * @param vector the gradient
 * @param information the Fisher information of the observed choices, where the score tracks it; else null
 * @param local the likelihood nearby, where more is known of it than gradient and information; else null
 */
public record Gradient(
        double[] vector,
        double @Nullable [][] information,
        @Nullable Local local) {

    public Gradient(double[] vector, double @Nullable [][] information) {
        this(vector, information, null);
    }

    /**
     * How far the maximum is in standard errors, as gradient and information have it: the root of g' F^-1 g, which does not
     * depend on the scale of the parameters.
     */
    public double decrement() {
        return information == null
                ? Double.NaN
                : Math.sqrt(Math.max(0, Vec.dot(vector, Dense.solvePositive(information, vector))));
    }

    /** A concave model of the likelihood as a function of a step away from where the gradient was taken. */
    public interface Local {
        /** Its value, up to a constant. */
        double value(double[] step);

        /** Its gradient and information. */
        Gradient gradient(double[] step);

        /** A matrix the information exceeds nowhere. */
        double[][] bound();
    }
}

package dev.revealed.mdp;

import dev.revealed.numeric.BadInput;
import org.jspecify.annotations.Nullable;

/**
 * What deliberate choice costs: temperature times the divergence of the policy from a reference policy pi0. With the
 * uniform reference this is, up to a constant, the entropy bonus of the paper and the Gumbel shocks of discrete choice.
 *
 * @param temperature scale of the cost; the paper's is 1
 * @param logWeight log(|A| pi0(a|s)) per row, or null for the uniform reference; minus infinity where an action is not
 *     available
 */
public record InformationCost(double temperature, double @Nullable [] logWeight) {

    /** Temperature 1 and the uniform reference: the paper's model. */
    public static final InformationCost STANDARD = new InformationCost(1, null);

    public InformationCost {
        if (!(temperature > 0 && temperature < Double.POSITIVE_INFINITY)) {
            throw new BadInput("the temperature is " + temperature, "It must be a positive number; the paper's is 1.");
        }
    }

    public static InformationCost ofTemperature(double temperature) {
        return new InformationCost(temperature, null);
    }

    /** A reference policy given by its probabilities, row by row. */
    public static InformationCost of(double temperature, int actions, double[] reference) {
        if (actions < 1 || reference.length % actions != 0) {
            throw new BadInput(
                    "a reference policy of %d numbers for %d actions".formatted(reference.length, actions),
                    "Give one probability per state and action.");
        }
        double[] logWeight = new double[reference.length];
        for (int begin = 0; begin < reference.length; begin += actions) {
            double sum = 0;
            for (int row = begin; row < begin + actions; row++) {
                if (!(reference[row] >= 0)) {
                    throw new BadInput(
                            "the reference policy at state %d, action %d is %s"
                                    .formatted(begin / actions, row - begin, reference[row]),
                            "Probabilities are not negative; 0 makes an action unavailable.");
                }
                sum += reference[row];
                logWeight[row] = Math.log(actions * reference[row]);
            }
            if (Math.abs(sum - 1) > Kernel.ROW_SUM_TOLERANCE) {
                throw new BadInput(
                        "the reference policy at state %d sums to %s".formatted(begin / actions, sum),
                        "It must sum to 1 in every state.");
            }
        }
        return new InformationCost(temperature, logWeight);
    }

    /** The log weight of a row: zero under the uniform reference. */
    public double logWeight(int row) {
        return logWeight == null ? 0 : logWeight[row];
    }
}

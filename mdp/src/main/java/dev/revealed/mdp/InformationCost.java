package dev.revealed.mdp;

import dev.revealed.mdp.shock.Shocks;
import dev.revealed.numeric.BadInput;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The information cost: temperature times the divergence of the policy from a reference policy pi0. With the uniform
 * reference this is, up to a constant, the entropy bonus of the paper and the Gumbel shocks of discrete choice, whose
 * scale is the temperature. It may differ from state to state: temperature times the scale of the state.
 *
 * @param temperature scale of the cost; the paper's is 1
 * @param logWeight log(|A| pi0(a|s)) per row, or null for the uniform reference; minus infinity where an action is not
 *     available
 * @param scale by state, with mean 1; null where it is 1 everywhere
 * @param shocks other shocks than independent Gumbel ones, in place of temperature and scale; null for these
 */
public record InformationCost(
        double temperature,
        double @Nullable [] logWeight,
        double @Nullable [] scale,
        @Nullable Shocks shocks) {

    /** Temperature 1 and the uniform reference: the paper's model. */
    public static final InformationCost STANDARD = new InformationCost(1, null);

    public InformationCost(double temperature, double @Nullable [] logWeight) {
        this(temperature, logWeight, null, null);
    }

    public InformationCost(double temperature, double @Nullable [] logWeight, double @Nullable [] scale) {
        this(temperature, logWeight, scale, null);
    }

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

    /**
     * The same cost where the shocks of each state have a scale of their own: the temperature of a state becomes this
     * temperature times its scale. Equal scales are one temperature.
     */
    public InformationCost scaled(double[] scales) {
        double mean = 0;
        boolean equal = true;
        for (int s = 0; s < scales.length; s++) {
            if (!(scales[s] > 0 && scales[s] < Double.POSITIVE_INFINITY)) {
                throw new BadInput(
                        "the scale of the shocks in state %d is %s".formatted(s, scales[s]),
                        "It must be a positive number; 1 is the scale of the temperature itself.");
            }
            mean += scales[s] / scales.length;
            equal &= scales[s] == scales[0];
        }
        if (equal) {
            return new InformationCost(temperature * scales[0], logWeight);
        }
        double average = mean;
        return new InformationCost(
                temperature * average,
                logWeight,
                Arrays.stream(scales).map(scale -> scale / average).toArray());
    }

    /** The same choices under other shocks. */
    public InformationCost with(Shocks other) {
        return new InformationCost(temperature, logWeight, scale, other);
    }

    /** The temperature of a state. */
    public double temperature(int state) {
        return scale == null ? temperature : temperature * scale[state];
    }

    /** The scale of a state: 1 on average. */
    public double scale(int state) {
        return scale == null ? 1 : scale[state];
    }

    /** The log weight of a row: zero under the uniform reference. */
    public double logWeight(int row) {
        return logWeight == null ? 0 : logWeight[row];
    }
}

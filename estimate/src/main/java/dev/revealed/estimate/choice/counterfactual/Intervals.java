package dev.revealed.estimate.choice.counterfactual;

import dev.revealed.numeric.BadInput;

/**
 * Which intervals to compute.
 *
 * @param level their coverage, for example 0.95
 * @param delta whether by the delta method
 * @param draws of the parameters for the parametric bootstrap; 0 for none
 */
public record Intervals(double level, boolean delta, int draws) {
    public static final Intervals STANDARD = new Intervals(0.95, true, 1000);
    public static final Intervals NONE = new Intervals(0.95, false, 0);

    public Intervals {
        if (!(level > 0 && level < 1)) {
            throw new BadInput("the level of the intervals is " + level, "Choose one between 0 and 1, such as 0.95.");
        }
        if (draws < 0 || (draws > 0 && draws * (1 - level) < 2)) {
            throw new BadInput(
                    "%d draws for intervals of level %s".formatted(draws, level),
                    "Use enough of them to leave at least one outside on either side; 1000 is usual.");
        }
    }
}

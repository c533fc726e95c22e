package dev.revealed.neural;

import dev.revealed.numeric.BadInput;
import dev.revealed.settings.Setting;
import dev.revealed.settings.Settings;
import java.util.OptionalDouble;

/**
 * The weight of the entropy in the agent's objective.
 *
 * @param given the first weight; where there is none it is tuned, so that entropy comes to minus the number of action
 *     dimensions, from 1 on
 * @param halving updates in which it halves, so that a policy explores first and is nearly deterministic in the end
 */
public record Temperature(
        @Setting(
                name = "temperature",
                label = "X|auto",
                about = "Weight of the entropy; auto tunes it to an entropy of minus the number of actions.",
                atLeast = 0,
                example = "0.2")
        OptionalDouble given,

        @Setting(
                name = "temperature-halving",
                label = "N",
                about = "Number of updates in which the temperature halves, unless it is tuned; 0 for a fixed "
                        + "temperature.",
                atLeast = 0)
        double halving) {
    /** Tuned as training goes on. */
    public static final Temperature TUNED = new Temperature(OptionalDouble.empty(), 0);

    public Temperature {
        Settings.check(Temperature.class, given, halving);
        BadInput.when(
                given.isEmpty() && halving != 0,
                "`temperature-halving` has no effect on a temperature that is tuned",
                "Leave it out, or give `temperature` a number.");
        BadInput.when(
                halving > 0 && halving < 1,
                "`temperature-halving` is " + halving,
                "Give a number of updates from 1, or 0 for never.");
    }

    public static Temperature fixed(double value) {
        return halving(value, 0);
    }

    /** @param updates in which it halves; 0 for never */
    public static Temperature halving(double first, double updates) {
        return new Temperature(OptionalDouble.of(first), updates);
    }

    public boolean tuned() {
        return given.isEmpty();
    }

    /** The first weight; 1 where it is tuned. */
    public double first() {
        return given.orElse(1);
    }

    /** The weight after so many updates, where it is not tuned. */
    public double after(long updates) {
        return halving == 0 ? first() : first() * Math.pow(2, -updates / halving);
    }
}

package dev.revealed.neural;

import dev.revealed.numeric.BadInput;

/** How the weight of entropy goes. */
public sealed interface Temperature {
    static Temperature fixed(double value) {
        return new Given(value, 0);
    }

    /**
     * Known beforehand.
     *
     * @param halving updates in which it halves, so that a policy explores first and is sharp in the end; 0 for never
     */
    record Given(double first, double halving) implements Temperature {
        public Given {
            if (!(first >= 0 && first < Double.POSITIVE_INFINITY)) {
                throw new BadInput("the temperature is " + first, "Give a number from 0, such as 0.2.");
            }
            if (!(halving == 0 || (halving >= 1 && halving < Double.POSITIVE_INFINITY))) {
                throw new BadInput(
                        "the halving of the temperature is " + halving,
                        "Give a number of updates from 1, or 0 for never.");
            }
        }

        double after(long updates) {
            return halving == 0 ? first : first * Math.pow(2, -updates / halving);
        }
    }

    /** Adapted so that entropy comes to minus the number of action dimensions, from 1 on. */
    record Tuned() implements Temperature {}
}

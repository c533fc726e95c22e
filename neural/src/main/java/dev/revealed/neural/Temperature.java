package dev.revealed.neural;

import dev.revealed.numeric.BadInput;

/** How the weight of entropy goes. */
public sealed interface Temperature {
    double first();

    /** Updates in which it halves, so that a policy explores first and is sharp in the end; 0 for never. */
    double halving();

    default boolean tuned() {
        return this instanceof Tuned;
    }

    static Temperature fixed(double value) {
        return new Given(value, 0);
    }

    /** Known beforehand. */
    record Given(double first, double halving) implements Temperature {
        public Given {
            if (!(first >= 0)) {
                throw new BadInput("the temperature is " + first, "Give one that is not negative.");
            }
            if (!(halving == 0 || (halving >= 1 && Double.isFinite(halving)))) {
                throw new BadInput(
                        "the halving of the temperature is " + halving,
                        "Give a number of updates from 1, or 0 for never.");
            }
        }
    }

    /** Adapted so that entropy comes to minus the number of action dimensions. */
    record Tuned() implements Temperature {
        @Override
        public double first() {
            return 1;
        }

        @Override
        public double halving() {
            return 0;
        }
    }
}

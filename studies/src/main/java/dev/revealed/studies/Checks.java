package dev.revealed.studies;

import dev.revealed.numeric.BadInput;

/** What the studies ask of the steps and the ridge they are given. */
final class Checks {
    private static final double LARGEST_STEP = 100;

    private Checks() {}

    /** A constant step of two over the ridge or more doubles back on the ridge alone, whatever the data say. */
    static void steps(double step, double nestedStep, double ridge) {
        if (!(ridge >= 0) || Double.isInfinite(ridge)) {
            throw new BadInput("a ridge of " + ridge, "Use 0 or more; the default is 0.1.");
        }
        for (double each : new double[] {step, nestedStep}) {
            if (!(each > 0 && each <= LARGEST_STEP)) {
                throw new BadInput("a step of " + each, "Use more than 0 and at most 100.");
            }
            if (each * ridge >= 2) {
                throw new BadInput(
                        "a step of %s with a ridge of %s never settles".formatted(each, ridge),
                        "Use a step below 2 over the ridge, %s here.".formatted(2 / ridge));
            }
        }
    }
}

package dev.revealed.studies;

import dev.revealed.numeric.BadInput;

/** What the studies of nested and single loops have in common. */
final class Checks {
    private static final double LARGEST_STEP = 100;

    /** What the two loops solve between reward steps, in words. */
    static final String LOOPS =
            "ML-IRL makes one soft backup and one occupancy sweep per reward step. MaxEnt-IRL repeats both, from where"
                    + " they stood, until one more backup changes the values by at most 1e-6 in span and one"
                    + " more sweep the visitations by at most 1e-6: plain warm-started backups, not"
                    + " Newton-Kantorovich.";

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

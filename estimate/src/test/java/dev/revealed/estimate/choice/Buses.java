package dev.revealed.estimate.choice;

import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.RandomStream;

/** Small simulated fleets to test estimators on. */
public final class Buses {
    private static final double[] THETA = {4, 100};
    private static final double[] PHI = {0.3, 0.5};

    private Buses() {}

    public static ChoiceModel model(int bins, double discount) {
        return RustBus.of(bins, 2, discount, RustBus.Cost.LINEAR);
    }

    public static ChoiceProblem problem(int bins, double discount, int buses, int months, long seed) {
        ChoiceModel model = model(bins, discount);
        double[] start = new double[bins];
        start[0] = 1;
        return new ChoiceProblem(
                model,
                model.simulate(
                        THETA, PHI, start, buses, months, RandomStream.of(seed).named("fleet")));
    }

    public static double[] theta() {
        return THETA.clone();
    }

    public static double[] phi() {
        return PHI.clone();
    }
}

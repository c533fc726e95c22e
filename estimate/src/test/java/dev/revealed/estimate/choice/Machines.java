package dev.revealed.estimate.choice;

import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.KnownProbabilities;
import dev.revealed.mdp.choice.Shifts;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.List;

/**
 * A machine that wears, in weather that changes: keep it, repair it by two steps, or replace it. A new machine cannot be
 * repaired, so that one action is not available in some states.
 */
public final class Machines {
    private static final double[] THETA = {0.4, 1, 3};
    private static final double[] PHI = {0.3, 0.5};

    private static final int WEAR = 6;

    private Machines() {}

    public static ChoiceModel model(double discount) {
        StateSpace space = StateSpace.of(
                new StateSpace.Variable("wear", new double[] {0, 1, 2, 3, 4, 5}),
                new StateSpace.Variable("rain", new double[] {0, 1}));
        Shifts shifts = new Shifts(List.of("stays", "wears"), new int[] {0, 1, 2}, WEAR);
        TransitionLaw.Cell after = (state, action) -> switch (action) {
            case 0 -> state / 2;
            case 1 -> Math.max(0, state / 2 - 2);
            default -> 0;
        };
        KnownProbabilities rain = new KnownProbabilities(new double[][] {{0.7, 0.3}, {0.4, 0.6}});
        TransitionLaw law = new TransitionLaw(
                space,
                3,
                List.of(
                        new TransitionLaw.Part(shifts, after, (s, a, o) -> shifts.destination(after.of(s, a), o)),
                        new TransitionLaw.Part(rain, (s, a) -> s % 2, (s, a, o) -> o)));
        double[][] features = new double[3 * space.size()][3];
        double[] reference = new double[features.length];
        for (int s = 0; s < space.size(); s++) {
            boolean isNew = s / 2 == 0;
            for (int a = 0; a < 3; a++) {
                int row = 3 * s + a;
                features[row][0] = -after.of(s, a) * (1 + 0.5 * (s % 2));
                features[row][1] = a == 1 ? -1 : 0;
                features[row][2] = a == 2 ? -1 : 0;
                reference[row] = isNew ? (a == 1 ? 0 : 0.5) : 1.0 / 3;
            }
        }
        return new ChoiceModel(
                "machine",
                List.of("keep", "repair", "replace"),
                law,
                discount,
                LinearReward.ofRows(3, List.of("upkeep", "repair", "price"), features),
                InformationCost.of(1, 3, reference));
    }

    public static ChoiceProblem problem(double discount, int machines, int months, long seed) {
        ChoiceModel model = model(discount);
        double[] start = new double[model.states()];
        Arrays.fill(start, 1.0 / start.length);
        return new ChoiceProblem(
                model,
                model.simulate(
                        THETA,
                        PHI,
                        start,
                        machines,
                        months,
                        RandomStream.of(seed).named("machines")));
    }

    public static double[] theta() {
        return THETA.clone();
    }

    public static double[] phi() {
        return PHI.clone();
    }
}

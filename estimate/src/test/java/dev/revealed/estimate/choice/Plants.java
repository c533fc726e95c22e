package dev.revealed.estimate.choice;

import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.choice.AutoregressiveProcess;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.List;

/** A plant whose machine wears and is replaced while the price moves: two autoregressions, as in examples/plant.yaml. */
public final class Plants {
    static final double[] THETA = {1, 0.5, 2};
    static final double[] PHI = {0.3, 0.9, 0.5, 0, 0.8, 0.6};

    private Plants() {}

    private static double[] grid(int n) {
        double[] grid = new double[n];
        Arrays.setAll(grid, i -> -3 + 6.0 * i / (n - 1));
        return grid;
    }

    public static ChoiceModel model(int wear, int price, double discount, TransitionLaw.Plan plan) {
        StateSpace space = StateSpace.of(
                new StateSpace.Variable("wear", grid(wear)), new StateSpace.Variable("price", grid(price)));
        double[] unknown = {Double.NaN, Double.NaN, Double.NaN};
        TransitionLaw law = new TransitionLaw(
                space,
                2,
                List.of(
                        new TransitionLaw.Part(
                                new AutoregressiveProcess(grid(wear), List.of("drift", "wearing", "breakage"), unknown),
                                (s, a) -> a == 1 ? 0 : space.coordinate(s, 0),
                                TransitionLaw.Destination.OUTCOME),
                        new TransitionLaw.Part(
                                new AutoregressiveProcess(
                                        grid(price), List.of("level", "persistence", "volatility"), unknown),
                                (s, a) -> space.coordinate(s, 1),
                                TransitionLaw.Destination.OUTCOME)));
        double[][] features = new double[2 * space.size()][3];
        for (int s = 0; s < space.size(); s++) {
            features[2 * s] = new double[] {space.value(s, 1), -space.value(s, 0), 0};
            features[2 * s + 1] = new double[] {0, 0, -1};
        }
        return new ChoiceModel(
                "plant",
                List.of("keep", "replace"),
                law.planned(plan),
                discount,
                LinearReward.ofRows(2, List.of("margin", "upkeep", "cost"), features),
                InformationCost.STANDARD);
    }

    public static Panel panel(ChoiceModel model, int individuals, int periods) {
        double[] start = new double[model.states()];
        Arrays.fill(start, 1.0 / start.length);
        return model.simulate(THETA, PHI, start, individuals, periods, RandomStream.of(4));
    }
}

package dev.revealed.estimate.choice;

import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.KnownProbabilities;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.List;

/** Small panels with a known truth. */
public final class Panels {
    private static final double[] BUS_THETA = {3, 200};
    private static final double[] BUS_PHI = {0.35, 0.6};

    private Panels() {}

    /** Zurcher without a future: a logit in mileage. */
    public static ChoiceProblem bus(int individuals, int periods, long seed) {
        return bus(0, BUS_THETA, individuals, periods, seed);
    }

    public static ChoiceProblem bus(double discount, double[] theta, int individuals, int periods, long seed) {
        ChoiceModel model = RustBus.of(20, 2, discount, RustBus.Cost.LINEAR);
        double[] start = new double[model.states()];
        start[0] = 1;
        return new ChoiceProblem(
                model, model.simulate(theta, BUS_PHI, start, individuals, periods, RandomStream.of(seed)));
    }

    /** States that stay as they are, visited once by each of some individuals with the decisions given. */
    public static ChoiceProblem standing(
            List<String> actions, List<String> names, double[][] features, int[] states, int[] decisions) {
        int n = features.length / actions.size();
        double[] values = new double[n];
        for (int s = 0; s < n; s++) {
            values[s] = s;
        }
        TransitionLaw law = new TransitionLaw(
                StateSpace.of(new StateSpace.Variable("x", values)),
                actions.size(),
                List.of(new TransitionLaw.Part(KnownProbabilities.certain(), (s, a) -> 0, (s, a, o) -> s)));
        ChoiceModel model = new ChoiceModel(
                "standing",
                actions,
                law,
                0,
                LinearReward.ofRows(actions.size(), names, features),
                InformationCost.STANDARD);
        List<Panel.Individual> individuals = new ArrayList<>();
        for (int i = 0; i < states.length; i++) {
            individuals.add(
                    Panel.individual(law, "i" + i, new Trajectory(new int[] {states[i]}, new int[] {decisions[i]})));
        }
        return new ChoiceProblem(model, new Panel(individuals));
    }

    /** Two actions, one constant: heads in so many of n tosses. */
    public static ChoiceProblem tosses(int heads, int n) {
        int[] decisions = new int[n];
        java.util.Arrays.fill(decisions, 0, heads, 1);
        return standing(List.of("tails", "heads"), List.of("bias"), new double[][] {{0}, {1}}, new int[n], decisions);
    }

    public static double[] busTheta() {
        return BUS_THETA.clone();
    }

    public static double[] busPhi() {
        return BUS_PHI.clone();
    }
}

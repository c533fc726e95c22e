package dev.revealed.estimate.choice;

import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.choice.AutoregressiveProcess;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.KnownProbabilities;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.List;

/** A short working life: six periods, skill that grows with work, a wage that moves, and a pension for skill at the end. */
public final class Careers {
    public static final int PERIODS = 6;
    static final double[] THETA = {0.4, 0.8, 0.6};
    static final double[] PHI = {0.7, 0.6};
    static final double[] WAGES = {-1, 0, 1};
    private static final int SKILLS = 4;

    private Careers() {}

    private static StateSpace space() {
        double[] clock = new double[PERIODS + 1];
        Arrays.setAll(clock, t -> t + 1);
        return StateSpace.of(
                new StateSpace.Variable("period", clock),
                new StateSpace.Variable("skill", new double[] {0, 1, 2, 3}),
                new StateSpace.Variable("wage", WAGES));
    }

    private static List<TransitionLaw.Part> parts(StateSpace space) {
        return List.of(
                new TransitionLaw.Part(
                        KnownProbabilities.certain(),
                        (s, a) -> 0,
                        (s, a, o) -> Math.min(SKILLS - 1, space.coordinate(s, 1) + a)),
                new TransitionLaw.Part(
                        new AutoregressiveProcess(
                                WAGES, List.of("rho", "sigma"), new double[] {0, Double.NaN, Double.NaN}),
                        (s, a) -> space.coordinate(s, 2),
                        TransitionLaw.Destination.OUTCOME));
    }

    /** Values follow by backward induction. */
    public static ChoiceModel model(double discount, TransitionLaw.Plan plan) {
        StateSpace space = space();
        return model(space, TransitionLaw.overPeriods(space, 2, parts(space)).planned(plan), discount, true);
    }

    /** The same with the period as an ordinary variable, in whose last value all has ended; terminal values are 0. */
    public static ChoiceModel written(double discount) {
        StateSpace space = space();
        TransitionLaw.Part clock = new TransitionLaw.Part(
                KnownProbabilities.certain(), (s, a) -> 0, (s, a, o) -> Math.min(PERIODS, space.coordinate(s, 0) + 1));
        boolean[] ended = new boolean[space.size()];
        Arrays.fill(ended, PERIODS * space.stride(0), ended.length, true);
        List<TransitionLaw.Part> moving = parts(space);
        TransitionLaw law = new TransitionLaw(space, 2, List.of(clock, moving.get(0), moving.get(1))).ending(ended);
        return model(space, law, discount, false);
    }

    private static ChoiceModel model(StateSpace space, TransitionLaw law, double discount, boolean pension) {
        double[][] features = new double[2 * space.size()][pension ? 3 : 2];
        double[] weight = new double[2 * space.size()];
        for (int s = 0; s < space.size(); s++) {
            if (space.coordinate(s, 0) == PERIODS) {
                weight[2 * s + 1] = Double.NEGATIVE_INFINITY;
                if (pension) {
                    features[2 * s][2] = space.value(s, 1);
                }
            } else {
                features[2 * s][0] = 1;
                features[2 * s + 1][1] = space.value(s, 2) + 0.3 * space.value(s, 1);
            }
        }
        List<String> names = List.of("leisure", "pay", "pension");
        return new ChoiceModel(
                "career",
                List.of("home", "work"),
                law,
                discount,
                LinearReward.ofRows(2, names.subList(0, pension ? 3 : 2), features),
                new InformationCost(1, weight));
    }

    /** Lives from the first period on. */
    public static Panel panel(ChoiceModel model, int individuals) {
        double[] start = new double[model.states()];
        Arrays.fill(start, 0, WAGES.length, 1.0 / WAGES.length);
        double[] theta = Arrays.copyOf(THETA, model.utility().parameters());
        return model.simulate(theta, PHI, start, individuals, PERIODS, RandomStream.of(9));
    }
}

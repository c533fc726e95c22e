package dev.revealed.mdp.model;

import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.KnownProbabilities;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.mdp.choice.TransitionLaw;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Buses on different routes, after the Monte Carlo study of Arcidiacono and Miller (2011): an engine is kept or replaced,
 *
 * <pre>  u(x, keep) = theta0 + theta1 x,     u(x, replace) = 0,</pre>
 *
 * mileage x runs from 0 to 25 and grows by exponential amounts, at a rate that is the bus's route and never changes; a new
 * engine starts at 0. Theirs has 201 bins, 101 routes from .25 to 1.25, a last period, and a type of bus nobody sees that
 * shifts theta0; ours goes on for ever.
 */
public final class RouteBus {
    public static final int KEEP = 0;
    public static final int REPLACE = 1;

    private static final double FARTHEST = 25;
    private static final double SLOWEST = 1.25;
    private static final double FASTEST = 0.25;

    private RouteBus() {}

    public static ChoiceModel of(int bins, int routes, double discount) {
        double width = FARTHEST / (bins - 1);
        double[] mileage = IntStream.range(0, bins).mapToDouble(b -> b * width).toArray();
        double[] rate = IntStream.range(0, routes)
                .mapToDouble(
                        r -> routes == 1 ? 0.5 * (FASTEST + SLOWEST) : FASTEST + r * (SLOWEST - FASTEST) / (routes - 1))
                .toArray();
        StateSpace space =
                StateSpace.of(new StateSpace.Variable("route", rate), new StateSpace.Variable("mileage", mileage));
        double[][] growth = new double[routes * bins][];
        for (int r = 0; r < routes; r++) {
            for (int x = 0; x < bins; x++) {
                double[] p = new double[bins - x];
                for (int o = 0; o < p.length; o++) {
                    double below = Math.exp(-rate[r] * o * width);
                    p[o] = o == p.length - 1 ? below : below - Math.exp(-rate[r] * (o + 1) * width);
                }
                growth[r * bins + x] = p;
            }
        }
        TransitionLaw.Part stays =
                new TransitionLaw.Part(KnownProbabilities.certain(), (s, a) -> 0, (s, a, o) -> s / bins);
        TransitionLaw.Part grows = new TransitionLaw.Part(
                new KnownProbabilities(growth),
                (s, a) -> a == REPLACE ? s - s % bins : s,
                (s, a, o) -> (a == REPLACE ? 0 : s % bins) + o);
        TransitionLaw law = new TransitionLaw(space, 2, List.of(stays, grows));
        double[][] features = new double[2 * space.size()][2];
        for (int s = 0; s < space.size(); s++) {
            features[2 * s + KEEP] = new double[] {1, mileage[s % bins]};
        }
        LinearReward utility = LinearReward.ofRows(2, List.of("theta0", "theta1"), features);
        return new ChoiceModel(
                "route-bus", List.of("keep", "replace"), law, discount, utility, InformationCost.STANDARD);
    }
}

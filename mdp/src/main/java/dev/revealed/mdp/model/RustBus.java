package dev.revealed.mdp.model;

import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Shifts;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.mdp.choice.TransitionLaw;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/**
 * Harold Zurcher's buses (Rust 1987): each month he keeps an engine, whose upkeep grows with mileage, or replaces it.
 *
 * <pre>  u(x, keep) = -c(x),     u(x, replace) = -RC - c(1),     x = 1..n the bin of the mileage</pre>
 *
 * Mileage moves up by 0, 1, ... bins with probabilities theta30, theta31, ...; a new engine starts in the first bin.
 */
public final class RustBus {
    public static final int KEEP = 0;
    public static final int REPLACE = 1;

    /** Mileage the bins divide evenly; no engine of Zurcher's was driven further. */
    public static final double MILES = 450_000;

    private RustBus() {}

    /** The cost functions of Rust's Table VIII, as features of the bin x = 1..n. */
    public enum Cost {
        LINEAR,
        QUADRATIC,
        CUBIC,
        SQRT,
        HYPERBOLIC,
        MIXED;

        private List<DoubleUnaryOperator> features(int n) {
            return switch (this) {
                case LINEAR -> List.of(x -> 0.001 * x);
                case QUADRATIC -> List.of(x -> x, x -> x * x);
                case CUBIC -> List.of(x -> x, x -> x * x, x -> x * x * x);
                case SQRT -> List.of(Math::sqrt);
                case HYPERBOLIC -> List.of(x -> 1 / (n + 1 - x));
                case MIXED -> List.of(x -> 1 / (n + 1 - x), Math::sqrt);
            };
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * @param bins number of mileage bins n
     * @param largest largest number of bins moved in a month
     */
    public static ChoiceModel of(int bins, int largest, double discount, Cost cost) {
        StateSpace space = StateSpace.of(new StateSpace.Variable(
                "mileage", IntStream.rangeClosed(1, bins).asDoubleStream().toArray()));
        Shifts shifts = new Shifts(
                IntStream.range(0, largest).mapToObj(j -> "theta3" + j).toList(),
                IntStream.rangeClosed(0, largest).toArray(),
                bins);
        TransitionLaw law =
                new TransitionLaw(space, 2, List.of(shifts.part((state, action) -> action == REPLACE ? 0 : state)));
        List<DoubleUnaryOperator> costs = cost.features(bins);
        List<String> names = new ArrayList<>(List.of("RC"));
        for (int j = 1; j <= costs.size(); j++) {
            names.add("theta1" + j);
        }
        double[][] features = new double[2 * bins][names.size()];
        for (int s = 0; s < bins; s++) {
            features[2 * s + REPLACE][0] = -1;
            for (int j = 0; j < costs.size(); j++) {
                features[2 * s + KEEP][j + 1] = -costs.get(j).applyAsDouble(s + 1);
                features[2 * s + REPLACE][j + 1] = -costs.get(j).applyAsDouble(1);
            }
        }
        LinearReward utility = LinearReward.ofRows(2, names, features);
        return new ChoiceModel(
                "rust-bus", List.of("keep", "replace"), law, discount, utility, InformationCost.STANDARD);
    }

    /** The names of the costs, for messages. */
    public static List<String> costs() {
        return Arrays.stream(Cost.values()).map(Cost::toString).toList();
    }
}

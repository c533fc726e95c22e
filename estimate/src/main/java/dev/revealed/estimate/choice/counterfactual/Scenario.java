package dev.revealed.estimate.choice.counterfactual;

import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Shifts;
import dev.revealed.mdp.choice.TransitionFamily;
import dev.revealed.numeric.BadInput;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A model whose parameters are partly estimated, partly set.
 *
 * @param source for each parameter (theta, then phi) its place among the estimates, or -1 where it is set
 * @param fixed the values of those that are set
 */
record Scenario(ChoiceModel model, int[] source, double[] fixed) {
    private static final int NAMED = 10;

    /** The model as estimated. */
    static Scenario estimated(ChoiceModel model) {
        return Change.none().of(model);
    }

    private double[] parameters(double[] estimate, int from, int to) {
        return IntStream.range(from, to)
                .mapToDouble(j -> source[j] < 0 ? fixed[j] : estimate[source[j]])
                .toArray();
    }

    double[] theta(double[] estimate) {
        return parameters(estimate, 0, model.utility().parameters());
    }

    double[] phi(double[] estimate) {
        return parameters(estimate, model.utility().parameters(), source.length);
    }

    /** Whether all transition probabilities are probabilities. */
    boolean admits(double[] estimate) {
        return model.utility().rules().admits(theta(estimate))
                && offence(estimate).isEmpty();
    }

    /** Refuses values of parameters that make a transition probability negative or larger than one. */
    void check(double[] estimate) {
        Optional<String> offence = offence(estimate);
        if (offence.isPresent()) {
            throw new BadInput(
                    offence.get(),
                    "Probabilities lie between 0 and 1; where the last is what the others leave, change those as well"
                            + inProportion(estimate) + ".");
        }
    }

    /** What the other probabilities of a variable are if they share in proportion what those that are set leave. */
    private String inProportion(double[] estimate) {
        for (int v = 0; v < model.law().parts().size() && source.length == estimate.length; v++) {
            TransitionFamily family = model.law().parts().get(v).family();
            int first = model.utility().parameters() + model.law().first(v);
            double left = 1;
            double leftBefore = 1;
            for (int j = first; j < first + family.parameters(); j++) {
                left -= source[j] < 0 ? fixed[j] : 0;
                leftBefore -= source[j] < 0 ? estimate[j] : 0;
            }
            double factor = left / leftBefore;
            String others = IntStream.range(first, first + family.parameters())
                    .filter(j -> source[j] >= 0)
                    .mapToObj(j -> "%s = %.4f".formatted(family.names().get(j - first), factor * estimate[j]))
                    .collect(Collectors.joining(", "));
            if (family instanceof Shifts && left > 0 && left < 1 && !others.isEmpty()) {
                return ", for example " + others;
            }
        }
        return "";
    }

    private Optional<String> offence(double[] estimate) {
        double[] phi = phi(estimate);
        for (int v = 0; v < model.law().parts().size(); v++) {
            TransitionFamily family = model.law().parts().get(v).family();
            if (family.parameters() == 0) {
                continue; // given probabilities were checked when they were given
            }
            double[] own = model.law().of(v, phi);
            for (int cell = 0; cell < family.cells(); cell++) {
                double[] p = new double[family.outcomes(cell)];
                family.at(own, cell, p);
                double worst = Arrays.stream(p)
                        .filter(x -> !(x >= 0 && x <= 1 + Kernel.ROW_SUM_TOLERANCE))
                        .findFirst()
                        .orElse(0);
                if (worst != 0) {
                    return Optional.of("a probability of the moves of '%s' becomes %.4g%s"
                            .formatted(
                                    model.space().variables().get(v).name(),
                                    worst,
                                    own.length > NAMED ? "" : " with " + named(family.names(), own)));
                }
            }
        }
        return Optional.empty();
    }

    private static String named(List<String> names, double[] values) {
        return IntStream.range(0, values.length)
                .mapToObj(j -> names.get(j) + " = " + values[j])
                .collect(Collectors.joining(", "));
    }
}

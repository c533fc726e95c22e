package dev.revealed.estimate.choice.counterfactual;

import dev.revealed.estimate.choice.Mixture;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Shifts;
import dev.revealed.mdp.choice.TransitionFamily;
import dev.revealed.numeric.BadInput;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A model whose parameters are partly estimated, partly set.
 *
 * @param mixture of the population, where individuals differ
 * @param own how many parameters are not those of the law
 * @param discount whether the discount was changed, whatever was estimated
 * @param source for each parameter (theta, then phi) its place among the estimates, or -1 where it is set
 * @param fixed the values of those that are set
 */
record Scenario(ChoiceModel model, Optional<Mixture> mixture, int own, boolean discount, int[] source, double[] fixed) {
    private static final int NAMED = 10;

    /** The model as estimated. */
    static Scenario estimated(ChoiceModel model, Optional<Mixture> mixture) {
        return Change.none().of(model, mixture);
    }

    /** The parts of the population. */
    List<Mixture.Part> parts(double[] estimate) {
        double[] theta = theta(estimate);
        if (mixture.isEmpty()) {
            return List.of(new Mixture.Part(1, theta, OptionalDouble.empty()));
        }
        return mixture.get().parts(theta).stream()
                .map(part -> discount ? new Mixture.Part(part.weight(), part.theta(), OptionalDouble.empty()) : part)
                .toList();
    }

    private double[] parameters(double[] estimate, int from, int to) {
        return IntStream.range(from, to)
                .mapToDouble(j -> source[j] < 0 ? fixed[j] : estimate[source[j]])
                .toArray();
    }

    double[] theta(double[] estimate) {
        return parameters(estimate, 0, own);
    }

    /** The model of a part of the population. */
    ChoiceModel model(Mixture.Part part) {
        return part.discount().isEmpty()
                ? model
                : model.withDiscount(part.discount().getAsDouble());
    }

    double[] phi(double[] estimate) {
        return parameters(estimate, own, source.length);
    }

    /** Whether all transition probabilities are probabilities. */
    boolean admits(double[] estimate) {
        double[] theta = theta(estimate);
        boolean admitted = mixture.map(all -> all.admits(theta))
                .orElseGet(() -> model.utility().rules().admits(theta));
        return admitted
                && parts(estimate).stream().allMatch(part -> model.utility().admits(part.theta()))
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
            int first = own + model.law().first(v);
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

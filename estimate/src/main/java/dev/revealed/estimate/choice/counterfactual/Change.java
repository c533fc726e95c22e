package dev.revealed.estimate.choice.counterfactual;

import dev.revealed.estimate.choice.Mixture;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntPredicate;

/**
 * What a counterfactual changes; everything else stays as estimated.
 *
 * @param values parameters of the utility or of the transition law, by name, and their new values
 * @param removals actions that can no longer be taken
 * @param model another model of the same states and actions, for another law or utility; its parameters take the
 *     estimates of the same name, and those without one must be set
 */
public record Change(
        Map<String, Double> values, List<Removal> removals, OptionalDouble discount, Optional<ChoiceModel> model) {

    /** An action and the states in which it can no longer be taken. */
    public record Removal(String action, IntPredicate states) {}

    private static final Change NONE = new Change(Map.of(), List.of(), OptionalDouble.empty(), Optional.empty());

    public Change {
        values = new LinkedHashMap<>(values);
        removals = List.copyOf(removals);
    }

    public static Change none() {
        return NONE;
    }

    public Change set(String name, double value) {
        Map<String, Double> more = new LinkedHashMap<>(values);
        more.put(name, BadInput.finite("the new value of '" + name + "'", value));
        return new Change(more, removals, discount, model);
    }

    /** Takes an action out of every choice set. */
    public Change remove(String action) {
        return remove(action, state -> true);
    }

    public Change remove(String action, IntPredicate states) {
        List<Removal> more = new ArrayList<>(removals);
        more.add(new Removal(action, states));
        return new Change(values, more, discount, model);
    }

    public Change discount(double other) {
        return new Change(values, removals, OptionalDouble.of(BadInput.discount(other)), model);
    }

    public Change model(ChoiceModel other) {
        return new Change(values, removals, discount, Optional.of(other));
    }

    /** The changed model, and where its parameters come from. */
    Scenario of(ChoiceModel base, Optional<Mixture> mixture) {
        ChoiceModel changed = model.orElse(base);
        BadInput.when(
                mixture.isPresent() && !changed.parameters().equals(base.parameters()),
                "a model with other parameters cannot take the place of one whose individuals differ",
                "Keep the parameters %s.".formatted(base.parameters()));
        if (changed.states() != base.states() || !changed.actions().equals(base.actions())) {
            throw new BadInput(
                    "the changed model has %d states and actions %s, the estimated one %d and %s"
                            .formatted(changed.states(), changed.actions(), base.states(), base.actions()),
                    "A counterfactual keeps the states and the actions; take actions out by removing them.");
        }
        List<String> known =
                mixture.map(all -> joined(all.names(), base.law().names())).orElse(base.parameters());
        List<String> names = mixture.isPresent() ? known : changed.parameters();
        Map<String, Double> values = ofTypes(names);
        int[] source = new int[names.size()];
        double[] fixed = new double[source.length];
        for (int j = 0; j < source.length; j++) {
            Double set = values.get(names.get(j));
            source[j] = set == null ? known.indexOf(names.get(j)) : -1;
            fixed[j] = set == null ? Double.NaN : set;
            if (set == null && source[j] < 0) {
                throw new BadInput(
                        "parameter '%s' of the changed model has no value".formatted(names.get(j)),
                        "It was not estimated, so set it.");
            }
        }
        for (String name : values.keySet()) {
            Closest.place("there is no parameter '%s' to set".formatted(name), name, names, "The parameters are");
        }
        return new Scenario(
                new ChoiceModel(
                        changed.name(),
                        changed.actions(),
                        changed.law(),
                        discount.orElse(changed.discount()),
                        changed.utility(),
                        cost(changed)),
                mixture,
                names.size() - changed.law().parameters(),
                discount.isPresent(),
                source,
                fixed);
    }

    private static List<String> joined(List<String> own, List<String> law) {
        List<String> all = new ArrayList<>(own);
        all.addAll(law);
        return all;
    }

    /** A parameter that differs between types is set for all of them. */
    private Map<String, Double> ofTypes(List<String> names) {
        Map<String, Double> all = new LinkedHashMap<>();
        values.forEach((name, value) -> {
            List<String> own = names.stream()
                    .filter(other -> !names.contains(name) && other.startsWith(name + "["))
                    .toList();
            if (own.isEmpty()) {
                all.put(name, value);
            }
            own.forEach(other -> all.put(other, value));
        });
        return all;
    }

    private InformationCost cost(ChoiceModel changed) {
        if (removals.isEmpty()) {
            return changed.cost();
        }
        int actions = changed.actions().size();
        double[] weight = new double[changed.utility().rows()];
        Arrays.setAll(weight, changed.cost()::logWeight);
        for (Removal removal : removals) {
            int action = Closest.place(
                    "there is no action '%s' to remove".formatted(removal.action()),
                    removal.action(),
                    changed.actions(),
                    "The actions are");
            for (int s = 0; s < changed.states(); s++) {
                if (removal.states().test(s)) {
                    weight[s * actions + action] = Double.NEGATIVE_INFINITY;
                }
            }
        }
        for (int s = 0; s < changed.states(); s++) {
            if (Arrays.stream(weight, s * actions, (s + 1) * actions).allMatch(w -> w == Double.NEGATIVE_INFINITY)) {
                throw new BadInput(
                        "no action is left at " + changed.space().describe(s), "Leave at least one in every state.");
            }
        }
        return new InformationCost(changed.cost().temperature(), weight);
    }
}

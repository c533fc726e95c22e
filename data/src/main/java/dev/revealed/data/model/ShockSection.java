package dev.revealed.data.model;

import dev.revealed.mdp.Reward;
import dev.revealed.mdp.choice.ShockReward;
import dev.revealed.mdp.shock.NormalShocks;
import dev.revealed.numeric.Closest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What a model file says of the shocks to utility: nothing for independent Gumbel ones, {@code normal}, or nests. */
final class ShockSection {
    private static final int DRAWS = 200;
    private static final String FORM =
            "normal, or nests such as {nests: {mend: {actions: [repair, replace], dissimilarity: lambda}}}";

    private final ModelReader model;
    private final Yaml node;

    ShockSection(ModelReader model, Yaml node) {
        this.model = model;
        this.node = node;
    }

    /** The utility together with the shocks. */
    Reward with(Reward utility) {
        if (node.isText()) {
            String kind = node.text(FORM);
            if (kind.equals("gumbel")) {
                return utility;
            }
            node.badWhen(!kind.equals("normal"), "the shocks are '%s'".formatted(kind), "Write gumbel, " + FORM + ".");
            return ShockReward.of(utility, NormalShocks.standard(model.actions().size(), DRAWS));
        }
        node.mapping(FORM, List.of("nests"));
        return nested(utility, node.need("nests", "Name the nests."));
    }

    private Reward nested(Reward utility, Yaml nests) {
        List<String> actions = model.actions();
        int[] nest = new int[actions.size()];
        Arrays.fill(nest, -1);
        List<String> names = new ArrayList<>();
        List<Double> known = new ArrayList<>();
        Map<String, Yaml> all = nests.mapping("nests with their actions and dissimilarity");
        nests.badWhen(all.isEmpty(), "there are no nests", "Name one, or leave out shocks.");
        all.forEach((name, own) -> {
            own.mapping("actions and dissimilarity", List.of("actions", "dissimilarity"));
            Yaml members = own.need("actions", "Name the actions of the nest.");
            List<Yaml> listed = members.list("the actions of the nest");
            members.badWhen(
                    listed.size() < 2,
                    "the nest '%s' has %d action".formatted(name, listed.size()),
                    "Two or more share a nest; an action alone needs none.");
            for (Yaml entry : listed) {
                String action = entry.text("an action");
                int a = actions.indexOf(action);
                entry.badWhen(
                        a < 0,
                        "there is no action '%s'".formatted(action),
                        Closest.question(action, actions) + "The actions are " + String.join(", ", actions) + ".");
                entry.badWhen(
                        a >= 0 && nest[a] >= 0,
                        "the action '%s' is in two nests".formatted(action),
                        "Leave it in one of them.");
                nest[a] = names.size();
            }
            Yaml lambda = own.need("dissimilarity", "Give its name, for the data to decide, or a number up to 1.");
            names.add(model.name(lambda)
                    .map(given -> model.shockParameter(lambda, given))
                    .orElse(""));
            double number = names.getLast().isEmpty() ? model.number(lambda) : 1;
            lambda.badWhen(
                    !(number > 0 && number <= 1),
                    "the dissimilarity is %s".formatted(number),
                    "It lies above 0 and is at most 1, where the nest makes no difference.");
            known.add(number);
        });
        for (int a = 0; a < nest.length; a++) {
            if (nest[a] < 0) { // alone
                nest[a] = names.size();
                names.add("");
                known.add(1.0);
            }
        }
        return ShockReward.nested(
                utility, nest, names, known.stream().mapToDouble(x -> x).toArray());
    }
}

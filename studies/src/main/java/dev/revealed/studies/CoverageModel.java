package dev.revealed.studies;

import dev.revealed.data.model.ModelFile;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A model with known parameters that panels are drawn from.
 *
 * @param theta the truth: parameters of the utility
 * @param phi those of the transition law
 * @param first distribution of an individual's first state
 */
record CoverageModel(
        String name, ChoiceModel model, double[] theta, double[] phi, double[] first, int individuals, int periods) {
    static final List<String> NAMES = List.of("bus", "two-ar", "retirement");

    /** A firm that is in a market or not, where two things that matter to it move as autoregressions. */
    private static final String TWO_AR =
            """
            discount: 0.95
            states:
              demand: -1.6..1.6 by 0.8
              cost: -1.6..1.6 by 0.8
              active: [0, 1]
            actions: [out, in]
            parameters: [fixed, size, costs, entry]
            utility:
              out: 0
              in: -fixed + size * demand - costs * cost - entry * (1 - active)
            transitions:
              demand: {autoregressive: [mu_demand, rho_demand, sigma_demand]}
              cost: {autoregressive: [mu_cost, rho_cost, sigma_cost]}
              active: action
            """;

    /** Work until retirement, which is for good, with pensions that rise at 62 and at 65. */
    private static final String RETIREMENT =
            """
            discount: 0.95
            states:
              age: 55..70
              health: 0..2
              retired: [0, 1]
            actions: [work, retire]
            parameters: [income, effort, leisure]
            utility:
              work: 3 * income - effort * (2 - health / 2 + (age - 55) / 15)
              retire: income * (0.6 + 1.2 * (age >= 62) + 0.6 * (age >= 65)) + leisure
            available: {work: retired == 0}
            transitions:
              age: min(age + 1, 70)
              health: {shift: [-1, 0, 1], probabilities: [worse, same]}
              retired: {work: 0, retire: 1}
            """;

    static CoverageModel of(String name, CoverageStudy.Settings settings) {
        return switch (name) {
            case "bus" -> {
                double[] first = new double[settings.bins()];
                first[0] = 1;
                double[] phi = {0.3, 0.5};
                yield new CoverageModel(
                        name,
                        RustBus.of(settings.bins(), phi.length, settings.discount(), RustBus.Cost.LINEAR),
                        new double[] {5, 60},
                        phi,
                        first,
                        settings.buses(),
                        settings.months());
            }
            case "two-ar" ->
                ofText(name, TWO_AR, new double[] {0.5, 1, 1, 1}, new double[] {0, 0.8, 0.5, 0, 0.6, 0.5}, 300, 30, s -> true);
            case "retirement" ->
                ofText(
                        name,
                        RETIREMENT,
                        new double[] {0.6, 0.5, 0.5},
                        new double[] {0.2, 0.7},
                        1000,
                        10,
                        values -> values[2] == 0);
            default ->
                throw new BadInput(
                        "`models` names '%s', which is none".formatted(name),
                        "There are " + String.join(", ", NAMES) + ".");
        };
    }

    /** @param begins the states, by the values of their variables, in which individuals may begin, all alike */
    private static CoverageModel ofText(
            String name,
            String text,
            double[] theta,
            double[] phi,
            int individuals,
            int periods,
            Predicate<double[]> begins) {
        ChoiceModel model = ModelFile.parse(name, text, Map.of()).model();
        StateSpace space = model.space();
        double[] first = new double[model.states()];
        double[] values = new double[space.variables().size()];
        for (int s = 0; s < first.length; s++) {
            int state = s;
            Arrays.setAll(values, v -> space.value(state, v));
            first[s] = begins.test(values) ? 1 : 0;
        }
        double total = Vec.sum(first);
        Arrays.setAll(first, s -> first[s] / total);
        return new CoverageModel(name, model, theta, phi, first, individuals, periods);
    }

    ChoiceProblem panel(RandomStream stream) {
        return new ChoiceProblem(
                model, model.simulate(theta, phi, first, individuals, periods, stream.named("buses")));
    }

    double[] truth() {
        return Vec.joined(theta, phi);
    }
}

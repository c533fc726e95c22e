package dev.revealed.studies;

import dev.revealed.numeric.BadInput;
import java.util.List;
import java.util.Map;

/** The models that coverage is studied on. */
final class CoverageModels {
    static final List<String> NAMES = List.of("bus", "two-ar", "retirement");

    /** A firm that is in a market or not, where two things that matter to it move as autoregressions. */
    private static final String TWO_AR = """
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
    private static final String RETIREMENT = """
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

    private CoverageModels() {}

    static StudyModel of(String name, CoverageStudy.Settings settings) {
        return switch (name) {
            case "bus" ->
                StudyModel.bus(name, settings.bins(), settings.discount(), 5, 60)
                        .of(settings.buses(), settings.months());
            case "two-ar" ->
                StudyModel.parsed(
                        name,
                        TWO_AR,
                        Map.of(),
                        new double[] {0.5, 1, 1, 1},
                        new double[] {0, 0.8, 0.5, 0, 0.6, 0.5},
                        300,
                        30);
            case "retirement" ->
                StudyModel.parsed(
                        name,
                        RETIREMENT,
                        Map.of("retired", 0.0),
                        new double[] {0.6, 0.5, 0.5},
                        new double[] {0.2, 0.7},
                        1000,
                        10);
            default ->
                throw new BadInput(
                        "`models` names '%s', which is none".formatted(name),
                        "There are " + String.join(", ", NAMES) + ".");
        };
    }
}

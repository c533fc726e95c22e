package dev.revealed.studies;

import dev.revealed.data.model.ModelFile;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A choice model with a known truth, from which panels are simulated.
 *
 * @param start probability of each state in the first period
 */
public record StudyModel(
        String name, ChoiceModel model, double[] theta, double[] phi, double[] start, int individuals, int periods) {

    private static final String ENTRY = """
            discount: 0.95
            states: {demand: -2..2 by 0.5, rivals: 0..3, active: [0, 1]}
            actions: [out, in]
            parameters: [fixed, size, rivalry, entry]
            utility:
              out: 0
              in: -fixed + size * demand - rivalry * log(1 + rivals) - entry * (1 - active)
            transitions:
              demand: {autoregressive: [mu, rho, sigma]}
              rivals: {shift: [-1, 0, 1], probabilities: [0.2, 0.6, 0.2]}
              active: action
            """;

    private static final String TWO_STATES = """
            discount: 0.95
            states: {price: -1.5..1.5 by 0.5, income: -1.5..1.5 by 0.5, owner: [0, 1]}
            actions: [wait, buy]
            parameters: [fixed, dear, rich]
            utility:
              wait: 0
              buy: -fixed * (1 - owner) - dear * price + rich * income - 1
            transitions:
              price: {autoregressive: [0, rho_price, 0.5]}
              income: {autoregressive: [0, rho_income, 0.4]}
              owner: action
            """;

    private static final String RETIREMENT = """
            discount: 0.95
            states: {age: 50..70, healthy: [0, 1], retired: [0, 1]}
            actions: [work, retire]
            parameters: [wage, tired, ill]
            utility:
              work: wage - tired * (age - 50) / 10 - ill * (1 - healthy)
              retire: 0
            available: {work: retired == 0}
            transitions:
              age: min(age + 1, 70)
              healthy: {matrix: [[0.7, 0.3], [0.1, 0.9]]}
              retired: {work: retired, retire: 1}
            """;

    private static final String MODES = """
            discount: 0.9
            states: {distance: 1..5, rain: [0, 1], last: 0..2}
            actions: [walk, ride, drive]
            parameters: [effort, wet, fare, habit]
            utility:
              walk: -effort * distance - wet * rain + habit * (last == walk)
              ride: -fare + habit * (last == ride)
              drive: -2 * fare + habit * (last == drive)
            transitions:
              distance: {probabilities: [0.2, 0.2, 0.2, 0.2, 0.2]}
              rain: {matrix: [[0.8, 0.2], [0.4, 0.6]]}
              last: action
            """;

    /** A fleet of buses, the same with a patient owner, a firm, a durable good, a worker and a commuter. */
    public static List<StudyModel> all() {
        return List.of(
                bus("bus", 25, 0.95, 5, 60),
                bus("patient bus", 25, 0.9999, 8, 20),
                parsed(
                        "entry",
                        ENTRY,
                        Map.of("active", 0.0),
                        new double[] {1.5, 1, 0.8, 1.2},
                        new double[] {0, 0.8, 0.4},
                        300,
                        20),
                parsed(
                        "two AR states",
                        TWO_STATES,
                        Map.of("owner", 0.0),
                        new double[] {1, 1, 1},
                        new double[] {0.7, 0.8},
                        300,
                        20),
                parsed(
                        "retirement",
                        RETIREMENT,
                        Map.of("age", 50.0, "retired", 0.0),
                        new double[] {2, 1.5, 0.6},
                        new double[0],
                        600,
                        20),
                parsed("modes", MODES, Map.of(), new double[] {0.6, 0.8, 1, 0.7}, new double[0], 200, 20));
    }

    static StudyModel bus(String name, int bins, double discount, double... theta) {
        ChoiceModel model = RustBus.of(bins, 2, discount, RustBus.Cost.LINEAR);
        double[] first = new double[model.states()];
        first[0] = 1;
        return new StudyModel(name, model, theta, new double[] {0.3, 0.5}, first, 200, 50);
    }

    /** @param from values of some variables in the first period; the others are anywhere on their grids */
    static StudyModel parsed(
            String name,
            String yaml,
            Map<String, Double> from,
            double[] theta,
            double[] phi,
            int individuals,
            int periods) {
        ChoiceModel model = ModelFile.parse(name, yaml, Map.of()).model();
        double[] start = new double[model.states()];
        Arrays.setAll(start, s -> isAt(model.space(), s, from) ? 1 : 0);
        double all = Arrays.stream(start).sum();
        Arrays.setAll(start, s -> start[s] / all);
        return new StudyModel(name, model, theta, phi, start, individuals, periods);
    }

    private static boolean isAt(StateSpace space, int state, Map<String, Double> values) {
        return IntStream.range(0, space.variables().size()).allMatch(v -> {
            double here = space.value(state, v);
            return values.getOrDefault(space.variables().get(v).name(), here) == here;
        });
    }

    /** The same with panels of another size. */
    StudyModel of(int otherIndividuals, int otherPeriods) {
        return new StudyModel(name, model, theta, phi, start, otherIndividuals, otherPeriods);
    }

    /** A panel simulated from the truth. */
    public ChoiceProblem problem(RandomStream stream) {
        return new ChoiceProblem(model, model.simulate(theta, phi, start, individuals, periods, stream.named("panel")));
    }
}

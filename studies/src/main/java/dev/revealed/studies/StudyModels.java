package dev.revealed.studies;

import dev.revealed.estimate.choice.mixed.Population;
import dev.revealed.numeric.BadInput;
import java.util.List;
import java.util.Map;

/** The choice models of the studies, with their truths. */
final class StudyModels {
    /** Those that coverage is studied on, unless others are named. */
    static final List<String> FOR_COVERAGE = List.of("bus", "two-ar", "retirement");

    /** Buses as many and as patient as Rust's, whose engines are replaced some fifty times in all. */
    static final String RUST_SIZE = "rust-size";

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

    /** A dealer with cars in the yard, whose storage may cost more than in proportion. */
    private static final String DEALERS = """
            discount: 0.8
            states: {stock: 0..5, season: [0, 1]}
            actions: [wait, sell]
            parameters: NAMES
            utility:
              wait: COST
              sell: COST - effort + margin * season
            available: {sell: stock > 0}
            transitions:
              stock:
                wait: {shift: [0, 1], probabilities: [quiet]}
                sell: stock - 1
              season: {matrix: [[0.7, 0.3], [0.3, 0.7]]}
            """;

    /** Models of what else can be estimated: a utility that is not linear, the discount, a random coefficient. */
    static final List<String> EXTENDED = List.of("nonlinear", "discount", "random");

    /** A machine that is run until its upkeep, which rises along an unknown curve, makes a new one worth its price. */
    private static final String CURVED = """
            discount: 0.9
            states: {wear: 0..12}
            actions: [keep, replace]
            parameters: [upkeep, curve, price]
            utility: {keep: -upkeep * (wear / 6)^curve, replace: -price}
            transitions:
              wear: {shift: [0, 1, 2], probabilities: [none, one], from: {replace: 0}}
            """;

    private static StudyModel curved() {
        return StudyModel.parsed(
                "nonlinear", CURVED, Map.of("wear", 0.0), new double[] {1, 1.5, 2}, new double[] {0.3, 0.5}, 1000, 40);
    }

    /** Storage that costs more than in proportion, which only later decisions feel: it is weakly identified. */
    private static final String CURVED_STORAGE = "curved storage";

    private static StudyModel dealers(String name) {
        boolean curved = name.equals(CURVED_STORAGE);
        String cost = curved ? "-storage * stock^curve" : "-storage * stock";
        StudyModel plain = StudyModel.parsed(
                name,
                DEALERS.replace("NAMES", curved ? "[storage, effort, margin, curve]" : "[storage, effort, margin]")
                        .replace("COST", cost),
                Map.of(),
                curved ? new double[] {0.3, 1, 1.5, 1.3} : new double[] {0.3, 1, 1.5},
                new double[] {0.6},
                300,
                40);
        Population all = Population.of(plain.model());
        return switch (name) {
            case "discount" -> plain.estimating(all.withDiscount(), 0.8);
            case "random" ->
                plain.estimating(all.random(List.of("effort")), 0.8).of(1000, 20);
            default -> plain;
        };
    }

    /** Work until retirement, which is for good, with pensions that rise at 62 and at 65. */
    private static final String PENSIONS = """
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

    /** A machine that is run, repaired or replaced, where the two ways to mend it are close substitutes. */
    private static final String NESTED = """
            discount: 0.9
            states: {wear: 0..7}
            actions: [run, repair, replace]
            parameters: [upkeep, repairing, replacing]
            utility:
              run: -upkeep * wear
              repair: -0.5 * upkeep * wear - repairing
              replace: -replacing
            shocks: {nests: {mend: {actions: [repair, replace], dissimilarity: lambda}}}
            transitions:
              wear:
                run: {shift: [0, 1], probabilities: [holds]}
                repair: {shift: [0, 1], probabilities: [holds], from: (wear >= 2) + (wear >= 4) + (wear >= 6)}
                replace: {shift: [0, 1], probabilities: [holds], from: 0}
            """;

    /** Buses whose owner sees a persistent part of the cost that nobody else sees. */
    private static final String HIDDEN = """
            discount: 0.9
            states: {mileage: 0..9}
            hidden: {shock: rho, nodes: 9}
            actions: [keep, replace]
            parameters: [upkeep, RC, sigma]
            utility: {keep: -upkeep * mileage, replace: -RC - sigma * shock}
            transitions:
              mileage: {shift: [0, 1], probabilities: [holds], from: {replace: 0}}
            """;

    /** A short working life, with a pension for experience after the last year. */
    private static final String LIFE = """
            discount: 0.95
            horizon: 10
            states: {experience: 0..9, wage: -1..1 by 0.5}
            actions: [home, work]
            parameters: [leisure, pay, pension]
            utility: {home: leisure, work: pay * exp(0.1 * experience + wage)}
            terminal: pension * experience
            transitions:
              experience: {home: experience, work: "min(experience + 1, 9)"}
              wage: {autoregressive: [0, persistence, volatility]}
            """;

    private static StudyModel nested(String name, int individuals) {
        return StudyModel.parsed(
                name,
                NESTED,
                Map.of("wear", 0.0),
                new double[] {0.4, 1.5, 2, 0.6},
                new double[] {0.4},
                individuals,
                40);
    }

    private static StudyModel life(String name, int individuals) {
        return StudyModel.parsed(
                name,
                LIFE,
                Map.of("period", 1.0, "experience", 0.0),
                new double[] {1, 0.8, 0.3},
                new double[] {0.7, 0.5},
                individuals,
                10);
    }

    private static StudyModel hidden(String name, int individuals) {
        return StudyModel.parsed(
                name,
                HIDDEN,
                Map.of("mileage", 0.0),
                new double[] {0.3, 2, 1},
                new double[] {0.4, 0.6},
                individuals,
                80);
    }

    private StudyModels() {}

    /** A fleet of buses, the same with a patient owner, a firm, a durable good, a worker and a commuter. */
    static List<StudyModel> forStarts() {
        return List.of(
                StudyModel.bus("bus", 25, 0.95, 5, 60),
                StudyModel.bus("patient bus", 25, 0.9999, 8, 20),
                StudyModel.parsed(
                        "entry",
                        ENTRY,
                        Map.of("active", 0.0),
                        new double[] {1.5, 1, 0.8, 1.2},
                        new double[] {0, 0.8, 0.4},
                        300,
                        20),
                StudyModel.parsed(
                        "two AR states",
                        TWO_STATES,
                        Map.of("owner", 0.0),
                        new double[] {1, 1, 1},
                        new double[] {0.7, 0.8},
                        300,
                        20),
                StudyModel.parsed(
                        "retirement",
                        RETIREMENT,
                        Map.of("age", 50.0, "retired", 0.0),
                        new double[] {2, 1.5, 0.6},
                        new double[0],
                        600,
                        20),
                curved(),
                dealers(CURVED_STORAGE),
                dealers("discount"),
                dealers("random"),
                StudyModel.parsed("modes", MODES, Map.of(), new double[] {0.6, 0.8, 1, 0.7}, new double[0], 200, 20),
                nested("nested logit", 200),
                life("life cycle", 500),
                hidden("hidden", 200));
    }

    static StudyModel forCoverage(String name, CoverageStudy.Settings settings) {
        return switch (name) {
            case "bus" ->
                StudyModel.bus(name, settings.bins(), settings.discount(), 5, 60)
                        .of(settings.buses(), settings.months());
            case RUST_SIZE ->
                StudyModel.bus(name, 90, 0.9999, 9.756, 2.628)
                        .moving(0.349, 0.639)
                        .of(104, 78);
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
                        PENSIONS,
                        Map.of("retired", 0.0),
                        new double[] {0.6, 0.5, 0.5},
                        new double[] {0.2, 0.7},
                        1000,
                        10);
            // As many as leave the bias of maximum likelihood, which falls with their number, near one Monte Carlo
            // error.
            case "nonlinear" -> curved().of(2500, 40);
            case "discount" -> dealers(name).of(3200, 40);
            case "random" -> dealers(name).of(2600, 20);
            case "nested" -> nested(name, 800);
            case "life" -> life(name, 500);
            case "hidden" -> hidden(name, 2000);
            default ->
                throw new BadInput(
                        "`models` names '%s', which is none".formatted(name),
                        "There are %s, %s, %s, nested, life and hidden."
                                .formatted(String.join(", ", FOR_COVERAGE), String.join(", ", EXTENDED), RUST_SIZE));
        };
    }
}

package dev.revealed.app.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.app.Repository;
import dev.revealed.data.ChoiceData;
import dev.revealed.data.model.ModelFile;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.hidden.HiddenEstimator;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.inference.StandardErrors;
import dev.revealed.estimate.choice.mixed.MixedEstimator;
import dev.revealed.estimate.choice.mixed.Population;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The guide's table of methods and features, cell by cell: who is said to serve estimates, who is said to refuse does. */
class MethodTableTest {
    private static final String MODEL = """
            discount: 0.9
            states: {wear: 0..3, season: [0, 1]}
            actions: [run, repair, replace]
            parameters: [upkeep, repairing, replacing]
            utility:
              run: -upkeep * wear - 0.3 * season
              repair: -0.5 * upkeep * wear - repairing
              replace: -replacing
            transitions:
              wear:
                run: {shift: [0, 1], probabilities: [holds]}
                repair: {shift: [0, 1], probabilities: [holds], from: (wear >= 2)}
                replace: {shift: [0, 1], probabilities: [holds], from: 0}
              season: {matrix: [[0.7, 0.3], [0.4, 0.6]]}
            """;

    /** What each row of the table adds to the model. */
    private static final Map<String, String> FEATURES = Map.ofEntries(
            Map.entry("horizon", "horizon: 12"),
            Map.entry("ends", "ends: {wear: 3}"),
            Map.entry("nested shocks", "shocks: {nests: {mend: {actions: [repair, replace], dissimilarity: lambda}}}"),
            Map.entry("normal shocks", "shocks: normal"),
            Map.entry("utility not linear", ""),
            Map.entry("bounds and priors", ""),
            Map.entry("weights", "data: {weight: {column: n, kind: frequency}}"),
            Map.entry("clusters", "data: {cluster: village}"),
            Map.entry("gaps", "data: {gaps: allowed}"),
            Map.entry("missing actions, integrated", "data: {missing: integrated}"),
            Map.entry("aggregate variables", "data: {aggregate: [season]}"),
            Map.entry("hidden variable", "hidden: {shock: rho, nodes: 3}"));

    /** What a refusal because of each row speaks of; nobody refuses clusters. */
    private static final Map<String, String> REASONS = Map.ofEntries(
            Map.entry("horizon", "after the ends of this model nothing does"),
            Map.entry("ends", "after the ends of this model nothing does"),
            Map.entry("nested shocks", "shocks of this model are not independent Gumbel ones"),
            Map.entry("normal shocks", "shocks of this model are not independent Gumbel ones"),
            Map.entry("utility not linear", "needs a utility that is linear in its parameters"),
            Map.entry("bounds and priors", "bounds and priors of parameters"),
            Map.entry("weights", "does not know weights"),
            Map.entry("gaps", "gaps, and the panel has some"),
            Map.entry("missing actions, integrated", "does not sum over missing actions"),
            Map.entry("aggregate variables", "does not know aggregate variables"),
            Map.entry("hidden variable", "the model has a hidden variable"));

    /** The columns of individuals who differ. */
    private static final String TYPES = "types";

    private static final String RANDOM = "random";

    @TempDir
    private Path folder = Path.of("");

    @TestFactory
    List<DynamicTest> everyCellHolds() throws IOException {
        List<String> lines = Files.readAllLines(Repository.root().resolve("docs/guide/econometrics.md"));
        int header = lines.indexOf(lines.stream()
                .filter(line -> line.startsWith("| in the model or the panel"))
                .findFirst()
                .orElseThrow());
        List<String> methods = cells(lines.get(header));
        assertThat(methods.subList(1, methods.size() - 2)).containsExactlyInAnyOrderElementsOf(new Methods.Names());
        assertThat(methods.subList(methods.size() - 2, methods.size())).containsExactly(TYPES, RANDOM);
        List<List<String>> rows = lines.stream()
                .skip(header + 2L)
                .takeWhile(line -> line.startsWith("|"))
                .map(MethodTableTest::cells)
                .toList();
        assertThat(rows.stream().map(MethodTableTest::feature)).containsExactlyInAnyOrderElementsOf(FEATURES.keySet());
        return rows.stream()
                .flatMap(row -> IntStream.range(1, methods.size())
                        .mapToObj(m -> DynamicTest.dynamicTest(
                                feature(row) + " by " + methods.get(m),
                                () -> check(feature(row), methods.get(m), row.get(m)))))
                .toList();
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.substring(1).split("\\|")).map(String::strip).toList();
    }

    private static String feature(List<String> row) {
        return row.getFirst().replaceFirst("\\[(.*)]\\(.*", "$1");
    }

    private void check(String feature, String method, String said) throws IOException {
        Optional<String> refusal = refusal(feature, method);
        if (said.equals("yes")) {
            assertThat(refusal).isEmpty();
        } else {
            assertThat(said).isEqualTo("no");
            assertThat(refusal)
                    .hasValueSatisfying(reason -> assertThat(reason)
                            .contains(Objects.requireNonNull(REASONS.get(feature)))
                            .containsAnyOf(words(method)));
        }
    }

    /** How a refusal names a method. */
    private static String[] words(String method) {
        return method.equals(TYPES) || method.equals(RANDOM)
                ? new String[] {"individuals that differ", "individuals who differ", "this method"}
                : new String[] {method, "this method"};
    }

    /** Why a method refuses; empty where it estimates. */
    private Optional<String> refusal(String feature, String method) throws IOException {
        String text = MODEL + FEATURES.get(feature) + "\n";
        if (feature.equals("utility not linear")) {
            text = text.replace("-upkeep * wear -", "-exp(upkeep) * wear -");
        } else if (feature.equals("bounds and priors")) {
            text = text.replace(
                    "parameters: [upkeep, repairing, replacing]",
                    "parameters: {upkeep: {lower: 0}, repairing: {prior: [1, 1]}, replacing: {}}");
        }
        boolean recursive = method.equals(Methods.RECURSIVE);
        if (recursive || feature.equals("hidden variable")) {
            text = text.replace("replace: -replacing\n", "replace: -replacing - size * shock\n")
                    .replace("replacing]", "replacing, size]")
                    .replace("replacing: {}}", "replacing: {}, size: {}}");
            text = feature.equals("hidden variable") ? text : text + "hidden: {shock: rho, nodes: 3}\n";
        }
        ModelFile model = ModelFile.parse("machine.yaml", text, Map.of());
        ChoiceData data = model.panel(panel(feature), ProgressListener.NONE);
        ChoiceProblem problem = new ChoiceProblem(data.model(), data.panel());
        try {
            if (recursive) {
                HiddenEstimator.standard().fit(problem, RandomStream.of(1), ProgressListener.NONE);
            } else if (method.equals(TYPES) || method.equals(RANDOM)) {
                Population all = Population.of(problem.model());
                List<String> differing = List.of("repairing");
                MixedEstimator.of(method.equals(TYPES) ? all.types(2, differing) : all.random(differing))
                        .with(StandardErrors.CLUSTER)
                        .fit(problem, 1);
            } else {
                new ChoiceEstimator(Methods.of(method, Map.of()), StandardErrors.CLUSTER)
                        .withoutRestarts()
                        .fit(problem, 1);
            }
            return Optional.empty();
        } catch (BadInput refused) {
            return Optional.of(refused.problem());
        }
    }

    /** Machines under one season, drawn once; some rows or actions are missing where the feature is that. */
    private Path panel(String feature) throws IOException {
        ModelFile plain = ModelFile.parse("machine.yaml", MODEL, Map.of());
        StateSpace space = plain.model().space();
        double[] start = new double[space.size()];
        start[0] = 1;
        Panel panel = plain.model()
                .simulate(
                        new double[] {0.5, 1, 1.5},
                        new double[] {0.4},
                        start,
                        50,
                        12,
                        new int[] {1},
                        RandomStream.of(3));
        StringBuilder csv = new StringBuilder("individual,period,wear,season,action,n,village\n");
        int i = 0;
        for (Panel.Individual one : panel.individuals()) {
            int[] states = one.choices().states();
            int[] actions = Objects.requireNonNull(one.choices().actions());
            for (int t = 0; t < actions.length; t++) {
                boolean hole = i % 7 == 0 && t == 5;
                if (hole && feature.equals("gaps")) {
                    continue;
                }
                boolean blank = hole && feature.startsWith("missing");
                csv.append("%d,%d,%.0f,%.0f,%s,%d,%d\n"
                        .formatted(
                                i,
                                t + 1,
                                space.value(states[t], 0),
                                space.value(states[t], 1),
                                blank ? "" : plain.model().actions().get(actions[t]),
                                1 + i % 2,
                                i / 4));
            }
            i++;
        }
        return Files.writeString(folder.resolve("panel.csv"), csv);
    }
}

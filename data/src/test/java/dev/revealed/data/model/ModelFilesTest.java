package dev.revealed.data.model;

import static dev.revealed.data.Fixtures.file;
import static dev.revealed.data.Fixtures.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelFilesTest {
    /** Two variables and two actions; each test has its own transitions. */
    private static final String SMALL = """
            discount: 0.9
            settings: {top: 3, half: 1/2}
            states:
              x: 1..top
              y: {values: [0, half]}
            actions: [stay, go]
            parameters: [a, b]
            utility:
              stay: a * x
              go: b * y - top + x
            transitions:
              x: min(x + 1, top)
              y: y
            """;

    @TempDir
    private Path folder;

    private ChoiceModel model(String yaml, Map<String, String> overrides) throws IOException {
        return ModelFile.read(file(folder, "model.yaml", yaml), overrides).model();
    }

    private ChoiceModel model(String yaml) throws IOException {
        return model(yaml, Map.of());
    }

    private ChoiceModel moving(String x) throws IOException {
        return model(SMALL.replace("min(x + 1, top)", x));
    }

    /** Probabilities of x' = 1, 2, 3 from a value of x, with y at 0. */
    private static double[] next(ChoiceModel model, int x, int action, double... phi) {
        Kernel kernel = model.law().kernel(phi);
        double[] p = new double[3];
        int row = (x - 1) * 2 * 2 + action;
        for (int e = kernel.rowStart()[row]; e < kernel.rowStart()[row + 1]; e++) {
            p[kernel.successor()[e] / 2] += kernel.probability()[e];
        }
        return p;
    }

    @Test
    void readsStatesSettingsAndUtilities() throws IOException {
        ChoiceModel model = model(SMALL);
        assertThat(model.name()).isEqualTo("model");
        assertThat(model.discount()).isEqualTo(0.9);
        assertThat(model.actions()).containsExactly("stay", "go");
        assertThat(model.space().variables().getFirst().values()).containsExactly(1, 2, 3);
        assertThat(model.space().variables().getLast().values()).containsExactly(0, 0.5);
        assertThat(model.cost()).isSameAs(InformationCost.STANDARD);
        double[] rows = new double[12];
        model.utility().values(new double[] {10, 100}, rows);
        // (x, y, action) with the action fastest: stay gets 10 x, go gets 100 y - 3 + x
        assertThat(rows).containsExactly(10, -2, 10, 48, 20, -1, 20, 49, 30, 0, 30, 50);
    }

    @Test
    void takesOverrides() throws IOException {
        ChoiceModel model = model(SMALL, Map.of("discount", "0.5", "top", "2 + 3"));
        assertThat(model.discount()).isEqualTo(0.5);
        assertThat(model.states()).isEqualTo(10);
        Path file = folder.resolve("model.yaml");
        assertThat(ModelFile.read(file, Map.of("top", "4")).settings())
                .containsExactly(Map.entry("discount", 0.9), Map.entry("top", 4.0), Map.entry("half", 0.5));
        refused(() -> ModelFile.read(file, Map.of("tops", "4")), "'tops'", "model.yaml", "Did you mean 'top'?");
        refused(() -> ModelFile.read(file, Map.of("discount", "1.5")), "`set` discount", "1.5");
        refused(() -> ModelFile.read(file, Map.of("top", "many")), "`set` top=many", "'many' is unknown");
    }

    @Test
    void gridsAreExactAtTheirEnds() throws IOException {
        ChoiceModel model = model(SMALL.replace("1..top", "0..0.7 by 0.1").replace("min(x + 1, top)", "x"));
        assertThat(model.space().variables().getFirst().values())
                .containsExactly(
                        IntStream.range(0, 8).mapToDouble(i -> i / 10.0).toArray(), within(1e-15));
        assertThat(model.space().variables().getFirst().values()[7]).isEqualTo(0.7);
    }

    @Test
    void gridsHaveTheDigitsThatWereWritten() throws IOException {
        ChoiceModel model = model(SMALL.replace("1..top", "-1..1 by 0.2").replace("min(x + 1, top)", "x"));
        assertThat(model.space().variables().getFirst().values())
                .containsExactly(-1, -0.8, -0.6, -0.4, -0.2, 0, 0.2, 0.4, 0.6, 0.8, 1);
    }

    @Test
    void oneFormulaMayServeAllActions() throws IOException {
        String utility = SMALL.substring(SMALL.indexOf("utility"), SMALL.indexOf("transitions"));
        ChoiceModel model = model(SMALL.replace(utility, "utility: a * x * (action == stay) + b * (action == go)\n"));
        double[] rows = new double[12];
        model.utility().values(new double[] {10, 100}, rows);
        assertThat(rows).containsExactly(10, 100, 10, 100, 20, 100, 20, 100, 30, 100, 30, 100);
    }

    @Test
    void movesByFormula() throws IOException {
        ChoiceModel model = moving("min(x + action, top)");
        assertThat(model.law().names()).isEmpty();
        assertThat(next(model, 1, 0)).containsExactly(1, 0, 0);
        assertThat(next(model, 1, 1)).containsExactly(0, 1, 0);
        assertThat(next(model, 3, 1)).containsExactly(0, 0, 1);
    }

    @Test
    void movesByStepsOfUnknownProbability() throws IOException {
        ChoiceModel model = moving("{shift: [-1, 0, 1], probabilities: [down, same], from: {go: 1}}");
        assertThat(model.law().names()).containsExactly("down", "same");
        assertThat(next(model, 2, 0, 0.2, 0.3)).containsExactly(new double[] {0.2, 0.3, 0.5}, within(1e-15));
        assertThat(next(model, 3, 0, 0.2, 0.3)).containsExactly(new double[] {0, 0.2, 0.8}, within(1e-15));
        assertThat(next(model, 3, 1, 0.2, 0.3)).containsExactly(new double[] {0.5, 0.5, 0}, within(1e-15));
    }

    @Test
    void movesByStepsOfKnownProbability() throws IOException {
        ChoiceModel model = moving("{shift: [0, 1], probabilities: [half / 2, 3/4], from: \"max(1, x - action)\"}");
        assertThat(model.law().names()).isEmpty();
        assertThat(next(model, 1, 0)).containsExactly(0.25, 0.75, 0);
        assertThat(next(model, 3, 0)).containsExactly(0, 0, 1);
        assertThat(next(model, 3, 1)).containsExactly(0, 0.25, 0.75);
    }

    @Test
    void movesByDrawMatrixAndAutoregression() throws IOException {
        ChoiceModel draw = moving("{probabilities: [q1, q2]}");
        assertThat(draw.law().names()).containsExactly("q1", "q2");
        assertThat(next(draw, 3, 1, 0.2, 0.3)).containsExactly(new double[] {0.2, 0.3, 0.5}, within(1e-15));
        assertThat(next(moving("{probabilities: [0.1, 0.2, 0.7]}"), 2, 0)).containsExactly(0.1, 0.2, 0.7);
        ChoiceModel matrix = moving("{matrix: [[1, 0, 0], [.5, .5, 0], [0, .1, .9]], from: {go: 2}}");
        assertThat(next(matrix, 3, 0)).containsExactly(0, 0.1, 0.9);
        assertThat(next(matrix, 3, 1)).containsExactly(0.5, 0.5, 0);
        ChoiceModel auto = moving("{autoregressive: [mu, half, 1]}");
        assertThat(auto.law().names()).containsExactly("mu");
        // from 2 with mu = 1 the mean is 2: half a step on either side has 0.3829249 of a standard normal
        assertThat(next(auto, 2, 0, 1)).containsExactly(new double[] {0.3085375, 0.3829249, 0.3085375}, within(1e-7));
    }

    @Test
    void movesByFrequencies() throws IOException {
        ChoiceModel counted = moving("counted");
        assertThat(counted.law().names())
                .hasSize(3 * 2 * 2)
                .startsWith("P(x=1|x=1,stay)", "P(x=2|x=1,stay)", "P(x=1|x=1,go)");
        double[] phi = new double[12];
        phi[2 * 5 + 1] = 0.75; // P(x=2|x=3,go)
        assertThat(next(counted, 3, 1, phi)).containsExactly(0, 0.75, 0.25);
        assertThat(moving("{counted: [y]}").law().names())
                .containsExactly("P(x=1|y=0)", "P(x=2|y=0)", "P(x=1|y=0.5)", "P(x=2|y=0.5)");
        assertThat(moving("{counted: []}").law().names()).containsExactly("P(x=1)", "P(x=2)");
    }

    @Test
    void movesInItsOwnWayUnderEachAction() throws IOException {
        ChoiceModel model = moving("{stay: counted, go: 1}");
        assertThat(model.law().names()).hasSize(6).startsWith("P(x=1|x=1,stay)");
        double[] phi = {0, 0.5, 0, 0, 0, 0};
        assertThat(next(model, 1, 0, phi)).containsExactly(0, 0.5, 0.5);
        assertThat(next(model, 3, 1, phi)).containsExactly(1, 0, 0);
        ChoiceModel shared =
                moving("{stay: {shift: [0, 1], probabilities: [p]}, go: {shift: [0, 1], probabilities: [p], from: 1}}");
        assertThat(shared.law().names()).containsExactly("p");
        assertThat(next(shared, 2, 0, 0.3)).containsExactly(0, 0.3, 0.7);
        assertThat(next(shared, 2, 1, 0.3)).containsExactly(0.3, 0.7, 0);
        ChoiceModel different =
                moving("{stay: {shift: [0, 1], probabilities: [p]}, go: {shift: [0, -1], probabilities: [q]}}");
        assertThat(different.law().names()).containsExactly("p", "q");
        assertThat(next(different, 2, 0, 0.3, 0.6)).containsExactly(0, 0.3, 0.7);
        assertThat(next(different, 2, 1, 0.3, 0.6)).containsExactly(new double[] {0.4, 0.6, 0}, within(1e-15));
    }

    @Test
    void actionsMayBeUnavailable() throws IOException {
        ChoiceModel model = model(
                SMALL.replace("min(x + 1, top)", "{stay: x, go: x - 1}").replace("go: b * y", "go: log(x - 1) + b * y")
                        + "available: {go: x > 1}\n");
        assertThat(model.cost().logWeight(0)).isZero();
        assertThat(model.cost().logWeight(1)).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(model.cost().logWeight(5)).isZero();
        double[] rows = model.solve(new double[] {1, 1}, new double[0]).policy();
        assertThat(rows[0]).isEqualTo(1);
        assertThat(rows[1]).isZero();
        assertThat(rows[5]).isPositive();
    }

    private static Arguments slip(String right, String wrong, String... message) {
        return Arguments.of(right, wrong, message);
    }

    private static Arguments law(String wrong, String... message) {
        return Arguments.of("min(x + 1, top)", wrong, message);
    }

    static Stream<Arguments> slips() {
        return Stream.of(
                slip("discount: 0.9\n", "", "line 1", "no 'discount'"),
                slip("discount: 0.9", "discout: 0.9", "line 1, discout", "Did you mean 'discount'?"),
                slip("discount: 0.9", "discount: 1", "line 1, discount", "1.0"),
                slip("discount: 0.9", "discount: NaN", "line 1, discount", "'NaN' is unknown"),
                slip("discount: 0.9", "discount: 1/0", "line 1, discount", "Infinity"),
                slip("discount: 0.9", "discount: [0.9]", "line 1, discount", "a list of 1"),
                slip("discount: 0.9", "discount:", "line 1, discount", "nothing is given"),
                slip("discount: 0.9", "discount: 0.9\ndiscount: 0.8", "line 2", "discount is given twice"),
                slip("discount: 0.9", "discount: x / 4", "line 1, discount", "'x' is a state variable", "^"),
                slip("top: 3", "exp: 3", "line 2, settings.exp", "'exp' cannot be the name"),
                slip("top: 3", "x: 3, top: 3", "'x' is already the name of a setting"),
                slip("top: 3", "top: three", "line 2, settings.top", "'three' is unknown"),
                slip("1..top", "1..tip", "line 4, states.x", "'tip' is unknown", "Did you mean 'top'?"),
                slip("1..top", "3..1", "line 4, states.x", "from 3 to 1"),
                slip("1..top", "0..1 by 0.3", "line 4, states.x", "steps of 0.3"),
                slip("1..top", "0..1 by 0", "line 4, states.x", "steps of 0"),
                slip("1..top", "0..1e9", "line 4, states.x", "fewer than 10000000"),
                slip("1..top", "many", "line 4, states.x", "'many' is not a range"),
                slip("1..top", "[3, 1]", "line 4, states.x", "3 comes before 1", "ascending"),
                slip("1..top", "[]", "line 4, states.x", "no values"),
                slip("1..top", "{grid: 1..3, value: 2}", "line 4, states.x.value", "Did you mean 'values'?"),
                slip("1..top", "0..9000000 by 1\n  z: 0..9000", "line 3, states", "too many"),
                slip("[stay, go]", "[stay]", "line 6, actions", "only one action"),
                slip("[stay, go]", "stay", "line 6, actions", "'stay'", "list of names"),
                slip("[stay, go]", "[stay, 2]", "line 6, actions[1]", "'2' cannot be the name of an action"),
                slip("[stay, go]", "[stay, x]", "'x' is already the name of an action"),
                slip("[a, b]", "[a, b, c]", "utility", "parameter 'c' changes no utility"),
                slip("[a, b]", "[a, a]", "line 7, parameters[1]", "'a' is already"),
                slip("[a, b]", "[]", "line 7, parameters", "empty"),
                slip(
                        "stay: a * x",
                        "stay: (a > b) * x",
                        "line 9, utility.stay",
                        "is compared",
                        "(a > b) * x\n       ^"),
                slip("stay: a * x", "stay: a * z", "line 9, utility.stay", "'z' is unknown"),
                slip("stay: a * x", "stay: a * x / y", "line 9, utility.stay", "Infinity at x=1.0, y=0.0"),
                slip("stay: a * x", "stai: a * x", "line 9, utility.stai", "Did you mean 'stay'?"),
                slip("  stay: a * x\n", "", "utility", "no 'stay'", "0 is one"),
                slip("  y: y\n", "", "transitions", "no 'y'", "'y: y' keeps it"),
                slip("  y: y\n", "  y: y\n  z: y\n", "line 14, transitions.z", "unknown key"),
                law("x + 1", "line 12, transitions.x", "is 4 at x=3.0", "not a value of x", "min(..., 3)"),
                law("a * x", "line 12, transitions.x", "'a' is a parameter"),
                law("{}", "line 12, transitions.x", "not said how"),
                law("{shift: [0, 1], matrix: [[1]], probabilities: [p]}", "shift and matrix are both given"),
                law("{shifts: [0, 1], probabilities: [p]}", "transitions.x.shifts", "Did you mean 'shift'?"),
                law("{stay: {shifts: [0]}, go: x}", "transitions.x.stay.shifts", "Did you mean 'shift'?"),
                law("{stay: x}", "line 12, transitions.x", "no 'go'"),
                law("{shift: [0, 1]}", "no 'probabilities'", "name all but the last"),
                law("{shift: [0, 1], probabilities: [p, q]}", "2 names for 2 outcomes", "1 names"),
                law("{shift: [0, 1], probabilities: [0.5]}", "1 probabilities for 2 outcomes"),
                law("{shift: [0, 1], probabilities: [0.5, 0.6]}", "transitions.x.probabilities", "sum to 1.1"),
                law("{shift: [0, 1], probabilities: [-0.5, 1.5]}", "probability is -0.5"),
                law("{shift: [0, 1, 2], probabilities: [p, 0.5]}", "mixed"),
                law("{shift: [0, 0.5], probabilities: [p]}", "shift[1]", "0.5 is not a whole number"),
                law("{shift: [0, 0], probabilities: [p]}", "[0, 0]", "different"),
                law("{shift: [0, 1], probabilities: [a]}", "'a' is already the name of a parameter"),
                law("{shift: [0, 1], probabilities: [p], from: 7}", "transitions.x.from", "is 7 at", "not a value"),
                law("{shift: [0, 1], probabilities: [p], from: {gone: 1}}", "from.gone", "Did you mean 'go'?"),
                law(
                        "{stay: {shift: [0, 1], probabilities: [p]}, go: {shift: [0, 2], probabilities: [p]}}",
                        "transitions.x.go.probabilities",
                        "'p' is already"),
                law("{shift: [0, 1], from: min(x, 2), probabilities: [p]}", "unknown key", "\"quotes\""),
                law("{probabilities: [0.5, 0.5]}", "2 probabilities for 3 outcomes"),
                law("{probabilities: [p, q], from: 1}", "from does not go with probabilities"),
                law("{matrix: [[1, 0, 0]]}", "1 rows for the 3 values of x"),
                law("{matrix: [[1, 0, 0], [1, 0], [0, 0, 1]]}", "matrix[1]", "2 probabilities for 3"),
                law("{matrix: [[1, 0, 0], [1, 1, 0], [0, 0, 1]]}", "matrix[1]", "sum to 2"),
                law("{matrix: [[p, q], [r, s], [t, u]]}", "matrix[0]", "no names"),
                law("{matrix: 3}", "transitions.x.matrix", "3 rows"),
                law("{autoregressive: [mu, rho]}", "2 coefficients", "sigma"),
                law("{autoregressive: [mu, rho, 0]}", "transitions.x.autoregressive", "sigma is 0"),
                law("{autoregressive: [mu, rho, sigma], probabilities: [p]}", "do not go with autoregressive"),
                law("{counted: [z]}", "counted[0]", "'z' is unknown", "x, y, action"),
                law("{counted: [x, x]}", "counted[1]", "'x' stands twice"),
                slip("actions:", "available: {go: x > 3, stay: x < 3}\nactions:", "at x=3.0, y=0.0 no action"),
                slip("actions:", "available: {leave: 1}\nactions:", "available.leave", "unknown key"),
                slip("actions:", "available: {go: log(y)}\nactions:", "available.go", "-Infinity"),
                slip("actions:", "data: {person: id}\nactions:", "data.person", "individual"),
                slip("actions:", "data: {columns: {z: q}}\nactions:", "data.columns.z", "x, y"),
                slip("actions:", "data: {skip: 0.5}\nactions:", "data.skip", "0.5"),
                slip("actions:", "data: {columns: {x: {bins: [1]}}}\nactions:", "columns.x.bins", "1 edges", "2", "4"),
                slip("actions:", "data: {columns: {x: {nearest: maybe}}}\nactions:", "'maybe'", "true or false"),
                slip("actions:", "data: {columns: {x: {nearest: true, bins: [1, 2]}}}\nactions:", "both given"),
                slip("actions:", "data: {action: {codes: [1]}}\nactions:", "action.codes", "1 codes for 2"),
                slip("actions:", "data: {action: {column: q}}\nactions:", "data.action", "no 'codes'"),
                slip("actions:", "\tactions:", "line 6", "not YAML"),
                slip("stay: a * x", "stay: [a", "not YAML"),
                slip("stay: a * x", "stay: *a", "utility.stay", "refers to another place"));
    }

    @ParameterizedTest
    @MethodSource("slips")
    void refuses(String right, String wrong, String[] message) {
        assertThat(SMALL).contains(right);
        refused(
                () -> model(SMALL.replace(right, wrong)),
                Stream.concat(Stream.of("model.yaml"), Stream.of(message)).toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{a: "})
    void refusesWhatIsNestedTooDeeplyInPlainWords(String open) {
        assertThatThrownBy(() -> model(SMALL.replace("stay: a * x", "stay: " + open.repeat(2000))))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("model.yaml, line 9: more than 50 lists or mappings in one another")
                .message()
                .doesNotContain("StreamReadConstraints");
    }

    @Test
    void refusesWhatIsNoModel() throws IOException {
        refused(() -> model(""), "model.yaml", "empty");
        refused(() -> model("# only a remark\n"), "model.yaml", "empty");
        refused(() -> model("just words"), "line 1", "'just words'", "models.md");
        refused(() -> model("- a\n- b\n"), "line 1", "a list of 2");
        Path noise = Files.write(folder.resolve("noise.yaml"), new byte[] {(byte) 0xff, 0, 1});
        refused(() -> ModelFile.read(noise, Map.of()), "noise.yaml", "not UTF-8");
        refused(() -> ModelFile.read(folder, Map.of()), "this is a folder");
        refused(() -> ModelFile.read(folder.resolve("no.yaml"), Map.of()), "no.yaml", "no such file");
    }
}

package dev.revealed.app.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.app.Cli;
import dev.revealed.app.Shared;
import dev.revealed.runs.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Choice models on the command line: what estimate and simulate print and leave behind. */
class ChoiceCommandTest {
    private static final String YAML = """
            model: two
            discount: 0.9
            states:
              x: 0..4
            actions: [no, yes]
            parameters: [a, b]
            utility:
              no: 0
              yes: a + b * x
            transitions:
              x: {counted: []}
            """;

    @TempDir
    private static Path made = Path.of("");

    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    @BeforeAll
    static void simulate() {
        Cli cli = new Cli();
        assertThat(cli.run(
                        "simulate",
                        "--model",
                        "rust-bus",
                        "--individuals",
                        "60",
                        "--periods",
                        "80",
                        "--set",
                        "groups=1,3",
                        "--discount",
                        "0.99",
                        "--parameters",
                        "RC=6,theta11=20,theta30=0.3,theta31=0.6",
                        "--out",
                        made.resolve("buses").toString()))
                .as(cli::err)
                .isZero();
    }

    private static String buses() {
        return made.resolve("buses/panel.csv").toString();
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private String write(String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int buses(String... more) {
        return cli.estimate(
                "rust-bus",
                buses(),
                Stream.concat(
                                Stream.of("--set", "groups=1,3", "--set", "discount=0.99", "--out", path("x")),
                                Stream.of(more))
                        .toArray(String[]::new));
    }

    private Map<?, ?> document() {
        return Json.read(cli.out(), Map.class);
    }

    private static double value(Map<?, ?> document, String key) {
        return ((Number) Objects.requireNonNull(document.get(key), key)).doubleValue();
    }

    @ParameterizedTest
    @MethodSource("dev.revealed.app.estimate.Methods#names")
    void everyMethodHoldsTheContractAndFindsTheTruth(String method) throws IOException {
        assertThat(buses("--method", method, "--json")).as(cli::err).isZero();
        Map<?, ?> document = document();
        assertThat(document.keySet().stream().map(Object::toString))
                .contains(
                        "method",
                        "parameters",
                        "logLikelihood",
                        "choiceLogLikelihood",
                        "transitionLogLikelihood",
                        "iterations",
                        "converged",
                        "seconds",
                        "kernelPasses",
                        "standardErrors",
                        "covariance",
                        "spectrum",
                        "seed",
                        "dataHash",
                        "version",
                        "settings");
        assertThat(document.get("method")).isEqualTo(method);
        assertThat(document.get("converged")).isEqualTo(true);
        assertThat(document.get("individuals")).isEqualTo(60);
        assertThat(document.get("observations")).isEqualTo(4800);
        assertThat(value(document, "logLikelihood"))
                .isCloseTo(
                        value(document, "choiceLogLikelihood") + value(document, "transitionLogLikelihood"),
                        within(1e-9));
        assertThat(((List<?>) Objects.requireNonNull(document.get("parameters")))
                        .stream().map(p -> ((Map<?, ?>) p).get("name")))
                .isEqualTo(List.of("RC", "theta11", "theta30", "theta31"));
        for (Map.Entry<String, Double> truth : Map.of("RC", 6.0, "theta11", 20.0, "theta30", 0.3, "theta31", 0.6)
                .entrySet()) {
            Map<?, ?> found = Cli.parameter(document, truth.getKey());
            assertThat(value(found, "value"))
                    .as(method + " " + truth.getKey())
                    .isCloseTo(truth.getValue(), within(3.5 * value(found, "standardError")));
        }
        assertThat(Files.readString(folder.resolve("x/result.json"))).isEqualTo(cli.out());
        assertThat(Files.readString(folder.resolve("x/report.html"))).contains("theta11", "<svg", "P(replace)");
        assertThat(Files.readString(folder.resolve("x/estimate.csv"))).contains("theta30");
        assertThat(Files.readString(folder.resolve("x/estimate.tex"))).contains("\\toprule", "theta30");
    }

    /** Rust's data: the maximum is his Table VIII's -300.250, found again to more digits in ECONOMETRICS.md. */
    @ParameterizedTest
    @ValueSource(strings = {"nfxp", "ml-irl", "mpec", "npl"})
    void maximaAgreeOnRustsData(String method) {
        Map<?, ?> document = onRustsData("--method", method);
        assertThat(value(document, "choiceLogLikelihood")).isCloseTo(-300.250171, within(1e-4));
        assertThat(value(Cli.parameter(document, "RC"), "value")).isCloseTo(9.7557, within(1e-3));
        assertThat(value(Cli.parameter(document, "theta11"), "value")).isCloseTo(2.6276, within(1e-3));
        if (method.equals("ml-irl")) {
            assertThat(value(document, "iterationsToWithin1e3")).isBetween(1.0, 15.0);
        }
    }

    /** A new engine's first reading is a bin lower than the law has it: td-ccp sees that, which moves it little. */
    @Test
    void methodsAgreeOnSimulatedBuses() throws IOException {
        assertThat(cli.run(
                        "simulate",
                        "--model",
                        "rust-bus",
                        "--individuals",
                        "400",
                        "--periods",
                        "120",
                        "--out",
                        path("many")))
                .as(cli::err)
                .isZero();
        assertThat(cli.out()).contains("a new engine that is driven j bins is in bin j,");
        String panel = folder.resolve("many/panel.csv").toString();
        assertThat(cli.estimate("rust-bus", panel, "--method", "nfxp", "--json", "--out", path("n")))
                .as(cli::err)
                .isZero();
        Map<?, ?> nfxp = document();
        assertThat(cli.estimate("rust-bus", panel, "--method", "td-ccp", "--out", path("t")))
                .as(cli::err)
                .isZero();
        assertThat(cli.out()).containsPattern("Basis: (polynomials|splines) .*");
        Map<?, ?> td = Json.read(Files.readString(folder.resolve("t/result.json")), Map.class);
        for (String name : List.of("RC", "theta11")) {
            Map<?, ?> one = Cli.parameter(nfxp, name);
            Map<?, ?> other = Cli.parameter(td, name);
            double joint = Math.hypot(value(one, "standardError"), value(other, "standardError"));
            assertThat(value(other, "value")).isCloseTo(value(one, "value"), within(2 * joint));
        }
    }

    /** Within two standard errors of the maximum, as the methods promise no more. */
    @ParameterizedTest
    @ValueSource(strings = {"ccp", "hmss", "bbl", "td-ccp"})
    void otherMethodsComeNearOnRustsData(String method) {
        Map<?, ?> document = onRustsData("--method", method);
        for (Map.Entry<String, Double> most :
                Map.of("RC", 9.7557, "theta11", 2.6276).entrySet()) {
            Map<?, ?> found = Cli.parameter(document, most.getKey());
            assertThat(value(found, "value")).isCloseTo(most.getValue(), within(2 * value(found, "standardError")));
        }
    }

    private Map<?, ?> onRustsData(String... more) {
        Path rust = Shared.file("data/rust_bus_groups_1_to_4.csv");
        Assumptions.assumeTrue(Files.exists(rust), "SKIPPED: Rust's data are not beside the repository");
        assertThat(cli.estimate(
                        "rust-bus",
                        rust.toString(),
                        Stream.concat(Stream.of("--json", "--out", path("x")), Stream.of(more))
                                .toArray(String[]::new)))
                .as(cli::err)
                .isZero();
        return document();
    }

    @Test
    void fullLikelihoodOnRustsDataIsTableIX() {
        Map<?, ?> document = onRustsData("--method", "nfxp", "--likelihood", "full", "--set", "groups=1-3");
        assertThat(value(document, "logLikelihood")).isCloseTo(-2708.366, within(1e-3));
        assertThat(value(Cli.parameter(document, "RC"), "value")).isCloseTo(11.7270, within(1e-3));
        assertThat(value(Cli.parameter(document, "RC"), "standardError")).isCloseTo(2.602, within(1e-3));
        assertThat(value(Cli.parameter(document, "theta11"), "standardError")).isCloseTo(1.792, within(1e-3));
    }

    /** From here the first search stops where choices are certain; Rust's Table IX has 9.7558 (1.227). */
    @Test
    void aFarStartOnRustsDataEndsAtTableIX() {
        Map<?, ?> document = onRustsData("--method", "nfxp", "--start", "RC=100,theta11=1");
        assertThat(document.get("converged")).isEqualTo(true);
        assertThat(value(Cli.parameter(document, "RC"), "value")).isCloseTo(9.7557, within(1e-4));
        assertThat(value(Cli.parameter(document, "RC"), "standardError")).isCloseTo(1.2266, within(1e-4));
        assertThat(String.valueOf(document.get("warnings"))).contains("the search from the starting values");
    }

    @Test
    void theTableIsTheOneEconomistsKnow() {
        assertThat(buses("--method", "nfxp", "--se", "cluster", "--level", "0.9", "--test", "RC=6"))
                .as(cli::err)
                .isZero();
        assertThat(cli.out())
                .contains("Observations:", "4,800", "Groups:", "1,3", "Choice log-lik.:", "Converged:", "yes")
                .contains("coef   std err", "P>|z|", "[0.05", "0.95]", "Transition law", "theta31")
                .contains("Standard errors: sandwich, clustered by individual.", "condition number")
                .contains("H0 RC=6: Wald chi2(1) = ", "H0 RC=6: likelihood ratio chi2(1) = ")
                .contains("Report: ");
    }

    @Test
    void latexIsAllThatIsPrinted() {
        assertThat(buses("--latex")).as(cli::err).isZero();
        assertThat(cli.out().lines().filter(line -> !line.startsWith("%")).toList())
                .startsWith("\\begin{table}[ht]")
                .endsWith("\\end{table}");
        assertThat(cli.out()).contains("RC & $", "\\multicolumn{7}{l}{Transition law} \\\\", "% Report: ");
    }

    @Test
    void standardErrorsDifferByKindAndSayWhichTheyAre() {
        List<Double> errors = new ArrayList<>();
        for (String kind : List.of("opg", "hessian", "sandwich", "cluster")) {
            assertThat(cli.estimate(
                            "rust-bus",
                            buses(),
                            "--set",
                            "groups=1,3",
                            "--method",
                            "nfxp",
                            "--se",
                            kind,
                            "--json",
                            "--out",
                            path(kind)))
                    .as(cli::err)
                    .isZero();
            errors.add(value(Cli.parameter(document(), "RC"), "standardError"));
        }
        // the model is right, so that they agree up to the sample's chance, but no two are the same
        assertThat(errors)
                .doesNotHaveDuplicates()
                .allSatisfy(e -> assertThat(e / errors.getFirst()).isBetween(0.6, 1.7));
    }

    @Test
    void aBootstrapGoesOnWhereItStopped() throws IOException {
        assertThat(buses("--method", "nfxp", "--bootstrap", "8", "--json"))
                .as(cli::err)
                .isZero();
        Map<?, ?> whole = document();
        assertThat(cli.err()).contains("Percentile intervals: RC [");
        assertThat(Files.readAllLines(folder.resolve("x/bootstrap.csv"))).hasSize(9);
        assertThat(whole.get("standardErrors")).isEqualTo("bootstrap over individuals");

        Path journal = folder.resolve("again/checkpoint/bootstrap.jsonl");
        Files.createDirectories(journal.getParent());
        List<String> lines = Files.readAllLines(folder.resolve("x/checkpoint/bootstrap.jsonl"));
        Files.writeString(
                journal,
                String.join("\n", lines.subList(0, 5)) + "\n" + lines.get(5).substring(0, 20));
        assertThat(cli.estimate(
                        "rust-bus",
                        buses(),
                        "--set",
                        "groups=1,3",
                        "--set",
                        "discount=0.99",
                        "--method",
                        "nfxp",
                        "--bootstrap",
                        "8",
                        "--resume",
                        "--json",
                        "--out",
                        path("again")))
                .as(cli::err)
                .isZero();
        assertThat(document().get("parameters")).isEqualTo(whole.get("parameters"));
        assertThat(buses("--bootstrap", "8", "--resume")).isEqualTo(2);
        assertThat(cli.err()).contains("complete");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--method hmss", "--method nfxp --bootstrap 6", "--types 2 --type-parameters theta11"})
    void sameSeedSameNumbersWhateverTheThreads(String options) {
        List<Object> parameters = new ArrayList<>();
        for (String threads : List.of("1", "2")) {
            List<String> more = new ArrayList<>(List.of(options.split(" ")));
            more.addAll(List.of("--set", "groups=1,3", "--threads", threads, "--json", "--out", path(threads)));
            assertThat(cli.estimate("rust-bus", buses(), more.toArray(String[]::new)))
                    .as(cli::err)
                    .isZero();
            parameters.add(Objects.requireNonNull(document().get("parameters")));
        }
        assertThat(parameters.getLast()).isEqualTo(parameters.getFirst());
    }

    @Test
    void aPanelOfAModelOfOnesOwnComesBack() {
        String model = write("two.yaml", YAML);
        assertThat(cli.run(
                        "simulate",
                        "--model",
                        model,
                        "--parameters",
                        "a=-1,b=0.5,P(x=0)=0.4",
                        "--individuals",
                        "200",
                        "--periods",
                        "20",
                        "--out",
                        path("panel")))
                .as(cli::err)
                .isZero();
        assertThat(cli.estimate(model, path("panel/panel.csv"), "--method", "nfxp", "--json", "--out", path("x")))
                .as(cli::err)
                .isZero();
        for (Map.Entry<String, Double> truth :
                Map.of("a", -1.0, "b", 0.5, "P(x=0)", 0.4, "P(x=1)", 0.2).entrySet()) {
            Map<?, ?> found = Cli.parameter(document(), truth.getKey());
            assertThat(value(found, "value"))
                    .as(truth.getKey())
                    .isCloseTo(truth.getValue(), within(3.5 * value(found, "standardError")));
        }
    }

    /** Who is retired stays as old as he is: three states that nothing ever leaves. */
    @Test
    void individualsStartWhereTheyAreTold() throws IOException {
        String model = write("retire.yaml", """
                discount: 0.9
                states: {age: 60..62, retired: [0, 1]}
                actions: [work, rest]
                parameters: [wage]
                utility: {work: wage, rest: 0}
                available: {work: retired == 0}
                transitions:
                  age: {work: "min(age + 1, 62)", rest: "(retired == 1) * age + (retired == 0) * min(age + 1, 62)"}
                  retired: {work: retired, rest: 1}
                """);
        String common = "simulate --parameters wage=1 --individuals 200 --periods 3 --model " + model + " --out ";
        assertThat(cli.run((common + path("any")).split(" "))).as(cli::err).isZero();
        assertThat(cli.out())
                .contains("They start in any of 3 states, each equally likely; 3 absorbing states are left");
        assertThat(starts("any")).containsExactlyInAnyOrder("60,0", "61,0", "62,0");

        assertThat(cli.run((common + path("old") + " --json --initial age=61,retired=0").split(" ")))
                .as(cli::err)
                .isZero();
        assertThat(cli.err()).contains("They start with age=61, retired=0 in one state.");
        assertThat(document().get("start"))
                .isEqualTo(Map.of("values", Map.of("age", 61.0, "retired", 0.0), "states", 1, "absorbingLeftOut", 0));
        assertThat(starts("old")).containsExactly("61,0");

        assertThat(cli.run((common + path("rest") + " --start retired=1").split(" ")))
                .as(cli::err)
                .isZero();
        assertThat(starts("rest")).containsExactlyInAnyOrder("60,1", "61,1", "62,1");

        for (Map.Entry<String, String> wrong : Map.of(
                        "age=59", "age=59.0, which is not on its grid\n  The values of age are 60, 61, 62.",
                        "ages=60", "'ages', which is not a state variable\n  Did you mean 'age'?",
                        "age", "--initial is 'age'")
                .entrySet()) {
            assertThat(cli.run((common + path("wrong") + " --initial " + wrong.getKey()).split(" ")))
                    .isEqualTo(2);
            assertThat(cli.err()).contains(wrong.getValue());
        }
        for (String other : List.of("rust-bus", "gridworld")) {
            assertThat(cli.run("simulate", "--model", other, "--initial", "mileage=3", "--out", path("wrong")))
                    .isEqualTo(2);
            assertThat(cli.err()).contains("--initial has no effect with --model " + other);
        }
    }

    /** Retirement is for good though age and health go on: nobody starts there, but at every age. */
    @ParameterizedTest
    @ValueSource(strings = {"available: {work: retired == 0}\n", ""})
    void nobodyStartsInAnAbsorbingSetOfStates(String available) throws IOException {
        String model = write("retired.yaml", """
                discount: 0.9
                states: {age: 60..62, health: [0, 1], retired: [0, 1]}
                actions: [work, rest]
                parameters: [wage]
                utility: {work: wage, rest: 0}
                transitions:
                  age: min(age + 1, 62)
                  health: {matrix: [[0.7, 0.3], [0.1, 0.9]]}
                  retired: {work: retired, rest: 1}
                """ + available);
        assertThat(cli.run(("simulate --parameters wage=1 --individuals 200 --periods 3 --model " + model + " --out "
                                + path("any"))
                        .split(" ")))
                .as(cli::err)
                .isZero();
        assertThat(cli.out()).contains("any of 6 states, each equally likely; 6 absorbing states are left out");
        assertThat(starts("any")).hasSize(6).allMatch(start -> start.endsWith(",0"));
    }

    private List<String> starts(String run) throws IOException {
        return Files.readAllLines(folder.resolve(run).resolve("panel.csv")).stream()
                .filter(line -> line.matches("[^,]*,0,.*"))
                .map(line -> line.replaceFirst("([^,]*,){3}", ""))
                .distinct()
                .toList();
    }

    @Test
    void theResultNamesItsModelAndWhatItDoesNotUse() throws IOException {
        String model = write("file-of-two.yaml", YAML.replace("states:", "settings: {n: 4}\nstates:"));
        StringBuilder panel = new StringBuilder("individual,period,action,x,weight,route\n");
        for (int t = 0; t < 60; t++) {
            panel.append("i%d,%d,%s,%d,2,north\n".formatted(t / 6, t % 6, t * 7 % 5 < 2 ? "no" : "yes", t * 3 % 5));
        }
        String data = write("panel.csv", panel.toString());
        assertThat(cli.estimate(model, data, "--method", "nfxp", "--json", "--out", path("x")))
                .as(cli::err)
                .isZero();
        assertThat(document().get("model")).isEqualTo(model);
        assertThat(document().get("modelName")).isEqualTo("two");
        assertThat(document().get("settings")).isEqualTo(Map.of("discount", 0.9, "n", 4));
        String hash = String.valueOf(document().get("modelHash"));
        assertThat(hash).matches("[0-9a-f]{64}");
        assertThat(cli.err()).contains("Model:", " two", "Model file:", "file-of-two.yaml");
        String weight = "The column 'weight' is not used: every row counts once.";
        String unused = "Columns of the panel that the model does not use: weight, route.";
        assertThat(String.valueOf(document().get("warnings"))).contains(weight);
        assertThat(document().get("notes")).isEqualTo(List.of(unused));
        assertThat(cli.err()).contains("warning: " + weight, unused);
        assertThat(Files.readString(folder.resolve("x/report.html"))).contains(weight, unused, model, hash);
    }

    /** Owners of two kinds, of whom one replaces at half the cost. */
    @Test
    void typesNobodySees() throws IOException {
        StringBuilder both = new StringBuilder();
        for (String cost : List.of("4", "8")) {
            assertThat(cli.run(
                            "simulate",
                            "--model",
                            "rust-bus",
                            "--individuals",
                            "60",
                            "--periods",
                            "100",
                            "--set",
                            "groups=" + cost,
                            "--discount",
                            "0.9",
                            "--parameters",
                            "RC=%s,theta11=60,theta30=0.3,theta31=0.6".formatted(cost),
                            "--out",
                            path(cost)))
                    .as(cli::err)
                    .isZero();
            List<String> lines = Files.readAllLines(folder.resolve(cost).resolve("panel.csv"));
            both.append(cost.equals("4") ? lines.getFirst() + "\n" : "");
            lines.stream()
                    .skip(1)
                    .forEach(line -> both.append(cost).append("00").append(line).append('\n'));
        }
        assertThat(cli.estimate(
                        "rust-bus",
                        write("both.csv", both.toString()),
                        "--set",
                        "groups=4,8",
                        "--discount",
                        "0.9",
                        "--types",
                        "2",
                        "--type-parameters",
                        "RC",
                        "--json",
                        "--out",
                        path("x")))
                .as(cli::err)
                .isZero();
        for (Map.Entry<String, Double> truth : Map.of("RC[1]", 4.0, "RC[2]", 8.0, "theta11", 60.0, "share[1]", 0.5)
                .entrySet()) {
            Map<?, ?> found = Cli.parameter(document(), truth.getKey());
            assertThat(value(found, "value"))
                    .as(truth.getKey())
                    .isCloseTo(truth.getValue(), within(3.5 * value(found, "standardError")));
        }
        assertThat(Files.readAllLines(folder.resolve("x/types.csv")))
                .hasSize(121)
                .first()
                .isEqualTo("individual,type 1,type 2");
        assertThat(Files.readString(folder.resolve("x/report.html"))).contains("type 2");
    }

    // ---- results that say what is wrong with them

    @ParameterizedTest
    @ValueSource(strings = {"nfxp", "ml-irl"})
    void decisionsThatDoNotVary(String method) throws IOException {
        String text = Files.readString(Path.of(buses()));
        // keep every bus until its first replacement, and leave that out
        StringBuilder kept = new StringBuilder();
        String done = "";
        for (String line : text.lines().toList()) {
            String bus = line.substring(0, line.indexOf(','));
            if (line.endsWith(",1")) {
                done = bus;
            }
            if (!bus.equals(done)) {
                kept.append(line).append('\n');
            }
        }
        assertThat(cli.estimate(
                        "rust-bus",
                        write("never.csv", kept.toString()),
                        "--set",
                        "groups=1,3",
                        "--method",
                        method,
                        "--json",
                        "--out",
                        path("x")))
                .as(cli::err)
                .isZero();
        warnsWithoutStandardErrors("the decisions do not vary: every one of them is 'keep'", "no maximum");
        assertThat(document().get("converged")).isEqualTo(false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nfxp", "ml-irl"})
    void aVariableThatTellsDecisionsApart(String method) {
        String data = panel((x, t) -> x > 2 ? "yes" : "no");
        assertThat(cli.estimate(write("two.yaml", YAML), data, "--method", method, "--json", "--out", path("x")))
                .as(cli::err)
                .isZero();
        warnsWithoutStandardErrors("tells apart perfectly", "infinity");
        assertThat(document().get("converged")).isEqualTo(false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nfxp", "ml-irl"})
    void parametersThatCannotBeToldApart(String method) {
        String model = write(
                "collinear.yaml",
                YAML.replace("[a, b]", "[a, b, c]").replace("a + b * x", "a + b * x + c * (1 + 2 * x)"));
        String data = panel((x, t) -> (t * 7 + x * 3) % 5 < 2 ? "yes" : "no");
        assertThat(cli.estimate(model, data, "--method", method, "--json", "--out", path("x")))
                .as(cli::err)
                .isZero();
        warnsWithoutStandardErrors("not identified", " c ", "singular");
    }

    private void warnsWithoutStandardErrors(String... words) {
        Map<?, ?> document = document();
        assertThat(String.valueOf(document.get("warnings"))).contains(words);
        assertThat(cli.err()).contains("warning: ").contains(words);
        assertThat(document.get("standardErrors")).isEqualTo("none");
        for (Object parameter : (List<?>) Objects.requireNonNull(document.get("parameters"))) {
            assertThat(((Map<?, ?>) parameter).containsKey("standardError")).isFalse();
        }
    }

    private interface Decision {
        String at(int x, int t);
    }

    /** td-ccp ends far away there, or somewhere that the model can be solved; neither is a defect of the program. */
    @Test
    void tdCcpWhereDecisionsDoNotVary() {
        String data = panel((x, t) -> "yes");
        int code = cli.estimate(write("two.yaml", YAML), data, "--method", "td-ccp", "--json", "--out", path("x"));
        assertThat(code).as(cli::err).isIn(0, 2);
        assertThat(cli.err()).contains("the decisions do not vary: every one of them is 'yes'");
    }

    private String panel(Decision decision) {
        StringBuilder rows = new StringBuilder("individual,period,action,x\n");
        for (int i = 0; i < 20; i++) {
            for (int t = 0; t < 25; t++) {
                int x = (i * i + 3 * t + t * t / 4) % 5;
                rows.append(i)
                        .append(',')
                        .append(t)
                        .append(',')
                        .append(decision.at(x, t))
                        .append(',')
                        .append(x)
                        .append('\n');
            }
        }
        return write("panel.csv", rows.toString());
    }
}

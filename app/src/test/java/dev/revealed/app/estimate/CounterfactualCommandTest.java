package dev.revealed.app.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.app.Cli;
import dev.revealed.app.Shared;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.runs.Json;
import java.io.IOException;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Counterfactuals on the command line, asked of results that estimate left. */
class CounterfactualCommandTest {
    private static final String YAML = """
            discount: 0.9
            settings: {top: 4, half: 0, bonus: 2 * half}
            states:
              x: 0..top
              season: [0, 1]
            actions: [no, perhaps, yes]
            parameters: [a, b]
            utility:
              no: 0
              perhaps: a
              yes: 2 * a + (b + bonus) * x
            transitions:
              x: {counted: [action]}
              season: 1 - season
            """;

    @TempDir
    private static Path made = Path.of("");

    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    /** Buses and a model of one's own, simulated, estimated, and their data and model files taken away. */
    @BeforeAll
    static void estimate() throws IOException {
        Cli cli = new Cli();
        ok(
                cli,
                "simulate --model rust-bus --individuals 60 --periods 80 --discount 0.99"
                        + " --parameters RC=6,theta11=20,theta30=0.3,theta31=0.6 --out " + made.resolve("buses"));
        ok(
                cli,
                "estimate --model rust-bus --set groups=1 --discount 0.99 --method nfxp --data "
                        + made.resolve("buses/panel.csv") + " --out " + made.resolve("fit"));
        Files.delete(made.resolve("buses/panel.csv"));
        Path yaml = Files.writeString(made.resolve("own.yaml"), YAML);
        ok(
                cli,
                "simulate --model " + yaml + " --set top=3 --individuals 100 --periods 20 --parameters a=-1,b=0.5"
                        + " --out " + made.resolve("panel"));
        ok(
                cli,
                "estimate --model " + yaml + " --set top=3 --method nfxp --data " + made.resolve("panel/panel.csv")
                        + " --out " + made.resolve("own"));
        Files.delete(yaml);
    }

    private static void ok(Cli cli, String command) {
        assertThat(cli.run(command.split(" "))).as(cli::err).isZero();
    }

    private Map<?, ?> ask(String from, String... options) {
        List<String> args = new ArrayList<>(List.of(
                "counterfactual",
                "--from",
                made.resolve(from).toString(),
                "--json",
                "--draws",
                "100",
                "--out",
                folder.resolve("x").toString()));
        args.addAll(List.of(options));
        assertThat(cli.run(args.toArray(String[]::new))).as(cli::err).isZero();
        return Json.read(cli.out(), Map.class);
    }

    private static Object get(Object from, Object... path) {
        Object at = from;
        for (Object key : path) {
            Object next = key instanceof Integer i ? ((List<?>) at).get(i) : ((Map<?, ?>) at).get(key);
            at = Objects.requireNonNull(next, () -> "nothing at " + key);
        }
        return at;
    }

    private static double number(Object from, Object... path) {
        return ((Number) get(from, path)).doubleValue();
    }

    /** What adds to a parameter does what a larger parameter does. */
    @ParameterizedTest
    @ValueSource(strings = {"bonus=0.25", "half=0.125"})
    void aSettingOfTheModelCanBeSet(String setting) throws IOException {
        Map<?, ?> fit = Json.read(Files.readString(made.resolve("own/result.json")), Map.class);
        double b = number(fit, "parameters", 1, "value");
        Object bySetting = get(ask("own", "--set", setting), "actions", 2, "share", "counterfactual", "value");
        delete(folder.resolve("x"));
        Object byParameter =
                get(ask("own", "--set", "b=" + (b + 0.25)), "actions", 2, "share", "counterfactual", "value");
        assertThat((Double) bySetting).isCloseTo((Double) byParameter, within(1e-9));
    }

    @Test
    void aPriceChangesWhatIsBought() throws IOException {
        Map<?, ?> document = ask("fit", "--set", "RC=4", "--numeraire", "theta11");
        assertThat(get(document, "actions", 1, "action")).isEqualTo("replace");
        double before = number(document, "actions", 1, "longRun", "baseline", "value");
        double after = number(document, "actions", 1, "longRun", "counterfactual", "value");
        assertThat(after).isGreaterThan(before);
        assertThat(number(document, "actions", 1, "longRun", "change", "value"))
                .isEqualTo(after - before, within(1e-12));
        assertThat(number(document, "actions", 1, "longRun", "change", "low")).isBetween(0.0, after - before);
        assertThat(number(document, "actions", 1, "longRun", "change", "bootstrapHigh"))
                .isGreaterThan(after - before);
        assertThat(number(document, "welfare", "value", "change", "value")).isPositive();
        assertThat(number(document, "welfare", "valueInNumeraire", "change", "low"))
                .isPositive();

        List<?> rows = (List<?>) get(document, "rows");
        assertThat(get(document, "parameter")).isEqualTo("RC");
        double last = Double.POSITIVE_INFINITY;
        boolean met = false;
        for (Object row : rows) { // dearer engines are bought less
            double expected = number(row, "expected");
            assertThat(expected)
                    .isBetween(number(row, "low"), number(row, "high"))
                    .isLessThan(last);
            last = expected;
            if (number(row, "value") == 4) {
                met = true;
                assertThat(expected).isEqualTo(after, within(1e-8));
            }
        }
        assertThat(met).isTrue();
        assertThat((List<?>) get(document, "choiceProbabilities")).hasSize(180);
        assertThat((List<?>) get(document, "stationary")).hasSize(90);

        assertThat(folder.resolve("x/result.json")).content().isEqualTo(cli.out());
        assertThat(Files.readAllLines(folder.resolve("x/states.csv"))).hasSize(91);
        assertThat(Files.readAllLines(folder.resolve("x/demand.csv"))).hasSize(rows.size() + 1);
        assertThat(Files.readString(folder.resolve("x/effects.tex"))).contains("\\toprule", "counterfactual");
        for (String picture : List.of("demand", "choices", "stationary")) {
            assertThat(read(folder.resolve("x/" + picture + ".svg"))).contains("<svg", "fill-opacity=\"0.18\"");
        }
        assertThat(Files.readString(folder.resolve("x/report.html"))).contains("Counterfactual", "<svg", "RC = 4");
        assertThat(cli.err()).contains("counterfactual", "replace, number in 12 periods of the long run");
    }

    /** The rebuilt model is the one that was estimated. */
    @Test
    void baselineChoicesAreThoseOfTheEstimate() {
        Map<?, ?> document = ask("fit/result.json", "--discount", "0.9", "--intervals", "both");
        Map<?, ?> fit = Json.read(read(made.resolve("fit/result.json")), Map.class);
        double[] parameters = ((List<?>) get(fit, "parameters"))
                .stream().mapToDouble(p -> number(p, "value")).toArray();
        ChoiceModel model = RustBus.of(90, 2, 0.99, RustBus.Cost.LINEAR);
        double[] policy = model.solve(
                        new double[] {parameters[0], parameters[1]}, new double[] {parameters[2], parameters[3]})
                .policy();
        for (int row = 0; row < policy.length; row++) {
            assertThat(number(document, "choiceProbabilities", row, "baseline")).isEqualTo(policy[row], within(1e-9));
        }
        assertThat(number(document, "counterfactualDiscount")).isEqualTo(0.9);
        assertThat(get(document, "warnings").toString()).contains("annuities");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void anActionMayBeTakenAwayWhereAConditionHolds() {
        Map<?, ?> document = ask("fit", "--remove", "replace if mileage <= 40");
        for (int s = 0; s < 90; s++) {
            double p = number(document, "choiceProbabilities", 2 * s + 1, "counterfactual");
            assertThat(p > 0).as("mileage %d", s + 1).isEqualTo(s + 1 > 40);
        }
        assertThat((List<?>) get(document, "rows")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"RC=1..5,5,1,5", "RC=4:16:4,4,4,16", "theta11=0:30:3,3,0,30"})
    void demandIsAskedForOnAGrid(String grid, int count, double first, double last) {
        Map<?, ?> document = ask("fit", "--demand", grid, "--individuals", "50", "--horizon", "24");
        List<?> rows = (List<?>) get(document, "rows");
        assertThat(rows).hasSize(count);
        assertThat(number(rows, 0, "value")).isEqualTo(first);
        assertThat(number(rows, count - 1, "value")).isEqualTo(last);
        assertThat(number(rows, 0, "expected")).isBetween(0.0, 24.0 * 50);
        assertThat(number(document, "actions", 1, "share", "change", "value")).isZero();
    }

    @Test
    void theSameSeedGivesTheSameNumbers() {
        Map<?, ?> once = ask("fit", "--set", "RC=4", "--threads", "1");
        delete(folder.resolve("x"));
        assertThat(ask("fit", "--set", "RC=4", "--threads", "2")).isEqualTo(once);
        delete(folder.resolve("x"));
        assertThat(get(ask("fit", "--set", "RC=4", "--seed", "2"), "rows")).isNotEqualTo(once.get("rows"));
    }

    private static void delete(Path at) {
        try (Stream<Path> files = Files.walk(at)) {
            files.sorted(java.util.Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** The model file is gone; the result holds its text and what was set. */
    @Test
    void aModelOfOnesOwnIsMadeAnewFromItsResult() {
        Map<?, ?> document =
                ask("own", "--set", "a=0", "--set", "P(x=0|no)=0.1", "--remove", "perhaps", "--discount", "0");
        assertThat((List<?>) get(document, "stationary")).hasSize(8);
        assertThat(number(document, "actions", 1, "share", "counterfactual", "value"))
                .isZero();
        assertThat(number(document, "actions", 1, "share", "baseline", "value")).isPositive();
        // without a future, and with a = 0, there is nothing to choose at x = 0
        assertThat(number(document, "choiceProbabilities", 2, "counterfactual")).isEqualTo(0.5, within(1e-9));
        assertThat(cli.err()).contains("own.yaml", "without perhaps");
    }

    /** Rust's group 4, as ruspy's get_demand.txt has it: 12 times the long-run share at a replacement cost of 5. */
    @Test
    void demandOnRustsDataIsRuspys() {
        Path rust = Shared.file("data/rust_bus_groups_1_to_4.csv");
        Assumptions.assumeTrue(Files.exists(rust), "SKIPPED: Rust's data are not beside the repository");
        ok(
                cli,
                "estimate --model rust-bus --set groups=4 --method nfxp --data " + rust + " --out "
                        + folder.resolve("fit"));
        assertThat(cli.run(
                        "counterfactual",
                        "--from",
                        folder.resolve("fit").toString(),
                        "--demand",
                        "RC=2:13:12",
                        "--intervals",
                        "delta",
                        "--json",
                        "--out",
                        folder.resolve("x").toString()))
                .as(cli::err)
                .isZero();
        Map<?, ?> document = Json.read(cli.out(), Map.class);
        assertThat(number(document, "rows", 0, "expected")).isEqualTo(1.533931365, within(1e-4));
        assertThat(number(document, "rows", 3, "value")).isEqualTo(5);
        assertThat(number(document, "rows", 3, "expected")).isEqualTo(0.2959257308, within(1e-4));
        assertThat(number(document, "rows", 11, "expected")).isEqualTo(0.1049278067, within(1e-4));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "nothing changed        |                                  | nothing is changed",
                "unknown parameter      | --set RX=5                       | 'RX';'RC'",
                "its case               | --set rc=5                       | 'rc';'RC'",
                "no value               | --set RC                         | --set;RC",
                "no number              | --set RC=much                    | --set;much",
                "set twice              | --set RC=1 --set RC=2            | twice",
                "probability above one  | --set theta30=1.4                | mileage;1.4;between 0 and 1",
                "probabilities above one| --set theta30=0.8                | mileage;between 0 and 1;for example theta31 = 0.1",
                "unknown action         | --remove replaec                 | 'replaec';'replace'",
                "unknown variable       | --remove replace~if~miles<4      | 'miles';'mileage'",
                "nothing left           | --remove replace --remove keep   | no action is left",
                "unknown numeraire      | --set RC=5 --numeraire theta30   | theta30;RC, theta11",
                "bad grid               | --demand RC=5                    | RC=5;RC=1..20",
                "backward grid          | --demand RC=9..1                 | RC=9..1",
                "grid of unknown        | --demand RD=1..9                 | 'RD';'RC'",
                "impossible discount    | --discount 1                     | 1.0;[0, 1)",
                "no horizon             | --set RC=5 --horizon 0           | horizon is 0",
                "nobody                 | --set RC=5 --individuals 0       | individuals",
                "impossible level       | --set RC=5 --level 95            | 95.0;0.95",
                "too few draws          | --set RC=5 --draws 10            | 10 draws",
                "draws without          | --set RC=5 --draws 10 --intervals delta | --draws has no effect",
                "unknown count          | --demand RC=1..9 --action scrap  | 'scrap';keep, replace",
                "without a curve        | --discount 0.9 --action scrap    | 'scrap';keep, replace",
                "nothing to multiply    | --discount 0.9 --individuals 9   | --individuals has no effect",
                "misspelt option        | --sett RC=5                      | --sett;--set"
            })
    void refused(String name, String options, String words) {
        List<String> args = new ArrayList<>(List.of(
                "counterfactual",
                "--from",
                made.resolve("fit").toString(),
                "--out",
                folder.resolve("x").toString()));
        Stream.of(options == null ? new String[0] : options.strip().split("\\s+"))
                .map(word -> word.replace('~', ' '))
                .forEach(args::add);
        assertThat(cli.run(args.toArray(String[]::new))).as(name).isEqualTo(2);
        assertThat(cli.err()).contains(words.split(";")).doesNotContain("Exception", "\tat ");
        assertThat(cli.out()).isEmpty();
        assertThat(folder.resolve("x")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}                                       | another kind",
                "{\"method\": \"ml-irl\"}                 | another kind;decision process",
                "{\"choice\": {\"model\": \"x\"}}         | result.json",
                "not JSON                                 | not the result",
                "                                         | there is no file"
            })
    void resultsOfAnotherKind(String text, String words) throws IOException {
        if (text != null) {
            Files.writeString(folder.resolve("result.json"), text);
        }
        assertThat(cli.run("counterfactual", "--from", folder.toString(), "--set", "RC=5", "--out", "none"))
                .isEqualTo(2);
        assertThat(cli.err()).contains(words.split(";")).doesNotContain("Exception", "\tat ");
    }

    /** A hand that changed a name in the result is noticed. */
    @Test
    void resultsMustFitTheirModel() throws IOException {
        String text = read(made.resolve("fit/result.json"));
        int at = text.indexOf("\"choice\"");
        Files.writeString(
                folder.resolve("result.json"),
                text.substring(0, at) + text.substring(at).replace("theta11", "theta12"));
        assertThat(cli.run("counterfactual", "--from", folder.toString(), "--set", "RC=5", "--out", "none"))
                .isEqualTo(2);
        assertThat(cli.err()).contains("theta12", "not those of the model");
    }

    @Test
    void defaultGridsAreRoundAndHoldBothValues() {
        assertThat(CounterfactualCommand.around(10.075, 5)).containsExactly(3, 4, 5, 6, 7, 8, 9, 10, 10.075, 11, 12);
        assertThat(CounterfactualCommand.around(-0.2, -0.2)).contains(-0.2).hasSizeBetween(5, 15);
        assertThat(CounterfactualCommand.around(0, 1)).contains(0, 1).hasSizeBetween(5, 15);
    }
}

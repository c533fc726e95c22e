package dev.revealed.app.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.app.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Choice models on the command line: what estimate and simulate refuse, and how they say so. */
class ChoiceRefusalsTest {
    @TempDir
    private static Path made = Path.of("");

    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    @BeforeAll
    static void simulate() {
        Cli cli = new Cli();
        String options = "simulate --model rust-bus --individuals 8 --periods 20 --set groups=1,3 --parameters"
                + " RC=6,theta11=20,theta30=0.3,theta31=0.6 --out " + made.resolve("buses");
        assertThat(cli.run(options.split(" "))).as(cli::err).isZero();
    }

    private static String buses() {
        return made.resolve("buses/panel.csv").toString();
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    /** How a good file is spoilt, and what the message must hold. */
    record Spoilt(String name, UnaryOperator<String> spoil, String... words) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Spoilt> spoilt() {
        return Stream.of(
                new Spoilt(
                        "missing column",
                        t -> t.replaceFirst("mileage", "milage"),
                        "panel.csv",
                        "no column 'mileage'",
                        "'milage'"),
                new Spoilt(
                        "no header",
                        t -> t.substring(t.indexOf('\n') + 1),
                        "panel.csv",
                        "line 1",
                        "must name the columns"),
                new Spoilt("text", t -> cell(t, 5, 3, "far"), "panel.csv", "line 5", "mileage", "far"),
                new Spoilt("NaN", t -> cell(t, 5, 3, "NaN"), "panel.csv", "line 5", "mileage", "NaN"),
                new Spoilt("negative mileage", t -> cell(t, 5, 3, "-5"), "panel.csv", "line 5", "mileage is -5"),
                new Spoilt("short row", t -> row(t, 5, "1,1,3,2500"), "panel.csv", "line 5"),
                new Spoilt("long row", t -> row(t, 5, "1,1,3,2500,0,0"), "panel.csv", "line 5"),
                new Spoilt(
                        "duplicate",
                        t -> t + t.lines().toList().get(4) + "\n",
                        "panel.csv",
                        "line 5",
                        "period is 3",
                        "already"),
                new Spoilt("gap", t -> row(t, 5, ""), "panel.csv", "line 6", "period"),
                new Spoilt("decision outside", t -> cell(t, 5, 4, "2"), "panel.csv", "line 5", "decision is 2"),
                new Spoilt("empty", t -> "", "panel.csv", "empty"),
                new Spoilt("only a header", t -> t.substring(0, t.indexOf('\n') + 1), "panel.csv", "no rows"),
                new Spoilt("binary", t -> "PK\u0003\u0004\u0000\u0000" + t, "panel.csv"),
                new Spoilt(
                        "unused column",
                        t -> t.replace("decision\n", "decision,month\n").replaceAll("([01])\n", "$1,13\n"),
                        "month"));
    }

    private static String row(String text, int line, String row) {
        List<String> lines = new ArrayList<>(text.lines().toList());
        lines.set(line - 1, row);
        return String.join("\n", lines) + "\n";
    }

    private static String cell(String text, int line, int column, String value) {
        String[] cells = text.lines().toList().get(line - 1).split(",", -1);
        cells[column] = value;
        return row(text, line, String.join(",", cells));
    }

    private void saidAndNothingLeft(String... words) {
        assertThat(cli.err()).contains(words).doesNotContain("Exception", "\tat ");
        assertThat(cli.out()).isEmpty();
        assertThat(folder.resolve("x")).doesNotExist();
    }

    @ParameterizedTest
    @MethodSource
    void spoilt(Spoilt spoilt) throws IOException {
        Path data = folder.resolve("panel.csv");
        Files.writeString(data, spoilt.spoil.apply(Files.readString(Path.of(buses()))));
        assertThat(cli.estimate("rust-bus", data.toString(), "--set", "groups=1,3", "--out", path("x")))
                .as(cli::out)
                .isEqualTo(2);
        saidAndNothingLeft(spoilt.words);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "discount above one     | --set discount=1.2                     | 1.2;[0, 1)",
                "its short form         | --discount 1                           | 1.0;[0, 1)",
                "both at once           | --discount 0.9 --set discount=0.9      | twice",
                "misspelt setting       | --set gropus=1-4                       | gropus;'groups'",
                "misspelt cost          | --set cost=lineal                      | lineal;'linear'",
                "absent group           | --set groups=7                         | no group 7;1,3",
                "setting without value  | --set groups                           | --set;KEY=VALUE",
                "misspelt method        | --method nfpx                          | nfpx;'nfxp'",
                "misspelt search        | --method nfxp --search bhh             | bhh;'bhhh'",
                "another's option       | --method ml-irl --search bhhh          | --search;no effect;nfxp",
                "option of a form       | --alpha0 2                             | --alpha0;--form paper",
                "option of a process    | --trajectories x.csv                   | --trajectories has no effect with --model",
                "a process too          | --mdp x.npz                            | --mdp has no effect with --model",
                "misspelt errors        | --se clutser                           | clutser;'cluster'",
                "impossible level       | --level 95                             | --level;0.95",
                "no replications        | --bootstrap 1                          | --bootstrap;at least 2",
                "bootstrap or not       | --bootstrap 9 --se opg                 | --bootstrap;no effect",
                "types of what          | --types 2                              | --type-parameters",
                "types without types    | --type-parameters RC                   | --types 2",
                "types by another way   | --types 2 --type-parameters RC --method bbl | bbl;nfxp",
                "too few types          | --types 1 --type-parameters RC         | --types is 1",
                "misspelt form          | --method td-ccp --form robst           | robst;'robust'",
                "misspelt basis         | --method td-ccp --basis spline         | spline;'splines'",
                "degree of cells        | --method td-ccp --basis cells --degree 2 | --degree is 2;--basis",
                "impossible degree      | --method td-ccp --degree 10            | degree of the basis is 10",
                "another's basis        | --method ccp --basis cells             | --basis;no effect;td-ccp",
                "misspelt hypothesis    | --test RX=0                            | RX;'RC'",
                "misspelt start         | --method nfxp --start RCC=1            | RCC;'RC'",
                "start without a number | --method nfxp --start RC=ten           | --start;RC=ten",
                "no iterations          | --iterations 0                         | --iterations"
            })
    void refused(String name, String options, String words) {
        List<String> args =
                new ArrayList<>(List.of("estimate", "--model", "rust-bus", "--data", buses(), "--out", path("x")));
        args.addAll(List.of(options.strip().split(" ")));
        args.addAll(options.contains("groups") ? List.of() : List.of("--set", "groups=1,3"));
        assertThat(cli.run(args.toArray(String[]::new))).as(name).isEqualTo(2);
        saidAndNothingLeft(words.strip().split(";"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rust-buss     | BUSES | rust-buss;'rust-bus';.yaml",
                "missing.yaml  | BUSES | missing.yaml",
                "rust-bus      | none  | none"
            })
    void unknownModelsAndFiles(String model, String data, String words) {
        assertThat(cli.estimate(model, data.equals("BUSES") ? buses() : path(data), "--out", path("x")))
                .isEqualTo(2);
        assertThat(cli.err()).contains(words.split(";")).doesNotContain("Exception");
    }

    @Test
    void choiceOptionsWithoutAModelAreRefused() {
        assertThat(cli.run("estimate", "--mdp", "x.npz", "--set", "groups=1")).isEqualTo(2);
        assertThat(cli.err()).contains("--set has no effect without --model");
        assertThat(cli.run("estimate", "--model", "rust-bus")).isEqualTo(2);
        assertThat(cli.err()).contains("--data");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--model rust-bus --parameters RC=1                                    | transition probabilities",
                "--model rust-bus --parameters theta11=1,theta30=0.5                   | RC",
                "--model rust-bus --parameters RC=1,theta11=1,theta30=1.5              | 1.5;Probabilities",
                "--model rust-bus --parameters RC=1,theta12=1,theta30=0.5              | theta12;'theta11'",
                "--model rust-bus --individuals 0                                      | 0 individuals",
                "--model rust-bus --size 3                                             | --size;no effect",
                "--model rust-bus --set bins=9                                         | transition probabilities",
                "--model gridworld --periods 3                                         | --periods;no effect",
                "--model gridwordl                                                     | 'gridworld'"
            })
    void simulationsRefused(String options, String words) {
        List<String> args = new ArrayList<>(List.of("simulate", "--out", path("x")));
        args.addAll(List.of(options.strip().split(" ")));
        assertThat(cli.run(args.toArray(String[]::new))).isEqualTo(2);
        assertThat(cli.err()).contains(words.strip().split(";")).doesNotContain("Exception", "\tat ");
        assertThat(folder.resolve("x")).doesNotExist();
    }

    private String bootstrap() {
        return "estimate --model rust-bus --set groups=1,3 --data %s --method ccp --se bootstrap --bootstrap 3 --out %s"
                .formatted(buses(), path("fit"));
    }

    /** Before any work, and with nothing printed. */
    @Test
    void aDamagedSpecIsRefusedAtOnce() throws IOException {
        assertThat(cli.run(bootstrap().split(" "))).as(cli::err).isZero();
        Files.delete(folder.resolve("fit/result.json"));
        Files.writeString(folder.resolve("fit/spec.json"), "{}");
        assertThat(cli.run((bootstrap() + " --resume").split(" "))).isEqualTo(2);
        assertThat(cli.err())
                .contains("spec.json: the field 'provenance' is missing")
                .doesNotContain("bootstrap  3/3");
        assertThat(cli.out()).isEmpty();
        Files.write(folder.resolve("fit/spec.json"), new byte[] {'{', (byte) 0xff});
        assertThat(cli.run((bootstrap() + " --resume").split(" "))).isEqualTo(2);
        assertThat(cli.err()).contains("spec.json: it is no UTF-8 text").doesNotContain("Exception");
    }

    @Test
    void aDamagedReplicationIsRefused() throws IOException {
        assertThat(cli.run(bootstrap().split(" "))).as(cli::err).isZero();
        Files.delete(folder.resolve("fit/result.json"));
        Path journal = folder.resolve("fit/checkpoint/bootstrap.jsonl");
        String kept = Files.readString(journal);
        for (UnaryOperator<String> spoil : List.<UnaryOperator<String>>of(
                text -> text.replaceFirst("\"theta\":\\[", "\"theta\":[7,"),
                text -> text.replaceFirst("\"task\":\\d", "\"task\":-1"),
                text -> text.replaceFirst("\"theta\":\\[[^]]*\\]", "\"theta\":null"),
                text -> text.replaceFirst("\"theta\":\\[[^]]*\\]", "\"theta\":7"))) {
            String spoilt = spoil.apply(kept);
            assertThat(spoilt).isNotEqualTo(kept);
            Files.writeString(journal, spoilt);
            assertThat(cli.run((bootstrap() + " --resume").split(" ")))
                    .as(spoilt)
                    .isEqualTo(2);
            assertThat(cli.err())
                    .containsAnyOf("replication", "theta", "the number -1")
                    .doesNotContain("Exception", "dev.revealed");
        }
        Files.writeString(journal, kept);
        assertThat(cli.run((bootstrap() + " --resume").split(" "))).as(cli::err).isZero();
    }

    @Test
    void aResultWithAFieldMissingIsRefused() throws IOException {
        assertThat(cli.estimate("rust-bus", buses(), "--set", "groups=1,3", "--method", "nfxp", "--out", path("fit")))
                .as(cli::err)
                .isZero();
        Path result = folder.resolve("fit/result.json");
        String whole = Files.readString(result);
        for (String field : List.of("dataHash", "covariance", "data")) {
            int choice = whole.indexOf("\"choice\"");
            String without = whole.substring(0, choice)
                    + whole.substring(choice)
                            .replaceFirst("\"" + field + "\" : (\"[^\"]*\"|\\[ \\[[^]]*\\](, \\[[^]]*\\])* \\]),?", "");
            assertThat(without).isNotEqualTo(whole);
            Files.writeString(result, without);
            assertThat(cli.run("counterfactual", "--from", path("fit"), "--set", "RC=3", "--intervals", "delta"))
                    .isEqualTo(2);
            assertThat(cli.err()).contains("result.json", "the field '" + field + "' is missing");
        }
    }
}

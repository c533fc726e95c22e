package dev.revealed.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.runs.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Commands as a user types them: what they print, what they leave behind, and how they refuse. */
class CommandLineTest {
    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    private int run(String... args) {
        return cli.run(args);
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    @BeforeEach
    void makeExample() {
        assertThat(run(
                        "simulate",
                        "--model",
                        "gridworld",
                        "--size",
                        "4",
                        "--trajectories",
                        "40",
                        "--out",
                        path("example")))
                .as(cli::err)
                .isZero();
    }

    @Test
    void wordsThatAreNotKnownAreRefusedWithThoseThatAre() {
        assertThat(run("nonsense", "--help")).isEqualTo(2);
        assertThat(cli.out()).isEmpty();
        assertThat(cli.err()).contains("nonsense");
        assertThat(run("--help")).isZero();
        assertThat(run("expert", "--help")).isZero();
        assertThat(run("expert", "--task", "hopper", "--device", "tpu")).isEqualTo(2);
        assertThat(cli.err()).contains("--device is 'tpu'", "There is cpu, cuda");
    }

    private List<String> estimate(String... more) {
        List<String> args = new ArrayList<>(List.of(
                "estimate",
                "--mdp",
                path("example/mdp.npz"),
                "--trajectories",
                path("example/trajectories.csv"),
                "--json"));
        args.addAll(List.of(more));
        return args;
    }

    private Map<?, ?> document(List<String> args) {
        assertThat(run(args.toArray(String[]::new))).as(cli::err).isZero();
        return Json.read(cli.out(), Map.class);
    }

    @Test
    void estimateHoldsTheContractOfAFit() {
        Map<?, ?> document = document(estimate("--out", path("fit")));
        assertThat(document.keySet().stream().map(Object::toString))
                .contains(
                        "method",
                        "parameters",
                        "logLikelihood",
                        "choiceLogLikelihood",
                        "iterations",
                        "converged",
                        "seconds",
                        "seed",
                        "dataHash",
                        "version");
        assertThat(folder.resolve("fit")).isDirectoryContaining("glob:**/report.html");
        assertThat(folder.resolve("fit/result.json")).content().isEqualTo(cli.out());
        assertThat(folder.resolve("fit/spec.json"))
                .content()
                .contains("estimate", "--mdp", "\"method\" : \"ml-irl\"", "\"temperature\" : 1");
    }

    @Test
    void csvAndNpzAreTheSameProcess() {
        Object fromNpz = document(estimate("--out", path("a"))).get("parameters");
        List<String> csv = List.of(
                "estimate",
                "--mdp",
                path("example/kernel.csv"),
                "--features",
                path("example/features.csv"),
                "--initial",
                path("example/start.csv"),
                "--discount",
                "0.9",
                "--trajectories",
                path("example/trajectories.csv"),
                "--json",
                "--out",
                path("b"));
        assertThat(document(csv).get("parameters")).isEqualTo(fromNpz);
    }

    /** On a board of more than one block of states, so that a second thread has something to do. */
    @ParameterizedTest
    @ValueSource(strings = {"ml-irl", "nfxp", "maxent-irl"})
    void sameSeedSameNumbersWhateverTheThreads(String method) {
        run("simulate", "--size", "92", "--trajectories", "10", "--out", path("large"));
        Map<?, ?> one = document(large(method, "1"));
        Map<?, ?> two = document(large(method, "2"));
        for (String key : List.of("parameters", "logLikelihood", "kernelPasses", "gradientNorm")) {
            assertThat(two.get(key)).as(key).isEqualTo(one.get(key));
        }
    }

    private List<String> large(String method, String threads) {
        return List.of(
                "estimate",
                "--mdp",
                path("large/mdp.npz"),
                "--trajectories",
                path("large/trajectories.csv"),
                "--method",
                method,
                "--iterations",
                "1",
                "--threads",
                threads,
                "--json",
                "--out",
                path(threads));
    }

    @Test
    void demonstrationsWithoutActionsAreEnoughForAStateReward() {
        run("simulate", "--size", "4", "--trajectories", "40", "--states-only", "--out", path("blind"));
        List<String> args = estimate("--out", path("unseen"));
        args.set(4, path("blind/trajectories.csv"));
        Map<?, ?> seen = document(estimate("--out", path("seen")));
        Map<?, ?> unseen = document(args);
        assertThat(unseen.get("logLikelihood"))
                .asInstanceOf(InstanceOfAssertFactories.DOUBLE)
                .isCloseTo((Double) Objects.requireNonNull(seen.get("logLikelihood")), within(1e-9));
        assertThat(unseen.containsKey("choiceLogLikelihood")).isFalse();
    }

    @Test
    void aProcessOfOnesOwnCanBeSimulated() {
        int code = run(
                "simulate",
                "--mdp",
                path("example/mdp.npz"),
                "--parameters",
                "home=1,mud=0",
                "--trajectories",
                "3",
                "--out",
                path("own"));
        assertThat(code).as(cli::err).isZero();
        assertThat(folder.resolve("own/parameters.csv")).content().contains("home,1.0", "shade,0.0");
    }

    @Test
    void certifyGivesThePapersNumber() {
        assertThat(run(
                        "certify",
                        "--reward-range",
                        "20",
                        "--discount",
                        "0.99",
                        "--actions",
                        "5",
                        "--accuracy",
                        "1",
                        "--json"))
                .isZero();
        // Corollary 2: 2 C^2 / (eps^2 (1-gamma)^2) ln(2/delta) = 2 * 400 * 1e4 * ln 40 = 29,511,035.6
        assertThat(cli.out()).contains("29511036");
    }

    /** Name, arguments, and what the message must hold. */
    record Bad(String name, List<String> args, String... words) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Bad> bad() {
        return Stream.of(
                new Bad("misspelt option", List.of("demo", "--sede", "1"), "--sede", "--seed"),
                new Bad("misspelt command", List.of("estimat"), "estimate"),
                new Bad(
                        "no question",
                        List.of("certify", "--reward-range", "1", "--discount", "0.9", "--actions", "2"),
                        "--accuracy"),
                new Bad("bad discount", List.of("simulate", "--discount", "1.2", "--out", "@x"), "1.2", "[0, 1)"),
                new Bad(
                        "missing file",
                        List.of("estimate", "--mdp", "@none.npz", "--trajectories", "@none.csv"),
                        "none.npz"),
                new Bad("occupied folder", List.of("simulate", "--out", "@example"), "example", "not empty"),
                new Bad("file for a folder", List.of("simulate", "--out", "@example/kernel.csv/x"), "kernel.csv"),
                new Bad(
                        "unknown feature",
                        List.of("simulate", "--mdp", "@example/mdp.npz", "--parameters", "hoem=1", "--out", "@x"),
                        "hoem",
                        "home"),
                new Bad("not a number", List.of("demo", "--seed", "one"), "--seed", "one"),
                new Bad(
                        "ignored option",
                        List.of(
                                "estimate",
                                "--mdp",
                                "@example/mdp.npz",
                                "--trajectories",
                                "@example/trajectories.csv",
                                "--method",
                                "nfxp",
                                "--held-out",
                                "0.2",
                                "--out",
                                "@x"),
                        "--held-out",
                        "no effect"),
                new Bad(
                        "no iterations",
                        List.of(
                                "estimate",
                                "--mdp",
                                "@example/mdp.npz",
                                "--trajectories",
                                "@example/trajectories.csv",
                                "--iterations",
                                "0",
                                "--out",
                                "@x"),
                        "--iterations"),
                new Bad("no threads", List.of("demo", "--threads", "0"), "--threads"));
    }

    @ParameterizedTest
    @MethodSource
    void bad(Bad bad) {
        String[] args = bad.args.stream()
                .map(a -> a.startsWith("@") ? path(a.substring(1)) : a)
                .toArray(String[]::new);
        assertThat(run(args)).isEqualTo(2);
        assertThat(cli.err()).contains(bad.words).doesNotContain("Exception", "\tat ");
        assertThat(cli.out()).isEmpty();
        assertThat(folder.resolve("x")).doesNotExist();
    }

    /** What is wrong with a file, how to make it so, and what the message must hold. */
    record Broken(String name, String file, String find, String replace, String... words) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Broken> broken() {
        return Stream.of(
                new Broken(
                        "row sum",
                        "kernel.csv",
                        "\n0,0,1,0.76",
                        "\n0,0,1,0.5",
                        "kernel.csv",
                        "state 0",
                        "action 0",
                        "sum"),
                new Broken("negative", "kernel.csv", "\n0,0,1,0.76", "\n0,0,1,-0.76", "kernel.csv", "-0.76"),
                new Broken("NaN feature", "features.csv", "home,1", "home,NaN", "features.csv", "NaN"),
                new Broken("state outside", "trajectories.csv", "\n0,1,", "\n0,1,9", "trajectories.csv", "line 3"),
                new Broken(
                        "missing column",
                        "trajectories.csv",
                        "trajectory,time,state",
                        "trajectory,time,sate",
                        "sate",
                        "state"),
                new Broken("empty", "trajectories.csv", "(?s).*", "", "trajectories.csv"));
    }

    @ParameterizedTest
    @MethodSource
    void broken(Broken broken) throws IOException {
        Path file = folder.resolve("example").resolve(broken.file);
        String text = Files.readString(file);
        assertThat(text).containsPattern(broken.find);
        Files.writeString(file, text.replaceFirst(broken.find, broken.replace));
        int code = run(
                "estimate",
                "--mdp",
                path("example/kernel.csv"),
                "--features",
                path("example/features.csv"),
                "--discount",
                "0.9",
                "--trajectories",
                path("example/trajectories.csv"),
                "--out",
                path("x"));
        assertThat(code).as(cli::err).isEqualTo(2);
        assertThat(cli.err()).contains(broken.words).doesNotContain("Exception", "\tat ");
        assertThat(folder.resolve("x")).doesNotExist();
    }

    @Test
    void aTruncatedProcessIsRefused() throws IOException {
        Path file = folder.resolve("example/mdp.npz");
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
        assertThat(run(estimate("--out", path("x")).toArray(String[]::new))).isEqualTo(2);
        assertThat(cli.err()).contains("mdp.npz");
        assertThat(folder.resolve("x")).doesNotExist();
    }

    @Test
    void everyCommandHasHelpWithAnExample() {
        List<String> commands = commands(Main.commandLine()).toList();
        assertThat(commands)
                .contains("demo", "reproduce gridworld", "bench sac")
                .hasSizeGreaterThan(30);
        for (String command : commands) {
            assertThat(run(Stream.concat(Arrays.stream(command.split(" ")), Stream.of("--help"))
                            .toArray(String[]::new)))
                    .as(command)
                    .isZero();
            assertThat(cli.out()).as(command).contains("Example", "./revealed " + command, "--json");
            if (!List.of("gpu", "bundle", "studio", "play", "gather").contains(command)) {
                assertThat(cli.out()).as(command).contains("--seed", "--out", "--threads");
            }
        }
    }

    /** Every command that does something, as it is typed. */
    private static Stream<String> commands(CommandLine line) {
        return line.getSubcommands().isEmpty()
                ? Stream.of(line.getCommandSpec().qualifiedName().replaceFirst("^revealed ", ""))
                : line.getSubcommands().values().stream().flatMap(CommandLineTest::commands);
    }

    @Test
    void abbreviationsAndRoundNumbersAreUnderstood() {
        Cli cli = new Cli();
        assertThat(cli.run("expert", "--task", "hopper", "--lr", "1")).isEqualTo(2);
        assertThat(cli.err()).contains("Did you mean: --learning-rate?");
        assertThat(cli.run("record", "--policy", "nowhere", "--episodes", "1e1"))
                .isEqualTo(2);
        assertThat(cli.err()).contains("there is no policy");
        assertThat(cli.run("record", "--policy", "nowhere", "--episodes", "1.5"))
                .isEqualTo(2);
        assertThat(cli.err()).contains("'1.5' is no whole number");
    }
}

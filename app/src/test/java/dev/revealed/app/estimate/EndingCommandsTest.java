package dev.revealed.app.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.app.Cli;
import dev.revealed.runs.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes and models that end. Truth: the parameters data were drawn with, and the same model written otherwise. */
class EndingCommandsTest {
    private static final String RETIRE = """
            discount: %s
            states:
              age: 50..55
              health: [0, 1]
              retired: [0, 1]
            actions: [work, retire]
            parameters: [wage, effort, pension]
            utility:
              work: wage - effort * (1 - health)
              retire: %s
            transitions:
              age: min(age + 1, 55)
              health: {matrix: [[0.7, 0.3], [0.2, 0.8]]}
              retired: action
            %s
            """;
    private static final String PENSION = "pension";
    private static final String PARAMETERS = "wage=0.5,effort=1,pension=2";

    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private Map<?, ?> document(String... words) {
        assertThat(cli.run(words)).as(cli::err).isZero();
        return Json.read(cli.out(), Map.class);
    }

    private static double value(Map<?, ?> document, int j, String key) {
        Object parameter = ((List<?>) Objects.requireNonNull(document.get("parameters"))).get(j);
        return ((Number) Objects.requireNonNull(((Map<?, ?>) parameter).get(key), key)).doubleValue();
    }

    @Test
    void modelsThatEndAreEstimatedWithoutADiscount() throws IOException {
        String model = file("retire.yaml", RETIRE.formatted("1", PENSION, "ends: {retired: 1, age: 55}"));
        document(
                "simulate",
                "--model",
                model,
                "--parameters",
                PARAMETERS,
                "--individuals",
                "500",
                "--periods",
                "20",
                "--json",
                "--out",
                path("drawn"));
        String data = path("drawn/panel.csv");
        Map<?, ?> nested = document("estimate", "--model", model, "--data", data, "--method", "nfxp", "--json");
        double[] truth = {0.5, 1, 2};
        for (String method : List.of("ml-irl", "npl")) {
            Map<?, ?> other = document("estimate", "--model", model, "--data", data, "--method", method, "--json");
            for (int j = 0; j < truth.length; j++) {
                assertThat(value(other, j, "value")).as(method).isCloseTo(value(nested, j, "value"), within(1e-5));
            }
        }
        for (int j = 0; j < truth.length; j++) {
            assertThat(value(nested, j, "value")).isCloseTo(truth[j], within(3 * value(nested, j, "standardError")));
        }
    }

    /** With a discount the end can be written out: one action is left, and pays nothing. */
    @Test
    void anEndIsAStateInWhichNothingIsPaidOrChosen() throws IOException {
        String ends =
                file("ends.yaml", RETIRE.formatted("0.95", PENSION, "ends: {retired: retired == 1 or age == 55}"));
        String written = file(
                "written.yaml",
                RETIRE.formatted(
                        "0.95",
                        "(retired == 0 and age < 55) * " + PENSION,
                        "available: {work: retired == 0 and age < 55}"));
        document(
                "simulate",
                "--model",
                ends,
                "--parameters",
                PARAMETERS,
                "--individuals",
                "300",
                "--periods",
                "20",
                "--json",
                "--out",
                path("panel"));
        assertThat(cli.run(
                        "simulate",
                        "--model",
                        ends,
                        "--parameters",
                        PARAMETERS,
                        "--start",
                        "retired=1",
                        "--out",
                        path("late")))
                .isEqualTo(2);
        assertThat(cli.err()).contains("where the process has ended");
        String data = path("panel/panel.csv");
        Map<?, ?> ours = document("estimate", "--model", ends, "--data", data, "--json");
        assertThat(cli.run("estimate", "--model", ends, "--data", data, "--method", "td-ccp"))
                .isEqualTo(2);
        assertThat(cli.err()).contains("after the ends of this model");
        Map<?, ?> truth = document("estimate", "--model", written, "--data", data, "--json");
        for (int j = 0; j < 3; j++) {
            assertThat(value(ours, j, "value")).isCloseTo(value(truth, j, "value"), within(1e-6));
            assertThat(value(ours, j, "standardError")).isCloseTo(value(truth, j, "standardError"), within(1e-6));
        }
    }

    @Test
    void endsThatMakeNoSenseAreRefused() throws IOException {
        refused("ends: {retired: 2}", "line 15", "2 is not a value of retired", "0, 1");
        refused("ends: {age: age > 70}", "no state ends the process");
        refused("ends: {age: age > 40}", "every state ends the process");
        refused("ends: {age: action == work}", "depends on the action");
        refused("ends: {pension: 1}", "unknown key");
        String never = file("never.yaml", RETIRE.formatted("1", PENSION, ""));
        assertThat(cli.run("estimate", "--model", never, "--data", file("no.csv", "individual\n")))
                .isEqualTo(2);
        assertThat(cli.err()).contains("the discount is 1");
    }

    private void refused(String ends, String... parts) throws IOException {
        String model = file("bad.yaml", RETIRE.formatted("0.95", PENSION, ends));
        assertThat(cli.run("estimate", "--model", model, "--data", file("no.csv", "individual\n")))
                .isEqualTo(2);
        assertThat(cli.err()).contains(parts);
    }

    /** Three rooms and the street; half of the tries to get through a door fail. Default tolerances differ by method. */
    @Test
    void processesOfFilesMayEnd() throws IOException {
        String kernel = file("kernel.csv", """
                state,action,next,probability
                0,0,1,0.5
                0,0,0,0.5
                0,1,2,1
                1,0,3,0.5
                1,0,1,0.5
                1,1,0,1
                2,0,1,1
                2,1,0,1
                3,0,3,1
                3,1,3,1
                """);
        StringBuilder features = new StringBuilder("state,action,feature,value\n");
        for (int s = 0; s < 4; s++) {
            for (int a = 0; a < 2; a++) {
                features.append("%d,%d,step,1\n".formatted(s, a));
            }
        }
        features.append("1,1,back,1\n0,1,far,1\n");
        String start = file("start.csv", "state,probability\n0,0.5\n1,0.25\n2,0.25\n");
        List<String> process = List.of(
                "--mdp",
                kernel,
                "--features",
                file("features.csv", features.toString()),
                "--start",
                start,
                "--discount",
                "1");
        String[] simulate = words(
                "simulate",
                process,
                "--parameters",
                "step=-1,back=-0.5,far=0.3",
                "--trajectories",
                "600",
                "--length",
                "1000",
                "--json",
                "--out",
                path("walks"));
        document(simulate);
        String data = path("walks/trajectories.csv");
        Map<?, ?> loop = document(words("estimate", process, "--trajectories", data, "--json"));
        double[] truth = {-1, -0.5, 0.3};
        for (int j = 0; j < truth.length; j++) {
            assertThat(value(loop, j, "value")).isCloseTo(truth[j], within(3 * value(loop, j, "standardError")));
        }
        assertThat(((Number) Objects.requireNonNull(loop.get("spectralRadius"))).doubleValue())
                .isBetween(0.2, 0.9);
        for (String method : List.of("nfxp", "maxent-irl")) {
            Map<?, ?> other =
                    document(words("estimate", process, "--trajectories", data, "--method", method, "--json"));
            for (int j = 0; j < truth.length; j++) {
                assertThat(value(other, j, "value")).as(method).isCloseTo(value(loop, j, "value"), within(0.01));
            }
        }
        assertThat(cli.run(
                        "estimate",
                        "--mdp",
                        file("round.csv", "state,action,next,probability\n0,0,1,1\n1,0,0,1\n"),
                        "--discount",
                        "1",
                        "--trajectories",
                        data))
                .isEqualTo(2);
        assertThat(cli.err()).contains("no state ends the process");
    }

    private static String[] words(String verb, List<String> first, String... more) {
        return Stream.of(List.of(verb), first, List.of(more))
                .flatMap(List::stream)
                .toArray(String[]::new);
    }
}

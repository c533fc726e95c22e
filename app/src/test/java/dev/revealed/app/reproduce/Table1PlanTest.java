package dev.revealed.app.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.app.Cli;
import dev.revealed.runs.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Table1PlanTest {
    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    /** Five tasks by six methods and two of AIRL with five seeds; two tasks by six methods with three seeds. */
    @Test
    void everyRunIsMissingAtFirst() throws IOException {
        Map<?, ?> plan = plan();
        assertThat(plan.get("runs")).isEqualTo((5 * 6 + 2) * 5 + 2 * 6 * 3);
        assertThat(plan.get("machineSeconds")).isNull();
        assertThat(Files.readAllLines(folder.resolve("out/runs.txt")))
                .hasSize(5 * 5 + 2 + 2 * 5)
                .contains(
                        "--method ml-irl --task ant --demos ../shared/demos/ant.npz --trajectories 5 --preset revealed"
                                + " --iterations 1000 --reward state --seeds 201,202,203,204,205")
                .contains("--method gail --task hopper --demos ../shared/demos/hopper.npz --trajectories 1"
                        + " --preset revealed --iterations 300 --seeds 201,202,203");
        assertThat(Files.readAllLines(folder.resolve("out/bc.txt"))).hasSize(5 + 2);
    }

    /** A run of the protocol is not made again, one with another setting is; and both say how long one takes. */
    @Test
    void finishedRunsCountWhereNothingElseWasTyped() throws IOException {
        write("a", "imitate --method gail --seed 202", "gail", 202, 60);
        write("b", "imitate --method gail --seed 203 --expert-rows 0.5", "gail", 203, 120);
        Map<?, ?> plan = plan();
        assertThat(plan.get("runs")).isEqualTo((5 * 6 + 2) * 5 + 2 * 6 * 3 - 1);
        Map<?, ?> cell = ((List<?>) Objects.requireNonNull(plan.get("cells")))
                .stream()
                        .map(each -> (Map<?, ?>) each)
                        .filter(each -> "hopper".equals(each.get("task"))
                                && "gail".equalsIgnoreCase(String.valueOf(each.get("method"))))
                        .findFirst()
                        .orElseThrow();
        assertThat(cell.get("missing")).isEqualTo(List.of(201, 203, 204, 205));
        assertThat(cell.get("secondsOfARun")).isEqualTo(90.0);
    }

    @Test
    void optionsOfThePlanHaveNoEffectWithoutIt() {
        assertThat(cli.run("reproduce", "table1")).isEqualTo(2);
        assertThat(cli.err()).contains("--from is missing");
        assertThat(cli.run("reproduce", "table1", "--from", folder.toString(), "--at-once", "2"))
                .isEqualTo(2);
        assertThat(cli.err()).contains("no effect without --plan or --device");
    }

    private Map<?, ?> plan() throws IOException {
        Files.createDirectories(folder.resolve("runs"));
        String out = folder.resolve("out").toString();
        assertThat(cli.run(
                        "reproduce",
                        "table1",
                        "--plan",
                        "--from",
                        folder.resolve("runs").toString(),
                        "--json",
                        "--out",
                        out))
                .as(cli.err())
                .isZero();
        return Json.read(cli.out(), Map.class);
    }

    private void write(String name, String command, String method, int seed, double seconds) throws IOException {
        Path run = Files.createDirectories(folder.resolve("runs").resolve(name));
        Map<String, Object> provenance =
                Map.of("version", "0", "java", "25", "seed", seed, "command", List.of(command.split(" ")));
        Map<String, Object> settings = Map.of(
                "method",
                method,
                "preset",
                "revealed",
                "iterations",
                300,
                "expert-rows",
                0.25,
                "reward",
                "state-action");
        Files.writeString(run.resolve("spec.json"), Json.write(Map.of("provenance", provenance, "settings", settings)));
        Map<String, Object> result = new HashMap<>(Map.of(
                "task", "hopper", "demos", "demos/hopper.npz", "trajectories", 5, "seed", seed, "meanReturn", 3000));
        result.putAll(Map.of(
                "bestReturn", 3000, "returns", new double[20], "seconds", seconds, "device", "cpu", "method", method));
        result.putAll(Map.of("curve", List.of(), "countedSteps", 300_000, "expertReturn", 3478, "preset", "revealed"));
        result.put("updates", 600_000);
        result.putAll(Map.of("schema", 2, "kind", method, "marks", List.of(), "reward", "state-action"));
        Files.writeString(run.resolve("result.json"), Json.write(result));
    }
}

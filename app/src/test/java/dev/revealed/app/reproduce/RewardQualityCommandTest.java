package dev.revealed.app.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.app.Cli;
import dev.revealed.data.npz.NpyArray;
import dev.revealed.data.npz.Npz;
import dev.revealed.runs.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plan for rewards of runs made up by hand, and a table of what was measured of them. */
class RewardQualityCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    private Map<?, ?> run(String out, String... more) {
        List<String> words = new ArrayList<>(List.of("reproduce", "reward-quality", "--json"));
        words.addAll(List.of("--from", folder.resolve("my quality").toString(), "--out", folder + "/" + out));
        words.addAll(List.of(more));
        assertThat(cli.run(words.toArray(String[]::new))).as(cli.err()).isZero();
        return Json.read(cli.out(), Map.class);
    }

    @Test
    void threeRewardsOfAMethodAreJudgedAndLearntFrom() throws IOException {
        for (int seed = 201; seed <= 204; seed++) {
            imitation("gail-" + seed, "gail", "hopper", 5, seed);
        }
        imitation("one", "gail", "hopper", 1, 201); // one demonstration
        imitation("ant", "gail", "ant", 5, 201);
        String runs = folder.resolve("runs").toString();
        Map<?, ?> plan = run("plan", "--plan", "--rewards", runs);
        assertThat(plan.get("runs")).isEqualTo(3 + 3 + 3); // experts of three tasks, judgements, fresh policies
        assertThat(cli.err()).contains("--rewards " + runs + " --from '" + folder.resolve("my quality") + "' --device");
        assertThat(Files.readAllLines(folder.resolve("plan/fresh.txt")))
                .hasSize(3)
                .first()
                .asString()
                .endsWith("gail-201 --task hopper --seed 201");

        Path quality = Files.createDirectories(folder.resolve("my quality"));
        double[][] paid = {{1, 2, 3, 5}, {2, 4, 6, 10}, {-1, -2, -3, -5}};
        for (int i = 0; i < 3; i++) {
            Path judged = quality.resolve("judged/hopper-gail-20" + (i + 1));
            spec(judged, judging(i + 1).toArray(String[]::new));
            Map<String, Object> along = new HashMap<>(Map.of("name", "policy", "from", "expert", "dataHash", ""));
            along.putAll(Map.of("trajectories", 1, "steps", 4, "meanReward", 0, "deviation", 1));
            along.putAll(Map.of("returns", new double[1], "trueReturns", new double[1], "pearson", 0.5 + 0.1 * i));
            along.putAll(Map.of("spearman", 0.5, "returnPearson", 0, "epic", 0.3, "explained", 0));
            Map<String, Object> report = Map.of(
                    "reward",
                    "r",
                    "learntOn",
                    "hopper",
                    "inputs",
                    "state",
                    "discount",
                    0.99,
                    "seed",
                    1,
                    "along",
                    List.of(along));
            Files.writeString(judged.resolve("result.json"), Json.write(report));
            Npz.write(
                    judged.resolve("rewards-policy.npz"),
                    Map.of("rewards", new NpyArray.Floats(new int[] {1, 4}, paid[i])));
        }
        Map<?, ?> table = run("table", "--rewards", runs);
        Map<?, ?> row = (Map<?, ?>) ((List<?>) Objects.requireNonNull(table.get("rows"))).getFirst();
        assertThat(row.get("rewards")).isEqualTo(3);
        assertThat(measure(row, "pearson")).isCloseTo(0.6, within(1e-12));
        assertThat(measure(row, "epic")).isCloseTo(0.3, within(1e-12));
        assertThat((Double) row.get("agreement")).isCloseTo(-1.0 / 3, within(1e-12)); // 1, -1 and -1
        assertThat(row.get("commands")).isEqualTo(List.of(judging(1), judging(2), judging(3)));
        assertThat(Files.readString(folder.resolve("table/table.md")))
                .contains("| hopper | GAIL | ./revealed reward --reward gail-201 --seed 1 |")
                .contains("| hopper | GAIL | ./revealed reward --reward gail-203 --seed 1 |");
        assertThat((List<?>) table.get("unfinished")).hasSize(2); // experts and fresh policies

        Files.writeString(
                quality.resolve("rewards.json"),
                Json.write(Map.of(
                        "rewards",
                        List.of(Map.of(
                                "task",
                                "hopper",
                                "method",
                                "GAIL",
                                "seed",
                                9,
                                "run",
                                "r",
                                "learntReturn",
                                1,
                                "expertReturn",
                                2)))));
        assertThat(cli.run("reproduce", "reward-quality", "--plan", "--from", quality.toString(), "--rewards", runs))
                .isEqualTo(2);
        assertThat(cli.err()).contains("not those that the table in", "--rewards");
    }

    private static double measure(Map<?, ?> row, String name) {
        return (double) Objects.requireNonNull(((Map<?, ?>) Objects.requireNonNull(row.get(name))).get("mean"));
    }

    private static List<String> judging(int reward) {
        return List.of("reward", "--reward", "gail-20" + reward, "--seed", "1");
    }

    private static void spec(Path run, String... command) throws IOException {
        Files.createDirectories(run);
        Map<String, Object> provenance = Map.of("version", "0", "java", "25", "seed", 1, "command", List.of(command));
        Files.writeString(
                run.resolve("spec.json"),
                Json.write(Map.of("provenance", provenance, "settings", Map.of("reward", "state-action"))));
    }

    private void imitation(String name, String method, String task, int trajectories, int seed) throws IOException {
        Path run = folder.resolve("runs").resolve(name);
        spec(run, "imitate");
        Files.writeString(run.resolve("reward.safetensors"), "");
        Map<String, Object> result = new HashMap<>(Map.of("task", task, "seed", seed, "meanReturn", 3000));
        result.putAll(Map.of("schema", 2, "kind", method, "method", method, "demos", "d.npz"));
        result.putAll(Map.of("trajectories", trajectories, "bestReturn", 3000, "returns", new double[20]));
        result.putAll(Map.of("seconds", 1, "device", "cpu", "curve", List.of(), "expertReturn", 3400));
        result.putAll(Map.of("marks", List.of(), "preset", "revealed", "reward", "state-action"));
        Files.writeString(run.resolve("result.json"), Json.write(result));
    }
}

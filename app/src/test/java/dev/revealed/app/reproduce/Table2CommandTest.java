package dev.revealed.app.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.app.Cli;
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

/** The plan of the transfer table, and a table of runs made up by hand. */
class Table2CommandTest {
    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    private Map<?, ?> run(String... more) {
        List<String> words = new ArrayList<>(
                List.of("reproduce", "table2", "--json", "--from", runs().toString(), "--out", folder + "/out"));
        words.addAll(List.of(more));
        assertThat(cli.run(words.toArray(String[]::new))).as(cli.err()).isZero();
        return Json.read(cli.out(), Map.class);
    }

    private Path runs() {
        return folder.resolve("runs");
    }

    private static List<?> list(Map<?, ?> document, String name) {
        return (List<?>) Objects.requireNonNull(document.get(name));
    }

    /**
     * An expert and five references; demonstrations; five clones; two settings by four methods by five seeds; two fresh
     * policies on 20 rewards, five last ones, five random ones and a constant; five clones carried over.
     */
    @Test
    void thePlanHasEveryRun() throws IOException {
        Map<?, ?> plan = run("--plan", "--device", "cuda");
        int fresh = 2 * (20 + 5 + 5 + 1);
        assertThat(plan.get("runs")).isEqualTo(6 + 1 + 5 + 40 + fresh + 5);
        assertThat(((Number) Objects.requireNonNull(plan.get("steps"))).longValue())
                .isEqualTo(500_000 + 5 * 250_000 + 40 * 400_000 + fresh * 250_000L);
        List<String> lines = Files.readAllLines(folder.resolve("out/fresh.txt"));
        assertThat(lines).hasSize(fresh);
        assertThat(lines.getFirst())
                .isEqualTo("--reward %s/learnt/01-customant-seed-201/reward.safetensors --task disabledant --seed 301"
                        .formatted(runs()));
        assertThat(lines).anyMatch(line -> line.contains("reward-last.safetensors"));
        assertThat(Files.readAllLines(folder.resolve("out/learnt.txt")))
                .contains("--method iq-learn --task disabledant --reward state --seed 205");
        assertThat(cli.run("reproduce", "table2", "--from", folder.toString())).isEqualTo(2);
        assertThat(cli.err()).contains("no policy on the true reward has come to its end");
        assertThat(cli.run("reproduce", "table2", "--plan", "--at-once", "2")).isEqualTo(2);
        assertThat(cli.err()).contains("--at-once has no effect with --plan");
        assertThat(cli.run("reproduce", "table1", "--plan", "--budget", "2")).isEqualTo(2);
        assertThat(cli.err()).contains("--budget has no effect with --plan");
    }

    @Test
    void sharesAreOfPoliciesOnTheTrueReward() throws IOException {
        write("experts/01-customant-seed-1", "expert", 900);
        for (int i = 0; i < 5; i++) {
            write("experts/0%d-disabledant-seed-20%d".formatted(i + 2, i + 1), "expert", 300 + 50 * i); // mean 400
            write("learnt/%d-disabledant-seed-20%d".formatted(21 + i, i + 1), "ml-irl", 200); // data transfer
        }
        write("fresh/01-disabledant-seed-301", "reward", 300);
        write("fresh/02-disabledant-seed-302", "reward", 340); // one reward: 320
        write("fresh/05-disabledant-seed-301", "reward", 280); // the next one, after two of its last reward
        Map<?, ?> table = run();
        assertThat(table.get("reference")).isEqualTo(400.0);
        assertThat(table.get("expert")).isEqualTo(900.0);
        List<?> rows = list(table, "rows");
        assertThat(rows).hasSize(3);
        Map<?, ?> data = (Map<?, ?>) rows.get(1);
        assertThat(data.get("setting")).isEqualTo("data transfer");
        assertThat((Double) data.get("share")).isEqualTo(0.5);
        assertThat((Double) data.get("paperShare")).isCloseTo(221.51 / 320.15, within(1e-12));
        Map<?, ?> reward = (Map<?, ?>) rows.get(2);
        assertThat(reward.get("setting")).isEqualTo("reward transfer");
        assertThat(reward.get("units")).isEqualTo(2);
        assertThat(reward.get("policies")).isEqualTo(3);
        assertThat((Double) reward.get("mean")).isEqualTo(300); // of 320 and 280
        assertThat(reward.get("commands"))
                .isEqualTo(List.of(
                        List.of("expert", "--reward", "fresh/01-disabledant-seed-301"),
                        List.of("expert", "--reward", "fresh/02-disabledant-seed-302"),
                        List.of("expert", "--reward", "fresh/05-disabledant-seed-301")));
        assertThat(list(table, "unfinished")).isNotEmpty();
        assertThat(Files.readString(folder.resolve("out/table.md")))
                .contains("| 69.2 |", "chosen by hand")
                .contains("| data transfer | ml-irl | ./revealed imitate --seeds 201,202,203,204,205 |")
                .contains("| reward transfer | ml-irl | ./revealed expert --reward fresh/01-disabledant-seed-301 |")
                .contains("| reward transfer | ml-irl | ./revealed expert --reward fresh/05-disabledant-seed-301 |");
    }

    private void write(String name, String kind, double last) throws IOException {
        Path run = Files.createDirectories(runs().resolve(name));
        String seed = name.substring(name.lastIndexOf('-') + 1);
        List<String> command = kind.equals("ml-irl")
                ? List.of("imitate", "--seed", seed, "--out", name)
                : List.of("expert", "--reward", name);
        Map<String, Object> provenance = Map.of("version", "0", "java", "25", "seed", 1, "command", command);
        Files.writeString(run.resolve("spec.json"), Json.write(Map.of("provenance", provenance, "settings", Map.of())));
        Map<String, Object> result = new HashMap<>(Map.of(
                "task", "disabledant", "seed", 1, "meanReturn", last, "bestReturn", last, "returns", new double[20]));
        result.putAll(Map.of("schema", 2, "kind", kind, "seconds", 1, "device", "cpu", "curve", List.of()));
        if (kind.equals("ml-irl")) {
            result.putAll(Map.of("method", kind, "demos", "d.npz", "trajectories", 1, "marks", List.of()));
        }
        Files.writeString(run.resolve("result.json"), Json.write(result));
    }
}

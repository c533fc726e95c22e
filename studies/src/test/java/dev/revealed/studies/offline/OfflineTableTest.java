package dev.revealed.studies.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Interval;
import dev.revealed.runs.Json;
import dev.revealed.studies.GatheredRun;
import dev.revealed.studies.offline.OfflineTable.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table of runs made up by hand. */
class OfflineTableTest {
    @TempDir
    private Path top = Path.of("");

    private static final String LOG = "log-hopper-replay/log.hdf5";

    /** @param returns of the evaluations */
    private void run(String name, String kind, int seed, Map<String, Object> settings, double... returns)
            throws IOException {
        Path run = Files.createDirectories(top.resolve(name));
        String command = kind.equals("reward") ? "expert" : "imitate";
        Map<String, Object> provenance =
                Map.of("version", "0", "java", "25", "seed", seed, "command", List.of(command, "--by", "hand"));
        Map<String, Object> all = new HashMap<>(settings);
        all.put("seed", seed);
        all.put("preset", "revealed");
        Files.writeString(run.resolve("spec.json"), Json.write(Map.of("provenance", provenance, "settings", all)));
        List<Object> curve = new ArrayList<>();
        for (int i = 0; i < returns.length; i++) {
            curve.add(Map.of("step", 1000 * (i + 1), "meanReturn", returns[i], "standardError", 1));
        }
        Map<String, Object> result = new HashMap<>(Map.of("schema", 2, "kind", kind, "task", "hopper", "seed", seed));
        result.putAll(Map.of("meanReturn", returns[returns.length - 1], "bestReturn", 0, "returns", new double[20]));
        result.putAll(Map.of("seconds", 1, "device", "cpu", "curve", curve));
        if (!kind.equals("reward")) {
            result.putAll(Map.of("method", kind, "demos", "d.npz", "trajectories", 10, "expertReturn", 1000));
            result.putAll(Map.of("marks", List.of(), "preset", "revealed", "reward", "state-action"));
        }
        Files.writeString(run.resolve("result.json"), Json.write(result));
    }

    private static Map<String, Object> offline(String world, double penalty) {
        return Map.of("offline", true, "data", LOG, "world", world, "penalty-weight", penalty);
    }

    private static Map<String, Object> fresh(String reward) {
        return Map.of("offline", true, "data", "log-hopper-medium/log.hdf5", "reward", reward);
    }

    @Test
    void rowsAverageTheLastTenEvaluationsOverSeedsAndNameRewardsByTheirLog() throws IOException {
        double[] first = {0, 0, 900, 900, 900, 900, 900, 900, 900, 900, 900, 1000}; // the last ten: 910
        double[] second = {0, 700};
        run("runs/01-hopper-seed-301", "offline-ml-irl", 301, offline("world-hopper-replay", 1), first);
        run("runs/02-hopper-seed-302", "offline-ml-irl", 302, offline("world-hopper-replay", 1), second);
        run("runs/03-hopper-seed-301", "offline-ml-irl", 301, offline("world-hopper-replay", 0), 500);
        run("runs/04-hopper-seed-301", "offline-ml-irl", 301, offline("world-hopper-replay-alone", 1), 400);
        run("cloned/01", "bc", 301, Map.of("data", ""), 600);
        run("carried/01", "reward", 301, fresh("runs/01-hopper-seed-301"), 800);
        run("carried/02", "reward", 301, fresh("controls-hopper/controls/random-1.safetensors"), 100);
        run("carried/03", "reward", 301, fresh("elsewhere/reward.safetensors"), 50);

        List<Row> rows = OfflineTable.of(GatheredRun.under(top), 1).rows();

        assertThat(rows)
                .extracting(Row::log, Row::method, Row::seeds, Row::lastReturn, Row::lastTen)
                .containsExactlyInAnyOrder(
                        tuple("log-hopper-replay", "offline ML-IRL", 2, 850, (910 + 350) / 2.0),
                        tuple("log-hopper-replay", "offline ML-IRL, no penalty", 1, 500, 500),
                        tuple("log-hopper-replay", "offline ML-IRL, world of the log alone", 1, 400, 400),
                        tuple("", "cloning", 1, 600, 600),
                        tuple("log-hopper-medium", "fresh policy, reward of log-hopper-replay", 1, 800, 800),
                        tuple("log-hopper-medium", "fresh policy, reward random", 1, 100, 100),
                        tuple("log-hopper-medium", "fresh policy, reward of elsewhere/reward.safetensors", 1, 50, 50));
        assertThat(rows).filteredOn(row -> row.seeds() == 2).singleElement().satisfies(row -> {
            assertThat(row.ratio()).isEqualTo(0.63);
            assertThat(row.lowest()).isEqualTo(0.35);
            assertThat(row.evaluation()).hasValueSatisfying(evaluation -> {
                assertThat(evaluation.interquartileMean()).isEqualTo(0.85);
                assertThat(evaluation.interval()).isEqualTo(new Interval(0.7, 1));
            });
        });
        assertThat(rows).allSatisfy(row -> assertThat(row.expertReturn()).isEqualTo(1000));
    }

    @Test
    void worldsHaveRowsOfTheirOwnAndARunCountsOnce() throws IOException {
        run("a", "offline-ml-irl", 1, offline("one/world", 1), 500);
        run("b", "offline-ml-irl", 1, offline("two/other-world", 1), 600);
        assertThat(OfflineTable.of(GatheredRun.under(top), 1).rows())
                .extracting(Row::world, Row::seeds)
                .containsExactly(Assertions.tuple("other-world", 1), Assertions.tuple("world", 1));
        run("again/a", "offline-ml-irl", 1, offline("one/world", 1), 500);
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> OfflineTable.of(GatheredRun.under(top), 1))
                .withMessageContaining(
                        "%s and %s are the same run".formatted(top.resolve("a"), top.resolve("again/a")));
    }

    @Test
    void anEmptyFolderIsRefused() {
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> OfflineTable.of(GatheredRun.under(top), 1))
                .withMessageContaining("no finished run");
    }

    private static Tuple tuple(String log, String method, int seeds, double last, double lastTen) {
        return Assertions.tuple(log, method, seeds, last, lastTen);
    }
}

package dev.revealed.app.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.app.Cli;
import dev.revealed.runs.Json;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table of runs made up by hand, whose numbers can be worked out in the head. */
class ImitationTableTest {
    private static final double[] TWENTY = new double[20];

    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    private Path runs() {
        return folder.resolve("runs");
    }

    private void write(String name, String command, Map<String, Object> settings, Map<String, Object> result)
            throws IOException {
        Path run = Files.createDirectories(runs().resolve(name));
        Map<String, Object> provenance =
                Map.of("version", "0", "java", "25", "seed", 1, "command", List.of(command.split(" ")));
        Map<String, Object> recorded = new HashMap<>(settings);
        for (String setting : List.of("reward", "preset")) {
            if (result.containsKey(setting)) {
                recorded.put(setting, result.get(setting));
            }
        }
        Files.writeString(run.resolve("spec.json"), Json.write(Map.of("provenance", provenance, "settings", recorded)));
        if (!result.isEmpty()) {
            Files.writeString(run.resolve("result.json"), Json.write(result));
        }
    }

    private static Map<String, Object> result(String task, String demos, int trajectories, int seed, double last) {
        Map<String, Object> result = new HashMap<>();
        result.put("task", task);
        result.put("demos", "../shared/demos/" + demos);
        result.put("trajectories", trajectories);
        result.put("seed", seed);
        result.put("meanReturn", last);
        result.put("bestReturn", last);
        result.put("returns", TWENTY);
        result.put("seconds", 100 * seed);
        result.put("device", "cpu");
        result.put(
                "curve",
                List.of(
                        Map.of("step", 1000, "meanReturn", last / 2, "standardError", 1),
                        Map.of("step", 2000, "meanReturn", last, "standardError", 1)));
        return result;
    }

    private static Map<String, Object> imitation(
            String task, String demos, int trajectories, int seed, double last, double expert, long steps) {
        Map<String, Object> result = result(task, demos, trajectories, seed, last);
        result.put("reward", "state-action");
        result.put("preset", "revealed");
        result.put("expertReturn", expert);
        result.put("countedSteps", steps);
        result.put(
                "marks",
                List.of(Map.of("step", 1000, "countedSteps", 1500), Map.of("step", 2000, "countedSteps", 3000)));
        return result;
    }

    private Map<?, ?> gather() {
        return gather(out());
    }

    private Map<?, ?> gather(String out) {
        assertThat(cli.run("reproduce", "table1", "--from", runs().toString(), "--json", "--out", out))
                .as(cli.err())
                .isZero();
        return Json.read(cli.out(), Map.class);
    }

    private String out() {
        return folder.resolve("out").toString();
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Map<?, ?> document, String name) {
        return (List<Map<String, Object>>) Objects.requireNonNull(document.get(name));
    }

    private static double number(Map<String, Object> row, String name) {
        return ((Number) Objects.requireNonNull(row.get(name))).doubleValue();
    }

    @Test
    void packedRunsCountAsOthersDo() throws IOException {
        for (int seed = 1; seed <= 3; seed++) {
            Map<String, Object> result = imitation("hopper", "hopper.npz", 1, seed, 3000 + seed, 3400, 800_000);
            write("sa/seed-" + seed, "imitate --seed " + seed, Map.of("seed", seed), result);
            Files.writeString(runs().resolve("sa/seed-" + seed + "/metrics.jsonl"), """
                    {"iteration":1,"steps":1000,"trueReturn":3300,"episodeTrueReturn":3300}
                    {"iteration":2,"steps":2000,"trueReturn":3300,"episodeTrueReturn":10}
                    """);
        }
        Map<?, ?> document = gather();
        Path folder = runs().resolve("sa");
        try (FileSystem archive = FileSystems.newFileSystem(runs().resolve("sa.zip"), Map.of("create", "true"))) {
            for (int seed = 2; seed <= 3; seed++) {
                Path from = folder.resolve("seed-" + seed);
                Path to = Files.createDirectories(archive.getPath("/seed-" + seed));
                for (String name : List.of("spec.json", "result.json", "metrics.jsonl")) {
                    Files.move(from.resolve(name), to.resolve(name));
                }
            }
        }
        assertThat(gather(out() + "-packed").get("rows")).isEqualTo(document.get("rows"));
        cli.done("reproduce table1 --json --from %s --out %s".formatted(folder, out() + "-part"));
        assertThat(list(Json.read(cli.out(), Map.class), "rows"))
                .singleElement()
                .satisfies(row -> assertThat(list(row, "runs")).hasSize(3));

        try (FileSystem archive = FileSystems.newFileSystem(runs().resolve("twice.zip"), Map.of("create", "true"))) {
            Files.move(runs().resolve("sa.zip"), archive.getPath("/runs.zip"));
        }
        assertThat(list(gather(out() + "-twice"), "rows"))
                .singleElement()
                .satisfies(row -> assertThat(number(row, "share"))
                        .isEqualTo(number(list(document, "rows").getFirst(), "share")));

        Files.writeString(runs().resolve("other.zip"), "no archive");
        assertThat(cli.run("reproduce", "table1", "--from", runs().toString(), "--out", out() + "-other"))
                .isEqualTo(2);
        assertThat(cli.err()).contains("other.zip is no archive of runs");
    }

    @Test
    void seedsAreOneRowBesideThePaper() throws IOException {
        double[] returns = {100, 3300, 3400, 3500, 9000};
        for (int i = 0; i < returns.length; i++) {
            Map<String, Object> result = imitation("hopper", "hopper.npz", 1, i + 1, returns[i], 3400, 800_000);
            if (i == 2) {
                result.put("bestReturn", 4250);
            }
            write("sa/seed-" + (i + 1), "imitate --seed " + (i + 1), Map.of("seed", i + 1, "block", 1000), result);
        }
        write("sa", "imitate --seeds 1-5", Map.of("seeds", "1-5"), Map.of("runs", 5)); // the fleet's own folder
        for (int seed : new int[] {1, 2}) {
            Map<String, Object> clone = result("hopper", "hopper.npz", 1, seed, 1000 * seed);
            clone.put("method", "bc");
            clone.put("steps", 0);
            clone.put("expertReturn", 3400);
            write("bc/" + seed, "imitate --method bc", Map.of("seed", seed, "method", "bc"), clone);
        }
        List<Map<String, Object>> rows = list(gather(), "rows");
        assertThat(rows).hasSize(2);
        Map<String, Object> learnt = rows.get(0);
        assertThat(number(learnt, "interquartileMean")).isEqualTo(3400); // without 100 and 9000
        assertThat(number(learnt, "share")).isEqualTo(1);
        assertThat(number(learnt, "lastOfBest")).isEqualTo(0.8);
        assertThat(number(learnt, "seconds")).isEqualTo(300);
        assertThat(number(learnt, "paperReturn")).isEqualTo(3290.02);
        assertThat(number(learnt, "paperShare")).isCloseTo(0.93185, within(1e-5));
        assertThat((List<?>) learnt.get("shortfalls")).isEmpty();
        Map<String, Object> cloned = rows.get(1);
        assertThat(number(cloned, "interquartileMean")).isEqualTo(1500);
        assertThat(cloned).containsEntry("interval", Map.of("low", 1000.0, "high", 2000.0)); // of two seeds: both
        assertThat(number(cloned, "paperReturn")).isEqualTo(102.74);
        assertThat(cloned).doesNotContainKey("aim");
        Path out = Path.of(out());
        assertThat(Files.readString(out.resolve("table.md")))
                .contains(
                        "| hopper | ML-IRL SA | hopper.npz | 1 | revealed | 5 | 3400 | mean of demonstrations | 3400 |")
                .contains("| 100.0 | 80.0 | 800000 | 300 | 3290 | 93.2 | met |")
                .contains("| our aim |")
                .contains("our aim: what this project set itself")
                .contains("With two to four seeds that interval runs from the lowest seed to the highest")
                .contains("No run yet: ML-IRL SA, 5 trajectories of ant: 90 % of 6626.");
        assertThat(Files.readAllLines(out.resolve("table.csv"))).hasSize(3);
        assertThat(Files.readString(out.resolve("curves-hopper.svg"))).contains("ML-IRL SA, 1 of hopper");
        assertThat(Files.readString(out.resolve("returns.svg")))
                .contains("hopper: ML-IRL SA, 5 seeds")
                .contains("hopper: BC, 2 seeds")
                .contains("circles: the paper");
        assertThat(out).isDirectoryContaining("glob:**/report.html");
    }

    /**
     * The expert returns 4000; 90 % are 3600. Curves have two points, half of the last return at 1,500 counted steps and the
     * last at 3,000, so that the area to 3,000 of a run with last return r is (1500 r/4 + 1500 3r/4) / 3000 = r/2.
     */
    @Test
    void rowsAreJudgedInSharesOfTheExpert() throws IOException {
        double[] returns = {2000, 3600, 4000};
        for (int i = 0; i < returns.length; i++) {
            write("seed-" + i, "imitate", Map.of(), imitation("ant", "ant.npz", 5, i, returns[i], 4000, 3000));
        }
        Files.writeString(runs().resolve("seed-2/metrics.jsonl"), """
                {"steps": 1000, "trueReturn": 3600, "episodeTrueReturn": 3000}
                {"steps": 501000, "trueReturn": 4000, "episodeTrueReturn": 100}
                """);
        Map<String, Object> row = list(gather(), "rows").getFirst();
        assertThat(row.get("expertMeasured")).isEqualTo("mean of demonstrations");
        Map<String, Object> judged = part(row, "evaluation");
        assertThat(number(judged, "mean")).isCloseTo(0.8, within(1e-12));
        assertThat(number(judged, "worstOfLastTen")).isCloseTo(0.4, within(1e-12)); // halves of all
        assertThat(number(judged, "areaUnderCurve")).isCloseTo(0.4, within(1e-12));
        assertThat(number(judged, "budget")).isEqualTo(3000);
        assertThat(part(judged, "stepsTo90"))
                .isEqualTo(Map.of("value", 3000.0, "censored", false, "happened", 2, "of", 3));
        assertThat(part(judged, "stepsTo95"))
                .isEqualTo(Map.of("value", 3000.0, "censored", true, "happened", 1, "of", 3));
        assertThat(number(part(judged, "falls"), "falls")).isEqualTo(1);
        assertThat(number(part(judged, "falls"), "perMillion")).isEqualTo(2); // in half a million steps
        assertThat(Files.readString(Path.of(out(), "table.md")))
                .contains("| 80.0 | 60.0 | 40.0 | 3k | > 3k | 40.0 | 3k | – | 1 | 2.00 | 0.05 | 11.14 |");
        assertThat(Files.readAllLines(Path.of(out(), "evaluation.csv"))).hasSize(2);
        assertThat(cli.run(
                        "reproduce",
                        "table1",
                        "--from",
                        runs().toString(),
                        "--budget",
                        "1500",
                        "--json",
                        "--out",
                        out() + "-early"))
                .isZero();
        Map<String, Object> early =
                part(list(Json.read(cli.out(), Map.class), "rows").getFirst(), "evaluation");
        assertThat(number(early, "areaUnderCurve")).isCloseTo(0.2, within(1e-12)); // means of a quarter of the last
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> part(Map<String, Object> of, String name) {
        return (Map<String, Object>) Objects.requireNonNull(of.get(name));
    }

    /** The policy without noise returns 5000, its demonstrations 4000: a share of 0.8 where these would say 1. */
    @Test
    void expertsWhosePoliciesAreAtHandAreMeasuredAsPoliciesAre() throws IOException {
        Map<String, Object> result = imitation("ant", "ant.npz", 5, 1, 4000, 4000, 1);
        result.put("demosHash", "abc");
        write("1", "imitate", Map.of(), result);
        Files.writeString(
                runs().resolve("experts.json"),
                "{\"experts\": [{\"demosHash\": \"abc\", \"meanReturn\": 5000, \"episodes\": 20, \"policy\": \"p\"}]}");
        Map<String, Object> row = list(gather(), "rows").getFirst();
        assertThat(number(row, "expertReturn")).isEqualTo(5000);
        assertThat(row.get("expertMeasured")).isEqualTo("policy without noise");
        assertThat(number(row, "share")).isEqualTo(0.8);
        assertThat(number(part(row, "evaluation"), "mean")).isEqualTo(0.8);
    }

    /** The same lines as in {@code FallsScriptTest}, and the same count as there with {@code --expert 5000}. */
    @Test
    void fallsAreCountedByTheMeasuredReturnOfTheExpert() throws IOException {
        Map<String, Object> result = imitation("ant", "ant.npz", 5, 1, 4000, 4000, 1);
        result.put("demosHash", "abc");
        write("1", "imitate", Map.of(), result);
        Files.writeString(runs().resolve("1/metrics.jsonl"), """
                {"steps": 100000, "trueReturn": 3600, "episodeTrueReturn": 3000}
                {"steps": 200000, "trueReturn": 3600, "episodeTrueReturn": 1400}
                {"steps": 300000, "trueReturn": 4500, "episodeTrueReturn": 3750}
                {"steps": 400000, "trueReturn": 4500, "episodeTrueReturn": 1800}
                {"steps": 500000, "trueReturn": 4500, "episodeTrueReturn": 3000}
                {"steps": 600000, "trueReturn": 4500, "episodeTrueReturn": 1400}
                """);
        Files.writeString(
                runs().resolve("experts.json"),
                "{\"experts\": [{\"demosHash\": \"abc\", \"meanReturn\": 5000, \"episodes\": 20, \"policy\": \"p\"}]}");
        Map<String, Object> falls = part(part(list(gather(), "rows").getFirst(), "evaluation"), "falls");
        assertThat(falls).containsEntry("falls", 1).containsEntry("steps", 300_000);
    }

    /** Ant ran on both devices and Hopper on one: three runs of one setting on two tasks, and two of the other. */
    @Test
    void runsOfAllDevicesArePooledInComparisons() throws IOException {
        ran("1", "cpu", 2, imitation("ant", "ant.npz", 5, 1, 3000, 6000, 1));
        ran("2", "cuda", 2, imitation("ant", "ant.npz", 5, 1, 6000, 6000, 1));
        ran("3", "cuda", 2, hopper(2000));
        ran("4", "cuda", 4, imitation("ant", "ant.npz", 5, 1, 4500, 6000, 1));
        ran("5", "cuda", 4, hopper(3000));
        Map<?, ?> document = gather();
        assertThat(list(document, "rows")).hasSize(5);
        List<Map<String, Object>> pairs = list(part(asMap(document), "comparison"), "pairs");
        assertThat(pairs).hasSize(1);
        Map<String, Object> pair = pairs.getFirst();
        assertThat(part(pair, "other"))
                .containsEntry("setting", "ML-IRL SA, revealed, critics 4")
                .containsEntry("runs", 2);
        assertThat(part(pair, "one"))
                .containsEntry("setting", "ML-IRL SA, revealed")
                .containsEntry("runs", 3);
        assertThat(number(part(pair, "improvement"), "value")).isEqualTo(0.25); // a half on Ant
        assertThat(number(part(pair, "one"), "interquartileMean")).isCloseTo(0.625, within(1e-12)); // 0.75 and 0.5
    }

    private void ran(String name, String device, int critics, Map<String, Object> result) throws IOException {
        String command = "imitate --device " + device + (critics == 2 ? "" : " --critics " + critics);
        write(name, command, Map.of("device", device, "critics", critics), result);
    }

    /** Two settings on two tasks; the length of a run is no setting. Four critics win on Hopper and tie on Ant. */
    @Test
    void settingsAreComparedOnTheSameTasks() throws IOException {
        Map<String, Object> plain = Map.of("critics", 2);
        Map<String, Object> more = Map.of("critics", 4);
        write("1", "imitate", plain, imitation("ant", "ant.npz", 5, 1, 6000, 6000, 1));
        write("2", "imitate --iterations 9", Map.of("critics", 2, "iterations", 9), hopper(2000));
        write("3", "imitate --critics 4", more, imitation("ant", "ant.npz", 5, 1, 6000, 6000, 1));
        write("4", "imitate --critics 4", more, hopper(3000));
        Map<String, Object> comparison = part(asMap(gather()), "comparison");
        Map<String, Object> pair = list(comparison, "pairs").getFirst();
        assertThat(list(comparison, "pairs")).hasSize(1);
        assertThat(part(pair, "one").get("setting")).isEqualTo("ML-IRL SA, revealed, critics 4");
        assertThat(part(pair, "other").get("setting")).isEqualTo("ML-IRL SA, revealed");
        assertThat(number(part(pair, "improvement"), "value")).isEqualTo(0.75);
        assertThat(Path.of(out())).isDirectoryContaining("glob:**/profile.svg");
        assertThat(Files.readString(Path.of(out(), "improvement.svg")))
                .contains("ML-IRL SA, revealed, critics 4, over ML-IRL SA, revealed (2 tasks)");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> asMap(Map<?, ?> document) {
        return (Map<String, Object>) document;
    }

    private static Map<String, Object> hopper(double last) {
        return imitation("hopper", "hopper.npz", 1, 1, last, 4000, 1);
    }

    /** Hopper of f-IRL has no rewards, so that its expert is the one its authors report: 95 % of 3527 are 3350.65. */
    @Test
    void expertsWithoutRewardsAreThoseOfTheAims() throws IOException {
        write("1", "imitate", Map.of(), imitation("hopper", "hopper-firl.npz", 5, 1, 3300, Double.NaN, 1));
        write("2", "imitate", Map.of(), imitation("hopper", "hopper-firl.npz", 5, 2, 3400, Double.NaN, 1));
        Map<String, Object> row = list(gather(), "rows").getFirst();
        assertThat(number(row, "expertReturn")).isEqualTo(3527);
        assertThat(number(row, "share")).isCloseTo(3350.0 / 3527, within(1e-12));
        assertThat(row.get("expertMeasured")).isEqualTo("reported by its authors");
        assertThat(row.get("shortfalls")).isEqualTo(List.of("below 3351"));
    }

    @Test
    void aimsSayWhatIsMissing() throws IOException {
        Map<String, Object> fallen = imitation("humanoid", "demonstrations.npz", 5, 1, 4900, 5300, 999_999);
        fallen.put("bestReturn", 5500);
        fallen.put("returns", new double[19]);
        write("1", "imitate", Map.of(), fallen);
        write("2", "imitate", Map.of(), imitation("hopper", "hopper.npz", 1, 1, 3306, 3478, 1_000_001));
        List<Map<String, Object>> rows = list(gather(), "rows");
        assertThat(rows.get(0).get("shortfalls")).isEqualTo(List.of("1 of 5 seeds", "more than 1,000,000 steps"));
        assertThat(rows.get(1).get("shortfalls"))
                .isEqualTo(List.of(
                        "1 of 2 seeds",
                        "fewer than 20 episodes",
                        "fewer than 1,000,000 steps",
                        "last below 90 % of best"));
    }

    /** A default run of Humanoid has a million steps. */
    @Test
    void aDefaultRunIsLongEnoughForItsAim() throws IOException {
        for (int seed : new int[] {1, 2}) {
            write("" + seed, "imitate", Map.of(), imitation("humanoid", "h.npz", 5, seed, 5000, 5300, 1_000_000));
        }
        Map<String, Object> row = list(gather(), "rows").getFirst();
        assertThat(row).containsKey("aim");
        assertThat((List<?>) row.get("shortfalls")).isEmpty();
    }

    /** What was typed beside the preset, and what differs though nobody typed it, are rows apart, and no preset's aims. */
    @Test
    void otherSettingsAreOtherRows() throws IOException {
        Map<String, Object> aligned = Map.of("pairing", "aligned", "block", 1000, "out", "a", "seed", 1);
        Map<String, Object> shifted = Map.of("pairing", "shifted", "block", 1000, "out", "b", "seed", 2);
        Map<String, Object> longer = Map.of("pairing", "aligned", "block", 5000, "out", "c", "seed", 3);
        write("1", "imitate --out a", aligned, imitation("ant", "ant.npz", 5, 1, 6000, 6626, 1));
        write("2", "imitate --pairing=shifted --out b", shifted, imitation("ant", "ant.npz", 5, 2, 5000, 6626, 1));
        write("3", "imitate --out c", longer, imitation("ant", "ant.npz", 5, 3, 4000, 6626, 1));
        Map<?, ?> document = gather();
        assertThat(list(document, "rows"))
                .extracting(row -> ((Map<?, ?>) Objects.requireNonNull(row.get("key"))).get("options") + "")
                .containsExactly("{block=1000}", "{block=1000, pairing=shifted}", "{block=5000}");
        assertThat(list(document, "rows")).noneMatch(row -> row.containsKey("aim"));
    }

    /** The same run on another device has other numbers, and is as good. */
    @Test
    void devicesAreRowsApartWithTheSameAim() throws IOException {
        for (String device : List.of("cpu", "cuda")) {
            write(
                    device,
                    "imitate --device " + device,
                    Map.of("device", device),
                    imitation("ant", "ant.npz", 5, 1, 6000, 6626, 1));
        }
        assertThat(list(gather(), "rows"))
                .hasSize(2)
                .allMatch(row -> List.of("1 of 2 seeds").equals(row.get("shortfalls")));
    }

    @Test
    void rewardsUsedAgainAreComparedWithWhatWasLearntWithThem() throws IOException {
        write("hopper/seed-1", "imitate", Map.of(), imitation("hopper", "hopper.npz", 1, 1, 3300, 3478, 1));
        write(
                "other/seed-1",
                "imitate --reward state",
                Map.of(),
                stateOnly(imitation("hopper", "hopper.npz", 1, 1, 1, 2, 1)));
        for (String reward : List.of("moved/hopper/seed-1/reward.safetensors", "seed-1/reward.safetensors")) {
            Map<String, Object> fresh = result("hopper", "", 0, 1, 2970);
            List.of("demos", "trajectories").forEach(fresh::remove);
            fresh.put("reward", reward);
            write("fresh-" + reward.length(), "expert --reward x", Map.of("reward", reward), fresh);
        }
        write("expert", "expert", Map.of(), Map.of("task", "hopper")); // one by the true reward has no place here
        List<Map<String, Object>> reused = list(gather(), "reused");
        assertThat(reused).extracting(each -> each.get("learntWith")).containsExactly(null, 3300.0); // two are as near
        assertThat(Files.readString(Path.of(out(), "table.md"))).contains("| 3300 | 2970 | 90.0 | met |");
    }

    @Test
    void rewardsThatWereJudgedAreMeansOverRuns() throws IOException {
        write("ant", "imitate", Map.of(), imitation("ant", "ant.npz", 5, 1, 6000, 6626, 1));
        for (int seed = 1; seed <= 3; seed++) {
            List<Map<String, Object>> along = List.of(
                    Map.of(
                            "name",
                            "data",
                            "from",
                            "demos/ant.npz",
                            "pearson",
                            seed / 10.0,
                            "spearman",
                            0.5,
                            "epic",
                            0.25),
                    Map.of("name", "policy", "from", "seed-" + seed, "pearson", 1, "spearman", 1, "epic", 0));
            Map<String, Object> result = Map.of("learntOn", "ant", "inputs", "state-action", "along", along);
            write("judged-" + seed, "reward --reward x", Map.of("reward", "x"), result);
        }
        assertThat(list(gather(), "judged")).hasSize(2);
        assertThat(Files.readString(Path.of(out(), "table.md")))
                .contains("| ant | state-action | ant.npz | 3 | 0.200 | 0.100 | 0.300 | 0.500 | 0.250 |")
                .contains("| ant | state-action | policies, playing | 3 | 1.000 | 1.000 | 1.000 | 1.000 | 0.000 |");
    }

    private static Map<String, Object> stateOnly(Map<String, Object> result) {
        result.put("reward", "state");
        return result;
    }

    @Test
    void runsThatDidNotEndAreNamedAndLeftOut() throws IOException {
        write("done", "imitate", Map.of(), imitation("ant", "ant.npz", 5, 1, 6000, 6626, 1));
        write("begun", "imitate", Map.of(), Map.of());
        Map<?, ?> document = gather();
        assertThat(document.get("unfinished")).isEqualTo(List.of("begun"));
        assertThat(list(document, "rows")).hasSize(1);
    }

    @Test
    void whatCannotBeReadIsNamed() throws IOException {
        refused("there is no folder");
        Files.createDirectories(runs());
        refused("no run in " + runs() + " has finished");
        write("judged", "reward", Map.of(), Map.of("inputs", "state"));
        Path judged = runs().resolve("judged/result.json");
        refused(judged + " does not say what the reward is of");
        Files.delete(judged);
        write("good", "imitate", Map.of(), imitation("ant", "ant.npz", 5, 1, 6000, 6626, 1));
        write("twin", "imitate", Map.of(), imitation("ant", "ant.npz", 5, 1, 6000, 6626, 1));
        refused("%s and %s are the same run".formatted(runs().resolve("good"), runs().resolve("twin")));
        Path twin = runs().resolve("twin/result.json");
        Files.writeString(twin, "{\"task\" : \"ant\"");
        refused(twin + ": the JSON cannot be read");
        Files.writeString(twin, "{\"task\" : \"ant\", \"curve\" : []}");
        refused(twin + ": it has no meanReturn");
        Files.delete(twin.resolveSibling("spec.json"));
        refused(twin + " has no spec.json beside it");
    }

    private void refused(String words) {
        assertThat(cli.run("reproduce", "table1", "--from", runs().toString(), "--out", out()))
                .isEqualTo(2);
        assertThat(cli.err()).contains(words);
        assertThat(Path.of(out())).doesNotExist();
    }
}

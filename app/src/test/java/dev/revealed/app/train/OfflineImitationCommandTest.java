package dev.revealed.app.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.app.Cli;
import dev.revealed.app.MujocoHere;
import dev.revealed.data.EpisodeFiles;
import dev.revealed.data.npz.NpyArray;
import dev.revealed.data.npz.Npz;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.numeric.RandomStream;
import dev.revealed.runs.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From a log to a world, a policy in it and the table, on walks of the cheetah's sizes. */
class OfflineImitationCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    @BeforeAll
    static void here() {
        MujocoHere.assume();
    }

    private static Episodes walks(int count, long seed) {
        RandomStream stream = RandomStream.of(seed);
        List<Episode> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int length = 60;
            float[] states = new float[17 * (length + 1)];
            float[] actions = new float[6 * length];
            for (int j = 0; j < actions.length; j++) {
                actions[j] = (float) stream.nextDouble(-1, 1);
            }
            for (int j = 17; j < states.length; j++) {
                int t = j / 17 - 1;
                states[j] =
                        (float) (0.9 * states[j - 17] + 0.1 * actions[6 * t + j % 6] + 0.01 * stream.nextGaussian());
            }
            all.add(new Episode(length, states, actions, new double[length], Ending.TRUNCATED));
        }
        return new Episodes(all);
    }

    /** Sizes, bounds and terminations come from the files; nothing is evaluated, and that is said. */
    @Test
    void withoutATask() {
        Path log = folder.resolve("log.npz");
        EpisodeFiles.write(log, walks(10, 1));
        Path demos = folder.resolve("demos.npz");
        EpisodeFiles.write(demos, walks(3, 2));
        Path world = folder.resolve("world");
        cli.done("worldmodel --data %s --members 2 --elites 1 --hidden 8 --epochs 2 --batch 32 --out %s"
                .formatted(log, world));
        String small =
                " --demos %s --data %s --trajectories 2 --iterations 1 --block 100 --random-steps 50 --batch 16 --hidden 8"
                        .formatted(demos, log);
        Path learnt = folder.resolve("learnt");
        cli.done(
                "imitate --offline --world %s%s --rollouts 2 --window 10 --rollout-batch 20 --rollout-length 2 --out %s"
                        .formatted(world, small, learnt));
        assertThat(cli.err()).contains("no task is named: policies are not evaluated");
        assertThat(cli.out()).doesNotContain("return", "–");
        cli.done("imitate --offline --method iq-learn%s --reward-updates 5 --seeds 1-2 --out %s"
                .formatted(small, folder.resolveSibling(folder.getFileName() + "-seeds")));
        assertThat(cli.out()).contains("2 runs").doesNotContain("return", "–", "to 90", "falls");
        Path inverse = folder.resolve("inverse");
        cli.done("imitate --offline --method iq-learn%s --reward-updates 5 --json --out %s".formatted(small, inverse));
        Map<?, ?> result = Json.read(cli.out(), Map.class);
        assertThat(result.get("kind")).isEqualTo("offline-iq-learn");
        assertThat(result.get("task")).isEqualTo("log");
        assertThat(result.get("meanReturn")).isNull();
        cli.done("imitate --offline --method bc --demos %s --iterations 2 --hidden 8 --out %s"
                .formatted(demos, folder.resolve("cloned")));
        cli.done(
                "expert --offline --reward %s --world %s --data %s --steps 60 --random-steps 20 --batch 16 --rollout-batch 10"
                                .formatted(learnt, world, log)
                        + " --rollout-length 2 --evaluate-every 60 --out " + folder.resolve("fresh"));
        for (Path run : List.of(learnt, inverse, folder.resolve("cloned"), folder.resolve("fresh"))) {
            cli.done("evaluate --policy %s --demos %s --skip 2 --json".formatted(run, demos));
            Map<?, ?> predicted = Json.read(cli.out(), Map.class);
            assertThat(predicted.get("trajectories")).isEqualTo(1);
            assertThat((Double) predicted.get("actionError")).isBetween(0.1, 2.0);
        }
        cli.done("evaluate --runs %s --demos %s --skip 2 --json".formatted(folder, demos));
        List<?> rows =
                (List<?>) Objects.requireNonNull(Json.read(cli.out(), Map.class).get("rows"));
        assertThat(((Map<?, ?>) rows.getFirst()).get("nearBest"))
                .isEqualTo(true); // the error of one trajectory is not known
        assertThat(rows)
                .extracting(row -> String.valueOf(((Map<?, ?>) row).get("method")))
                .containsExactlyInAnyOrder("offline ML-IRL", "offline IQ-Learn", "BC");
        cli.done("evaluate --runs %s --demos %s --skip 2".formatted(folder, demos));
        assertThat(cli.out()).contains("the largest absolute action of these demonstrations", "over seeds");
        assertThat(cli.err()).contains("compare several seeds of each setting (--seeds)");
        refused("evaluate --policy " + learnt, "was trained on 'log', a simulator that this command does not have");
        refused(
                "evaluate --policy %s --demos %s --episodes 3".formatted(learnt, demos),
                "--episodes has no effect with --demos");
        refused(
                "evaluate --policy %s --demos %s --inertia modern".formatted(learnt, demos),
                "--inertia has no effect with --demos");
        refused(
                "evaluate --runs %s --demos %s --checkpoint best".formatted(folder, demos),
                "--checkpoint has no effect with --runs");
        refused("evaluate --policy %s --demos %s --skip 3".formatted(learnt, demos), "skip");
        withoutPolicies(demos);
        refused("imitate --method iq-learn --demos %s".formatted(demos), "no task is named");
        Path ruled = folder.resolve("ruled");
        cli.done(
                "worldmodel --task halfcheetah --data %s --members 2 --elites 1 --hidden 8 --epochs 1 --batch 32 --out %s"
                        .formatted(log, ruled));
        refused("imitate --offline --world %s%s".formatted(ruled, small), "halfcheetah", "Choose --task halfcheetah");
    }

    /** Sizes of the code that Zeng, Li, Garcia and Hong published with their paper of 2023, for most of its logs. */
    @Test
    void thePaperPresetHasTheReferencesSizes() throws IOException {
        Path log = folder.resolve("log.npz");
        EpisodeFiles.write(log, walks(20, 1));
        Path world = folder.resolve("world");
        cli.done("worldmodel --preset paper --data %s --epochs 1 --out %s".formatted(log, world));
        assertThat(settings(world))
                .containsEntry("members", 7)
                .containsEntry("elites", 5)
                .containsEntry("hidden", List.of(200, 200, 200, 200))
                .containsEntry("held-out", 0.2)
                .containsEntry("demo-share", 0.0)
                .containsEntry("batch", 256);
        Path learnt = folder.resolve("learnt");
        cli.done(
                "imitate --offline --preset paper --world %s --demos %s --data %s --iterations 1 --block 20 --random-steps 20 --out %s"
                        .formatted(world, log, log, learnt));
        assertThat(settings(learnt))
                .containsEntry("hidden", List.of(256, 256, 256))
                .containsEntry("learning-rate", 3e-4)
                .containsEntry("batch", 256)
                .containsEntry("temperature", "auto")
                .containsEntry("reward-hidden", List.of(256, 256))
                .containsEntry("reward-discount", 1.0)
                .containsEntry("first-activation", "none")
                .containsEntry("reward-learning-rate", 1e-4)
                .containsEntry("reward-clamp", 10.0)
                .containsEntry("window", 200)
                .containsEntry("penalty", "max-sigma")
                .containsEntry("cloning", 0.0);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> settings(Path run) throws IOException {
        Map<?, ?> spec = Json.read(Files.readString(run.resolve("spec.json")), Map.class);
        return (Map<String, Object>) Objects.requireNonNull(spec.get("settings"));
    }

    @Test
    void episodesTerminateByAFormula() throws IOException {
        Path log = folder.resolve("log.npz");
        EpisodeFiles.write(log, walks(10, 1));
        Path world = folder.resolve("world");
        String learn =
                "worldmodel --data %s --members 2 --elites 1 --hidden 8 --epochs 1 --batch 32 --json --out %s --ended %s";
        refused(learn.formatted(log, world, "s17>0"), "--ended", "s17", "s16");
        refused(learn.formatted(log, world, "sqrt(s0-50)"), "--ended has no value", "after 600 of 600 logged steps");
        assertThat(world).doesNotExist();
        cli.done(learn.formatted(log, world, "s0>100"));
        assertThat(Files.readString(world.resolve("report.html"))).contains(quoted("s0>100"));
        assertThat(cli.err()).doesNotContain("says something else");
        cli.done(learn.formatted(log, folder.resolve("often"), "s0>-100"));
        assertThat(cli.err()).contains("after 600 of 600 logged steps --ended says something else than the log");
        assertThat(Json.read(cli.out(), Map.class).get("terminations")).isEqualTo("where s0>-100");
        String small =
                "imitate --offline --world %s --demos %s --data %s --iterations 1 --block 100 --random-steps 50 --batch 16"
                        + " --hidden 8 --rollouts 2 --window 10 --rollout-batch 20 --rollout-length 2 --json --out %s";
        cli.done(small.formatted(folder.resolve("often"), log, log, folder.resolve("short")));
        assertThat(metric(folder.resolve("short"))).isEqualTo(0.1); // of windows of ten steps
        cli.done(small.formatted(world, log, log, folder.resolve("long")));
        assertThat(metric(folder.resolve("long"))).isEqualTo(1.0);
    }

    /** A word as it is typed in a shell, in a page. */
    private static String quoted(String word) {
        return "--ended '%s'".formatted(word.replace(">", "&gt;"));
    }

    private static Episodes bare(Episodes episodes) {
        return new Episodes(episodes.all().stream()
                .map(each -> new Episode(each.length(), each.observations(), null, null, each.ending()))
                .toList());
    }

    /** Sizes and bound of actions come from the file that has them; a reward of states needs no others. */
    @Test
    void filesThatLackActionsOrDifferAreNamed() {
        Path log = folder.resolve("log.npz");
        EpisodeFiles.write(log, walks(10, 1));
        Path states = folder.resolve("states.npz");
        EpisodeFiles.write(states, bare(walks(2, 2)));
        Path narrow = folder.resolve("narrow.npz");
        EpisodeFiles.write(
                narrow,
                new Episodes(
                        List.of(new Episode(9, new float[10 * 3], new float[9 * 6], new double[9], Ending.TRUNCATED))));
        Path world = folder.resolve("world");
        String learn =
                "worldmodel --data %s --demos %s --members 2 --elites 1 --hidden 8 --epochs 1 --batch 32 --out %s";
        refused(learn.formatted(log, states, world), states + " has no actions", "leave out --demos");
        refused(
                learn.formatted(log, narrow, world),
                narrow + " has observations of 3 numbers and actions of 6, and " + log + " has 17 and 6");
        assertThat(world).doesNotExist();
        cli.done(learn.formatted(log, log, world));
        assertThat(cli.err()).contains("--data and --demos are the same file, " + log);

        String isWorld = " is a world of 'worldmodel', not a policy";
        refused("evaluate --policy " + world, world + isWorld);
        Path file = world.resolve("world.safetensors");
        refused("evaluate --policy " + file, file + isWorld);

        String small = " --iterations 1 --block 100 --random-steps 50 --batch 16 --hidden 8 --out ";
        refused(
                "imitate --offline --method iq-learn --world %s --data %s --demos %s%s"
                        .formatted(world, log, log, small + folder.resolve("none")),
                "--world has no effect on offline-iq-learn",
                "Leave it out, or choose --method ml-irl");
        String imitate =
                "imitate --offline --world %s --data %s --demos %s --rollouts 2 --rollout-batch 20 --rollout-length 2"
                        .formatted(world, log, states);
        refused(imitate + small + folder.resolve("none"), states + " have no actions", "--reward state");
        refused(
                (imitate + " --reward state" + small + folder.resolve("none"))
                        .replace(log.toString(), states.toString()),
                "there are no actions in " + states);
        cli.done(imitate + " --reward state --window 5000" + small + folder.resolve("learnt"));
        assertThat(cli.err())
                .contains(
                        "--window is 5000, and the longest demonstration has 60 steps",
                        "consider --actor-learning-rate 6e-5 with --actor-every 2");
        cli.done(imitate + " --reward state --window 60 --actor-learning-rate 6e-5 --actor-every 2" + small
                + folder.resolve("slow"));
        assertThat(cli.err()).doesNotContain("--window", "--cloning");
        refused(
                "record --mix replay --policy %s --out %s".formatted(folder.resolve("slow"), folder.resolve("mixed")),
                "is a run of 'imitate', and --mix makes a log of a run of 'expert'");
    }

    private static Object metric(Path run) {
        try {
            return Objects.requireNonNull(
                    Json.read(Files.readAllLines(run.resolve("metrics.jsonl")).getLast(), Map.class)
                            .get("agentLength"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A log that pays NaN gives the same world, and in it the same policies and rewards, as one that pays anything else. */
    @Test
    void rewardsOfALogAreNeverRead() throws IOException {
        Path demos = folder.resolve("demos.npz");
        EpisodeFiles.write(demos, walks(2, 2));
        Path log = folder.resolve("log.npz");
        for (double reward : new double[] {1e6, Double.NaN}) {
            pay(log, walks(10, 1), reward);
            Path world = folder.resolve("world-" + reward);
            cli.done("worldmodel --data %s --members 2 --elites 1 --hidden 8 --epochs 2 --batch 32 --out %s"
                    .formatted(log, world));
            String small =
                    " --demos %s --data %s --iterations 2 --block 60 --random-steps 30 --batch 16 --hidden 8 --recent 60"
                            .formatted(demos, log);
            cli.done(
                    "imitate --offline --world %s%s --rollouts 2 --window 10 --rollout-batch 20 --rollout-length 2 --out %s"
                            .formatted(world, small, folder.resolve("ml-irl-" + reward)));
            cli.done("imitate --offline --method iq-learn%s --reward-updates 5 --out %s"
                    .formatted(small, folder.resolve("iq-learn-" + reward)));
        }
        for (String run : List.of("world", "ml-irl", "iq-learn")) {
            Map<String, byte[]> expected = learnt(folder.resolve(run + "-1000000.0"));
            assertThat(expected).containsKey(run.equals("world") ? "world.safetensors" : "reward.safetensors");
            Map<String, byte[]> other = learnt(folder.resolve(run + "-NaN"));
            assertThat(other.keySet()).isEqualTo(expected.keySet());
            expected.forEach((file, bytes) -> assertThat(Arrays.equals(other.get(file), bytes))
                    .as("%s of %s", file, run)
                    .isTrue());
        }
    }

    /** Every step pays the same, whatever episodes may pay: NaN is only possible in a file. */
    private static void pay(Path file, Episodes episodes, double reward) {
        EpisodeFiles.write(file, episodes);
        Map<String, NpyArray> arrays = new LinkedHashMap<>(Npz.read(file).arrays());
        int[] shape = Objects.requireNonNull(arrays.get("rewards")).shape();
        double[] all = new double[NpyArray.size(shape)];
        Arrays.fill(all, reward);
        arrays.put("rewards", new NpyArray.Floats(shape, all));
        Npz.write(file, arrays);
    }

    /** Files of a run but those that name its folder or have times in them. */
    private static Map<String, byte[]> learnt(Path run) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(run)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(run.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        files.keySet()
                .removeIf(
                        file -> file.matches("spec\\.json|.*result\\.json|seconds\\.json|report\\.html|.*tfevents.*"));
        return files;
    }

    /** Packed runs are found as well, whose archives have no policies. */
    private void withoutPolicies(Path demos) {
        String compare = "evaluate --runs %s --demos %s --skip 2 --json".formatted(folder, demos);
        for (String name : List.of("learnt", "inverse", "cloned")) {
            Path policy = folder.resolve(name).resolve("policy.safetensors");
            try {
                Files.delete(policy);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            if (name.equals("learnt")) {
                cli.done(compare);
                assertThat(cli.err())
                        .contains("left out are runs without a policy.safetensors (1): " + folder.resolve(name));
                assertThat((List<?>) Json.read(cli.out(), Map.class).get("rows"))
                        .hasSize(2);
            }
        }
        refused(compare, "there are only runs without a policy.safetensors (3)", "unpack");
    }

    private void refused(String words, String... expected) {
        assertThat(cli.type(words)).isEqualTo(2);
        assertThat(cli.err()).contains(expected);
    }

    @Test
    void fromALogToTheTable() throws IOException {
        Path log = folder.resolve("log/log.hdf5");
        Files.createDirectories(folder.resolve("log"));
        EpisodeFiles.writeLog(log, walks(10, 1), "halfcheetah");
        Path demos = folder.resolve("demos.npz");
        EpisodeFiles.write(demos, walks(2, 2));
        Path table = folder.resolve("table");
        Path world = table.resolve("world");
        String learn =
                "worldmodel --task %s --data %s --members 2 --elites 1 --hidden 8 --epochs 2 --batch 32 --out %s";
        refused(
                learn.formatted("walker2d", log, world),
                "log.hdf5: the log is of halfcheetah, and the task is walker2d");
        assertThat(world).doesNotExist();
        cli.done(learn.formatted("halfcheetah", log, world));

        String small = " --iterations 1 --block 100 --random-steps 50 --batch 16 --hidden 8 --rollouts 2 --window 10"
                + " --rollout-batch 20 --rollout-length 2 --recent 100 --episodes 1 --evaluate-every 1";
        String offline = "imitate --offline --task %s --demos %s --world %s --data %s" + small + " --seed %d --out %s";
        refused(
                offline.formatted("walker2d", demos, world, log, 1, table.resolve("other")),
                "is of halfcheetah, and the task is walker2d");
        for (int seed = 1; seed <= 2; seed++) {
            cli.done(offline.formatted("halfcheetah", demos, world, log, seed, table.resolve("run-" + seed)));
        }
        cli.done((offline + " --penalty-weight 2")
                .formatted("halfcheetah", demos, world, log, 1, table.resolve("heavier")));

        String fresh =
                "expert --offline --task halfcheetah --world %s --data %s --steps 60 --random-steps 20 --batch 16"
                        + " --rollout-batch 10 --rollout-length 2 --episodes 1 --evaluate-every 60";
        refused(
                fresh.formatted(world, log) + " --out " + table.resolve("none"),
                "a learnt world has no reward of its own");
        refused(
                fresh.replace("--offline ", "").formatted(world, log) + " --out " + table.resolve("none"),
                "--world and --data have no effect on an expert in the simulator");
        cli.done((fresh + " --reward %s --out %s")
                .formatted(world, log, table.resolve("run-1"), table.resolve("fresh")));

        Path cloned = table.resolve("cloned");
        cli.done(
                "imitate --method bc --task halfcheetah --demos %s --data %s --iterations 2 --hidden 8 --episodes 1 --out %s"
                        .formatted(demos, log, cloned));
        cli.done("reproduce offline --json --from " + table);
        Map<?, ?> found = Json.read(cli.out(), Map.class);
        assertThat((List<?>) found.get("rows"))
                .extracting(row -> ((Map<?, ?>) row).get("log") + ", " + ((Map<?, ?>) row).get("method") + ", "
                        + ((Map<?, ?>) row).get("seeds"))
                .containsExactlyInAnyOrder(
                        "log, offline ML-IRL, 2",
                        "log, offline ML-IRL, 1",
                        "log, fresh policy, reward of log, 1",
                        "log, cloning, log included, 1");

        EpisodeFiles.writeLog(log, walks(10, 3), "halfcheetah");
        Files.delete(cloned.resolve("result.json"));
        refused("imitate --resume --out " + cloned, "the log holds other demonstrations than when the run was started");
    }

    @Test
    void anExpertsRunGivesLogsThatNameTheirTask() {
        Path expert = folder.resolve("expert");
        cli.done(
                "expert --task hopper --steps 300 --random-steps 100 --hidden 8 --batch 16 --evaluate-every 100 --episodes 4"
                        + " --checkpoint-every 100 --keep-checkpoints all --out " + expert);
        String record = "record --policy %s --expert-return 1000 --mix ".formatted(expert);
        refused(record + "nonsense", "one of medium, replay, medium-expert but");
        Path demos = folder.resolve("demos");
        cli.done("record --policy %s --episodes 2 --out %s".formatted(expert, demos));
        Path cloned = folder.resolve("cloned");
        cli.done("imitate --method bc --task hopper --demos %s --iterations 2 --hidden 8 --episodes 1 --out %s"
                .formatted(demos, cloned));
        refused(
                "record --mix replay --policy " + cloned,
                cloned + " is a run of 'imitate', and --mix makes a log of a run of 'expert'");
        Path replay = folder.resolve("replay");
        cli.done(record + "replay --out " + replay);
        Path mixed = folder.resolve("mixed");
        cli.done(record + "medium-expert --steps 60 --out " + mixed);
        for (Path each : List.of(replay, mixed)) {
            Path log = each.resolve("log.hdf5");
            assertThat(EpisodeFiles.taskOf(log)).contains("hopper");
            assertThat(EpisodeFiles.read(log).steps()).isBetween(60L, 300L);
        }
    }

    @Test
    void thePlanNamesEveryCommand() {
        Path table = folder.resolve("none");
        cli.done("reproduce offline --plan --json --from " + table);
        Map<?, ?> plan = Json.read(cli.out(), Map.class);
        List<?> stages = (List<?>) plan.get("stages");
        assertThat(stages).hasSize(1 + 3 * (1 + 3 * 2) + 2 + 5);
        assertThat(plan.get("runs"))
                .isEqualTo(3 + 3 * 7 + 2 + 3 * (3 + 9 + 2 + 2) + 3 * (3 + 9) + 3 * 9 + 2 * 3 * 3 * 2);
        assertThat(plan.get("seconds")).isNull();
        cli.done("reproduce offline --plan --device cuda --json --from " + table);
        assertThat((Double) Json.read(cli.out(), Map.class).get("seconds")).isBetween(600.0, 6000.0);
        assertThat(stages)
                .anyMatch(stage -> String.valueOf(((Map<?, ?>) stage).get("command"))
                        .equals(("./revealed worldmodel --task hopper --demos %1$s/demos-hopper/demonstrations.npz"
                                        + " --data %1$s/log-hopper-replay/log.hdf5")
                                .formatted(table.toAbsolutePath())));
    }
}

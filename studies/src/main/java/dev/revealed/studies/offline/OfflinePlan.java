package dev.revealed.studies.offline;

import static dev.revealed.studies.tables.Stage.options;

import dev.revealed.imitate.BehaviourCloning;
import dev.revealed.imitate.rivals.IqLearn;
import dev.revealed.runs.RunFiles;
import dev.revealed.studies.tables.ControlRewards;
import dev.revealed.studies.tables.Stage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The runs of the offline table, stage by stage: experts, demonstrations, logs and worlds first, then the runs.
 *
 * @param top the folder of the table, absolute: later stages name what earlier ones leave in it
 */
public record OfflinePlan(Path top, Networks networks) {
    /**
     * Sizes of all networks, and what experts need with them.
     *
     * @param learners options of everything that learns a policy
     * @param worlds options of the worlds
     * @param experts options of each task's expert
     */
    public record Networks(
            Map<String, String> learners, Map<String, String> worlds, Map<String, Map<String, String>> experts) {
        /** Those that the commands have by default. */
        public static final Networks USUAL = new Networks(
                Map.of(),
                Map.of(),
                Map.of(
                        "hopper",
                        options("steps", "1000000", "simulators", "4"),
                        "halfcheetah",
                        options("steps", "1000000", "simulators", "4"),
                        "walker2d",
                        options("steps", "2000000", "simulators", "4")));

        /** For a computer without a GPU: experts as those of results/zoo. */
        public static final Networks SMALL = new Networks(
                options("hidden", "64,64"),
                options("hidden", "128,128,128"),
                Map.of(
                        "hopper",
                        options("steps", "400000"),
                        "halfcheetah",
                        options("steps", "400000"),
                        "walker2d",
                        options("steps", "500000", "layer-norm", "", "temperature", "0.1")));
    }

    private static final List<String> TASKS = List.of("hopper", "halfcheetah", "walker2d");
    private static final List<String> LOGS = List.of("replay", "medium", "medium-expert");

    /**
     * Tasks whose replay is also learnt from without the penalty, and in a world that knows the log alone, and whose rewards
     * are carried over to the worlds of the other logs.
     */
    public static final List<String> ABLATED = List.of("hopper", "walker2d");

    /** What the folder of such a world ends with. */
    static final String LOG_ALONE = "-alone";

    private static final List<String> SEEDS = List.of("301", "302", "303");
    private static final String EVERY = "10000"; // steps between evaluations, and between checkpoints

    /** Iterations, transitions of the world in each, and updates for a transition. */
    private static final Map<String, String> LEARNT =
            options("iterations", "150", "block", "5000", "update-ratio", "0.4");

    private static final Map<String, String> SIMULATED = options("iterations", "300");

    /** Of offline IQ-Learn: an update for each row of the log that is drawn. */
    private static final Map<String, String> INVERSE = options("iterations", "150", "batch", "256");

    public OfflinePlan {
        top = top.toAbsolutePath().normalize();
    }

    /** All commands, in the order in which they need each other. */
    public List<Stage> stages() {
        List<Stage> stages = new ArrayList<>(List.of(experts()));
        List<Map<String, String>> runs = new ArrayList<>();
        List<Map<String, String>> cloning = new ArrayList<>();
        List<Map<String, String>> inverse = new ArrayList<>();
        List<Map<String, String>> simulated = new ArrayList<>();
        Map<String, Integer> replay = new LinkedHashMap<>();
        List<Map<String, String>> worlds = new ArrayList<>();
        for (String task : TASKS) {
            String expert = top.resolve(experts().member(TASKS.indexOf(task))).toString();
            Stage demos = Stage.of(
                    "demos-" + task,
                    "record",
                    options("policy", expert, RunFiles.CHECKPOINT, "best", "episodes", "10", "deterministic", ""));
            stages.add(demos);
            Map<String, String> shown = options("task", task, "demos", in(demos, "demonstrations.npz"));
            Map<String, String> cloned = with(options("method", BehaviourCloning.NAME), shown);
            seeded(cloned, cloning);
            seeded(shown, simulated);
            for (String kind : LOGS) {
                String place = task + "-" + kind;
                Map<String, String> recorded = options("mix", kind, "policy", expert, RunFiles.CHECKPOINT, "best");
                if (!kind.equals("replay")) {
                    recorded.put("steps", "300000");
                }
                Stage log = Stage.of("log-" + place, "record", recorded);
                Map<String, String> data = options("data", in(log, "log.hdf5"));
                Stage world = world(place, with(shown, data));
                stages.addAll(List.of(log, world));
                Map<String, String> offline =
                        with(with(options("offline", ""), shown), with(data, options("world", in(world, ""))));
                if (kind.equals("replay")) {
                    replay.put(task, runs.size());
                }
                if (ABLATED.contains(task)) {
                    worlds.add(with(options("offline", "", "task", task, "world", in(world, "")), data));
                }
                seeded(offline, runs);
                seeded(with(cloned, data), cloning);
                seeded(with(with(options("method", IqLearn.NAME, "offline", ""), shown), data), inverse);
                if (kind.equals("replay") && ABLATED.contains(task)) {
                    seeded(with(offline, options("penalty-weight", "0")), runs);
                    Stage alone = world(place + LOG_ALONE, with(options("task", task), data));
                    stages.add(alone);
                    seeded(with(offline, options("world", in(alone, ""))), runs);
                }
            }
        }
        Stage imitated = new Stage("runs", "imitate", with(networks.learners, LEARNT), runs);
        stages.add(imitated);
        stages.add(new Stage("cloned", "imitate", networks.learners, cloning));
        stages.add(carried(imitated, replay, worlds));
        stages.add(new Stage("inverse-q", "imitate", with(networks.learners, INVERSE), inverse));
        stages.add(new Stage("simulated", "imitate", with(networks.learners, SIMULATED), simulated));
        return stages;
    }

    /**
     * Fresh policies on frozen rewards of the replay, in the world of each log, and on random rewards.
     *
     * @param replay for each task the place among the runs of its first one that learnt from the replay
     * @param worlds options that name task, world and log
     */
    private Stage carried(Stage imitated, Map<String, Integer> replay, List<Map<String, String>> worlds) {
        List<Map<String, String>> policies = new ArrayList<>();
        for (Map<String, String> world : worlds) {
            String task = Objects.requireNonNull(world.get("task"), "a world is of a task");
            int first = Objects.requireNonNull(replay.get(task), "a task has a replay");
            for (int i = 0; i < SEEDS.size(); i++) {
                Map<String, String> fresh = with(world, options("seed", SEEDS.get(i)));
                Path learnt = top.resolve(imitated.member(first + i));
                for (Path reward : List.of(learnt, ControlRewards.random(controls(task), i))) {
                    policies.add(with(fresh, options("reward", reward.toString())));
                }
            }
        }
        return new Stage(
                "carried",
                "expert",
                with(networks.learners, options("steps", "500000", "update-ratio", "0.4", "evaluate-every", "50000")),
                policies);
    }

    /** Folder of the rewards that nobody learnt. */
    public Path controls(String task) {
        return top.resolve("controls-" + task);
    }

    private Stage world(String place, Map<String, String> learntFrom) {
        return Stage.of("world-" + place, "worldmodel", with(networks.worlds, learntFrom));
    }

    /** One of each task, with everything that it did. */
    private Stage experts() {
        return new Stage(
                "experts",
                "expert",
                with(
                        networks.learners,
                        options("evaluate-every", EVERY, "checkpoint-every", EVERY, "keep-checkpoints", "all")),
                TASKS.stream()
                        .map(task -> with(
                                options("task", task, "seed", "1"), Objects.requireNonNull(networks.experts.get(task))))
                        .toList());
    }

    /** A file that a stage leaves, or its folder. */
    private String in(Stage stage, String file) {
        return top.resolve(stage.folder()).resolve(file).toString();
    }

    private static Map<String, String> with(Map<String, String> some, Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(some);
        all.putAll(more);
        return all;
    }

    private static void seeded(Map<String, String> settings, List<Map<String, String>> into) {
        SEEDS.forEach(seed -> into.add(with(settings, options("seed", seed))));
    }
}

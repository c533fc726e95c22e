package dev.revealed.studies.tables;

import static dev.revealed.studies.tables.Stage.options;

import dev.revealed.imitate.BehaviourCloning;
import dev.revealed.imitate.MlIrl;
import dev.revealed.imitate.rivals.Airl;
import dev.revealed.imitate.rivals.FIrl;
import dev.revealed.imitate.rivals.IqLearn;
import dev.revealed.runs.RunFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The runs of the transfer table, stage by stage: an expert on one ant, demonstrations of it, rewards learnt there, policies
 * imitated on the crippled ant, fresh policies on the rewards there, and controls. docs/design/table2.md is the protocol.
 *
 * @param top the folder of the table, absolute: later stages name what earlier ones leave in it
 */
public record Table2Plan(Path top) {
    static final String WHOLE = "customant";
    static final String CRIPPLED = "disabledant";
    static final List<String> METHODS = List.of(MlIrl.NAME, FIrl.NAME, Airl.NAME, IqLearn.NAME);
    static final List<Long> SEEDS = List.of(201L, 202L, 203L, 204L, 205L);
    static final List<Long> FRESH_SEEDS = List.of(301L, 302L);
    static final long FRESH_STEPS = 250_000;
    private static final long EXPERT_STEPS = 500_000;
    private static final int ITERATIONS = 400;

    /** What a fresh policy is trained on. */
    enum Source {
        RECOVERED("recovered"),
        LAST("reward of the last step"),
        CONSTANT("constant reward"),
        RANDOM("random reward");

        private final String words;

        Source(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /**
     * A run of {@link #fresh}.
     *
     * @param method that the reward was learnt by; empty for a control
     * @param reward its number, by which fresh policies on one reward belong together
     */
    record Fresh(Source source, String method, int reward, long seed, Path file) {}

    public Table2Plan {
        top = top.toAbsolutePath().normalize();
    }

    /** All commands, in the order in which they need each other. */
    public List<Stage> stages() {
        List<Stage> stages = new ArrayList<>(List.of(experts(), demonstrations(), cloned(), learnt(), fresh()));
        stages.addAll(carried());
        return stages;
    }

    /** The expert of the whole ant, then policies of the crippled one on its true reward: the reference. */
    Stage experts() {
        List<Map<String, String>> runs = new ArrayList<>();
        runs.add(options("task", WHOLE, "steps", Long.toString(EXPERT_STEPS), "seed", "1"));
        for (long seed : SEEDS) {
            runs.add(options("task", CRIPPLED, "steps", Long.toString(FRESH_STEPS), "seed", Long.toString(seed)));
        }
        return new Stage("experts", "expert", Map.of("episodes", "20"), runs);
    }

    Stage demonstrations() {
        return Stage.of(
                "demonstrations",
                "record",
                options(
                        "policy",
                        top.resolve(experts().member(0)).toString(),
                        "task",
                        WHOLE,
                        "episodes",
                        "10",
                        "seed",
                        "1"));
    }

    private Path demos() {
        return top.resolve(demonstrations().folder()).resolve("demonstrations.npz");
    }

    Stage cloned() {
        List<Map<String, String>> runs = new ArrayList<>();
        for (long seed : SEEDS) {
            runs.add(options("method", BehaviourCloning.NAME, "task", WHOLE, "seed", Long.toString(seed)));
        }
        return new Stage("cloned", "imitate", options("demos", demos().toString(), "trajectories", "1"), runs);
    }

    /** Rewards learnt on the whole ant, then imitations on the crippled one: methods by seeds each. */
    Stage learnt() {
        List<Map<String, String>> runs = new ArrayList<>();
        for (String task : List.of(WHOLE, CRIPPLED)) {
            for (String method : METHODS) {
                for (long seed : SEEDS) {
                    runs.add(options("method", method, "task", task, "reward", "state", "seed", Long.toString(seed)));
                }
            }
        }
        return new Stage(
                "learnt",
                "imitate",
                options(
                        "demos",
                        demos().toString(),
                        "trajectories",
                        "1",
                        "iterations",
                        Integer.toString(ITERATIONS),
                        "update-ratio",
                        "1",
                        "evaluate-every",
                        "40",
                        "checkpoint-every",
                        "200"),
                runs);
    }

    /** The place of a run of {@link #learnt}. */
    static int learnt(String task, String method, int seed) {
        return ((task.equals(WHOLE) ? 0 : METHODS.size()) + METHODS.indexOf(method)) * SEEDS.size() + seed;
    }

    List<Fresh> freshRuns() {
        List<Fresh> all = new ArrayList<>();
        Stage learnt = learnt();
        for (String method : METHODS) {
            for (int seed = 0; seed < SEEDS.size(); seed++) {
                Path run = top.resolve(learnt.member(learnt(WHOLE, method, seed)));
                add(all, Source.RECOVERED, method, seed, run.resolve(RunFiles.REWARD));
                if (method.equals(MlIrl.NAME)) {
                    add(all, Source.LAST, method, seed, run.resolve(RunFiles.LAST_REWARD));
                }
            }
        }
        for (int reward = 0; reward < SEEDS.size(); reward++) {
            add(all, Source.RANDOM, "", reward, ControlRewards.random(top, reward));
        }
        add(all, Source.CONSTANT, "", 0, ControlRewards.constant(top));
        return all;
    }

    private static void add(List<Fresh> all, Source source, String method, int reward, Path file) {
        for (long seed : FRESH_SEEDS) {
            all.add(new Fresh(source, method, reward, seed, file));
        }
    }

    Stage fresh() {
        List<Map<String, String>> runs = freshRuns().stream()
                .map(fresh ->
                        options("reward", fresh.file.toString(), "task", CRIPPLED, "seed", Long.toString(fresh.seed)))
                .toList();
        return new Stage(
                "fresh",
                "expert",
                options("steps", Long.toString(FRESH_STEPS), "evaluate-every", "50000", "episodes", "20"),
                runs);
    }

    /** Cloned policies on the crippled ant, their actions in the order of its motors. */
    List<Stage> carried() {
        List<Stage> stages = new ArrayList<>();
        Stage cloned = cloned();
        for (int i = 0; i < SEEDS.size(); i++) {
            stages.add(Stage.of(
                    "carried-" + SEEDS.get(i),
                    "evaluate",
                    options(
                            "policy",
                            top.resolve(cloned.member(i)).toString(),
                            "task",
                            CRIPPLED,
                            "episodes",
                            "20",
                            "seed",
                            "1")));
        }
        return stages;
    }
}

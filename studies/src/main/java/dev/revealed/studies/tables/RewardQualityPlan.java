package dev.revealed.studies.tables;

import dev.revealed.imitate.IteratedLearning;
import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Json;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunFolder;
import dev.revealed.settings.Item;
import dev.revealed.studies.GatheredRun;
import dev.revealed.studies.ImitationTable.Method;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The runs of the table of reward quality, for rewards that runs of table 1 recovered: experts of our own that the rewards are
 * judged along, what our judgement says of each, and fresh policies trained on them.
 *
 * @param top the folder of the table, absolute
 */
public record RewardQualityPlan(Path top, List<Reward> rewards) {
    static final List<String> TASKS = List.of("hopper", "halfcheetah", "walker2d");
    private static final int TRAJECTORIES = 5;
    private static final int OF_EACH = 3;
    private static final long STEPS = 500_000;
    private static final long EXPERT_STEPS = 300_000;
    private static final String FILE = "rewards.json";

    /**
     * A recovered reward.
     *
     * @param method by the name of the paper's table
     * @param run the folder that holds it
     * @param learntReturn of the policy that was learnt with it
     * @param expertReturn of the demonstrations it was learnt from
     */
    public record Reward(String task, String method, long seed, String run, double learntReturn, double expertReturn) {
        String name() {
            return "%s-%s-%d".formatted(task, method.toLowerCase(Locale.ROOT).replace(' ', '-'), seed);
        }
    }

    /** What the file in the folder of the table holds. */
    record Rewards(List<Reward> rewards) {}

    public RewardQualityPlan {
        top = top.toAbsolutePath().normalize();
        rewards = List.copyOf(rewards);
    }

    /** As it was begun in that folder; nothing is planned where nothing was. */
    public static RewardQualityPlan in(Path top) {
        Path file = top.resolve(FILE);
        if (!Files.exists(file)) {
            return new RewardQualityPlan(top, List.of());
        }
        try {
            return new RewardQualityPlan(top, Json.read(Files.readString(file), Rewards.class).rewards);
        } catch (IOException e) {
            throw new BadInput("%s cannot be read (%s)".formatted(file, BadInput.reason(e)), "Check its permissions.");
        }
    }

    /** For the rewards among these runs: of each task and method those of the lowest seeds. */
    public static RewardQualityPlan of(Path top, List<GatheredRun> runs) {
        Map<String, Integer> taken = new HashMap<>();
        List<Reward> rewards = new ArrayList<>();
        runs.stream()
                .filter(run -> run.result().details() instanceof IteratedLearning.Result)
                .filter(run -> TASKS.contains(run.result().task()))
                .filter(run -> run.result()
                        .details()
                        .imitation()
                        .filter(each -> each.trajectories() == TRAJECTORIES)
                        .isPresent())
                .filter(run -> Files.exists(run.folder().resolve(RunFiles.REWARD)))
                .sorted(Comparator.comparingInt(
                                (GatheredRun run) -> TASKS.indexOf(run.result().task()))
                        .thenComparing(RewardQualityPlan::method)
                        .thenComparingLong(run -> run.result().seed()))
                .forEach(run -> {
                    String task = run.result().task();
                    String method = method(run).toString();
                    if (taken.merge(task + method, 1, Integer::sum) <= OF_EACH) {
                        rewards.add(new Reward(
                                task,
                                method,
                                run.result().seed(),
                                run.folder().toAbsolutePath().normalize().toString(),
                                run.result().meanReturn(),
                                run.result().expertReturn()));
                    }
                });
        return new RewardQualityPlan(top, rewards);
    }

    private static Method method(GatheredRun run) {
        String reward = Item.text(run.spec().settings().getOrDefault("reward", ""));
        return Method.of(run.result().details().imitation().orElseThrow().method(), reward.equals("state"));
    }

    /** Writes which rewards it is of, so that later commands know; once. */
    public void begin() {
        if (!Files.exists(top.resolve(FILE))) {
            RunFolder.reopen(top).write(FILE, Json.write(new Rewards(rewards)));
        }
    }

    public List<Stage> stages() {
        List<Stage> stages = new ArrayList<>();
        if (!rewards.isEmpty()) {
            stages.add(experts());
            rewards.forEach(reward -> stages.add(judged(reward)));
            stages.add(fresh());
        }
        return stages;
    }

    Stage experts() {
        return new Stage(
                "experts",
                "expert",
                Stage.options("steps", Long.toString(EXPERT_STEPS)),
                TASKS.stream()
                        .map(task -> Stage.options("task", task, "seed", "1"))
                        .toList());
    }

    Stage judged(Reward reward) {
        String expert = experts().member(TASKS.indexOf(reward.task));
        return Stage.of(
                "judged/" + reward.name(),
                "reward",
                Stage.options(
                        "reward",
                        reward.run,
                        "policy",
                        top.resolve(expert).toString(),
                        "task",
                        reward.task,
                        "episodes",
                        "10",
                        "seed",
                        "1"));
    }

    Stage fresh() {
        return new Stage(
                "fresh",
                "expert",
                Stage.options("steps", Long.toString(STEPS), "evaluate-every", "50000", "episodes", "20"),
                rewards.stream()
                        .map(reward -> Stage.options(
                                "reward", reward.run, "task", reward.task, "seed", Long.toString(reward.seed)))
                        .toList());
    }
}

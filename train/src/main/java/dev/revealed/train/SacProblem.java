package dev.revealed.train;

import dev.revealed.imitate.Agent;
import dev.revealed.imitate.Details;
import dev.revealed.imitate.Learning;
import dev.revealed.imitate.LearningProblem;
import dev.revealed.imitate.world.LearntWorld;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Actor;
import dev.revealed.neural.Batch;
import dev.revealed.neural.RewardNetwork;
import dev.revealed.neural.Scores;
import dev.revealed.neural.Training;
import dev.revealed.neural.objective.Objective;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Tensors;
import dev.revealed.settings.Part;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * The learning problem of Soft Actor-Critic on a fixed reward: the task's own, or a recovered one. The test of a
 * recovered reward is what it teaches; its policies are evaluated by the task's own return.
 *
 * @param recovered the reward, where it is not the task's own
 * @param world that it is learnt in, where that is not the task's simulator
 */
public record SacProblem(Optional<RewardFile> recovered, Optional<LearntWorld> world) implements LearningProblem {
    public static final String TASK = "expert";
    public static final String REWARD = "reward";
    static final List<String> KINDS = List.of(TASK, REWARD);

    private static final String DATA = "offline.data"; // in checkpoints

    /** In the task's simulator. */
    public SacProblem(Optional<RewardFile> recovered) {
        this(recovered, Optional.empty());
    }

    /** An expert, who learns the task's own reward. */
    public static SacProblem expert() {
        return new SacProblem(Optional.empty());
    }

    @Override
    public String kind() {
        return recovered.isPresent() ? REWARD : TASK;
    }

    @Override
    public String title() {
        return recovered.isPresent() ? "Policy on a recovered reward" : "Expert";
    }

    @Override
    public boolean learnsTaskReward() {
        return recovered.isEmpty();
    }

    @Override
    public boolean choosesByReturn() {
        return true;
    }

    @Override
    public Objective objective(Simulator.Space space, double discount) {
        return recovered
                .<Objective>map(reward ->
                        Objective.Labelled.by(reward.forLearner(space, discount).labels()))
                .orElse(Objective.STORED);
    }

    @Override
    public List<Simulator> worlds(Simulator.Space space, int environments, int threads) {
        return world.map(learnt -> learnt.simulators(space, environments)).orElse(List.of());
    }

    @Override
    public Learning begin(Simulator.Space space, Agent agent) {
        Optional<RewardNetwork> labels = recovered.map(
                reward -> reward.forLearner(space, agent.discount()).labels());
        labels.ifPresent(reward -> world.ifPresent(learnt -> learnt.penalise(reward)));
        Batch.Rewards rewards = labels.<Batch.Rewards>map(reward -> reward).orElse(Batch.Rewards.STORED);
        return new SacLearning(agent.training(), rewards, this);
    }

    /** Refuses a reward that does not fit the task: one of actions fits only the robot that it was learnt on. */
    @Override
    public void check(Simulator.Space space, int environments, int replay) {
        BadInput.when(
                world.isPresent() && recovered.isEmpty(),
                "a learnt world has no reward of its own",
                "Name a recovered one with `reward`, or leave `offline` out.");
        recovered.ifPresent(reward -> reward.check(space));
    }

    @Override
    public List<String> cautions(Simulator.Space space) {
        return recovered
                .filter(reward -> reward.task() != null && !reward.task().equals(space.name()))
                .map(reward -> List.of("the reward in %s was recovered on %s, and is tried on %s"
                        .formatted(reward.file(), reward.task(), space.name())))
                .orElse(List.of());
    }

    /** @param reward the file of the recovered reward, where it is not the task's own */
    record Result(Optional<String> reward) implements Details {
        @Override
        public String title(String task) {
            return reward.map(file -> "Policy on %s, by the reward %s".formatted(task, file))
                    .orElse("Expert on " + task);
        }

        @Override
        public boolean learntTaskReward() {
            return reward.isEmpty();
        }
    }

    /** The file of the recovered reward that a result's policy learnt. */
    public static Optional<String> rewardOf(TrainingResult result) {
        return result.details() instanceof Result made ? made.reward : Optional.empty();
    }

    /** A line of metrics. */
    record Metrics(long step, long updates, EvaluationScores test, TrainingEpisodes played) {}

    @Part
    record EvaluationScores(double testReturn, double testStandardError, double testLength) {}

    @Part
    record TrainingEpisodes(long episodes, double episodeReturn, double episodeLength) {}

    /** Whether no return before was as high. Without any return that is a number, the last policy is the best. */
    static boolean best(double meanReturn, List<Double> before) {
        return Double.isNaN(meanReturn)
                ? before.stream().allMatch(other -> other.isNaN())
                : before.stream().noneMatch(other -> other >= meanReturn);
    }

    private record SacLearning(Training training, Batch.Rewards rewards, SacProblem problem) implements Learning {
        @Override
        public void advance(long steps, IntConsumer after) {
            training.advance(steps, rewards, after);
        }

        @Override
        public Actor policy() {
            return training.policy();
        }

        @Override
        public Line line() {
            Training.Episodes ended = training.takeEpisodes();
            TrainingEpisodes played = new TrainingEpisodes(ended.count(), ended.meanReturn(), ended.meanLength());
            long step = training.steps();
            long updates = training.updates();
            Map<String, Double> learner = training.diagnostics();
            return (scores, before) -> {
                EvaluationScores tested =
                        new EvaluationScores(scores.meanReturn(), scores.standardError(), scores.meanLength());
                boolean best = best(scores.meanReturn(), before);
                return new EvaluatedMetrics(best, new Metrics(step, updates, tested, played), learner);
            };
        }

        @Override
        public Batch.Rewards rewards() {
            return rewards;
        }

        @Override
        public String progress(double lastReturn) {
            return Double.isNaN(lastReturn)
                    ? ""
                    : String.format(
                            Locale.ROOT,
                            problem.recovered.isPresent() ? "true return %.0f (hidden)" : "return %.0f",
                            lastReturn);
        }

        @Override
        public void save(Tensors into) {
            problem.recovered.ifPresent(reward -> into.put("recovered", reward.fingerprint()));
            problem.world.ifPresent(learnt -> into.put(DATA, learnt.checksum()));
        }

        @Override
        public void restore(Tensors from) {
            BadInput.when(
                    problem.world.isPresent()
                            && from.longs(DATA)[0] != problem.world.get().checksum(),
                    "the world or the log is another than when the run was started",
                    "Restore the original ones, or begin another run in another folder.");
            problem.recovered
                    .filter(reward -> from.longs("recovered")[0] != reward.fingerprint())
                    .ifPresent(reward -> {
                        throw new BadInput(
                                "%s holds another reward than when the run was started".formatted(reward.file()),
                                "Restore the original one, or begin another run in another folder.");
                    });
        }

        /** The reward once more, so that the folder holds all of it. */
        @Override
        public Optional<SavedReward> reward() {
            return problem.recovered.map(reward -> new SavedReward(reward.tensors(), reward.notes()));
        }

        @Override
        public Details details(double meanReturn, double seconds, Supplier<Scores> best) {
            return new Result(problem.recovered.map(reward -> reward.file().toString()));
        }
    }
}

package dev.revealed.app;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Actor;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Scores;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * An expert in training, who learns the task's own reward, or a recovered one that stays as it is.
 *
 * @param recovered where it is a recovered one
 */
record Expertise(Training training, Batch.Rewards rewards, Optional<RewardFile> recovered) implements Pupil {
    static final Lesson LESSON = new Lesson() {
        @Override
        public String learners() {
            return "Experts";
        }

        @Override
        public String stage() {
            return "expert";
        }

        @Override
        public Optional<Labels> labels(Simulator.Space space, TrainingPlan plan) {
            return Optional.empty();
        }

        @Override
        public int simulators(int threads) {
            return 0;
        }

        @Override
        public Pupil pupil(TrainingPlan plan, Training training, List<Simulator> simulators, RandomStream stream) {
            return new Expertise(training, Batch.Rewards.STORED, Optional.empty());
        }

        @Override
        public Class<? extends Trained> result() {
            return ExpertResult.class;
        }
    };

    @Override
    public void advance(long steps, IntConsumer after) {
        training.advance(steps, rewards, after);
    }

    @Override
    public Actor policy() {
        return training.policy();
    }

    @Override
    public Map<String, Object> line() {
        Training.Episodes lived = training.takeEpisodes();
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("step", training.steps());
        line.put("updates", training.updates());
        line.put("testReturn", Double.NaN); // these three are known later
        line.put("testStandardError", Double.NaN);
        line.put("testLength", Double.NaN);
        line.put("episodes", lived.count());
        line.put("episodeReturn", lived.meanReturn());
        line.put("episodeLength", lived.meanLength());
        line.putAll(training.diagnostics());
        return line;
    }

    @Override
    public boolean tested(Map<String, Object> line, Scores scores, List<TrainingRun.Point> before) {
        line.put("testReturn", scores.meanReturn());
        line.put("testStandardError", scores.standardError());
        line.put("testLength", scores.meanLength());
        return before.stream().allMatch(other -> scores.meanReturn() > other.meanReturn());
    }

    @Override
    public String words(double lastReturn) {
        return Double.isNaN(lastReturn)
                ? ""
                : String.format(
                        Locale.ROOT, recovered.isPresent() ? "true return %.0f (hidden)" : "return %.0f", lastReturn);
    }

    @Override
    public String bestFile() {
        return TrainingRun.BEST;
    }

    @Override
    public void save(Tensors into) {
        recovered.ifPresent(reward -> into.put("recovered", reward.fingerprint()));
    }

    @Override
    public void restore(Tensors from) {
        recovered
                .filter(reward -> from.longs("recovered")[0] != reward.fingerprint())
                .ifPresent(reward -> {
                    throw new BadInput(
                            "%s holds another reward than when the run was begun".formatted(reward.file()),
                            "Put the first one back, or begin another run in another folder.");
                });
    }

    /** The reward once more, so that the folder tells all of it. */
    @Override
    public Map<String, Product> products() {
        return recovered
                .map(reward -> Map.of(RewardFile.NAME, new Product(reward.tensors(), reward.notes())))
                .orElse(Map.of());
    }

    @Override
    public Trained result(ExpertResult run, Supplier<Scores> best) {
        return recovered.map(reward -> run.onReward(reward.file().toString())).orElse(run);
    }
}

package dev.revealed.imitate;

import dev.revealed.imitate.Cloning.Settings;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Actor;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Scores;
import dev.revealed.neural.Training;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.settings.Label;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/** Behaviour cloning, the baseline: it takes no step of the simulator and recovers no reward. */
public final class BehaviourCloning implements ImitationMethod<Settings> {
    public static final String NAME = "bc";
    private static final long ITERATIONS = 50_000;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String about() {
        return "is behaviour cloning, the baseline: it takes no step of the simulator and recovers no reward, and an iteration is"
                + " one update";
    }

    @Override
    public Class<Settings> settings() {
        return Settings.class;
    }

    @Override
    public Settings preset(Preset preset, Simulator.Space space) {
        return Settings.usual();
    }

    @Override
    public boolean acts() {
        return false;
    }

    /** It takes no step of a simulator anyway. */
    @Override
    public ImitationMethod<?> offline() {
        return this;
    }

    @Override
    public long block(Settings settings) {
        return 1;
    }

    @Override
    public long iterations(long usual) {
        return ITERATIONS;
    }

    @Override
    public Class<? extends Details> details() {
        return Result.class;
    }

    @Override
    public LearningProblem problem(Settings settings, String preset, Demonstrations demonstrations) {
        return new Problem(settings, demonstrations, demonstrations);
    }

    /**
     * The problem of maximising the likelihood of the expert's actions.
     *
     * @param cloned the demonstrations, or everything that was done
     */
    private record Problem(Settings settings, Demonstrations shown, Demonstrations cloned) implements LearningProblem {
        @Override
        public LearningProblem with(Episodes log) {
            List<Episode> all = new ArrayList<>();
            for (Episodes each : List.of(shown.episodes(), log)) {
                for (Episode one : each.all()) {
                    all.add(new Episode(one.length(), one.observations(), one.actions(), null, one.ending()));
                }
            }
            return new Problem(settings, shown, Demonstrations.of("the log", new Episodes(all)));
        }

        @Override
        public String kind() {
            return NAME;
        }

        @Override
        public String title() {
            return "Behaviour cloning";
        }

        @Override
        public boolean usesReplay() {
            return false;
        }

        @Override
        public Optional<Training> training(Simulator.Space space, RandomStream stream) {
            shown.check(space);
            return Optional.of(new Cloning(settings, cloned.episodes(), space, stream));
        }

        @Override
        public Learning begin(Simulator.Space space, Agent agent) {
            return new Clone(shown, cloned, agent.training());
        }

        @Override
        public Optional<Demonstrations> demonstrations() {
            return Optional.of(shown);
        }
    }

    /**
     * Results of behaviour cloning, in addition to those of every training run.
     *
     * @param logLikelihood per step, of the demonstrations that were learnt from under the policy that is saved
     */
    record Result(
            ImitationSummary imitated,

            @Label(value = "log-likelihood per step of the demonstrations under the last policy", digits = 4)
            double logLikelihood)
            implements Details {
        @Override
        public String title(String task) {
            return "Behaviour cloning on " + task;
        }

        @Override
        public Optional<ImitationSummary> imitation() {
            return Optional.of(imitated);
        }
    }

    /** A line of metrics. */
    record Metrics(long updates, long countedSteps, long evaluationSteps, TrueReturn trueReturn) {}

    /** Behaviour cloning in training. The latest policy counts as the best, since returns are not used. */
    private static final class Clone implements Learning {
        private static final String DEMONSTRATIONS = "cloner.demonstrations"; // in checkpoints
        private static final String CLONED = "cloner.cloned";

        private final Demonstrations shown;
        private final Demonstrations cloned;
        private final Training training;
        private double logLikelihood = Double.NaN;
        private long evaluationSteps;

        Clone(Demonstrations shown, Demonstrations cloned, Training training) {
            this.shown = shown;
            this.cloned = cloned;
            this.training = training;
        }

        @Override
        public void advance(long steps, IntConsumer after) {
            training.advance(steps, Batch.Rewards.STORED, after);
        }

        @Override
        public Actor policy() {
            return training.policy();
        }

        @Override
        public Line line() {
            Map<String, Double> learner = training.diagnostics();
            logLikelihood = learner.getOrDefault("logLikelihood", Double.NaN);
            long updates = training.updates();
            return (scores, before) -> {
                evaluationSteps += scores.steps();
                return new EvaluatedMetrics(
                        true, new Metrics(updates, 0, evaluationSteps, TrueReturn.of(scores)), learner);
            };
        }

        @Override
        public String progress(double lastReturn) {
            return Double.isNaN(lastReturn)
                    ? ""
                    : String.format(
                            Locale.ROOT,
                            "log-likelihood %.3f per step, true return %.0f (hidden)",
                            logLikelihood,
                            lastReturn);
        }

        @Override
        public void save(Tensors into) {
            shown.save(DEMONSTRATIONS, into);
            if (!cloned.equals(shown)) {
                cloned.save(CLONED, into);
            }
            into.put("cloner.counts", evaluationSteps);
            into.put("cloner.likelihood", new double[] {logLikelihood});
        }

        @Override
        public void restore(Tensors from) {
            shown.check(DEMONSTRATIONS, from);
            if (!cloned.equals(shown)) {
                cloned.check(CLONED, from);
            }
            evaluationSteps = from.longs("cloner.counts")[0];
            logLikelihood = from.doubles("cloner.likelihood")[0];
        }

        @Override
        public Details details(double meanReturn, double seconds, Supplier<Scores> best) {
            return new Result(Details.ImitationSummary.of(NAME, shown, 0, evaluationSteps, meanReturn), logLikelihood);
        }
    }
}

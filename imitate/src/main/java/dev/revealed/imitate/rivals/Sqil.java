package dev.revealed.imitate.rivals;

import dev.revealed.imitate.AfterEnd;
import dev.revealed.imitate.Agent;
import dev.revealed.imitate.Demonstrations;
import dev.revealed.imitate.ExpertAndAgent;
import dev.revealed.imitate.ExpertAndAgent.Comparison;
import dev.revealed.imitate.Features;
import dev.revealed.imitate.ImitationMethod;
import dev.revealed.imitate.IteratedLearning;
import dev.revealed.imitate.LearningProblem;
import dev.revealed.imitate.Preset;
import dev.revealed.imitate.RewardModel;
import dev.revealed.imitate.RewardProblem;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Actor;
import dev.revealed.neural.Batch;
import dev.revealed.neural.PolicyAverage;
import dev.revealed.neural.Training;
import dev.revealed.neural.Training.ExpertRows;
import dev.revealed.neural.objective.ExpertReward;
import dev.revealed.neural.objective.Objective;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/** SQIL (Reddy et al. 2020): Soft Actor-Critic that is paid 1 for the expert's transitions and 0 for its own. */
public final class Sqil implements ImitationMethod<Sqil.Settings> {
    public static final String NAME = "sqil";

    /** Everything that decides how it learns, but for Soft Actor-Critic. */
    public record Settings(ExpertAndAgent.Settings sampling, RewardProblem.PolicySettings learner) {
        public Settings {
            learner.check(sampling);
            BadInput.when(
                    learner.expertRows() == 0,
                    "`expert-rows` is 0, and sqil rewards the expert's rows alone",
                    "Give their share of a batch, such as 0.5.");
        }

        /** The same with other values for some settings, by name. */
        public Settings with(Map<String, ?> values) {
            return dev.revealed.settings.Settings.of(Settings.class).with(this, values);
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String about() {
        return "pays 1 for the expert's transitions and 0 for the agent's own, and recovers no reward";
    }

    @Override
    public Class<Settings> settings() {
        return Settings.class;
    }

    @Override
    public Settings preset(Preset preset, Simulator.Space space) {
        return new Settings(
                new ExpertAndAgent.Settings(1000, 0, 5000),
                new RewardProblem.PolicySettings(
                        0.5, 0, AfterEnd.MASK, preset == Preset.PAPER ? 1 : 10, preset.policyInputs()));
    }

    @Override
    public long block(Settings settings) {
        return settings.sampling.block();
    }

    @Override
    public void check(Settings settings, Set<String> named) {
        settings.learner.check(named, false);
    }

    @Override
    public LearningProblem problem(Settings settings, String preset, Demonstrations demonstrations) {
        return new Problem(settings, preset, demonstrations);
    }

    private record Problem(Settings settings, String preset, Demonstrations shown) implements RewardProblem {
        @Override
        public String kind() {
            return NAME;
        }

        @Override
        public String rewardOf() {
            return "none";
        }

        @Override
        public ExpertAndAgent.Settings sampling() {
            return settings.sampling;
        }

        @Override
        public RewardProblem.PolicySettings learner() {
            return settings.learner;
        }

        @Override
        public ExpertRows expertRows() {
            return settings.learner.expertRows(shown.episodes(), false);
        }

        @Override
        public Objective objective(Simulator.Space space, double discount) {
            return new Objective.ExpertPaid(settings.learner.forEver(discount));
        }

        @Override
        public Loop algorithm(Simulator.Space space, Agent agent) {
            return new Loop(settings, shown, space, agent);
        }
    }

    /** Blocks of learning, and after each a look at the agent's episodes, which nothing is learnt from. */
    static final class Loop implements IteratedLearning.Loop {
        private static final String AVERAGE = "imitate.average."; // in checkpoints, as for ML-IRL
        private static final String STREAM = "imitate.stream"; // likewise

        private final Settings settings;
        private final Training training;
        private final ExpertAndAgent sides;
        private final ExpertReward labels;
        private final PolicyAverage average;
        private RandomStream stream;

        Loop(Settings settings, Demonstrations shown, Simulator.Space space, Agent agent) {
            this.settings = settings;
            training = agent.training();
            stream = agent.stream().named("imitate");
            sides = new ExpertAndAgent(settings.sampling, false, 1, settings.learner.afterEnd(), shown, space, agent);
            ExpertRows rows = settings.learner.expertRows(shown.episodes(), false);
            labels = new ExpertReward(rows, settings.learner.forEver(agent.discount()));
            average = new PolicyAverage(settings.learner.average());
            sides.prepare(settings.learner, rows);
        }

        @Override
        public void run(long iterations, IntConsumer after, Consumer<Comparison> watch) {
            int block = settings.sampling.block();
            for (long i = 0; i < iterations; i++) {
                int before = Math.toIntExact(i * block);
                training.advance(block, labels, made -> after.accept(before + made));
                watch.accept(compare());
                average.add(training.policy());
            }
        }

        private Comparison compare() {
            List<Episode> episodes = sides.agent(stream);
            if (episodes.isEmpty()) {
                return Comparison.NONE;
            }
            Episodes all = new Episodes(episodes);
            double distance = sides.features().distance(Features.of(sides.visits(all, false)));
            return new Comparison(Double.NaN, Double.NaN, Double.NaN, distance, sides.length(all));
        }

        @Override
        public long iterations() {
            return training.steps() / settings.sampling.block();
        }

        @Override
        public long countedSteps() {
            return sides.countedSteps();
        }

        @Override
        public Actor policy() {
            return average.isEmpty() ? training.policy() : average.policy();
        }

        /** What batches are labelled with, the expert's rows last. */
        ExpertReward labels() {
            return labels;
        }

        /** What the agent's own rows are paid: nothing. */
        @Override
        public Batch.Rewards rewards() {
            return batch -> Arrays.fill(batch.rewards(), 0);
        }

        @Override
        public Optional<RewardModel> currentReward() {
            return Optional.empty();
        }

        @Override
        public Optional<RewardModel> recoveredReward() {
            return Optional.empty();
        }

        @Override
        public void save(Tensors into) {
            average.save(AVERAGE, into);
            into.put(STREAM, stream.checkpoint());
            sides.save(into);
        }

        @Override
        public void restore(Tensors from) {
            average.restore(AVERAGE, from);
            stream = RandomStream.resume(from.longs(STREAM));
            sides.restore(from);
        }
    }
}

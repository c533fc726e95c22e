package dev.revealed.imitate;

import dev.revealed.imitate.RewardModel.Inputs;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Resample;
import dev.revealed.mdp.Simulator;
import dev.revealed.mdp.SingleLoop;
import dev.revealed.neural.Actor;
import dev.revealed.neural.Batch;
import dev.revealed.neural.DivergenceFailure;
import dev.revealed.neural.Mlp.Activation;
import dev.revealed.neural.PolicyAverage;
import dev.revealed.neural.Training;
import dev.revealed.neural.objective.Objective;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.settings.Setting;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;

/**
 * ML-IRL on a simulator. Its loop is Algorithm 1 ({@link SingleLoop}): a block of Soft Actor-Critic under the current
 * reward, a sample of the agent's trajectories, and one gradient step on the surrogate likelihood.
 */
public final class Imitation implements IteratedLearning.Loop {

    /** Settings of ML-IRL, without those of Soft Actor-Critic. */
    public record Settings(
            RewardModel.Settings reward,
            Ascent.Settings ascent,

            @Setting(
                    name = "reward-roughness",
                    about = "Weight of a gradient penalty on the reward: its mean squared slope per unit of the "
                            + "inputs (after `reward-inputs`), times their number. With 0 the reward grows as long as "
                            + "expert and agent differ.",
                    atLeast = 0,
                    example = "0.005")
            double roughness,

            @Setting(
                    name = "reward-discount",
                    about = "Weight of a step in the reward gradient relative to the step before. 1 is undiscounted, "
                            + "as in the reference code.",
                    above = 0,
                    atMost = 1)
            double discount,

            ExpertAndAgent.Settings sampling,
            Pairs pairs,
            RewardProblem.PolicySettings learner,
            RewardProblem.Ground ground)
            implements LoopProblem.Parts {
        /**
         * Values for most tasks; presets and studies change some of them. Pairs are those of the paper's text, but a reward
         * step sees all trajectories of the expert.
         */
        public static final Settings USUAL = new Settings(
                new RewardModel.Settings(
                        RewardModel.Of.STATE_ACTION, new int[] {64, 64}, Activation.RELU, 100, Inputs.SCALED),
                new Ascent.Settings(Ascent.Kind.ADAM_L2, 1e-3, 1e-3, 1000, 0),
                0.005,
                1,
                new ExpertAndAgent.Settings(1000, 0, 5000),
                new Pairs(Pairing.ALIGNED, ExpertSample.ALL),
                new RewardProblem.PolicySettings(0, 0, AfterEnd.MASK, 10, RewardProblem.PolicySettings.Inputs.PLAIN),
                new RewardProblem.Ground(true, 0.1));

        /** The same with other values for some settings, by name. */
        public Settings with(Map<String, ?> values) {
            return dev.revealed.settings.Settings.of(Settings.class).with(this, values);
        }

        public Settings {
            dev.revealed.settings.Settings.check(Settings.class, roughness, discount);
            learner.check(sampling);
        }

        public AfterEnd afterEnd() {
            return learner.afterEnd();
        }

        /** Refuses settings that were given by name and have no effect. */
        public void check(Set<String> named) {
            ascent.check(named);
            ground.check(named, afterEnd());
            learner.check(named, reward.stateOnly());
        }

        /** Factor of the last state's reward that a learner with that discount earns with its last step. */
        public double forEver(double learnersDiscount) {
            return learner.forEver(learnersDiscount);
        }
    }

    /** The learning problem of a method with such a loop. */
    public interface Problem extends LoopProblem {
        @Override
        Settings loop();

        @Override
        default Objective objective(Simulator.Space space, double discount) {
            return new Objective.Labelled(loop().reward.shape(space), loop().forEver(discount));
        }
    }

    /** How the agent's states and actions are paired in a reward step. */
    public enum Pairing {
        ALIGNED,
        SHIFTED
    }

    /** Which trajectories of the expert a reward step sees. */
    public enum ExpertSample {
        ALL,
        ONE
    }

    /** Which pairs of states and actions a reward step sees of agent and expert. */
    public record Pairs(
            @Setting(
                    label = "WHAT",
                    about = "The agent's pairs in the reward gradient: aligned, each action with its state, or "
                            + "shifted, with the state after it, as in the reference code.")
            Pairing pairing,

            @Setting(label = "WHAT", about = "Demonstrations used by a reward step: all, or one, sampled at random.")
            ExpertSample expertSample) {
        public Pairs {
            dev.revealed.settings.Settings.check(Pairs.class, pairing, expertSample);
        }

        boolean shifted() {
            return pairing == Pairing.SHIFTED;
        }

        boolean oneExpert() {
            return expertSample == ExpertSample.ONE;
        }
    }

    /** How a reward step's gradient comes about: what methods of this shape differ in. */
    public interface Scoring {
        /**
         * The gradient, with what is to be seen on the way.
         *
         * @param expert rows of the expert that the step sees
         * @param episodes the agent's, whose rows are {@code agent}
         * @param first whether no reward step came before
         */
        Score at(
                RewardModel reward, Visits expert, Episodes episodes, Visits agent, RandomStream random, boolean first);

        /** What is to be seen of it, by name: means since this was last asked. */
        default Map<String, Double> diagnostics() {
            return Map.of();
        }

        /** What later gradients depend on. */
        default void save(Tensors into) {}

        default void restore(Tensors from) {}
    }

    /** The gradient of the surrogate likelihood: expert less agent. */
    private record LikelihoodScoring(ExpertAndAgent sides) implements Scoring {
        @Override
        public Score at(
                RewardModel reward,
                Visits expert,
                Episodes episodes,
                Visits agent,
                RandomStream random,
                boolean first) {
            return Score.of(reward, expert, sides.features(), agent, sides.length(episodes));
        }
    }

    private static final String AVERAGE = "imitate.average."; // in checkpoints
    private static final String STREAM = "imitate.stream"; // likewise

    private final Settings settings;
    private final Training training;
    private final ExpertAndAgent sides;
    private final Scoring scoring;
    private final Grounding grounding;
    private final RewardModel reward;
    private final Ascent ascent;
    private final double learnersDiscount;
    private final Intervention intervention;
    private final IteratedLearning.Blocks<Score> blocks;
    private RandomStream stream;
    private final PolicyAverage average;
    private final RewardAverage estimate;
    private final Roughness roughness;
    private boolean met; // whether a reward step has seen the agent

    /** @param agent whose training has not begun, or is restored together with this */
    public Imitation(Settings settings, Demonstrations demonstrations, Simulator.Space space, Agent agent) {
        this(settings, demonstrations, space, agent, Intervention.NONE);
    }

    Imitation(
            Settings settings,
            Demonstrations demonstrations,
            Simulator.Space space,
            Agent agent,
            Intervention intervention) {
        this(settings, demonstrations, space, agent, intervention, LikelihoodScoring::new);
    }

    /** @param scoring of the expert and the agent that it is given */
    public Imitation(
            Settings settings,
            Demonstrations demonstrations,
            Simulator.Space space,
            Agent agent,
            Intervention intervention,
            Function<ExpertAndAgent, Scoring> scoring) {
        Resample bootstrap = demonstrations.bootstrap();
        if (bootstrap != null && settings.pairs.oneExpert()) {
            throw new BadInput(
                    "demonstrations are resampled twice: for the run, and one of them for each reward step",
                    "Leave out `bootstrap`, or choose `expert-sample` all.");
        }
        this.settings = settings;
        this.training = agent.training();
        this.stream = agent.stream().named("imitate");
        this.learnersDiscount = agent.discount();
        this.intervention = intervention;
        sides = new ExpertAndAgent(
                settings.sampling,
                settings.reward.stateOnly(),
                settings.discount,
                settings.afterEnd(),
                demonstrations,
                space,
                agent);
        this.scoring = scoring.apply(sides);
        grounding = new Grounding(settings.ground, settings.afterEnd(), demonstrations.episodes());
        Visits expert = sides.expert();
        reward = RewardModel.random(
                settings.reward.shape(space),
                space,
                settings.forEver(agent.discount()),
                settings.reward.inputs() == Inputs.STANDARDISED ? expert : Visits.none(expert.width()),
                agent.stream().named("networks").named("reward"));
        ascent = new Ascent(
                settings.ascent, reward.learnt().parameters().length, agent.steps() / settings.sampling.block());
        average = new PolicyAverage(settings.learner.average());
        estimate = new RewardAverage(reward.learnt().parameters().length);
        roughness = new Roughness(settings.roughness, reward);
        blocks = new IteratedLearning.Blocks<>(
                training, settings.sampling.block(), (current, policy, random) -> score(current, random), this::step);
        sides.prepare(settings.learner, settings.expertRows(demonstrations));
    }

    /**
     * Goes on for a number of iterations, each to the end of its reward step.
     *
     * @param after receives the number of steps made so far
     * @param watch sees the score of each
     */
    public void advance(long iterations, IntConsumer after, Consumer<Score> watch) {
        blocks.run(reward, RewardModel::labels, stream, iterations, after, watch);
    }

    @Override
    public void run(long iterations, IntConsumer after, Consumer<ExpertAndAgent.Comparison> watch) {
        advance(iterations, after, score -> watch.accept(score.comparison()));
    }

    @Override
    public long iterations() {
        return blocks.iterations();
    }

    /** Data sampling I and II, and the gradient. */
    private Score score(RewardModel current, RandomStream random) {
        List<Episode> agent = sides.agent(random);
        if (agent.isEmpty()) {
            return Score.NONE;
        }
        Episodes episodes = new Episodes(agent);
        Visits visits = sides.visits(episodes, settings.pairs.shifted());
        if (!met) {
            grounding.choose(sides, episodes);
            if (settings.reward.inputs() == Inputs.SCALED) {
                current.scale(sides.shown(), Features.of(visits));
            }
        }
        Visits expert =
                settings.pairs.oneExpert() ? sides.one(random.named("expert").at(training.steps())) : sides.expert();
        Score score = scoring.at(
                current, expert, episodes, visits, random.named("scoring").at(training.steps()), !met);
        roughness.subtract(score, random.named("roughness").at(training.steps()));
        return score;
    }

    /** One gradient step on the likelihood; none without a sample of the agent. */
    private RewardModel step(RewardModel current, Score score, int k) {
        if (!score.isEmpty()) {
            intervention.step(new LikelihoodStep(current, score, k + 1L));
            met = true;
            estimate.add(current.learnt().parameters());
        }
        average.add(training.policy());
        intervention.act(training, average::policy);
        return current;
    }

    /** One gradient step on the likelihood, then one of the constant. */
    private final class LikelihoodStep implements Intervention.RewardStep {
        private final RewardModel current;
        private final Score score;
        private final long number;

        LikelihoodStep(RewardModel current, Score score, long number) {
            this.current = current;
            this.score = score;
            this.number = number;
        }

        @Override
        public void ascend() {
            ascent.step(current, score, number);
            for (float parameter : current.learnt().parameters()) {
                if (!Float.isFinite(parameter)) {
                    throw new DivergenceFailure(training.updates(), "reward's parameter", parameter);
                }
            }
        }

        @Override
        public void ground() {
            if (grounding.applies()) {
                current.raise(grounding.move(score.expert(), score.agent(), !met));
            }
        }

        @Override
        public RewardModel reward() {
            return current;
        }

        @Override
        public Training training() {
            return training;
        }

        @Override
        public double discount() {
            return learnersDiscount;
        }
    }

    /** The estimated reward: the mean over all reward steps, see {@link RewardAverage}. */
    public RewardModel reward() {
        return estimate.isEmpty() ? reward : reward.with(estimate.parameters());
    }

    /** The current reward, which the policy learns from. */
    RewardModel current() {
        return reward;
    }

    @Override
    public Map<String, Double> diagnostics() {
        return scoring.diagnostics();
    }

    @Override
    public Batch.Rewards rewards() {
        return reward.labels();
    }

    @Override
    public Optional<RewardModel> currentReward() {
        return Optional.of(reward);
    }

    @Override
    public Optional<RewardModel> recoveredReward() {
        return Optional.of(reward());
    }

    /** The learnt policy: an average over recent iterations, see {@link PolicyAverage}. */
    @Override
    public Actor policy() {
        return average.isEmpty() ? training.policy() : average.policy();
    }

    @Override
    public long countedSteps() {
        return sides.countedSteps();
    }

    /** The tensors of the policy in a checkpoint: those of the average, where there is one. */
    public static Tensors policyIn(Tensors checkpoint) {
        Tensors policy = checkpoint.under(AVERAGE);
        return policy.names().isEmpty() ? checkpoint : policy;
    }

    @Override
    public void save(Tensors into) {
        reward.save(into);
        ascent.save(into);
        average.save(AVERAGE, into);
        estimate.save(into);
        into.put(STREAM, stream.checkpoint());
        sides.saveRolloutSteps(into);
        into.put("imitate.met", met ? 1L : 0L);
        grounding.save(into);
        sides.saveKept(into);
        scoring.save(into);
    }

    @Override
    public void restore(Tensors from) {
        reward.restore(from);
        ascent.restore(from);
        average.restore(AVERAGE, from);
        estimate.restore(from);
        sides.restore(from);
        met = from.longs("imitate.met")[0] == 1;
        grounding.restore(from);
        scoring.restore(from);
        if (from.has(STREAM)) { // checkpoints of before have the one of the seed
            stream = RandomStream.resume(from.longs(STREAM));
        }
        intervention.act(training, this::policy);
    }
}

package dev.revealed.imitate.rivals;

import dev.revealed.imitate.Agent;
import dev.revealed.imitate.Demonstrations;
import dev.revealed.imitate.ExpertAndAgent;
import dev.revealed.imitate.ExpertAndAgent.Comparison;
import dev.revealed.imitate.Features;
import dev.revealed.imitate.IteratedLearning;
import dev.revealed.imitate.LoopProblem;
import dev.revealed.imitate.LoopProblem.Parts;
import dev.revealed.imitate.RewardAverage;
import dev.revealed.imitate.RewardModel;
import dev.revealed.imitate.RewardModel.Inputs;
import dev.revealed.imitate.VisitRewards;
import dev.revealed.imitate.Visits;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Actor;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.PolicyAverage;
import dev.revealed.neural.Tape;
import dev.revealed.neural.Training;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * Blocks of Soft Actor-Critic under a network's reward, and after each a step of that network which the method makes. Sees
 * to what such methods share: the agent's episodes, scaled inputs, averages of policy and reward, checkpoints.
 */
abstract class RewardLoop implements IteratedLearning.Loop {
    private static final int CHUNK = 1024;
    private static final String AVERAGE = "imitate.average."; // in checkpoints, as for ML-IRL
    private static final String STREAM = "imitate.stream"; // likewise

    /** What a reward step sees of both sides. */
    record Seen(List<Episode> episodes, Visits agent, Comparison comparison) {
        static final Seen NOTHING = new Seen(List.of(), Visits.none(0), Comparison.NONE);
    }

    /** What moves the reward's network, by an optimiser of its own. */
    interface RewardStep {
        /** Means since this was last asked. */
        Map<String, Double> diagnostics();

        /** @param prefix of the names in checkpoints */
        void save(String prefix, Tensors into);

        void restore(String prefix, Tensors from);
    }

    /** The learning problem of a method with such a loop. */
    interface Problem<S extends Record & Parts> extends LoopProblem {
        @Override
        S settings();

        @Override
        default S loop() {
            return settings();
        }
    }

    private final String name;
    private final Parts settings;
    private final Training training;
    private final ExpertAndAgent sides;
    private final RewardModel reward;
    private final PolicyAverage average;
    private final RewardAverage estimate;
    private final IteratedLearning.Blocks<Seen> blocks;
    private RandomStream stream;
    private boolean met; // whether a reward step has seen the agent

    /** @param name of the method, under which checkpoints have its {@link #step()} */
    RewardLoop(
            String name, Parts settings, RewardModel reward, ExpertAndAgent sides, Demonstrations shown, Agent agent) {
        this.name = name;
        this.settings = settings;
        this.reward = reward;
        this.sides = sides;
        training = agent.training();
        stream = agent.stream().named("imitate");
        average = new PolicyAverage(settings.learner().average());
        estimate = new RewardAverage(reward.learnt().parameters().length);
        blocks = new IteratedLearning.Blocks<>(training, settings.sampling().block(), this::look, this::step);
        sides.prepare(settings.learner(), settings.expertRows(shown));
    }

    static ExpertAndAgent sides(Parts settings, Demonstrations demonstrations, Simulator.Space space, Agent agent) {
        return new ExpertAndAgent(
                settings.sampling(),
                settings.reward().stateOnly(),
                1,
                settings.learner().afterEnd(),
                demonstrations,
                space,
                agent);
    }

    /** A reward of random parameters, whose inputs are standardised where the settings say so. */
    static RewardModel reward(Parts settings, Mlp shape, ExpertAndAgent sides, Simulator.Space space, Agent agent) {
        Visits expert = sides.expert();
        return RewardModel.random(
                shape,
                space,
                settings.learner().forEver(agent.discount()),
                settings.reward().inputs() == Inputs.STANDARDISED ? expert : Visits.none(expert.width()),
                agent.stream().named("networks").named("reward"));
    }

    /** What pays the policy. */
    Batch.Rewards paidBy() {
        return reward.labels();
    }

    abstract RewardStep step();

    /** Moves the reward by what was seen; the first time where {@code first}. */
    abstract void improve(Seen seen, RandomStream random, boolean first);

    @Override
    public final void run(long iterations, IntConsumer after, Consumer<Comparison> watch) {
        blocks.run(reward, current -> paidBy(), stream, iterations, after, seen -> watch.accept(compared(seen)));
    }

    /** How expert and agent compare in what was seen. */
    Comparison compared(Seen seen) {
        return seen.comparison;
    }

    /** Episodes of the agent that a reward step looks at; none before one has ended. */
    List<Episode> episodes(RandomStream random) {
        return sides.agent(random);
    }

    private Seen look(RewardModel current, Training policy, RandomStream random) {
        List<Episode> episodes = episodes(random);
        if (episodes.isEmpty()) {
            return Seen.NOTHING;
        }
        Episodes all = new Episodes(episodes);
        Visits visits = sides.visits(all, false);
        Features features = Features.of(visits);
        if (!met && settings.reward().inputs() == Inputs.SCALED) {
            current.scale(sides.shown(), features);
        }
        VisitRewards expert = paid(current, sides.expert());
        VisitRewards agent = paid(current, visits);
        return new Seen(
                episodes,
                visits,
                new Comparison(
                        expert.mean() - agent.mean(),
                        expert.mean(),
                        agent.mean(),
                        sides.features().distance(features),
                        sides.length(all)));
    }

    /** What a reward pays for rows. */
    static VisitRewards paid(RewardModel reward, Visits visits) {
        Tape tape = reward.plain().tape(CHUNK);
        float[] rewards = new float[visits.count()];
        for (int from = 0; from < rewards.length; from += CHUNK) {
            int n = Math.min(CHUNK, rewards.length - from);
            int width = visits.width();
            tape.forward(Arrays.copyOfRange(visits.inputs(), from * width, (from + n) * width), n);
            System.arraycopy(tape.output(), 0, rewards, from, n);
        }
        return new VisitRewards(visits, rewards);
    }

    private RewardModel step(RewardModel current, Seen seen, int k) {
        if (!seen.episodes.isEmpty()) {
            improve(seen, stream.named("step").at(k), !met);
            met = true;
            estimate.add(current.learnt().parameters());
        }
        average.add(training.policy());
        return current;
    }

    final ExpertAndAgent sides() {
        return sides;
    }

    final Training training() {
        return training;
    }

    final RewardModel reward() {
        return reward;
    }

    @Override
    public final long iterations() {
        return blocks.iterations();
    }

    @Override
    public final Map<String, Double> diagnostics() {
        return step().diagnostics();
    }

    @Override
    public final long countedSteps() {
        return sides.countedSteps();
    }

    @Override
    public final Actor policy() {
        return average.isEmpty() ? training.policy() : average.policy();
    }

    @Override
    public final Batch.Rewards rewards() {
        return reward.labels();
    }

    @Override
    public final Optional<RewardModel> currentReward() {
        return Optional.of(reward);
    }

    @Override
    public final Optional<RewardModel> recoveredReward() {
        return Optional.of(estimate.isEmpty() ? reward : reward.with(estimate.parameters()));
    }

    @Override
    public void save(Tensors into) {
        reward.save(into);
        average.save(AVERAGE, into);
        estimate.save(into);
        into.put(STREAM, stream.checkpoint());
        into.put("imitate.met", met ? 1L : 0L);
        sides.save(into);
        step().save(name, into);
    }

    @Override
    public void restore(Tensors from) {
        reward.restore(from);
        average.restore(AVERAGE, from);
        estimate.restore(from);
        stream = RandomStream.resume(from.longs(STREAM));
        met = from.longs("imitate.met")[0] == 1;
        sides.restore(from);
        step().restore(name, from);
    }
}

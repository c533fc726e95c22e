package dev.revealed.imitate;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.mdp.SingleLoop;
import dev.revealed.neural.Adam;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Mlp.Activation;
import dev.revealed.neural.Rollouts;
import dev.revealed.neural.Training;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * ML-IRL on a simulator. Its loop is Algorithm 1 ({@link SingleLoop}): a block of Soft Actor-Critic under the reward of the
 * moment, trajectories of the policy beside those of the expert, a step of Adam up the surrogate likelihood.
 */
public final class Imitation {

    /**
     * @param stateOnly whether the reward is of states alone
     * @param hidden widths of the reward network's two hidden layers
     * @param firstLayer what follows its first layer
     * @param clamp rewards lie within this of zero
     * @param standardised whether inputs are brought to the expert's mean and deviation
     * @param adam of the reward
     * @param scale of the gradient that Adam sees; it matters beside the decay alone
     * @param discount of the reward gradient
     * @param block steps of an iteration
     * @param rollouts of the policy for a reward step; 0 takes the episodes that training itself made
     * @param recent steps of training whose episodes serve then: more of them are a calmer but an older sample
     * @param absorb whether an episode that ended for good is thought to stay where it ended, for expert, agent and learner
     *     alike; else nothing comes after it, and all of them earn nothing there
     * @param shifted whether the agent's actions are paired with the state after them (quirk Q1)
     */
    public record Settings(
            boolean stateOnly,
            int[] hidden,
            Activation firstLayer,
            float clamp,
            boolean standardised,
            Adam.Settings adam,
            double scale,
            double discount,
            int block,
            int rollouts,
            int recent,
            boolean absorb,
            boolean shifted) {

        /** The reference's, with pairing, discounting and termination as in the paper. */
        public static Settings paper(boolean stateOnly, int width, int horizon) {
            return new Settings(
                    stateOnly,
                    new int[] {width, width},
                    Activation.RELU,
                    10,
                    false,
                    Adam.Settings.of(1e-4).withCoupledDecay(1e-3),
                    horizon,
                    0.99,
                    5 * horizon,
                    10,
                    5 * horizon,
                    false,
                    false);
        }
    }

    private static final double FOR_EVER = 0.99 / (1 - 0.99);

    private final Settings settings;
    private final Simulator.Space space;
    private final Training training;
    private final List<? extends Simulator> simulators;
    private final Visits expert;
    private final RewardModel reward;
    private final Adam adam;
    private final Recent recent;
    private final List<Episode> kept = new ArrayList<>();
    private RandomStream stream;
    private long rolloutSteps;

    /**
     * @param training not yet begun, or restored with this
     * @param lives simulators that the training lives in
     * @param simulators for rollouts; none are needed where blocks serve
     */
    public Imitation(
            Settings settings,
            Episodes demonstrations,
            Simulator.Space space,
            Training training,
            int lives,
            List<? extends Simulator> simulators,
            RandomStream stream) {
        this.settings = settings;
        this.space = space;
        this.training = training;
        this.simulators = simulators;
        this.stream = stream.named("imitate");
        expert = visits(demonstrations, false);
        Mlp shape = Mlp.of(
                        new int[] {expert.width(), settings.hidden[0], settings.hidden[1], 1},
                        settings.firstLayer,
                        Activation.RELU,
                        Activation.NONE)
                .withClamp(settings.clamp);
        reward = RewardModel.random(
                shape,
                space,
                settings.absorb ? FOR_EVER : 0,
                settings.standardised ? expert : Visits.none(expert.width()),
                stream.named("networks").named("reward"));
        adam = new Adam(settings.adam, reward.learnt().parameters().length);
        recent = new Recent(space, lives);
    }

    private Visits visits(Episodes episodes, boolean shifted) {
        return Visits.of(episodes, settings.stateOnly, settings.discount, space.horizon(), settings.absorb, shifted);
    }

    /** Algorithm 1; {@code after} is told how many steps of a block were made. */
    public SingleLoop<RewardModel, Training, Score> loop(IntConsumer after) {
        return new SingleLoop<>(
                (policy, current) -> {
                    policy.advance(settings.block, current.labels(), after);
                    return policy;
                },
                (current, policy, chance) -> Score.of(current, expert, visits(agent(chance), settings.shifted)),
                (current, score, k) -> {
                    step(score);
                    return current;
                });
    }

    /** Where the loop begins. */
    public SingleLoop.Iterate<RewardModel, Training> start(int k) {
        return new SingleLoop.Iterate<>(k, reward, training, stream);
    }

    /** One step up the likelihood. */
    public void step(Score score) {
        float[] down = new float[score.gradient().length];
        for (int i = 0; i < down.length; i++) {
            down[i] = (float) (-settings.scale * score.gradient()[i]);
        }
        adam.step(reward.learnt().parameters(), down);
        reward.changed();
    }

    /** Data sampling II: trajectories of the policy as it is. */
    private Episodes agent(RandomStream chance) {
        if (settings.rollouts > 0) {
            Episodes episodes = Rollouts.of(
                    training.policy(), simulators, 0, settings.rollouts, false, chance.at(training.steps()));
            for (Episode episode : episodes.all()) {
                rolloutSteps += episode.length();
            }
            return episodes;
        }
        List<Episode> ended = recent.episodes(training, settings.recent);
        if (!ended.isEmpty()) {
            kept.clear();
            kept.addAll(ended);
        }
        return new Episodes(kept);
    }

    public RewardModel reward() {
        return reward;
    }

    public Training training() {
        return training;
    }

    /** Every step of a simulator that was learnt from. */
    public long countedSteps() {
        return training.steps() + rolloutSteps;
    }

    /** Everything that later iterations depend on, but the training and its replay. */
    public void save(Tensors into) {
        reward.save(into);
        adam.save("reward.adam", into);
        into.put("imitate.rolloutSteps", rolloutSteps);
        into.put("imitate.stream", stream.checkpoint());
    }

    public void restore(Tensors from) {
        reward.restore(from);
        adam.restore("reward.adam", from);
        rolloutSteps = from.longs("imitate.rolloutSteps")[0];
        stream = RandomStream.resume(from.longs("imitate.stream"));
    }
}

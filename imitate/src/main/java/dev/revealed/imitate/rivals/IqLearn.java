package dev.revealed.imitate.rivals;

import dev.revealed.imitate.AfterEnd;
import dev.revealed.imitate.Agent;
import dev.revealed.imitate.Demonstrations;
import dev.revealed.imitate.ExpertAndAgent;
import dev.revealed.imitate.ImitationMethod;
import dev.revealed.imitate.LearningProblem;
import dev.revealed.imitate.LoopProblem;
import dev.revealed.imitate.Preset;
import dev.revealed.imitate.RewardModel;
import dev.revealed.imitate.RewardModel.Inputs;
import dev.revealed.imitate.RewardProblem;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Learner;
import dev.revealed.neural.Mlp.Activation;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.neural.Training.ExpertRows;
import dev.revealed.neural.objective.Objective;
import dev.revealed.neural.softq.InverseSoftQ;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.settings.Item;
import dev.revealed.settings.Setting;
import java.util.Map;
import java.util.Set;

/**
 * IQ-Learn (Garg et al. 2021): the critics themselves hold the reward, Q(s, a) - discount V(s'), and learn it and the policy
 * at once. A network of its own is fitted to that reward, so that it can be judged and learnt from like others.
 */
public final class IqLearn implements ImitationMethod<IqLearn.Settings> {
    public static final String NAME = "iq-learn";

    /** An update for each step, as published. */
    static final Training.Schedule SLOW = new Training.Schedule(1000, 1, 500_000);

    /** Everything that decides how it learns, but for what it shares with Soft Actor-Critic. */
    public record Settings(
            InverseSoftQ.Loss loss,
            RewardModel.Settings reward,

            @Setting(
                    about =
                            "Updates in an iteration of the network that is fitted to the critics' reward; the policy does "
                                    + "not learn from it.",
                    atLeast = 1,
                    example = "100")
            int rewardUpdates,

            ExpertAndAgent.Settings sampling,
            RewardProblem.PolicySettings learner)
            implements LoopProblem.Parts {
        public Settings {
            dev.revealed.settings.Settings.check(Settings.class, rewardUpdates);
            BadInput.when(
                    learner.expertRows() == 0,
                    "`expert-rows` is 0, and iq-learn learns from the expert's rows",
                    "Give their share of a batch, such as 0.5.");
            BadInput.when(
                    learner.cloning() > 0,
                    "`cloning` is %s, and iq-learn's actor does not clone".formatted(learner.cloning()),
                    "Leave it at 0.");
            BadInput.when(
                    learner.afterEnd() != AfterEnd.MASK,
                    "`after-end` is %s, and iq-learn has a value for termination itself (`iq-end`)"
                            .formatted(Item.text(learner.afterEnd())),
                    "Leave it at mask.");
        }

        /** The same with other values for some settings, by name. */
        public Settings with(Map<String, ?> values) {
            return dev.revealed.settings.Settings.of(Settings.class).with(this, values);
        }

        /** Critics look at actions, whatever the fitted reward is of. */
        @Override
        public ExpertRows expertRows(Demonstrations shown) {
            return learner.expertRows(shown.episodes(), false);
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String about() {
        return "learns critics that determine reward and policy at once";
    }

    @Override
    public ImitationMethod<?> offline() {
        return new OfflineIqLearn();
    }

    @Override
    public Class<Settings> settings() {
        return Settings.class;
    }

    @Override
    public Settings preset(Preset preset, Simulator.Space space) {
        InverseSoftQ.Loss published = new InverseSoftQ.Loss(
                InverseSoftQ.Term.V0, 0.5, true, InverseSoftQ.Actions.DRAWN, 0, InverseSoftQ.End.ZERO);
        Settings settings = new Settings(
                published,
                new RewardModel.Settings(
                        RewardModel.Of.STATE_ACTION, new int[] {128, 128}, Activation.RELU, 100, Inputs.SCALED),
                100,
                new ExpertAndAgent.Settings(1000, 0, 5000),
                new RewardProblem.PolicySettings(
                        0.5, 0, AfterEnd.MASK, preset == Preset.PAPER ? 1 : 10, preset.policyInputs()));
        return switch (preset) {
            case PAPER -> settings;
            case REVEALED_1 -> settings.with(Map.of("iq-value-limit", 50));
            case REVEALED -> settings.with(Map.of("iq-value-limit", 50, "iq-actions", "stored", "iq-end", "limit"));
        };
    }

    /** Nearly ML-IRL's learner; with the older presets a single critic, a slow actor and hardly any entropy, as published. */
    @Override
    public Sac.Settings sac(Preset preset, Simulator.Space space) {
        Sac.Settings learner = preset.sac(space.observations())
                .with(Map.of("learning-rate", 3e-4, "temperature-halving", 0, "actor-every", 1));
        return preset == Preset.REVEALED
                ? learner.with(Map.of("batch", 256))
                : learner.with(Map.of("critics", 1, "batch", 512, "actor-learning-rate", 3e-5, "temperature", 0.01));
    }

    @Override
    public Training.Schedule schedule(Preset preset) {
        return preset == Preset.REVEALED ? preset.schedule() : SLOW;
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

    /** What problems with and without a simulator share. */
    interface SoftQ extends RewardLoop.Problem<Settings> {
        @Override
        default Learner learner(Simulator.Space space, Sac.Settings sac, RandomStream stream, int threads) {
            return new InverseSoftQ(space, sac, settings().loss, stream);
        }

        @Override
        default Objective objective(Simulator.Space space, double discount) {
            return new Objective.Inverse(settings().loss);
        }
    }

    private record Problem(Settings settings, String preset, Demonstrations shown) implements SoftQ {
        @Override
        public String kind() {
            return NAME;
        }

        @Override
        public Loop algorithm(Simulator.Space space, Agent agent) {
            return new Loop(settings, shown, space, agent);
        }
    }

    /** Blocks of learning, after each of which the reward's network is fitted to what the critics hold now. */
    static class Loop extends RewardLoop {
        private final double discount;
        private final CriticReward fit;

        Loop(Settings settings, Demonstrations shown, Simulator.Space space, Agent agent) {
            this(settings, shown, space, agent, sides(settings, withActions(shown), space, agent));
        }

        private Loop(
                Settings settings, Demonstrations shown, Simulator.Space space, Agent agent, ExpertAndAgent sides) {
            super(
                    NAME,
                    settings,
                    reward(settings, settings.reward.shape(space), sides, space, agent),
                    sides,
                    shown,
                    agent);
            discount = agent.discount();
            fit = new CriticReward(settings.rewardUpdates, settings.loss, reward());
        }

        private static Demonstrations withActions(Demonstrations shown) {
            BadInput.when(
                    !shown.episodes().hasActions(),
                    "the demonstrations have no actions, and iq-learn learns from them",
                    "Give demonstrations with actions, or choose another `method`, such as f-irl.");
            return shown;
        }

        /** Nobody: critics look at no rewards. */
        @Override
        Batch.Rewards paidBy() {
            return Batch.Rewards.STORED;
        }

        @Override
        void improve(Seen seen, RandomStream random, boolean first) {
            Tensors learner = Tensors.of(training()::save);
            fit.learn(
                    learner,
                    discount,
                    sides().transitions(),
                    sides().transitions(new Episodes(seen.episodes())),
                    random);
        }

        @Override
        CriticReward step() {
            return fit;
        }
    }
}

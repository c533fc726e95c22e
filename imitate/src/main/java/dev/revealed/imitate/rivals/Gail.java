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
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Mlp.Activation;
import dev.revealed.neural.objective.Objective;
import dev.revealed.numeric.RandomStream;
import dev.revealed.settings.Item;
import dev.revealed.settings.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** GAIL (Ho and Ermon 2016), off-policy as DAC has it (Kostrikov et al. 2019): a discriminator gives the reward. */
public final class Gail implements ImitationMethod<Gail.Settings> {
    public static final String NAME = "gail";

    /** What the learner is paid where D is the probability that a row is the expert's. */
    public enum Label {
        /** log D - log(1 - D), of either sign; on average positive where the agent is like the expert. */
        LOGIT(Mlp.Output.PLAIN),
        /** -log(1 - D), always positive: terminating early never pays. */
        SOFTPLUS(Mlp.Output.SOFTPLUS),
        /** log D, always negative: terminating early pays, unless what comes after the end is as bad. */
        LOG_D(Mlp.Output.LOG_SIGMOID);

        private final Mlp.Output output;

        Label(Mlp.Output output) {
            this.output = output;
        }
    }

    /** Everything that decides how the discriminator learns. */
    public record Settings(
            RewardModel.Settings reward,
            Discriminator.Settings discriminator,

            @Setting(
                    name = "gail-reward",
                    label = "WHAT",
                    about = "Reward made from the discriminator's probability D that a row is the expert's: softplus,"
                            + " -log(1 - D); logit, log D - log(1 - D); or log-d, log D.")
            Label label,

            ExpertAndAgent.Settings sampling,
            RewardProblem.PolicySettings learner)
            implements LoopProblem.Parts {
        public Settings {
            dev.revealed.settings.Settings.check(Settings.class, label);
            learner.check(sampling);
        }

        /** The same with other values for some settings, by name. */
        public Settings with(Map<String, ?> values) {
            return dev.revealed.settings.Settings.of(Settings.class).with(this, values);
        }

        Mlp shape(Simulator.Space space) {
            return reward.shape(space).withOutput(label.output);
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String about() {
        return "rewards the policy by a discriminator that distinguishes its rows from the expert's";
    }

    @Override
    public Class<Settings> settings() {
        return Settings.class;
    }

    @Override
    public Settings preset(Preset preset, Simulator.Space space) {
        Settings ours = new Settings(
                new RewardModel.Settings(
                        RewardModel.Of.STATE_ACTION, new int[] {128, 128}, Activation.RELU, 100, Inputs.SCALED),
                new Discriminator.Settings(100, 256, 3e-4, 10, 1),
                Label.SOFTPLUS,
                new ExpertAndAgent.Settings(1000, 0, 10_000),
                new RewardProblem.PolicySettings(0.25, 0, AfterEnd.MASK, 10, preset.policyInputs()));
        return switch (preset) {
            case REVEALED -> ours;
            case REVEALED_1 -> ours.with(Map.of("expert-rows", 0));
            case PAPER ->
                ours.with(Map.of(
                        "reward", "state",
                        "first-activation", "tanh",
                        "reward-clamp", "10",
                        "reward-inputs", "standardised",
                        "gradient-penalty", "4",
                        "gail-reward", "log-d",
                        "expert-rows", "0",
                        "average-policy", "1"));
        };
    }

    @Override
    public long block(Settings settings) {
        return settings.sampling.block();
    }

    @Override
    public void check(Settings settings, Set<String> named) {
        settings.learner.check(named, settings.reward.stateOnly());
    }

    @Override
    public LearningProblem problem(Settings settings, String preset, Demonstrations demonstrations) {
        return new Problem(settings, preset, demonstrations);
    }

    private record Problem(Settings settings, String preset, Demonstrations shown)
            implements RewardLoop.Problem<Settings> {
        @Override
        public String kind() {
            return NAME;
        }

        @Override
        public Objective objective(Simulator.Space space, double discount) {
            return new Objective.Labelled(settings.shape(space), settings.learner.forEver(discount));
        }

        @Override
        public List<String> cautions(Simulator.Space space) {
            List<String> cautions = new ArrayList<>(RewardLoop.Problem.super.cautions(space));
            if (settings.label != Label.SOFTPLUS && settings.learner.afterEnd() == AfterEnd.MASK) {
                cautions.add(("`gail-reward` %s may be negative, and with `after-end` mask terminating early then pays:"
                                + " where episodes can terminate, consider `after-end` absorb")
                        .formatted(Item.text(settings.label)));
            }
            return cautions;
        }

        @Override
        public Loop algorithm(Simulator.Space space, Agent agent) {
            return Loop.of(settings, shown, space, agent);
        }
    }

    /** The discriminator learns after every block. */
    static final class Loop extends RewardLoop {
        private final Discriminator discriminator;

        private Loop(Settings settings, RewardModel reward, ExpertAndAgent sides, Demonstrations shown, Agent agent) {
            super(NAME, settings, reward, sides, shown, agent);
            discriminator = new Discriminator(settings.discriminator, reward);
        }

        static Loop of(Settings settings, Demonstrations shown, Simulator.Space space, Agent agent) {
            ExpertAndAgent sides = sides(settings, shown, space, agent);
            RewardModel reward = reward(settings, settings.shape(space), sides, space, agent);
            return new Loop(settings, reward, sides, shown, agent);
        }

        @Override
        void improve(Seen seen, RandomStream random, boolean first) {
            discriminator.learn(
                    sides().expert(), seen.agent(), random, training().updates());
        }

        @Override
        Discriminator step() {
            return discriminator;
        }
    }
}

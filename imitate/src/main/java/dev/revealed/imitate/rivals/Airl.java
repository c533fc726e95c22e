package dev.revealed.imitate.rivals;

import dev.revealed.imitate.AfterEnd;
import dev.revealed.imitate.Agent;
import dev.revealed.imitate.Demonstrations;
import dev.revealed.imitate.ExpertAndAgent;
import dev.revealed.imitate.Features;
import dev.revealed.imitate.Grounding;
import dev.revealed.imitate.ImitationMethod;
import dev.revealed.imitate.LearningProblem;
import dev.revealed.imitate.LoopProblem;
import dev.revealed.imitate.Preset;
import dev.revealed.imitate.RewardModel;
import dev.revealed.imitate.RewardModel.Inputs;
import dev.revealed.imitate.RewardProblem;
import dev.revealed.imitate.Visits;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Mlp.Activation;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Temperature;
import dev.revealed.neural.Training.ExpertRows;
import dev.revealed.neural.objective.Objective;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.settings.Item;
import dev.revealed.settings.Setting;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;

/**
 * AIRL (Fu et al. 2018): a discriminator D = e^(f/T) / (e^(f/T) + pi), T the learner's temperature, with f = g(s) + discount h(s') - h(s). The policy learns from g
 * alone, which is the reward that is recovered; h takes up what shaping explains.
 */
public final class Airl implements ImitationMethod<Airl.Settings> {
    public static final String NAME = "airl";

    /** Everything that decides how reward and shaping learn. */
    public record Settings(
            RewardModel.Settings reward,

            @Setting(
                    about = "Widths of the hidden layers of the shaping term h.",
                    atLeast = 1,
                    atMost = Mlp.WIDEST,
                    example = "64,64")
            int[] shapingHidden,

            Discriminator.Settings discriminator,

            @Setting(
                    about =
                            "Bound of the absolute log density of an action in the discriminator; near the bounds of the "
                                    + "actions the density itself has no bound.",
                    above = 0,
                    example = "20")
            double densityLimit,

            ExpertAndAgent.Settings sampling,
            RewardProblem.PolicySettings learner,
            RewardProblem.Ground ground)
            implements LoopProblem.Parts {
        public Settings {
            shapingHidden = shapingHidden.clone();
            dev.revealed.settings.Settings.check(Settings.class, shapingHidden, densityLimit);
            BadInput.when(
                    learner.afterEnd() != AfterEnd.MASK,
                    "`after-end` is %s, and airl supports mask alone".formatted(Item.text(learner.afterEnd())),
                    "Leave it at mask; `ground` sees to it that terminating early does not pay.");
        }

        /** The same with other values for some settings, by name. */
        public Settings with(Map<String, ?> values) {
            return dev.revealed.settings.Settings.of(Settings.class).with(this, values);
        }

        /** The demonstrations have actions, whatever the reward is of. */
        @Override
        public ExpertRows expertRows(Demonstrations shown) {
            return learner.expertRows(shown.episodes(), false);
        }

        Mlp shaping(Simulator.Space space) {
            return Mlp.relu(GaussianActor.sizes(space.observations(), shapingHidden, 1));
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String about() {
        return "recovers a reward of states, separated from potential shaping";
    }

    @Override
    public Class<Settings> settings() {
        return Settings.class;
    }

    @Override
    public Settings preset(Preset preset, Simulator.Space space) {
        Settings ours = new Settings(
                new RewardModel.Settings(
                        RewardModel.Of.STATE, new int[] {128, 128}, Activation.RELU, 100, Inputs.SCALED),
                new int[] {128, 128},
                new Discriminator.Settings(100, 256, 3e-4, 0.1, 0),
                20,
                new ExpertAndAgent.Settings(1000, 0, 5000),
                new RewardProblem.PolicySettings(0.25, 0, AfterEnd.MASK, 10, preset.policyInputs()),
                new RewardProblem.Ground(true, 0.1));
        return preset == Preset.PAPER
                ? ours.with(Map.of(
                        "reward-hidden", "256,256",
                        "shaping-hidden", "256,256",
                        "reward-inputs", "standardised",
                        "discriminator-learning-rate", "1e-4",
                        "gradient-penalty", "0",
                        "expert-rows", "0",
                        "average-policy", "1",
                        "ground", "off"))
                : ours;
    }

    /** Its paper has a temperature of 1. */
    @Override
    public Sac.Settings sac(Preset preset, Simulator.Space space) {
        Sac.Settings usual = preset.sac(space.observations());
        return preset == Preset.PAPER ? usual.with(Map.of("temperature", 1)) : usual;
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

    private record Problem(Settings settings, String preset, Demonstrations shown)
            implements RewardLoop.Problem<Settings> {
        @Override
        public String kind() {
            return NAME;
        }

        @Override
        public Objective objective(Simulator.Space space, double discount) {
            return new Objective.Labelled(settings.reward.shape(space), 0);
        }

        @Override
        public Loop algorithm(Simulator.Space space, Agent agent) {
            return Loop.of(settings, shown, space, agent);
        }
    }

    /** Reward and shaping learn after every block. */
    static final class Loop extends RewardLoop {
        private final Settings settings;
        private final double discount;
        private final Temperature temperature;
        private final Grounding grounding;
        private final RewardModel shaping;
        private final ShapedDiscriminator discriminator;

        private Loop(
                Settings settings,
                RewardModel reward,
                RewardModel shaping,
                ExpertAndAgent sides,
                Demonstrations shown,
                Agent agent) {
            super(NAME, settings, reward, sides, shown, agent);
            this.settings = settings;
            this.shaping = shaping;
            discount = agent.discount();
            temperature = agent.temperature();
            grounding = new Grounding(settings.ground, settings.learner.afterEnd(), shown.episodes());
            discriminator = new ShapedDiscriminator(settings.discriminator, discount, reward, shaping);
        }

        static Loop of(Settings settings, Demonstrations shown, Simulator.Space space, Agent agent) {
            BadInput.when(
                    !shown.episodes().hasActions(),
                    "the demonstrations have no actions, and airl compares them with the policy's",
                    "Give demonstrations with actions, or choose another `method`, such as f-irl.");
            BadInput.when(
                    agent.temperature().tuned() || agent.temperature().first() == 0,
                    "`temperature` is %s, and airl's discriminator divides by it"
                            .formatted(agent.temperature().tuned() ? "auto" : "0"),
                    "Give `temperature` a number above 0, such as 0.2.");
            ExpertAndAgent sides = sides(settings, shown, space, agent);
            RewardModel reward = reward(settings, settings.reward.shape(space), sides, space, agent);
            int horizon = ExpertAndAgent.horizon(shown.episodes(), space.horizon());
            Visits states = Visits.of(shown.episodes(), true, 1, horizon, false, false);
            RewardModel shaping = RewardModel.random(
                    settings.shaping(space),
                    space,
                    0,
                    settings.reward.inputs() == Inputs.STANDARDISED ? states : Visits.none(states.width()),
                    agent.stream().named("networks").named("shaping"));
            return new Loop(settings, reward, shaping, sides, shown, agent);
        }

        @Override
        void improve(Seen seen, RandomStream random, boolean first) {
            if (first && settings.reward.inputs() == Inputs.SCALED) {
                shaping.scale(states(sides().shown()), states(Features.of(seen.agent())));
            }
            Batch agent = sides().transitions(new Episodes(seen.episodes()));
            long updates = training().updates();
            discriminator.learn(rows(sides().transitions()), rows(agent), temperature.after(updates), random, updates);
            if (first) {
                grounding.choose(sides(), new Episodes(seen.episodes()));
            }
            if (grounding.applies()) {
                // f stays the same: what g is paid more, h is worth more for ever
                double moved = grounding.move(paid(reward(), sides().expert()), paid(reward(), seen.agent()), first);
                reward().raise(moved);
                shaping.raise(moved / (1 - discount));
            }
        }

        /** Of the states alone, which come first. */
        private Features states(Features all) {
            int width = shaping.learnt().shape().inputs();
            return new Features(Arrays.copyOf(all.means(), width), Arrays.copyOf(all.deviations(), width));
        }

        private ShapedDiscriminator.Transitions rows(Batch batch) {
            int states = shaping.learnt().shape().inputs();
            int actions = batch.actions().length / batch.size();
            boolean stateOnly = settings.reward.stateOnly();
            int width = states + (stateOnly ? 0 : actions);
            float[] inputs = new float[batch.size() * width];
            for (int row = 0; row < batch.size(); row++) {
                System.arraycopy(batch.states(), row * states, inputs, row * width, states);
                if (!stateOnly) {
                    System.arraycopy(batch.actions(), row * actions, inputs, row * width + states, actions);
                }
            }
            if (!(training().policy() instanceof GaussianActor policy)) {
                throw new BadInput(
                        "airl needs densities of actions, and this task has finitely many actions",
                        "Choose another `method`.");
            }
            double[] density = new double[batch.size()];
            for (int row = 0; row < density.length; row++) {
                density[row] = Math.clamp(
                        policy.logDensity(batch.states(), row * states, batch.actions(), row * actions),
                        -settings.densityLimit,
                        settings.densityLimit);
            }
            return new ShapedDiscriminator.Transitions(
                    batch.size(), inputs, batch.states(), batch.nextStates(), batch.live(), density);
        }

        @Override
        public void save(Tensors into) {
            super.save(into);
            grounding.save(into);
        }

        @Override
        public void restore(Tensors from) {
            super.restore(from);
            grounding.restore(from);
        }

        @Override
        ShapedDiscriminator step() {
            return discriminator;
        }
    }
}

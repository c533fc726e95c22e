package dev.revealed.imitate.rivals;

import dev.revealed.imitate.Agent;
import dev.revealed.imitate.Demonstrations;
import dev.revealed.imitate.ExpertAndAgent;
import dev.revealed.imitate.Imitation;
import dev.revealed.imitate.Imitation.ExpertSample;
import dev.revealed.imitate.ImitationMethod;
import dev.revealed.imitate.Intervention;
import dev.revealed.imitate.LearningProblem;
import dev.revealed.imitate.Preset;
import dev.revealed.imitate.RewardModel;
import dev.revealed.imitate.RewardModel.Inputs;
import dev.revealed.imitate.Visits;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Mlp.Activation;
import dev.revealed.numeric.BadInput;
import dev.revealed.settings.Setting;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;

/** f-IRL (Ni et al. 2020): Algorithm 1 with the gradient of a divergence between the states of agent and expert. */
public final class FIrl implements ImitationMethod<FIrl.Settings> {
    public static final String NAME = "f-irl";

    private static final float CLAMP = 10; // of the log of a ratio of densities

    /** The divergence that is made small. */
    public enum Divergence {
        /** Of the agent from the expert. */
        FORWARD_KL,
        /** Of the expert from the agent. */
        REVERSE_KL,
        JENSEN_SHANNON;

        /** What a row weighs, by the log of how much likelier it is under the expert than under the agent. */
        double of(double ratio) {
            return switch (this) {
                case FORWARD_KL -> Math.exp(ratio);
                case REVERSE_KL -> ratio;
                case JENSEN_SHANNON -> Logistic.softplus(ratio);
            };
        }
    }

    /** Everything that decides how the reward learns. */
    public record Settings(
            Imitation.Settings loop,

            @Setting(
                    label = "WHAT",
                    about =
                            "Divergence between the states of agent and expert that is minimised: forward-kl, reverse-kl or "
                                    + "jensen-shannon.")
            Divergence divergence,

            @Setting(
                    about = "Widths of the hidden layers of the classifier, a discriminator that estimates how much"
                            + " likelier states are under the expert.",
                    atLeast = 1,
                    atMost = Mlp.WIDEST,
                    example = "128,128")
            int[] classifierHidden,

            Discriminator.Settings classifier) {
        public Settings {
            classifierHidden = classifierHidden.clone();
            dev.revealed.settings.Settings.check(Settings.class, divergence, classifierHidden);
            BadInput.when(
                    loop.pairs().expertSample() != ExpertSample.ALL,
                    "`expert-sample` is one, and f-irl compares all trajectories",
                    "Leave it at all.");
        }

        /** The same with other values for some settings, by name. */
        public Settings with(Map<String, ?> values) {
            return dev.revealed.settings.Settings.of(Settings.class).with(this, values);
        }

        private Mlp ratio(int inputs) {
            int[] sizes = GaussianActor.sizes(inputs, classifierHidden, 1);
            Activation[] activations = new Activation[sizes.length - 1];
            Arrays.fill(activations, Activation.TANH);
            activations[activations.length - 1] = Activation.NONE;
            return Mlp.of(sizes, activations).withClamp(CLAMP);
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String about() {
        return "recovers a reward by minimising a divergence between the states of agent and expert";
    }

    @Override
    public Class<Settings> settings() {
        return Settings.class;
    }

    @Override
    public Settings preset(Preset preset, Simulator.Space space) {
        Imitation.Settings loop = preset.imitation(RewardModel.Of.STATE, space).with(Map.of("expert-rows", 0));
        return preset == Preset.PAPER
                ? new Settings(
                        loop.with(Map.of("after-end", "absorb")), // episodes are padded with their last state
                        Divergence.FORWARD_KL,
                        new int[] {128, 128},
                        new Discriminator.Settings(1200, 800, 3e-4, 0, 0))
                : new Settings(
                        loop,
                        Divergence.JENSEN_SHANNON,
                        new int[] {128, 128},
                        new Discriminator.Settings(100, 256, 3e-4, 1, 0));
    }

    @Override
    public long block(Settings settings) {
        return settings.loop.sampling().block();
    }

    @Override
    public void check(Settings settings, Set<String> named) {
        settings.loop.check(named);
    }

    @Override
    public LearningProblem problem(Settings settings, String preset, Demonstrations demonstrations) {
        return new Problem(settings, preset, demonstrations, Intervention.NONE);
    }

    private record Problem(Settings settings, String preset, Demonstrations shown, Intervention intervention)
            implements Imitation.Problem {
        @Override
        public LearningProblem under(Intervention other) {
            return new Problem(settings, preset, shown, other);
        }

        @Override
        public String kind() {
            return NAME;
        }

        @Override
        public Imitation.Settings loop() {
            return settings.loop;
        }

        @Override
        public Imitation algorithm(Simulator.Space space, Agent agent) {
            return FIrl.loop(settings, shown, space, agent, intervention);
        }
    }

    static Imitation loop(
            Settings settings, Demonstrations shown, Simulator.Space space, Agent agent, Intervention intervention) {
        return new Imitation(
                settings.loop, shown, space, agent, intervention, sides -> scoring(settings, sides, space, agent));
    }

    private static DivergenceScoring scoring(
            Settings settings, ExpertAndAgent sides, Simulator.Space space, Agent agent) {
        int width = sides.expert().width();
        Inputs inputs = settings.loop.reward().inputs();
        RewardModel ratio = RewardModel.random(
                settings.ratio(width),
                space,
                0,
                inputs == Inputs.STANDARDISED ? sides.expert() : Visits.none(width),
                agent.stream().named("networks").named("classifier"));
        return new DivergenceScoring(settings.divergence, settings.classifier, sides, ratio, inputs == Inputs.SCALED);
    }
}

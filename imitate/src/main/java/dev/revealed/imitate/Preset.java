package dev.revealed.imitate;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Temperature;
import dev.revealed.neural.Training;
import java.util.Locale;
import java.util.Map;

/** Settings that go together. */
public enum Preset {
    /** The reference's, with pairing, discounting and termination as in the paper. */
    PAPER,
    /** Ours, the same for all tasks but for what depends on the number of observations. */
    REVEALED;

    /** Of either, for the interaction with the simulator. */
    public static final Training.Schedule SCHEDULE = new Training.Schedule(1000, 1, 1_000_000);

    /** Above so many observations (ants, humanoids) the reward is wider and the learner slower. */
    private static final int LARGE = 100;

    /** How the policy learns, from so many observations. */
    public Sac.Settings sac(int observations) {
        return switch (this) {
            case PAPER -> Sac.Settings.PAPER;
            case REVEALED ->
                observations > LARGE
                        ? Sac.Settings.PAPER.withLearningRate(3e-4).withTemperature(Temperature.halving(0.2, 500_000))
                        : Sac.Settings.PAPER.withLearningRate(5e-4);
        };
    }

    /** How the reward learns. */
    public Imitation.Settings imitation(RewardModel.Of of, Simulator.Space space) {
        int width = space.observations() > LARGE ? 128 : 64;
        Imitation.Settings revealed =
                Imitation.Settings.USUAL.with(Map.of("reward", of, "reward-hidden", new int[] {width, width}));
        int horizon = space.horizon();
        Map<String, Object> paper = Map.of(
                "first-activation", "none",
                "reward-clamp", "10",
                "reward-inputs", "plain",
                "reward-learning-rate", "1e-4",
                "reward-roughness", "0",
                "reward-discount", "0.99",
                "rollouts", "10",
                "average-policy", "1",
                "loss-scale", horizon,
                "block", 5 * horizon);
        return this == PAPER ? revealed.with(paper).with(Map.of("recent", 5 * horizon)) : revealed;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

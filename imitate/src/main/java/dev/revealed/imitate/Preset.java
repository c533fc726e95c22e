package dev.revealed.imitate;

import dev.revealed.imitate.RewardModel.Inputs;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Mlp.Activation;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Temperature;
import dev.revealed.neural.Training;

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
        int[] hidden = {width, width};
        int horizon = space.horizon();
        return switch (this) {
            case PAPER ->
                new Imitation.Settings(
                        new RewardModel.Settings(of, hidden, Activation.NONE, 10, Inputs.PLAIN),
                        new Ascent.Settings(Ascent.Kind.ADAM_L2, 1e-4, 1e-3, horizon),
                        0,
                        0.99,
                        Imitation.Sampling.of(5 * horizon, 10, 5 * horizon),
                        AfterEnd.MASK,
                        true,
                        1);
            case REVEALED ->
                new Imitation.Settings(
                        new RewardModel.Settings(of, hidden, Activation.RELU, 100, Inputs.SCALED),
                        new Ascent.Settings(Ascent.Kind.ADAM_L2, 1e-3, 1e-3, 1000),
                        0.005,
                        1,
                        Imitation.Sampling.of(1000, 0, 5000),
                        AfterEnd.MASK,
                        true,
                        10);
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}

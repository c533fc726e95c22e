package dev.revealed.imitate;

import dev.revealed.imitate.RewardModel.Inputs;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Mlp.Activation;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Temperature;
import dev.revealed.neural.Training;
import java.util.Locale;

/** Settings that go together, every number of them. */
public enum Preset {
    /** The reference's, with pairing, discounting and termination as in the paper. */
    PAPER {
        @Override
        public long iterations(String task) {
            return switch (task) {
                case "hopper" -> 200;
                case "walker2d" -> 1000;
                default -> 600;
            };
        }

        @Override
        public Imitation.Settings imitation(boolean stateOnly, Simulator.Space space) {
            return new Imitation.Settings(
                    new RewardModel.Settings(stateOnly, hidden(space), Activation.NONE, 10, Inputs.PLAIN),
                    new Ascent.Settings(Ascent.Kind.ADAM_L2, 1e-4, 1e-3, space.horizon()),
                    0,
                    0.99,
                    Imitation.Sampling.of(5 * space.horizon(), 10, 5 * space.horizon()),
                    AfterEnd.MASK,
                    true,
                    1);
        }
    },
    /** Ours, the same for all tasks but for their iterations and what goes by the number of observations. */
    REVEALED {
        @Override
        public long iterations(String task) {
            return switch (task) {
                case "hopper", "halfcheetah" -> 600;
                default -> 2000;
            };
        }

        @Override
        public Imitation.Settings imitation(boolean stateOnly, Simulator.Space space) {
            return new Imitation.Settings(
                    new RewardModel.Settings(stateOnly, hidden(space), Activation.RELU, 100, Inputs.SCALED),
                    new Ascent.Settings(Ascent.Kind.ADAM_L2, 1e-3, 1e-3, 1000),
                    0.005,
                    1,
                    Imitation.Sampling.of(1000, 0, 5000),
                    AfterEnd.MASK,
                    true,
                    10);
        }

        /**
         * Small robots learn faster at 5e-4, at which a Humanoid hardly learns at all; and a Humanoid whose temperature
         * stays as it is needs its chance to stand.
         */
        @Override
        public Sac.Settings sac(int observations) {
            return large(observations)
                    ? Sac.Settings.PAPER.withLearningRate(3e-4).withTemperature(Temperature.halving(0.2, 500_000))
                    : Sac.Settings.PAPER.withLearningRate(5e-4);
        }
    };

    /** Of either. */
    public static final Training.Schedule SCHEDULE =
            new Training.Schedule(1000, 1, 1_000_000);

    /** Of a learner that sees so many numbers. */
    public Sac.Settings sac(int observations) {
        return Sac.Settings.PAPER;
    }

    /** Ants and humanoids. */
    private static boolean large(int observations) {
        return observations > 100;
    }

    /** Of the reward. */
    private static int[] hidden(Simulator.Space space) {
        int width = large(space.observations()) ? 128 : 64;
        return new int[] {width, width};
    }

    /** Iterations, unless told otherwise. */
    public abstract long iterations(String task);

    public abstract Imitation.Settings imitation(boolean stateOnly, Simulator.Space space);

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

package dev.revealed.imitate;

import dev.revealed.imitate.RewardProblem.PolicySettings;
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
    /** Ours, the same for all tasks but for what depends on the number of observations and actions. */
    REVEALED,
    /** Ours until 16 November 2026, without rows of the expert: published rows were made with it. */
    REVEALED_1;

    /** Above so many observations (ants, humanoids) the reward is wider and the learner slower. */
    private static final int LARGE = 100;

    /** Iterations of our runs for each number of an action, and the fewest of a run. */
    private static final int PER_ACTION = 60;

    private static final int FEWEST = 150;

    /** Of the interaction with the simulator. */
    public Training.Schedule schedule() {
        return new Training.Schedule(1000, this == REVEALED ? 2 : 1, 1_000_000);
    }

    /** Iterations of a run. */
    public long iterations(Simulator.Space space) {
        return switch (this) {
            case REVEALED -> Math.max(FEWEST, PER_ACTION * space.actions().size());
            case REVEALED_1 -> 2000;
            case PAPER -> 600;
        };
    }

    /** How the policy learns, from so many observations. */
    public Sac.Settings sac(int observations) {
        Sac.Settings first = observations > LARGE
                ? Sac.Settings.PAPER.withLearningRate(3e-4).withTemperature(Temperature.halving(0.2, 500_000))
                : Sac.Settings.PAPER.withLearningRate(5e-4);
        return switch (this) {
            case PAPER -> Sac.Settings.PAPER;
            case REVEALED_1 -> first;
            case REVEALED ->
                first.with(Map.of(
                        "batch",
                        128,
                        "layer-norm",
                        true,
                        "actor-every",
                        2,
                        "actor-learning-rate",
                        6e-5,
                        "temperature",
                        0.05,
                        "temperature-halving",
                        0));
        };
    }

    /** How the reward learns. */
    public Imitation.Settings imitation(RewardModel.Of of, Simulator.Space space) {
        boolean large = space.observations() > LARGE;
        int width = large ? 128 : 64;
        Imitation.Settings first =
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
        return switch (this) {
            case PAPER -> first.with(paper).with(Map.of("recent", 5 * horizon));
            case REVEALED_1 -> first;
            case REVEALED ->
                first.with(Map.of(
                        "expert-rows",
                        0.25,
                        "policy-inputs",
                        policyInputs(),
                        "reward-learning-rate",
                        large ? 3e-4 : 1e-3,
                        "reward-halvings",
                        5,
                        "ground-pace",
                        large ? 0.1 : 0.01));
        };
    }

    /** How observations come to actor and critics. */
    public PolicySettings.Inputs policyInputs() {
        return this == REVEALED ? PolicySettings.Inputs.SCALED : PolicySettings.Inputs.PLAIN;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

package dev.revealed.imitate.world;

import dev.revealed.numeric.BadInput;
import dev.revealed.settings.Setting;
import dev.revealed.settings.Settings;

/** Settings of rollouts in the learnt world, and of the penalty for uncertainty. */
public record Rollouts(
        @Setting(about = "Rollouts in the learnt world that are made together.", atLeast = 1, atMost = 1_000_000)
        int rolloutBatch,

        @Setting(about = "Steps of such a rollout.", atLeast = 1, atMost = 1000)
        int rolloutLength,

        @Setting(
                label = "WHAT",
                about =
                        "Measure of the world's uncertainty about a state and an action: max-sigma, ensemble-variance or "
                                + "ensemble-std.")
        Penalty penalty,

        @Setting(
                about = "Penalty for uncertainty, in standard deviations of the current reward: this much where the "
                        + "measure is twice its median over the log. 0 for none.",
                atLeast = 0,
                example = "1")
        double penaltyWeight) {
    private static final int MOST = 2_000_000; // the widest of them, the humanoid's, still fit into one array

    /** Modest sizes, for two cores. */
    public static final Rollouts USUAL = new Rollouts(1000, 5, Penalty.ENSEMBLE_STD, 1);

    public Rollouts {
        Settings.check(Rollouts.class, rolloutBatch, rolloutLength, penalty, penaltyWeight);
        long together = (long) rolloutBatch * rolloutLength;
        BadInput.when(
                together > MOST,
                "`rollout-batch` %d times `rollout-length` %d is %d transitions at a time, more than %d"
                        .formatted(rolloutBatch, rolloutLength, together, MOST),
                "Give less for one of them.");
    }
}

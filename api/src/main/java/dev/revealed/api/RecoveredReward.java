package dev.revealed.api;

/**
 * The reward that imitation recovered. It is known up to a constant and a positive scale.
 *
 * {@snippet :
 * double better = reward.of(new float[] {0.5f, 0}, new float[] {0}) - reward.of(new float[] {-1, 0}, new float[] {0});
 * }
 */
@FunctionalInterface
public interface RecoveredReward {
    /** The reward of one step; a reward of states ignores the action. */
    double of(float[] observation, float[] action);
}

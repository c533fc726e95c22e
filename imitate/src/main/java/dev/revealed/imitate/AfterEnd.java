package dev.revealed.imitate;

/** How terminated episodes are treated, for expert, agent and learner alike. */
public enum AfterEnd {
    /** The last state is absorbing, with zero actions: its rows repeat up to the horizon, and its reward is earned for ever. */
    ABSORB,
    /**
     * No rows and no reward after the end. The value of staying alive then depends on the constant in the reward, which the
     * likelihood does not determine: see {@link RewardProblem.Ground}.
     */
    MASK,
    /**
     * Rollouts continue in the simulator up to the horizon, and those rows count, while the learner earns nothing after the
     * end. This is what the reference code does; it treats reward and learner differently.
     */
    SIMULATE
}

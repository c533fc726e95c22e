package dev.revealed.imitate;

/** What comes after an episode that ended for good, for expert, agent and learner alike. */
public enum AfterEnd {
    /** The agent is thought to stay where it ended, with actions of zeros: rows up to the horizon, reward for ever. */
    ABSORB,
    /**
     * Nothing: no rows, and no reward. How good it is to live on is then a matter of the constant in the reward, which the
     * likelihood does not know: see {@link RewardProblem.Ground}.
     */
    MASK,
    /**
     * Rollouts go on in the simulator up to the horizon, and those rows count, while the learner earns nothing after the
     * end: the reference code's way, which treats the two differently.
     */
    SIMULATE
}

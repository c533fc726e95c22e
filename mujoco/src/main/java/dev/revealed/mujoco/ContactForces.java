package dev.revealed.mujoco;

/** Contact forces in the observations of the ants and the humanoid. */
public enum ContactForces {
    /** Forces as they are, with their cost in the reward. */
    REAL,
    /** Zeros in their place and no cost, as mujoco-py 2 had it. */
    ZERO,
    /** Left out of the observation, and no cost. */
    OMIT
}

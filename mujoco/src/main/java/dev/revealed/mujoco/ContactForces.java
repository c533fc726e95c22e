package dev.revealed.mujoco;

/** What the ants and the humanoid are told of the forces on their bodies. */
public enum ContactForces {
    /** Forces as they are, with their cost in the reward. */
    REAL,
    /** Zeros in their place and no cost, as mujoco-py 2 had it. */
    ZERO,
    /** Left out of the observation, and no cost. */
    OMIT
}

package dev.revealed.mujoco;

/** How a capsule's mass and inertia follow from its shape. */
public enum Inertia {
    /** MuJoCo up to 2.1.0, and so every v2 and v3 task and the papers that used them: a cylinder a radius longer. */
    LEGACY,
    /** MuJoCo from 2.1.1: the capsule itself. */
    MODERN
}

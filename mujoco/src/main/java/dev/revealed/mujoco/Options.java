package dev.revealed.mujoco;

/** Which flavour of a task. */
public record Options(Inertia inertia, ContactForces contactForces) {
    /** As the papers had it: the masses of their day and the contact forces in the observation. */
    public static final Options STANDARD = new Options(Inertia.LEGACY, ContactForces.REAL);
}

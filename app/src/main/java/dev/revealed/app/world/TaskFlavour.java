package dev.revealed.app.world;

import dev.revealed.mujoco.ContactForces;
import dev.revealed.mujoco.Inertia;
import dev.revealed.mujoco.Options;
import dev.revealed.settings.Setting;

/** Which flavour of a built-in task. */
public record TaskFlavour(
        @Setting(
                label = "KIND",
                about = "legacy, of the papers' era, or modern, of MuJoCo 2.1.1 and later.",
                usual = "legacy, or as the policy was trained")
        Inertia inertia,

        @Setting(
                label = "KIND",
                about = "In the observations of the ants and the humanoid: real, zero or omit.",
                usual = "real, or as the policy was trained")
        ContactForces contactForces) {
    /** That of the papers. */
    public static final TaskFlavour STANDARD = new TaskFlavour(Inertia.LEGACY, ContactForces.REAL);

    Options options() {
        return new Options(inertia, contactForces);
    }
}

package dev.revealed.app;

import dev.revealed.mdp.Simulator;
import dev.revealed.mujoco.ContactForces;
import dev.revealed.mujoco.Inertia;
import dev.revealed.mujoco.Options;
import dev.revealed.mujoco.Task;
import dev.revealed.numeric.BadInput;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a task and its flavour. */
final class TaskOptions {
    @Option(
            names = "--task",
            paramLabel = "T",
            description = "hopper, halfcheetah, walker2d, ant, humanoid, customant or disabledant.")
    private @Nullable String task;

    @Option(
            names = "--inertia",
            paramLabel = "KIND",
            description = "legacy, of the papers' era, or modern, of MuJoCo 2.1.1 and later (default: legacy).")
    private Inertia inertia = Inertia.LEGACY;

    @Option(
            names = "--contact-forces",
            paramLabel = "KIND",
            description = "In the observations of the ants and the humanoid: real, zero or omit (default: real).")
    private ContactForces contactForces = ContactForces.REAL;

    /** The task that was named, or else the one known from elsewhere; its name is spelt as ours from now on. */
    Task task(@Nullable String otherwise) {
        String name = task == null ? otherwise : task;
        if (name == null) {
            throw new BadInput("no task is named", "Name one with --task, for example --task hopper.");
        }
        return Task.named(name);
    }

    Task task() {
        return task(null);
    }

    /** A simulator of that task in the flavour asked for. */
    Simulator simulator(Task of) {
        return of.simulator(new Options(inertia, contactForces));
    }
}

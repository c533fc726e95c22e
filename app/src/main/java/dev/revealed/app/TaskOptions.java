package dev.revealed.app;

import dev.revealed.mujoco.ContactForces;
import dev.revealed.mujoco.Inertia;
import dev.revealed.mujoco.Options;
import dev.revealed.mujoco.Task;
import dev.revealed.numeric.BadInput;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
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
            description = "legacy, of the papers' era, or modern, of MuJoCo 2.1.1 and later"
                    + " (default: legacy, or as the policy was trained).")
    private Inertia inertia = Inertia.LEGACY;

    @Option(
            names = "--contact-forces",
            paramLabel = "KIND",
            description = "In the observations of the ants and the humanoid: real, zero or omit"
                    + " (default: real, or as the policy was trained).")
    private ContactForces contactForces = ContactForces.REAL;

    @CommandLine.Spec(CommandLine.Spec.Target.MIXEE)
    private CommandLine.Model.CommandSpec command = CommandLine.Model.CommandSpec.create();

    /** The task that was named, or else the one known from elsewhere; its name is spelt as ours from now on. */
    private Task task(@Nullable String otherwise) {
        String name = task == null ? otherwise : task;
        if (name == null) {
            throw new BadInput("no task is named", "Name one with --task, for example --task hopper.");
        }
        return Task.named(name);
    }

    Task task() {
        return task(null);
    }

    /** The flavour asked for. */
    Options options() {
        return new Options(inertia, contactForces);
    }

    /** The task to try a policy on: that, and in the flavour, it was trained on, where the user names none. */
    Task taskOf(PolicyOptions.Found policy, Consumer<String> warn) {
        inertia = flavour(policy, "--inertia", "inertia", inertia, warn);
        contactForces = flavour(policy, "--contact-forces", "contactForces", contactForces, warn);
        Task tried = task(policy.task());
        if (policy.task() != null && !tried.toString().equals(policy.task())) {
            warn.accept("caution: the policy in %s was trained on %s, and is tried on %s"
                    .formatted(policy.file(), policy.task(), tried));
        }
        return tried;
    }

    private <E extends Enum<E>> E flavour(
            PolicyOptions.Found policy, String option, String note, E asked, Consumer<String> warn) {
        String trained = policy.notes().get(note);
        if (trained == null || trained.equals(Physics.lower(asked))) {
            return asked; // nothing is known of policies that other programs wrote
        }
        if (command.commandLine().getParseResult().hasMatchedOption(option)) {
            warn.accept("caution: the policy in %s was trained with %s %s, and is tried with %s"
                    .formatted(policy.file(), option, trained, Physics.lower(asked)));
            return asked;
        }
        try {
            return Enum.valueOf(asked.getDeclaringClass(), trained.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new BadInput(
                    "the policy in %s was trained with %s %s, which is not known"
                            .formatted(policy.file(), note, trained),
                    "Name the flavour with %s.".formatted(option));
        }
    }
}

package dev.revealed.app.train;

import dev.revealed.mujoco.ContactForces;
import dev.revealed.mujoco.Inertia;
import dev.revealed.mujoco.Mujoco;
import dev.revealed.mujoco.Options;
import dev.revealed.mujoco.Task;
import dev.revealed.numeric.BadInput;
import dev.revealed.settings.Item;
import dev.revealed.settings.Setting;
import dev.revealed.settings.Settings;
import dev.revealed.train.Environment;
import dev.revealed.train.PolicyFile;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Which task, in which flavour. */
record TaskSettings(
        @Setting(label = "T", about = "hopper, halfcheetah, walker2d, ant, humanoid, customant or disabledant.")
        String task,

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
    /** No task, and the flavour of the papers. */
    static final TaskSettings NONE = new TaskSettings("", Inertia.LEGACY, ContactForces.REAL);

    Task named() {
        if (task.isEmpty()) {
            throw new BadInput("no task is named", "Name one with `task`, for example `task` hopper.");
        }
        return Task.named(task);
    }

    Options options() {
        return new Options(inertia, contactForces);
    }

    /** The simulators of the task. */
    Environment environment() {
        Task named = named();
        Options options = options();
        Map<String, String> flavour = new LinkedHashMap<>();
        flavour.put("inertia", Item.text(inertia));
        flavour.put("contactForces", Item.text(contactForces));
        flavour.put("mujoco", Mujoco.version());
        return new Environment(named.toString(), flavour, () -> named.simulator(options), caution(Mujoco.version()));
    }

    /** What to say of results with that version of MuJoCo; nothing of the one that the tasks are checked against. */
    static Optional<String> caution(String version) {
        return version.equals(Mujoco.CHECKED)
                ? Optional.empty()
                : Optional.of("this is MuJoCo %s; the tasks are checked against %s, and returns may differ"
                        .formatted(version, Mujoco.CHECKED));
    }

    /**
     * The task to try a policy on: that, and in the flavour, it was trained on, where the user names none.
     *
     * @param typed what the user named
     */
    static TaskSettings of(PolicyFile policy, Map<String, String> typed, Consumer<String> caution) {
        Settings<TaskSettings> described = Settings.of(NONE);
        Map<String, String> known = new HashMap<>();
        policy.notes()
                .forEach((note, value) -> known.put(note.equals("contactForces") ? "contact-forces" : note, value));
        known.keySet().retainAll(described.names());
        String on = known.getOrDefault("task", "");
        if (!on.isEmpty() && !typed.containsKey("task") && !Task.names().contains(on)) {
            throw new BadInput(
                    "the policy in %s was trained on '%s', a simulator that this command does not have"
                            .formatted(policy.file(), on),
                    "Play it in Java with Rollouts.of, see docs/guide/own-simulator.md; or name a task of the same sizes with"
                            + " `task`.");
        }
        TaskSettings trained;
        try {
            trained = described.with(NONE, known);
        } catch (BadInput e) {
            throw new BadInput(
                    "the policy in %s was trained in a way that is not known: %s".formatted(policy.file(), e.problem()),
                    "Name the flavour with `inertia` and `contact-forces`.");
        }
        TaskSettings tried = described.with(trained, typed);
        tried = new TaskSettings(tried.named().toString(), tried.inertia, tried.contactForces);
        Map<String, Object> differing = described.differences(tried, trained);
        differing.keySet().retainAll(known.keySet()); // nothing is known of policies that other programs wrote
        differing.forEach((name, value) -> caution.accept("the policy in %s was trained %s, and is tried %s"
                .formatted(policy.file(), how(name, known.getOrDefault(name, "")), how(name, Item.text(value)))));
        return tried;
    }

    private static String how(String name, String value) {
        return name.equals("task") ? "on " + value : "with `%s` %s".formatted(name, value);
    }
}

package dev.revealed.app;

import dev.revealed.mujoco.Mujoco;
import dev.revealed.mujoco.Options;
import dev.revealed.mujoco.Task;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The world a policy is trained or tried in: a return means little without it. */
record Physics(String task, String inertia, String contactForces, String mujoco) {
    static Physics of(Task task, Options options) {
        return new Physics(task.toString(), lower(options.inertia()), lower(options.contactForces()), Mujoco.version());
    }

    static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** For the files of policies and checkpoints. */
    Map<String, String> notes() {
        Map<String, String> notes = new LinkedHashMap<>();
        notes.put("task", task);
        notes.put("inertia", inertia);
        notes.put("contactForces", contactForces);
        notes.put("mujoco", mujoco);
        return notes;
    }

    /** What to say of results with this version of MuJoCo; nothing of the one that the tasks are checked against. */
    Optional<String> caution() {
        return mujoco.equals(Mujoco.CHECKED)
                ? Optional.empty()
                : Optional.of("caution: this is MuJoCo %s; the tasks are checked against %s, and returns may differ"
                        .formatted(mujoco, Mujoco.CHECKED));
    }
}

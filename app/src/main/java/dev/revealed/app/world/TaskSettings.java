package dev.revealed.app.world;

import dev.revealed.bridge.WorldProgram;
import dev.revealed.settings.Setting;
import java.nio.file.Path;

/**
 * Which task.
 *
 * @param task files in it by their whole paths, so that a run can be resumed from any folder
 */
public record TaskSettings(
        @Setting(
                label = "T",
                about =
                        "hopper, halfcheetah, walker2d, ant, humanoid, customant or disabledant; or a world of your own:"
                                + " gym:ID, gym:module:Class or gym:file.py:Class of Gymnasium, a robot.yaml of MuJoCo, or"
                                + " exec:COMMAND (docs/guide/own-world.md).")
        String task) {
    public static final TaskSettings NONE = new TaskSettings("");

    public TaskSettings {
        task = WorldProgram.names(task)
                ? WorldProgram.whole(task)
                : isRobot(task) ? Path.of(task).toAbsolutePath().normalize().toString() : task;
    }

    static boolean isRobot(String task) {
        return task.endsWith(".yaml") || task.endsWith(".yml");
    }

    /** In the name of a folder. */
    public String folderName() {
        String last = task.substring(task.lastIndexOf('/') + 1).replaceFirst("\\.ya?ml$", "");
        return last.replaceAll("[^A-Za-z0-9._-]+", "-");
    }
}

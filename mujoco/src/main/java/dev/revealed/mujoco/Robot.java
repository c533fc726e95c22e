package dev.revealed.mujoco;

import dev.revealed.data.model.RobotFile;
import dev.revealed.mdp.Simulator;
import java.nio.file.Path;

/** A robot of one's own and what makes a task of it, from a YAML file that names its MJCF model. */
public record Robot(RobotFile file) {
    public static Robot read(Path yaml) {
        return new Robot(RobotFile.read(yaml));
    }

    public String name() {
        return file.name();
    }

    /** A simulator of its own, in the pose of the model; {@link Simulator#reset} begins an episode. Close it. */
    public RobotSimulator simulator() {
        Model model = compile();
        try {
            return new RobotSimulator(file, model);
        } catch (Throwable e) {
            model.close();
            throw e;
        }
    }

    /** What it looks like. */
    public Scene scene() {
        return new Scene(compile(), file.frameSkip(), 0);
    }

    private Model compile() {
        return Model.compile(file.name(), file.model(), file.legacyInertia() ? Inertia.LEGACY : Inertia.MODERN);
    }
}

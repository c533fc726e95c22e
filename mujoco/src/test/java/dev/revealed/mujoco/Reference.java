package dev.revealed.mujoco;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Numbers that others computed, in the shared folder beside the repository; tests are skipped without it. */
final class Reference {
    /** Our names of the tasks, and theirs of models and trajectories. */
    static final Map<Task, String> MODELS = Map.of(
            Task.HOPPER, "hopper",
            Task.HALFCHEETAH, "half_cheetah",
            Task.WALKER2D, "walker2d",
            Task.ANT, "ant",
            Task.HUMANOID, "humanoid",
            Task.CUSTOMANT, "custom_ant",
            Task.DISABLEDANT, "disabled_ant");

    static final Map<Task, String> TRAJECTORIES = Map.of(
            Task.HOPPER, "Hopper",
            Task.HALFCHEETAH, "HalfCheetah",
            Task.WALKER2D, "Walker2d",
            Task.ANT, "Ant",
            Task.HUMANOID, "Humanoid",
            Task.CUSTOMANT, "CustomAnt",
            Task.DISABLEDANT, "DisabledAnt");

    private Reference() {}

    /** The numbers are of one version; another may well differ in contacts. */
    static void assumeItsVersion() {
        Assumptions.assumeTrue(Library.get().layout().version().equals("2.2.2"), "the reference is of MuJoCo 2.2.2");
    }

    static Path shared(String name) {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            Path file = folder.resolve("shared").resolve(name);
            if (Files.exists(file)) {
                return file;
            }
        }
        return Assumptions.abort("shared/" + name + " is in no folder above this one");
    }

    static JsonNode json() {
        return JsonMapper.shared()
                .readTree(shared("mujoco/reference_models.json").toFile());
    }

    static double[] doubles(JsonNode array) {
        double[] values = new double[array.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = array.get(i).asDouble();
        }
        return values;
    }
}

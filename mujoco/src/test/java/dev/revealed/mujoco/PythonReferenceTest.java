package dev.revealed.mujoco;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.revealed.numeric.RandomStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Trajectories of the version of MuJoCo that is installed, against those of its own Python package. It needs that package in
 * the same version: {@code REVEALED_MUJOCO} may point to the library inside it, such as that of MuJoCo 3.
 */
@NeedsMujoco
class PythonReferenceTest {
    private static final String SCRIPT = """
            import sys, mujoco
            model = mujoco.MjModel.from_xml_path(sys.argv[1])
            data = mujoco.MjData(model)
            for t in range(50):
                data.ctrl[:] = [(-1) ** (t // 5 + i) * 0.5 for i in range(model.nu)]
                for _ in range(int(sys.argv[2])):
                    mujoco.mj_step(model, data)
                print(" ".join(repr(float(x)) for x in data.qpos))
            """;

    @Test
    void hopperMovesAsInPython() throws IOException, InterruptedException {
        compare("hopper", 4);
    }

    @Test
    void halfCheetahMovesAsInPython() throws IOException, InterruptedException {
        compare("halfcheetah", 5);
    }

    private static void compare(String task, int frameSkip) throws IOException, InterruptedException {
        String version = said("-c", "import mujoco; print(mujoco.__version__)").strip();
        if (!version.equals(Mujoco.version())) {
            String skipped = "SKIPPED: MuJoCo's Python package %s, and the library is %s (pip install mujoco==%s)"
                    .formatted(
                            version.isEmpty() ? "is not installed" : "is " + version,
                            Mujoco.version(),
                            Mujoco.version());
            System.err.println(skipped);
            assumeTrue(false, skipped);
        }
        Path xml = Path.of("src/main/resources/dev/revealed/mujoco/models", task + ".xml");
        List<String> lines = said("-c", SCRIPT, xml.toString(), Integer.toString(frameSkip))
                .lines()
                .toList();
        Options modern = new Options(Inertia.MODERN, ContactForces.REAL);
        try (Locomotion robot = Task.named(task).simulator(modern)) {
            robot.reset(RandomStream.of(1));
            double[] rest = robot.coordinates();
            Arrays.fill(rest, 0);
            if (task.equals("hopper")) {
                rest[1] = 1.25;
            }
            robot.place(rest, new double[rest.length]);
            for (int t = 0; t < lines.size(); t++) {
                double[] action = new double[robot.space().actions().size()];
                for (int i = 0; i < action.length; i++) {
                    action[i] = (t / 5 + i) % 2 == 0 ? 0.5 : -0.5;
                }
                robot.step(action);
                double[] expected = Arrays.stream(lines.get(t).split(" ", -1))
                        .mapToDouble(Double::parseDouble)
                        .toArray();
                assertThat(robot.coordinates()).as("step %d", t).containsExactly(expected, within(1e-9));
            }
        }
    }

    private static String said(String... arguments) throws IOException, InterruptedException {
        String[] command = new String[arguments.length + 1];
        command[0] = "python3";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        try {
            Process python = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String text = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return python.waitFor() == 0 ? text : "";
        } catch (IOException e) {
            return "";
        }
    }
}

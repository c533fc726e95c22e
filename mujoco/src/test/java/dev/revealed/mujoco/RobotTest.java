package dev.revealed.mujoco;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.mdp.Simulator;
import dev.revealed.mdp.SimulatorContract;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Robots from YAML files: two built-in tasks written so are equal to the bit, and mistakes are found. */
@NeedsMujoco
class RobotTest extends SimulatorContract {
    private static final Path EXAMPLES = Path.of("../examples");

    @TempDir
    private Path folder;

    @Override
    protected Simulator simulator() {
        return Robot.read(EXAMPLES.resolve("balancer.yaml")).simulator();
    }

    @Test
    void hopperIsTheBuiltInOneToTheBit() {
        same("hopper.yaml", Task.HOPPER);
    }

    @Test
    void antWithContactForcesIsTheBuiltInOneToTheBit() {
        same("ant.yaml", Task.ANT);
    }

    private static void same(String name, Task task) {
        try (Simulator own = Robot.read(EXAMPLES.resolve(name)).simulator();
                Simulator builtIn = task.simulator()) {
            int width = builtIn.space().observations();
            assertThat(own.space().observations()).isEqualTo(width);
            assertThat(own.space().actions()).isEqualTo(builtIn.space().actions());
            assertThat(own.space().horizon()).isEqualTo(builtIn.space().horizon());
            float[] seen = new float[width];
            float[] expected = new float[width];
            float[] action = new float[builtIn.space().actions().size()];
            RandomStream actions = RandomStream.of(5);
            int ends = 0;
            for (int episode = 0; episode < 4; episode++) {
                own.reset(RandomStream.of(episode));
                builtIn.reset(RandomStream.of(episode));
                for (int t = 0; t < 150 && !builtIn.terminated(); t++) {
                    for (int i = 0; i < action.length; i++) {
                        action[i] = 2 * actions.nextFloat() - 1;
                    }
                    own.step(action, 0);
                    builtIn.step(action, 0);
                    own.observe(seen, 0);
                    builtIn.observe(expected, 0);
                    assertThat(seen).isEqualTo(expected);
                    assertThat(own.reward()).isEqualTo(builtIn.reward());
                    assertThat(own.terminated()).isEqualTo(builtIn.terminated());
                }
                ends += builtIn.terminated() ? 1 : 0;
            }
            assertThat(ends).isPositive();
        }
    }

    @Test
    void actionsWithOtherBoundsAreScaled() throws IOException {
        Path yaml = changed("horizon: 200", "horizon: 200\nactions: [0, 1]");
        try (Simulator scaled = Robot.read(yaml).simulator();
                Simulator plain = simulator()) {
            scaled.reset(RandomStream.of(1));
            plain.reset(RandomStream.of(1));
            scaled.step(new float[] {0.5f}, 0); // three quarters of the way from 0 to 1
            plain.step(new float[] {0.75f}, 0);
            float[] seen = new float[4];
            float[] expected = new float[4];
            scaled.observe(seen, 0);
            plain.observe(expected, 0);
            assertThat(seen).isEqualTo(expected);
        }
    }

    @Test
    void mistakesAreFoundWithFileAndLine() {
        refused("qpos hinge", "qpos hing", "balancer.yaml, line 8, variables.tilt", "no joint 'hing'");
        refused("[qpos, qvel]", "[qpos, qval]", "line 5", "no numbers 'qval'", "qvel");
        refused("[qpos, qvel]", "[qpos 2]", "line 5", "qpos has no 2");
        refused("model: balancer.xml", "model: none.xml", "there is no file");
        refused("abs(tilt) > 0.5", "abs(tillt) > 0.5", "'tillt' is unknown", "tilt");
        refused("qpos rail", "qpos", "'place' is 2 numbers", "largest:");
        refused("frame skip: 2", "frame skip: 0", "this is no count");
        refused("frame skip: 2", "frame_skip: 2", "unknown key", "frame skip");
    }

    private void refused(String before, String after, String... words) {
        assertThatThrownBy(() -> Robot.read(changed(before, after)).simulator().close())
                .isInstanceOf(BadInput.class)
                .satisfies(e -> assertThat(e.getMessage()).contains(words));
    }

    private Path changed(String before, String after) throws IOException {
        Files.writeString(folder.resolve("balancer.xml"), Files.readString(EXAMPLES.resolve("balancer.xml")));
        String text = Files.readString(EXAMPLES.resolve("balancer.yaml"));
        assertThat(text).contains(before);
        return Files.writeString(folder.resolve("balancer.yaml"), text.replace(before, after));
    }
}

package dev.revealed.mujoco;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where the bodies are, by the coordinates that say so directly. */
@NeedsMujoco
class SceneTest {
    @ParameterizedTest
    @EnumSource(
            value = Task.class,
            names = {"ANT", "HUMANOID"})
    void aFreeTorsoIsWhereItsCoordinatesSay(Task task) {
        try (Locomotion robot = task.simulator();
                Scene scene = new Scene(task, Options.STANDARD)) {
            move(robot, 7);
            double[] qpos = robot.coordinates();
            float[] poses = new float[scene.bodies() * Scene.POSE];
            scene.poses(qpos, poses, 0);
            for (int i = 0; i < Scene.POSE; i++) {
                assertThat((double) poses[i]).as("number %d", i).isCloseTo(qpos[i], within(1e-6));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Task.class,
            names = {"HOPPER", "WALKER2D", "HALFCHEETAH", "ANT", "HUMANOID"})
    void observationsGiveTheCoordinatesBack(Task task) {
        try (Locomotion robot = task.simulator();
                Scene scene = new Scene(task, Options.STANDARD)) {
            robot.reset(RandomStream.of(3));
            int width = robot.space().observations();
            float[] seen = new float[21 * width];
            double[][] right = new double[21][];
            for (int t = 0; t <= 20; t++) {
                robot.observe(seen, t * width);
                right[t] = robot.coordinates();
                if (t < 20) {
                    robot.step(action(robot, t), 0);
                }
            }
            double start = right[0][0];
            double[][] found = scene.coordinates(seen, width);
            int hidden = task == Task.ANT || task == Task.HUMANOID ? 2 : 1;
            for (int t = 0; t <= 20; t++) {
                double[] visible = Arrays.copyOfRange(right[t], hidden, right[t].length);
                assertThat(Arrays.copyOfRange(found[t], hidden, found[t].length))
                        .containsExactly(visible, within(1e-5));
                assertThat(found[t][0]).as("metres at step %d", t).isCloseTo(right[t][0] - start, within(0.06));
            }
            assertThat(scene.geoms())
                    .isNotEmpty()
                    .allSatisfy(geom -> assertThat(geom.body()).isBetween(0, scene.bodies()));
        }
    }

    private static void move(Locomotion robot, int steps) {
        robot.reset(RandomStream.of(1));
        for (int t = 0; t < steps; t++) {
            robot.step(action(robot, t), 0);
        }
    }

    private static float[] action(Locomotion robot, int t) {
        float[] action = new float[robot.space().actions().size()];
        for (int i = 0; i < action.length; i++) {
            action[i] = (float) (0.3 * Math.sin(t + i));
        }
        return action;
    }
}

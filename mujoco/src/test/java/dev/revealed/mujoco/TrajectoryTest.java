package dev.revealed.mujoco;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Simulator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** A hundred steps of every task, by others, from the pose of the model. */
@NeedsMujoco
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TrajectoryTest {
    private JsonNode reference;

    @BeforeAll
    void read() {
        Reference.assumeItsVersion();
        reference = Reference.json();
    }

    static Stream<Arguments> trajectories() {
        Stream<Arguments> both = Stream.of(Task.values())
                .flatMap(task -> Stream.of(
                        Arguments.of(
                                task,
                                new Options(Inertia.MODERN, ContactForces.REAL),
                                Reference.TRAJECTORIES.get(task)),
                        Arguments.of(task, Options.STANDARD, Reference.TRAJECTORIES.get(task))));
        return Stream.concat(
                both, Stream.of(Arguments.of(Task.ANT, new Options(Inertia.MODERN, ContactForces.OMIT), "Ant27")));
    }

    @ParameterizedTest
    @MethodSource("trajectories")
    void followsTheReference(Task task, Options options, String name) {
        JsonNode expected = reference
                .get(options.inertia() == Inertia.MODERN ? "trajectories" : "legacy_inertia")
                .get(name);
        try (Locomotion simulator = task.simulator(options)) {
            compare(simulator.observation(), expected.get("obs0"), 1e-12, "start");
            Simulator.Actions.Box box =
                    (Simulator.Actions.Box) simulator.space().actions();
            double[] action = new double[box.size()];
            for (int t = 0; t < 100; t++) {
                JsonNode step = expected.get("steps").get(t);
                for (int i = 0; i < action.length; i++) {
                    action[i] = Math.sin(0.1 * t + i) * (box.bound() < 1 ? 0.4 : 1);
                }
                simulator.step(action);
                double tolerance = t < 30 ? 1e-9 : 1e-6;
                compare(simulator.observation(), step.get("obs"), tolerance, "step " + t);
                assertThat(simulator.reward())
                        .as("reward of step %d", t)
                        .isCloseTo(step.get("r").asDouble(), within(10 * tolerance)); // differences over dt
                assertThat(simulator.terminated())
                        .as("end at step %d", t)
                        .isEqualTo(step.get("done").asBoolean());
            }
        }
    }

    private static void compare(double[] ours, JsonNode expected, double tolerance, String when) {
        assertThat(ours).hasSize(expected.size());
        for (int i = 0; i < ours.length; i++) {
            assertThat(ours[i])
                    .as("observation %d of %s", i, when)
                    .isCloseTo(expected.get(i).asDouble(), within(tolerance));
        }
    }
}

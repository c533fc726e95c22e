package dev.revealed.mujoco;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@NeedsMujoco
class LocomotionTest {
    private static final RandomStream CHANCE = RandomStream.of(4);

    @ParameterizedTest
    @CsvSource({
        "hopper,REAL,11,3,1,1000",
        "halfcheetah,REAL,17,6,1,1000",
        "walker2d,REAL,17,6,1,1000",
        "ant,REAL,111,8,1,1000",
        "ant,ZERO,111,8,1,1000",
        "ant,OMIT,27,8,1,1000",
        "humanoid,REAL,376,17,0.4,1000",
        "humanoid,OMIT,292,17,0.4,1000",
        "customant,REAL,111,8,1,500",
        "disabledant,REAL,111,8,1,500"
    })
    void looksAsTheFactsSay(String name, ContactForces forces, int seen, int motors, float bound, int horizon) {
        try (Simulator simulator = Task.named(name).simulator(new Options(Inertia.LEGACY, forces))) {
            assertThat(simulator.space())
                    .isEqualTo(new Simulator.Space(name, seen, new Simulator.Actions.Box(motors, bound), horizon));
        }
    }

    /** The rule sees what the agent sees, and says what the simulator says, through falls and after them. */
    @ParameterizedTest
    @EnumSource(Task.class)
    void terminationFollowsFromTheObservation(Task task) {
        try (Locomotion simulator = task.simulator()) {
            Simulator.Termination rule = simulator.termination().orElseThrow();
            float[] seen = new float[simulator.space().observations()];
            RandomStream stream = CHANCE.named("fall");
            simulator.reset(stream);
            for (int t = 0; t < 100; t++) {
                simulator.step(action(simulator, stream), 0);
                simulator.observe(seen, 0);
                assertThat(rule.at(seen, 0)).as("step %d", t).isEqualTo(simulator.terminated());
            }
        }
    }

    static Stream<Arguments> statesToGoOnFrom() {
        return Stream.of(Task.values()).flatMap(task -> Stream.of(0, 1, 57).map(steps -> Arguments.of(task, steps)));
    }

    /** Right after the reset, after one step and in the middle; two hundred steps on, whatever the robot does. */
    @ParameterizedTest
    @MethodSource("statesToGoOnFrom")
    void aFreshSimulatorGoesOnFromAStateToTheLastBit(Task task, int steps) {
        try (Locomotion one = task.simulator();
                Locomotion other = task.simulator()) {
            RandomStream stream = CHANCE.named("actions").at(steps);
            one.reset(CHANCE.named("reset"));
            for (int t = 0; t < steps; t++) {
                one.step(action(one, stream), 0);
            }
            double[] state = one.state();
            other.restore(state);
            same(one, other);
            for (int t = 0; t < 200; t++) {
                float[] action = action(one, stream);
                one.step(action, 0);
                other.step(action, 0);
                same(one, other);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void goingBackRepeatsTheSameSteps(Task task) {
        try (Locomotion simulator = task.simulator()) {
            simulator.reset(CHANCE.named("back"));
            double[] state = simulator.state();
            double[] first = afterwards(simulator);
            simulator.restore(state);
            assertThat(afterwards(simulator)).isEqualTo(first);
        }
    }

    private static double[] afterwards(Locomotion simulator) {
        RandomStream stream = CHANCE.named("afterwards");
        for (int t = 0; t < 50; t++) {
            simulator.step(action(simulator, stream), 0);
        }
        return simulator.state();
    }

    private static void same(Locomotion one, Locomotion other) {
        assertThat(other.state()).isEqualTo(one.state());
        assertThat(other.reward()).isEqualTo(one.reward());
        assertThat(other.terminated()).isEqualTo(one.terminated());
        assertThat(other.truncated()).isEqualTo(one.truncated());
        assertThat(seen(other)).isEqualTo(seen(one));
    }

    private static float[] seen(Locomotion simulator) {
        float[] seen = new float[simulator.space().observations()];
        simulator.observe(seen, 0);
        return seen;
    }

    private static float[] action(Locomotion simulator, RandomStream stream) {
        Simulator.Actions.Box box = (Simulator.Actions.Box) simulator.space().actions();
        float[] action = new float[box.size()];
        for (int i = 0; i < action.length; i++) {
            action[i] = box.bound() * (2 * stream.nextFloat() - 1);
        }
        return action;
    }

    /** What benchmarks time as native moves the robot as a step does. */
    @Test
    void thePhysicsOfAStepAreThoseOfTheBenchmark() {
        try (Locomotion one = Task.ANT.simulator();
                Locomotion other = Task.ANT.simulator()) {
            RandomStream stream = CHANCE.named("physics");
            for (int t = 0; t < 20; t++) {
                float[] action = action(one, stream);
                one.step(action, 0);
                other.physics(action, 0);
            }
            int driving = 6 + 15 + 14 + 14 + 8;
            assertThat(Arrays.copyOfRange(other.state(), 6, driving))
                    .isEqualTo(Arrays.copyOfRange(one.state(), 6, driving));
        }
    }

    @Test
    void zeroForcesAreSeenAsZerosAndCostNothing() {
        try (Locomotion real = Task.ANT.simulator();
                Locomotion zero = Task.ANT.simulator(new Options(Inertia.LEGACY, ContactForces.ZERO))) {
            real.reset(CHANCE.named("forces"));
            zero.reset(CHANCE.named("forces"));
            RandomStream stream = CHANCE.named("forces").named("actions");
            double cost = 0;
            for (int t = 0; t < 40; t++) {
                float[] action = action(real, stream);
                real.step(action, 0);
                zero.step(action, 0);
                double squares = 0;
                for (int i = 27; i < 111; i++) {
                    squares += real.observation()[i] * real.observation()[i];
                    assertThat(zero.observation()[i]).isZero();
                }
                assertThat(zero.reward() - real.reward()).isCloseTo(5e-4 * squares, within(1e-12));
                assertThat(Arrays.copyOf(zero.observation(), 27)).isEqualTo(Arrays.copyOf(real.observation(), 27));
                cost += squares;
            }
            assertThat(cost).as("the ant has touched the ground").isPositive();
        }
    }

    /** A robot set down in a pose that is not healthy has fallen after the next step. */
    @ParameterizedTest
    @CsvSource({
        "hopper,1,0.5,true",
        "hopper,2,0.25,true",
        "hopper,2,0.1,false",
        "hopper,0,150,false",
        "walker2d,1,0.75,true",
        "walker2d,1,2.1,true",
        "walker2d,2,-1.05,true",
        "walker2d,2,0.9,false",
        "ant,2,-5,true",
        "ant,2,1.2,true",
        "ant,2,0.9,false",
        "humanoid,2,0.7,true",
        "humanoid,2,2.1,true",
        "humanoid,2,1.3,false",
        "halfcheetah,2,3,false",
        "customant,2,0.15,false"
    })
    void fallsEndAnEpisode(String name, int coordinate, double value, boolean ends) {
        Task task = Task.named(name);
        try (Locomotion simulator = task.simulator()) {
            double[] state = simulator.state();
            int nq = switch (task) {
                case HOPPER -> 6;
                case HALFCHEETAH, WALKER2D -> 9;
                case HUMANOID -> 24;
                default -> 15;
            };
            double[] qpos = Arrays.copyOfRange(state, 6, 6 + nq);
            qpos[coordinate] = value;
            simulator.place(qpos, new double[nq > 9 ? nq - 1 : nq]);
            simulator.step(new float[simulator.space().actions().size()], 0);
            assertThat(simulator.terminated()).isEqualTo(ends);
            assertThat(simulator.truncated()).isFalse();
        }
    }

    /** At rest with idle motors nothing is paid but contacts, at most 84 forces of 1, and the fall. */
    @ParameterizedTest
    @CsvSource({"0.75,0", "-5,1"})
    void theAntsOfTheTransferPayForLyingDown(double height, double cost) {
        for (Task task : List.of(Task.CUSTOMANT, Task.DISABLEDANT)) {
            try (Locomotion simulator = task.simulator()) {
                double[] qpos = new double[15];
                qpos[2] = height;
                qpos[3] = 1;
                simulator.place(qpos, new double[14]);
                simulator.step(new float[8], 0);
                assertThat(0 - simulator.reward()).isBetween(cost, cost + 84 * 5e-4);
                assertThat(simulator.terminated()).isFalse();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"halfcheetah,1000", "customant,500"})
    void theHorizonCutsAnEpisodeOffWithoutEndingIt(String name, int horizon) {
        try (Locomotion simulator = Task.named(name).simulator()) {
            simulator.reset(CHANCE.named("horizon"));
            float[] still = new float[simulator.space().actions().size()];
            for (int t = 1; t <= horizon; t++) {
                simulator.step(still, 0);
                assertThat(simulator.truncated()).isEqualTo(t == horizon);
                assertThat(simulator.terminated()).isFalse();
            }
            simulator.reset(CHANCE.named("horizon"));
            assertThat(simulator.truncated()).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({"hopper,0.005,false", "halfcheetah,0.1,true", "ant,0.1,true", "humanoid,0.01,false"})
    void episodesBeginWithTheNoiseOfTheTask(String name, double noise, boolean normal) {
        try (Locomotion simulator = Task.named(name).simulator()) {
            int nq = name.equals("hopper") ? 6 : name.equals("halfcheetah") ? 9 : name.equals("ant") ? 15 : 24;
            int nv = nq > 9 ? nq - 1 : nq;
            double[] rest = Arrays.copyOfRange(simulator.state(), 6, 6 + nq);
            RandomStream stream = CHANCE.named("noise");
            double squares = 0;
            double largest = 0;
            double far = 0;
            for (int episode = 0; episode < 400; episode++) {
                simulator.reset(stream);
                double[] state = simulator.state();
                for (int i = 0; i < nq; i++) {
                    if (nq <= 9 || i < 3 || i > 6) { // quaternions are normalised
                        largest = Math.max(largest, Math.abs(state[6 + i] - rest[i]));
                    }
                }
                for (int i = 0; i < nv; i++) {
                    squares += state[6 + nq + i] * state[6 + nq + i] / (400.0 * nv);
                    far = Math.max(far, Math.abs(state[6 + nq + i]));
                }
            }
            assertThat(largest).isBetween(0.98 * noise, noise);
            double variance = normal ? noise * noise : noise * noise / 3;
            assertThat(squares).isBetween(0.9 * variance, 1.1 * variance);
            assertThat(far > noise).isEqualTo(normal);
        }
    }

    @Test
    void anActionThatIsNoNumberIsRefusedWithTaskAndStep() {
        try (Locomotion simulator = Task.WALKER2D.simulator()) {
            simulator.reset(CHANCE);
            float[] action = new float[6];
            simulator.step(action, 0);
            action[4] = Float.NaN;
            assertThatThrownBy(() -> simulator.step(action, 0))
                    .isInstanceOf(SimulationFailure.class)
                    .hasMessage("walker2d, step 2: action 4 is NaN");
            assertThatThrownBy(() -> simulator.step(new float[6], 0)).hasMessageContaining("reset first");
            simulator.reset(CHANCE);
            simulator.step(new float[6], 0);
            assertThat(simulator.reward()).isFinite();
        }
    }

    /** MuJoCo would put the robot back to its first pose and go on without a word. */
    @Test
    void anUnstableStateIsAnExceptionWithTaskAndStep() {
        try (Locomotion simulator = Task.HALFCHEETAH.simulator()) {
            double[] velocities = new double[9];
            velocities[3] = 1e9;
            simulator.place(new double[9], velocities);
            assertThatThrownBy(() -> {
                        for (int t = 0; t < 10; t++) {
                            simulator.step(new float[6], 0);
                        }
                    })
                    .isInstanceOf(SimulationFailure.class)
                    .hasMessageContaining("halfcheetah, step ")
                    .hasMessageContaining("unstable");
        }
    }

    @Test
    void statesOfOtherTasksAreRefused() {
        try (Locomotion hopper = Task.HOPPER.simulator();
                Locomotion ant = Task.ANT.simulator()) {
            assertThatThrownBy(() -> hopper.restore(ant.state()))
                    .isInstanceOf(BadInput.class)
                    .hasMessageContaining("hopper");
            assertThatThrownBy(() -> hopper.place(new double[5], new double[6])).isInstanceOf(BadInput.class);
        }
    }

    @Test
    void afterClosingThereIsAnExceptionAndNoCrash() {
        Locomotion simulator = Task.HOPPER.simulator();
        simulator.close();
        simulator.close();
        assertThatThrownBy(() -> simulator.step(new float[3], 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> simulator.reset(CHANCE)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(simulator::state).isInstanceOf(IllegalStateException.class);
    }
}

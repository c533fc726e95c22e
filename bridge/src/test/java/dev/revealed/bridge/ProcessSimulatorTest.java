package dev.revealed.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.RandomStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Environments in Python with Gymnasium's interface, and what becomes of those that fail. */
class ProcessSimulatorTest {

    /** The pendulum's equations of motion, computed here. */
    @Test
    void stepsAsTheEquationsSay() {
        try (ProcessSimulator pendulum = NeedsPython.simulator("Pendulum", "", 0)) {
            assertThat(pendulum.space().observations()).isEqualTo(3);
            assertThat(pendulum.space().actions()).isEqualTo(new Simulator.Actions.Box(1, 2));
            assertThat(pendulum.space().horizon()).isEqualTo(200);
            assertThat(pendulum.about()).containsKeys("python", "numpy");
            followsTheEquations(pendulum);
        }
    }

    private static void followsTheEquations(ProcessSimulator pendulum) {
        pendulum.reset(RandomStream.of(1));
        float[] seen = new float[3];
        pendulum.observe(seen, 0);
        for (int t = 0; t < 20; t++) {
            double angle = Math.atan2(seen[1], seen[0]);
            double cost = angle * angle + 0.1 * seen[2] * seen[2] + 0.001 * 1.5 * 1.5;
            double speed = Math.clamp(seen[2] + (15 * seen[1] + 4.5) * 0.05, -8, 8);
            pendulum.step(new float[] {1.5f}, 0);
            pendulum.observe(seen, 0);
            assertThat(pendulum.reward()).isEqualTo(-cost, within(1e-5));
            assertThat((double) seen[2]).isEqualTo(speed, within(1e-5));
            assertThat((double) seen[0]).isEqualTo(Math.cos(angle + 0.05 * speed), within(1e-5));
        }
    }

    @Test
    void mixedSpacesAreFlattenedAndScaledAndBothEndsAreKeptApart() {
        try (ProcessSimulator corridor = NeedsPython.simulator("Corridor", "", 0)) {
            assertThat(corridor.space().observations()).isEqualTo(6);
            assertThat(corridor.space().actions()).isEqualTo(new Simulator.Actions.Box(3, 1));
            float[] seen = new float[6];
            corridor.reset(RandomStream.of(4));
            corridor.observe(seen, 0);
            float x = seen[4];
            float[] right = {1, -1, 1}; // the highest push, 3, and the second choice
            corridor.step(right, 0);
            corridor.observe(seen, 0);
            assertThat(seen).containsExactly(x < 0 ? 1 : 0, x + 3 >= 3 ? 1 : 0, 0, 0, x + 3, 1);
            while (!corridor.terminated()) {
                corridor.step(right, 0);
            }
            assertThat(corridor.truncated()).isFalse();
            double[] there = corridor.state();
            corridor.step(right, 0); // a terminated episode stays where it is
            assertThat(corridor.reward()).isZero();
            assertThat(corridor.terminated()).isTrue();
            corridor.restore(there);
            assertThat(corridor.state()).isEqualTo(there);

            corridor.reset(RandomStream.of(4));
            int steps = 0;
            while (!corridor.truncated()) {
                corridor.step(new float[] {1, 1, -1}, 0); // the first choice: no step
                steps++;
            }
            assertThat(steps).isEqualTo(30); // by the environment itself; the horizon would be 1000
            assertThat(corridor.terminated()).isFalse();
        }
    }

    @Test
    void aStateThatTheEnvironmentOffersIsTakenAndGivenBack() {
        try (ProcessSimulator one = NeedsPython.simulator("Remembering", "", 40);
                ProcessSimulator other = NeedsPython.simulator("Remembering", "", 40)) {
            assertThat(one.offersState()).isTrue();
            one.reset(RandomStream.of(1));
            one.step(new float[] {1}, 0);
            other.restore(one.state());
            assertThat(other.state()).isEqualTo(one.state());
            one.step(new float[] {-1}, 0);
            other.step(new float[] {-1}, 0);
            assertThat(other.state()).isEqualTo(one.state());
            assertThat(other.reward()).isEqualTo(one.reward());
        }
    }

    /** Two processes for five environments: each gives what it gives in a process of its own, whoever steps in between. */
    @Test
    void environmentsThatShareAProcessDoNotMeet() {
        WorldProcesses two = new WorldProcesses(NeedsPython.program("Pendulum", "", 40), 2, caution -> {});
        List<ProcessSimulator> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(two.simulator());
        }
        assertThat(all.stream().map(ProcessSimulator::process).distinct()).hasSize(2);
        List<List<double[]>> together = new ArrayList<>();
        for (int i = 4; i >= 0; i--) { // the last one is made first
            together.add(new ArrayList<>());
            all.get(i).reset(RandomStream.of(i));
        }
        Parallel.tasks(5, i -> {
            for (int t = 0; t < 30; t++) {
                all.get(i).step(new float[] {i - 2}, 0);
                together.get(i).add(all.get(i).state());
            }
        });
        ProcessSimulator gone = all.get(1);
        gone.close(); // its place goes to the next one
        all.set(1, two.simulator());
        gone.close(); // harmless
        assertThat(all.stream().map(ProcessSimulator::process).distinct()).hasSize(2);
        all.get(1).reset(RandomStream.of(1));
        for (int i = 0; i < 5; i++) {
            try (ProcessSimulator alone = NeedsPython.simulator("Pendulum", "", 40)) {
                alone.reset(RandomStream.of(i));
                for (int t = 0; t < 30; t++) {
                    alone.step(new float[] {i - 2}, 0);
                    assertThat(together.get(i).get(t)).isEqualTo(alone.state());
                }
                if (i == 1) {
                    all.get(i).restore(alone.state());
                    assertThat(all.get(i).state()).isEqualTo(alone.state());
                }
            }
        }
        all.forEach(ProcessSimulator::close);
    }

    /** The failure of one ends its process: all who share it report that one, and the next simulator has a new process. */
    @Test
    void aFailureInASharedProcessNamesTheEnvironmentThatFailed() {
        WorldProcesses one =
                new WorldProcesses(NeedsPython.program("Pendulum", "{\"fail_at\": 3}", 0), 1, caution -> {});
        try (ProcessSimulator first = one.simulator();
                ProcessSimulator second = one.simulator()) {
            first.reset(RandomStream.of(1));
            second.reset(RandomStream.of(2));
            first.step(new float[1], 0);
            first.step(new float[1], 0);
            assertThatThrownBy(() -> first.step(new float[1], 0)).hasMessageContaining("failed in step 3");
            assertThatThrownBy(() -> second.step(new float[1], 0)).hasMessageContaining("failed in step 3");
            try (ProcessSimulator third = one.simulator()) {
                third.reset(RandomStream.of(3));
                third.step(new float[1], 0);
            }
        }
    }

    @Test
    void picturesComeRowByRow() {
        try (ProcessSimulator pendulum = NeedsPython.simulator("Pendulum", "", 0)) {
            pendulum.reset(RandomStream.of(1));
            ProcessSimulator.Frame frame = pendulum.render();
            assertThat(frame.width()).isEqualTo(3);
            assertThat(frame.height()).isEqualTo(2);
            assertThat(frame.rgb()).hasSize(18).endsWith(10, 20, 30);
            assertThat(frame.perSecond()).hasValue(20);
            pendulum.step(new float[1], 0); // goes on as before
            assertThat(pendulum.truncated()).isFalse();
        }
    }

    @Test
    void anEnvironmentThatCannotDrawIsNamed() {
        try (ProcessSimulator corridor = NeedsPython.simulator("Corridor", "", 0)) {
            corridor.reset(RandomStream.of(1));
            assertThatThrownBy(corridor::render)
                    .isInstanceOf(BadInput.class)
                    .hasMessageContaining("in render()")
                    .hasMessageContaining("no method render()");
        }
    }

    @Test
    void anExceptionIsReportedInPythonsWords() {
        try (ProcessSimulator pendulum = NeedsPython.simulator("Pendulum", "{\"fail_at\": 3}", 0)) {
            pendulum.reset(RandomStream.of(1));
            pendulum.step(new float[1], 0);
            pendulum.step(new float[1], 0);
            assertThatThrownBy(() -> pendulum.step(new float[1], 0))
                    .isInstanceOf(BadInput.class)
                    .hasMessageContaining("gym:worlds.py:Pendulum failed in step 3")
                    .hasMessageContaining("ValueError: the pendulum broke")
                    .hasMessageContaining("resume");
        }
    }

    @Test
    void aCrashIsReportedWithItsSignal() {
        try (ProcessSimulator pendulum = NeedsPython.simulator("Pendulum", "{\"die_at\": 1}", 0)) {
            pendulum.reset(RandomStream.of(1));
            assertThatThrownBy(() -> pendulum.step(new float[1], 0))
                    .isInstanceOf(BadInput.class)
                    .hasMessageContaining("killed by signal 6");
        }
    }

    @Test
    void whatCannotBeUsedIsRefusedWithAReason() {
        assertThatThrownBy(() -> NeedsPython.simulator("Unbounded", "", 0).space())
                .hasMessageContaining("no finite bounds");
        assertThatThrownBy(() -> NeedsPython.simulator("Nothing", "", 0).space())
                .hasMessageContaining("has no class Nothing");
        assertThatThrownBy(() ->
                        NeedsPython.simulator("Pendulum", "{\"size\": 3}", 0).space())
                .hasMessageContaining("unexpected keyword argument 'size'");
        assertThatThrownBy(
                        () -> NeedsPython.simulator("Pendulum", "{g: 9.81}", 0).space())
                .hasMessageContaining("`task-args` {g: 9.81} is not JSON");
        assertThatThrownBy(() -> NeedsPython.simulator("Pendulum", "[1]", 0).space())
                .hasMessageContaining("not a JSON object");
        assertThatThrownBy(() -> NeedsPython.alone(WorldProgram.of("gym:no_module:Thing", "", 0))
                        .space())
                .hasMessageContaining("ModuleNotFoundError: No module named 'no_module'")
                .hasMessageNotContaining("importlib");
        assertThatThrownBy(() -> NeedsPython.alone(new WorldProgram("x", List.of("/no/such/program"), "program")))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("/no/such/program");
        assertThatThrownBy(() -> NeedsPython.alone(WorldProgram.of("exec:echo revealed 7", "", 0))
                        .space())
                .isInstanceOf(BadInput.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            four   | failed in step 1                   | step() returned 4 values
            input  | failed in step 1                   | EOFError
            reward | the reward is array([1., 2.])      | not a number
            width  | the observation at 'way'           | has 1 numbers, and its space 2
            choice | the observation at 'at' is -1      | outside its Discrete(4)
            reset  | reset() returned dict              | observation, info
            """)
    void aMistakeInStepOrResetIsNamed(String mistake, String what, String how) {
        try (ProcessSimulator corridor =
                NeedsPython.simulator("Careless", "{\"mistake\": \"%s\"}".formatted(mistake), 0)) {
            assertThatThrownBy(() -> {
                        corridor.reset(RandomStream.of(1));
                        corridor.step(new float[3], 0);
                    })
                    .isInstanceOf(BadInput.class)
                    .hasMessageContaining(what)
                    .hasMessageContaining(how);
        }
    }

    /** The step ends only when the caution has come. */
    @Test
    @Timeout(60)
    void aStepThatDoesNotEndIsCautionedOf(@TempDir Path folder) {
        List<String> cautions = new CopyOnWriteArrayList<>();
        WorldProcesses processes = new WorldProcesses(hanging(folder), 1, going(folder, cautions), 1);
        try (ProcessSimulator corridor = processes.simulator()) {
            corridor.reset(RandomStream.of(1));
            corridor.step(new float[3], 0);
        }
        assertThat(cautions).singleElement().asString().contains("in step 1 of the episode", "it may hang");
    }

    /** Two environments of a process: the one that hangs is named, not the one that waits for its turn behind it. */
    @Test
    @Timeout(60)
    void theEnvironmentThatHangsIsNamed(@TempDir Path folder) {
        List<String> cautions = new CopyOnWriteArrayList<>();
        try (WorldProcess process = new WorldProcess(hanging(folder), 1, going(folder, cautions))) {
            WorldMemory first = process.open().orElseThrow();
            WorldMemory second = process.open().orElseThrow();
            first.reset(11);
            first.post('s');
            second.reset(33); // its turn comes after the step of the first
        }
        assertThat(cautions).singleElement().asString().contains("seed 11");
    }

    @Test
    @Timeout(60)
    void aPictureThatDoesNotComeIsCautionedOf(@TempDir Path folder) {
        List<String> cautions = new CopyOnWriteArrayList<>();
        WorldProcesses processes = new WorldProcesses(hanging(folder), 1, going(folder, cautions), 1);
        try (ProcessSimulator corridor = processes.simulator()) {
            corridor.reset(RandomStream.of(1));
            assertThat(corridor.render().width()).isEqualTo(1);
        }
        assertThat(cautions).singleElement().asString().contains("in render()", "it may hang");
    }

    private static WorldProgram hanging(Path folder) {
        return NeedsPython.program(
                "Careless", "{\"mistake\": \"hang\", \"go\": \"%s\"}".formatted(folder.resolve("go")), 0);
    }

    /** Lets the environment go on when a caution has come. */
    private static Consumer<String> going(Path folder, List<String> cautions) {
        return said -> {
            cautions.add(said);
            try {
                Files.createFile(folder.resolve("go"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    @Test
    void anEpisodeThatDoesNotComeAgainIsCutOff() {
        List<String> cautions = new ArrayList<>();
        try (ProcessSimulator pendulum =
                new WorldProcesses(NeedsPython.program("Forgetful", "", 0), 1, cautions::add).simulator()) {
            pendulum.reset(RandomStream.of(1));
            pendulum.step(new float[1], 0);
            double[] state = pendulum.state();
            pendulum.restore(state);
            assertThat(cautions).hasSize(1).first().asString().contains("cut off");
            float[] before = new float[3];
            pendulum.observe(before, 0);
            pendulum.step(new float[1], 0);
            float[] after = new float[3];
            pendulum.observe(after, 0);
            assertThat(after).isEqualTo(before);
            assertThat(pendulum.truncated()).isTrue();
        }
    }

    private static ProcessSimulator gymnasium(String id) {
        NeedsPython.check();
        assumeTrue(NeedsPython.has("gymnasium"), "skipped: gymnasium is not installed (pip install gymnasium)");
        return NeedsPython.alone(WorldProgram.of("gym:" + id, "", 0));
    }

    /** Gymnasium itself, where it is installed: the same equations, and its own limit of 200 steps. */
    @Test
    void gymnasiumsPendulumFollowsTheSameEquations() {
        try (ProcessSimulator pendulum = gymnasium("Pendulum-v1")) {
            assertThat(pendulum.space().actions()).isEqualTo(new Simulator.Actions.Box(1, 2));
            assertThat(pendulum.space().horizon()).isEqualTo(200);
            assertThat(pendulum.about()).containsKey("gymnasium");
            followsTheEquations(pendulum);
            for (int t = 20; t < 200; t++) {
                assertThat(pendulum.truncated()).isFalse();
                pendulum.step(new float[] {1}, 0);
            }
            assertThat(pendulum.truncated()).isTrue();
            assertThat(pendulum.terminated()).isFalse();
            double[] end = pendulum.state();
            pendulum.restore(end); // by playing the episode again
            assertThat(pendulum.state()).isEqualTo(end);
        }
    }

    /** A Discrete space: pushing to one side alone lets the pole fall, which terminates the episode. */
    @Test
    void gymnasiumsCartPoleFallsAndTerminates() {
        try (ProcessSimulator cart = gymnasium("CartPole-v1")) {
            assertThat(cart.space().actions()).isEqualTo(new Simulator.Actions.Box(2, 1));
            assertThat(cart.about()).containsEntry(WorldProgram.CHOICES, "2");
            cart.reset(RandomStream.of(1));
            float[] seen = new float[4];
            int steps = 0;
            while (!cart.terminated() && steps++ < 30) {
                cart.step(new float[] {-1, 1}, 0); // the second choice, to the right
                assertThat(cart.reward()).isEqualTo(1);
            }
            cart.observe(seen, 0);
            assertThat(cart.terminated()).isTrue();
            assertThat(cart.truncated()).isFalse();
            assertThat(seen[1]).isPositive(); // the cart moves to the right, and the pole falls to the left
            assertThat(seen[2]).isLessThan(-0.2f);
        }
    }
}

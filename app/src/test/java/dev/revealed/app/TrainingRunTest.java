package dev.revealed.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.runs.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run and its folder, on a task without MuJoCo. */
class TrainingRunTest {
    private static final Physics PHYSICS = new Physics("line", "none", "none", "none");
    private static final TrainingRun.Listener QUIET = (stage, done, total) -> {};
    private static final AtomicInteger OPEN = new AtomicInteger();

    private static final long OUT_OF_MEMORY = -1; // instead of a step

    @TempDir
    private Path folder = Path.of("");

    /** Fails at the step it is told to. */
    private static final class Line extends Point {
        private final long failAt;
        private long all;

        Line(long failAt) {
            this.failAt = failAt;
            OPEN.incrementAndGet();
        }

        @Override
        public void step(float[] actions, int offset) {
            if (++all == failAt) {
                throw new IllegalStateException("broken");
            }
            if (failAt == OUT_OF_MEMORY) {
                throw new OutOfMemoryError("in a test");
            }
            super.step(actions, offset);
        }

        @Override
        public void close() {
            OPEN.decrementAndGet();
        }
    }

    private static TrainingPlan plan(int episodes, int replay, Supplier<Simulator> simulators) {
        return TrainingPlan.expert(
                PHYSICS,
                simulators,
                1,
                Sac.Settings.PAPER.withHidden(8).withBatch(8),
                new Training.Schedule(200, 1, replay),
                1200,
                300,
                episodes,
                400,
                5);
    }

    @BeforeEach
    void noneIsOpen() {
        OPEN.set(0);
    }

    private RunFolder run() {
        return RunFolder.create(folder.resolve("run"));
    }

    private ExpertResult begin(TrainingPlan plan, int threads, TrainingRun.Listener listener) {
        RunFolder run = run();
        return (ExpertResult) TrainingRun.begin(
                plan, run, () -> run.write("spec.json", "{}"), Backend.processor(), threads, listener);
    }

    /** The first simulator trains; it fails after a test and before the first checkpoint. */
    @Test
    void whatWasMeasuredBeforeAFailureStays() {
        AtomicInteger made = new AtomicInteger();
        TrainingPlan failing = plan(2, 2000, () -> new Line(made.getAndIncrement() == 0 ? 350 : 0));
        assertThatIllegalStateException()
                .isThrownBy(() -> begin(failing, 2, QUIET))
                .withMessage("broken");
        assertThat(folder.resolve("run/spec.json")).exists();
        assertThat(folder.resolve("run/best.safetensors")).exists();
        assertThat(folder.resolve("run/metrics.jsonl")).content().contains("\"step\":300");
        assertThat(OPEN).hasValue(0);
    }

    @Test
    void aRunThatCannotBeginLeavesNothing() {
        AtomicInteger made = new AtomicInteger();
        TrainingPlan failing = plan(2, 2000, () -> {
            if (made.incrementAndGet() == 3) { // the second one for tests
                throw new IllegalStateException("no more");
            }
            return new Line(0);
        });
        assertThatIllegalStateException()
                .isThrownBy(() -> begin(failing, 2, QUIET))
                .withMessage("no more");
        assertThat(folder.resolve("run")).doesNotExist();
        assertThat(OPEN).hasValue(0);
    }

    @Test
    void testsOpenNoMoreSimulatorsThanThreads() {
        AtomicInteger made = new AtomicInteger();
        ExpertResult result = begin(
                plan(7, 2000, () -> {
                    made.incrementAndGet();
                    return new Line(0);
                }),
                2,
                QUIET);
        assertThat(made).hasValue(1 + 2);
        assertThat(result.returns()).hasSize(7);
        assertThat(result.updatesPerSecond() * result.seconds()).isCloseTo(1000, within(1e-6));
    }

    @Test
    void aReplayThatDoesNotFitIsToldBeforeAnythingIsDone() {
        TrainingPlan large = TrainingPlan.expert(
                PHYSICS,
                () -> new Line(0),
                1,
                Sac.Settings.PAPER,
                new Training.Schedule(200, 1, 2_000_000_000),
                2_000_000_000,
                300,
                1,
                400,
                5);
        long fits = Runtime.getRuntime().maxMemory() / (2_000_000_000L * 4 * 5);
        assumeThat(fits).isZero();
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> begin(large, 1, QUIET))
                .withMessageContaining("--replay");
        assertThat(folder.resolve("run")).doesNotExist();
    }

    /** The processor, with tests beside the learning as on a GPU. */
    private static Backend beside() {
        return beside("cpu");
    }

    /** The same under another name. */
    static Backend beside(String device) {
        Backend processor = Backend.processor();
        return new Backend() {
            @Override
            public Training training(TrainingPlan plan, List<Simulator> simulators, RandomStream stream, int threads) {
                return processor.training(plan, simulators, stream, threads);
            }

            @Override
            public boolean testsBeside() {
                return true;
            }

            @Override
            public String device() {
                return device;
            }
        };
    }

    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static TrainingRun.Listener killedAt(long step) {
        return (stage, done, total) -> {
            if (done == step) {
                throw new Killed();
            }
        };
    }

    private Path begin(String name, Backend backend, TrainingRun.Listener listener) {
        RunFolder run = RunFolder.create(folder.resolve(name));
        TrainingRun.begin(plan(3, 700, () -> new Line(0)), run, () -> {}, backend, 2, listener);
        return run.path();
    }

    private ExpertResult resume(String name, Backend backend, TrainingRun.Listener listener) {
        RunFolder run = RunFolder.resume(folder.resolve(name));
        return (ExpertResult)
                TrainingRun.resume(plan(3, 700, () -> new Line(0)), run, backend, 2, words -> {}, listener);
    }

    /** Metrics, checkpoints and policies: what no clock is in. */
    private static Map<String, byte[]> lasting(Path run) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(run)) {
            for (Path file : walk.filter(Files::isRegularFile).toList()) {
                String name = run.relativize(file).toString();
                if (!name.equals("seconds.json") && !name.contains("tfevents")) {
                    files.put(name, Files.readAllBytes(file));
                }
            }
        }
        return files;
    }

    private static void assertSame(Map<String, byte[]> actual, Map<String, byte[]> expected) {
        assertThat(actual.keySet()).isEqualTo(expected.keySet());
        expected.forEach((name, bytes) -> assertThat(actual.get(name)).as(name).isEqualTo(bytes));
    }

    @Test
    void testsBesideLearningMeasureTheSame() throws IOException {
        Map<String, byte[]> expected = lasting(begin("alone", Backend.processor(), QUIET));
        assertThat(expected)
                .containsKeys(
                        "metrics.jsonl",
                        "best.safetensors",
                        "policy.safetensors",
                        "checkpoint/800.safetensors",
                        "checkpoint/1200.safetensors");
        assertSame(lasting(begin("beside", beside(), QUIET)), expected);
    }

    /** While a test is played, between test and checkpoint, before the first checkpoint, and just after one. */
    @ParameterizedTest
    @ValueSource(longs = {250, 301, 399, 401, 601, 799, 801, 1199, 1200})
    void killedWithATestUnderWayAndResumedEndsTheSame(long step) throws IOException {
        Map<String, byte[]> expected = lasting(begin("alone", Backend.processor(), QUIET));
        for (Backend first : List.of(beside(), Backend.processor())) {
            String name = "killed-" + first.testsBeside();
            assertThatExceptionOfType(Killed.class).isThrownBy(() -> begin(name, first, killedAt(step)));
            resume(name, beside(), QUIET);
            assertSame(lasting(folder.resolve(name)), expected);
        }
    }

    /** A later test, in a future that a resumed run need not have, must not pass for the best so far. */
    @Test
    void theBestPolicyIsThatOfTheCheckpoint() throws IOException {
        Path best = folder.resolve("run/best.safetensors");
        Backend backend = Backend.processor();
        assertThatExceptionOfType(Killed.class).isThrownBy(() -> begin("run", backend, killedAt(350)));
        assertThat(best).exists();
        assertThatExceptionOfType(Killed.class).isThrownBy(() -> resume("run", backend, killedAt(1)));
        assertThat(best).doesNotExist(); // since no test belongs to where the run is now

        assertThatExceptionOfType(Killed.class).isThrownBy(() -> resume("run", backend, killedAt(401)));
        byte[] ofStep300 = Files.readAllBytes(best);
        Files.writeString(best, "of a later test");
        assertThatExceptionOfType(Killed.class).isThrownBy(() -> resume("run", backend, killedAt(401)));
        assertThat(best).hasBinaryContent(ofStep300);
        resume("run", backend, QUIET);
        assertSame(lasting(folder.resolve("run")), lasting(begin("alone", backend, QUIET)));
    }

    @Test
    void allDevicesThatWorkedOnARunAreNamed() {
        assertThatExceptionOfType(Killed.class).isThrownBy(() -> begin("run", Backend.processor(), killedAt(401)));
        assertThatExceptionOfType(Killed.class).isThrownBy(() -> resume("run", beside("Some GPU"), killedAt(801)));
        assertThat(resume("run", Backend.processor(), QUIET).device()).isEqualTo("cpu, Some GPU");
    }

    /** The last test ends after the last step, and its return is shown all the same; a resumed run begins with one. */
    @Test
    void theLastReturnIsShown() {
        assertThatExceptionOfType(Killed.class).isThrownBy(() -> begin("run", beside(), killedAt(401)));
        List<String> notes = new ArrayList<>();
        List<Long> steps = new ArrayList<>();
        ExpertResult result = resume("run", beside(), new TrainingRun.Listener() {
            @Override
            public void progress(String stage, long done, long total) {
                steps.add(done);
            }

            @Override
            public void note(String words) {
                notes.add(words);
            }
        });
        assertThat(notes.getFirst())
                .isEqualTo("return %.0f".formatted(result.curve().getFirst().meanReturn()));
        assertThat(notes.getLast()).endsWith(", return %.0f".formatted(result.meanReturn()));
        assertThat(steps).endsWith(1200L, 1200L);
    }

    @Test
    void whatATestRunsOutOfIsToldAsItIs() {
        AtomicInteger made = new AtomicInteger();
        TrainingPlan failing = plan(1, 2000, () -> {
            boolean tests = made.getAndIncrement() > 0;
            return new Line(tests ? OUT_OF_MEMORY : 0);
        });
        assertThatExceptionOfType(OutOfMemoryError.class)
                .isThrownBy(() -> TrainingRun.begin(failing, run(), () -> {}, beside(), 1, QUIET));
    }

    @Test
    void randomStepsAreAStageOfTheirOwn() {
        List<String> heard = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        begin(plan(1, 2000, () -> new Line(0)), 1, new TrainingRun.Listener() {
            @Override
            public void progress(String stage, long done, long total) {
                heard.add("%s %d/%d".formatted(stage, done, total));
            }

            @Override
            public void note(String words) {
                notes.add(words);
            }
        });
        assertThat(heard)
                .hasSize(1201)
                .startsWith("expert line, random actions 1/200")
                .contains("expert line, random actions 200/200", "expert line 201/1200")
                .endsWith("expert line 1200/1200", "expert line 1200/1200"); // again when the last test has ended
        assertThat(notes).hasSize(3).allMatch(note -> note.matches("\\d+ updates/s, return -?\\d+"));
    }
}

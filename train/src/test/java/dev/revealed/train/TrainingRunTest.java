package dev.revealed.train;

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
import dev.revealed.runs.Provenance;
import dev.revealed.runs.RunFolder;
import dev.revealed.runs.RunSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run and its folder, on a task without MuJoCo. */
class TrainingRunTest {
    static final RunListener QUIET = (stage, done, total) -> {};
    private static final AtomicInteger OPEN = new AtomicInteger();

    private static final long OUT_OF_MEMORY = -1; // instead of a step

    @TempDir
    private Path folder = Path.of("");

    /** Fails at a given step. */
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
        return plan(episodes, replay, simulators, 400);
    }

    private static TrainingPlan plan(int episodes, int replay, Supplier<Simulator> simulators, long checkpointEvery) {
        return new TrainingPlan(
                Environment.of("line", simulators),
                1,
                Sac.Settings.PAPER.withHidden(8).withBatch(8),
                new Training.Schedule(200, 1, replay),
                SacProblem.expert(),
                new Timetable(1200, 300, episodes, episodes, checkpointEvery),
                5);
    }

    /** What a folder says of a run whose settings do not matter. */
    static RunSpec spec(long seed) {
        return RunSpec.of(Provenance.of(seed, List.of("expert", "--seed", Long.toString(seed))), Map.of("seed", seed));
    }

    @BeforeEach
    void noneIsOpen() {
        OPEN.set(0);
    }

    private RunFolder run() {
        return RunFolder.create(folder.resolve("run"));
    }

    private TrainingResult begin(TrainingPlan plan, int threads, RunListener listener) {
        return TrainingRun.begin(plan, spec(5), run(), Backend.processor(), threads, listener);
    }

    /** A return that is no number, as after a failure of the simulator, does not replace the best policy. */
    @Test
    void theBestPolicyHasTheHighestReturn() {
        assertThat(SacProblem.best(3, List.of(1.0, 2.0))).isTrue();
        assertThat(SacProblem.best(2, List.of(1.0, 2.0))).isFalse();
        assertThat(SacProblem.best(Double.NaN, List.of(1.0, 2.0))).isFalse();
        assertThat(SacProblem.best(1, List.of(Double.NaN))).isTrue();
        assertThat(SacProblem.best(Double.NaN, List.of(Double.NaN))).isTrue();
    }

    /** The third simulator trains, after two to evaluate in; it fails after an evaluation and before the first checkpoint. */
    @Test
    void whatWasMeasuredBeforeAFailureStays() {
        AtomicInteger made = new AtomicInteger();
        TrainingPlan failing = plan(2, 2000, () -> new Line(made.getAndIncrement() == 2 ? 350 : 0));
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
            if (made.incrementAndGet() == 3) { // the second one for evaluations
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
    void evaluationsOpenNoMoreSimulatorsThanThreads() {
        AtomicInteger made = new AtomicInteger();
        TrainingResult result = begin(
                plan(7, 2000, () -> {
                    made.incrementAndGet();
                    return new Line(0);
                }),
                2,
                QUIET);
        assertThat(made).hasValue(1 + 2);
        assertThat(result.last().returns()).hasSize(7);
        assertThat(result.work().updatesPerSecond() * result.work().seconds()).isCloseTo(1000, within(1e-6));
    }

    @Test
    void aReplayThatDoesNotFitIsRefusedBeforeAnythingIsDone() {
        TrainingPlan large = new TrainingPlan(
                Environment.of("line", () -> new Line(0)),
                1,
                Sac.Settings.PAPER,
                new Training.Schedule(200, 1, 2_000_000_000),
                SacProblem.expert(),
                new Timetable(2_000_000_000, 300, 1, 1, 400),
                5);
        long fits = Runtime.getRuntime().maxMemory() / (2_000_000_000L * 4 * 5);
        assumeThat(fits).isZero();
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> begin(large, 1, QUIET))
                .withMessageContaining("`replay`");
        assertThat(folder.resolve("run")).doesNotExist();
    }

    /** The processor, with evaluations alongside the learning as on a GPU. */
    static Backend alongside() {
        return alongside("cpu");
    }

    /** The same under another name. */
    static Backend alongside(String device) {
        Backend processor = Backend.processor();
        return new Backend() {
            @Override
            public Training training(TrainingPlan plan, List<Simulator> simulators, RandomStream stream, int threads) {
                return processor.training(plan, simulators, stream, threads);
            }

            @Override
            public boolean evaluatesAlongside() {
                return true;
            }

            @Override
            public String device() {
                return device;
            }
        };
    }

    private Path begin(String name, Backend backend, RunListener listener) {
        RunFolder run = RunFolder.create(folder.resolve(name));
        TrainingRun.begin(plan(3, 700, () -> new Line(0)), spec(5), run, backend, 2, listener);
        return run.path();
    }

    private TrainingResult resume(String name, Backend backend, RunListener listener) {
        RunFolder run = RunFolder.resume(folder.resolve(name));
        return TrainingRun.resume(plan(3, 700, () -> new Line(0)), run, backend, 2, words -> {}, listener);
    }

    @Test
    void evaluationsAlongsideLearningMeasureTheSame() throws IOException {
        Map<String, byte[]> expected = RunBytes.of(begin("alone", Backend.processor(), QUIET));
        assertThat(expected)
                .containsKeys(
                        "metrics.jsonl",
                        "best.safetensors",
                        "policy.safetensors",
                        "checkpoint/800.safetensors",
                        "checkpoint/1200.safetensors");
        RunBytes.assertSame(RunBytes.of(begin("alongside", alongside(), QUIET)), expected);
    }

    @Test
    void aRunWithoutCheckpointsComputesTheSame() throws IOException {
        Map<String, byte[]> expected = RunBytes.of(begin("alone", Backend.processor(), QUIET));
        expected.keySet().removeIf(name -> name.startsWith("checkpoint"));
        RunFolder without = RunFolder.create(folder.resolve("without"));
        TrainingRun.begin(plan(3, 700, () -> new Line(0), 0), spec(5), without, Backend.processor(), 2, QUIET);
        RunBytes.assertSame(RunBytes.of(without.path()), expected);
    }

    /** While an evaluation is under way, between evaluation and checkpoint, before the first checkpoint, and just after one. */
    @ParameterizedTest
    @ValueSource(longs = {250, 301, 399, 401, 601, 799, 801, 1199, 1200})
    void killedWithAnEvaluationUnderWayAndResumedEndsTheSame(long step) throws IOException {
        Map<String, byte[]> expected = RunBytes.of(begin("alone", Backend.processor(), QUIET));
        for (Backend first : List.of(alongside(), Backend.processor())) {
            String name = "killed-" + first.evaluatesAlongside();
            assertThatExceptionOfType(Killed.class).isThrownBy(() -> begin(name, first, Killed.at(step)));
            resume(name, alongside(), QUIET);
            RunBytes.assertSame(RunBytes.of(folder.resolve(name)), expected);
        }
    }

    /** A later evaluation, which a resumed run need not repeat, must not pass for the best so far. */
    @Test
    void theBestPolicyIsThatOfTheCheckpoint() throws IOException {
        Path best = folder.resolve("run/best.safetensors");
        Backend backend = Backend.processor();
        assertThatExceptionOfType(Killed.class).isThrownBy(() -> begin("run", backend, Killed.at(350)));
        assertThat(best).exists();
        assertThatExceptionOfType(Killed.class).isThrownBy(() -> resume("run", backend, Killed.at(1)));
        assertThat(best).doesNotExist(); // since no evaluation belongs to where the run is now

        assertThatExceptionOfType(Killed.class).isThrownBy(() -> resume("run", backend, Killed.at(401)));
        byte[] ofStep300 = Files.readAllBytes(best);
        Files.writeString(best, "of a later evaluation");
        assertThatExceptionOfType(Killed.class).isThrownBy(() -> resume("run", backend, Killed.at(401)));
        assertThat(best).hasBinaryContent(ofStep300);
        resume("run", backend, QUIET);
        RunBytes.assertSame(RunBytes.of(folder.resolve("run")), RunBytes.of(begin("alone", backend, QUIET)));
    }

    @Test
    void allDevicesThatWorkedOnARunAreNamed() {
        assertThatExceptionOfType(Killed.class).isThrownBy(() -> begin("run", Backend.processor(), Killed.at(401)));
        assertThatExceptionOfType(Killed.class).isThrownBy(() -> resume("run", alongside("Some GPU"), Killed.at(801)));
        assertThat(resume("run", Backend.processor(), QUIET).work().device()).isEqualTo("cpu, Some GPU");
    }

    /** The last evaluation ends after the last step, and its return is shown; a resumed run begins with one. */
    @Test
    void theLastReturnIsShown() {
        assertThatExceptionOfType(Killed.class).isThrownBy(() -> begin("run", alongside(), Killed.at(401)));
        List<String> notes = new ArrayList<>();
        List<Long> steps = new ArrayList<>();
        TrainingResult result = resume("run", alongside(), new RunListener() {
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
        assertThat(notes.getLast()).startsWith("return %.0f, ".formatted(result.meanReturn()));
        assertThat(steps).endsWith(1200L, 1200L);
    }

    @Test
    void whatAnEvaluationRunsOutOfIsThrownAsItIs() {
        AtomicInteger made = new AtomicInteger();
        TrainingPlan failing = plan(1, 2000, () -> {
            boolean evaluates = made.getAndIncrement() > 0;
            return new Line(evaluates ? OUT_OF_MEMORY : 0);
        });
        assertThatExceptionOfType(OutOfMemoryError.class)
                .isThrownBy(() -> TrainingRun.begin(failing, spec(5), run(), alongside(), 1, QUIET));
    }

    @Test
    void randomStepsAreAStageOfTheirOwn() {
        List<String> heard = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        begin(plan(1, 2000, () -> new Line(0)), 1, new RunListener() {
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
                .endsWith("expert line 1200/1200", "expert line 1200/1200"); // again when the last evaluation has ended
        assertThat(notes).hasSize(3).allMatch(note -> note.matches("return -?\\d+, \\d+ updates/s"));
    }

    @Test
    void plansThatCannotWorkAreRefused() {
        Map<String, Runnable> wrong = Map.of(
                "`replay` keeps 7 transitions, and an update takes 8", () -> plan(1, 7, Point::new),
                "the number of steps is 0", () -> new Timetable(0, 1, 1, 1, 1),
                "`evaluate-every` is 0", () -> new Timetable(1, 0, 1, 1, 1),
                "`episodes` is 0", () -> plan(0, 2000, Point::new),
                "`checkpoint-every` is -1", () -> new Timetable(1, 1, 1, 1, -1),
                "`threads` is 0", () -> begin(plan(1, 2000, Point::new), 0, QUIET),
                "`simulators` is 0",
                        () -> new TrainingPlan(
                                Environment.of("line", Point::new),
                                0,
                                Sac.Settings.PAPER,
                                new Training.Schedule(200, 1, 2000),
                                SacProblem.expert(),
                                new Timetable(1, 1, 1, 1, 1),
                                5));
        wrong.forEach((words, made) ->
                assertThatExceptionOfType(BadInput.class).isThrownBy(made::run).withMessageContaining(words));
        assertThat(folder.resolve("run")).doesNotExist();
    }

    /** What the clock said is lost, and nothing else. */
    @Test
    void aDamagedClockCostsNoRun() throws IOException {
        TrainingPlan plan = plan(1, 2000, Point::new);
        begin(plan, 1, QUIET);
        Files.writeString(folder.resolve("run/seconds.json"), "{\"seconds\" : {}}");
        TrainingResult again = TrainingRun.resume(
                plan, RunFolder.reopen(folder.resolve("run")), Backend.processor(), 1, w -> {}, QUIET);
        assertThat(again.work().steps()).isEqualTo(1200);
    }
}

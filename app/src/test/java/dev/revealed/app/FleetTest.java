package dev.revealed.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.cuda.CudaFailure;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Diverged;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.runs.Json;
import dev.revealed.runs.RunFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many runs side by side, on a task without MuJoCo. */
class FleetTest {
    @TempDir
    private Path folder = Path.of("");

    private final List<String> told = Collections.synchronizedList(new ArrayList<>());

    static Training.Schedule schedule(long randomSteps, double updatesPerStep, int replay) {
        return new Training.Schedule(randomSteps, updatesPerStep, replay);
    }

    private static TrainingPlan plan(long seed, Supplier<Simulator> simulators) {
        return TrainingPlan.expert(
                new Physics("point", "none", "none", "none"),
                simulators,
                1,
                Sac.Settings.PAPER.withHidden(8).withBatch(8),
                schedule(100, 1, 1000),
                600,
                200,
                2,
                200,
                seed);
    }

    private Fleet.Member member(String under, long seed) {
        String name = "seed-" + seed;
        return new Fleet.Member(
                name,
                folder.resolve(under).resolve(name),
                List.of("expert", "--seed", Long.toString(seed)),
                plan(seed, Point::new),
                Map.of("seed", seed, "task", "point"));
    }

    private List<Fleet.Member> members(String under, long... seeds) {
        return LongStream.of(seeds).mapToObj(seed -> member(under, seed)).toList();
    }

    private List<Fleet.End> run(List<Fleet.Member> members, int atOnce, Fleet.Trainer trainer) {
        FleetProgress progress = new FleetProgress(members, ProgressListener.NONE, 200, () -> 0);
        return new Fleet(members, atOnce, 4, trainer, told::add, progress).run();
    }

    private static final Fleet.Trainer TRAINER = (plan, folder, resume, writeSpec, threads, warn, listener) -> resume
            ? TrainingRun.resume(plan, folder, Backend.processor(), threads, warn, listener)
            : TrainingRun.begin(plan, folder, writeSpec, Backend.processor(), threads, listener);

    /** Everything that no clock is in. */
    private Map<String, byte[]> lasting(String run) {
        Path from = folder.resolve(run);
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(from)) {
            for (Path file : walk.filter(Files::isRegularFile).toList()) {
                String name = from.relativize(file).toString();
                if (!name.matches(".*(result\\.json|seconds\\.json|report\\.html|tfevents\\.revealed)")) {
                    files.put(name, Files.readAllBytes(file));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    private void assertSame(String run, String other) {
        Map<String, byte[]> expected = lasting(other);
        assertThat(expected).containsKeys("spec.json", "metrics.jsonl", "policy.safetensors", "curve.csv", "curve.svg");
        Map<String, byte[]> actual = lasting(run);
        assertThat(actual.keySet()).isEqualTo(expected.keySet());
        expected.forEach((name, bytes) ->
                assertThat(actual.get(name)).as("%s of %s", name, run).isEqualTo(bytes));
    }

    @Test
    void runsSideBySideMakeWhatTheyMakeAlone() {
        assertThat(run(members("many", 1, 2, 3), 3, TRAINER)).hasOnlyElementsOfType(Fleet.Done.class);
        for (long seed = 1; seed <= 3; seed++) {
            run(members("alone" + seed, seed), 1, TRAINER);
            assertSame("many/seed-" + seed, "alone%d/seed-%d".formatted(seed, seed));
        }
        assertThat(lasting("many/seed-1").get("metrics.jsonl"))
                .isNotEqualTo(lasting("many/seed-2").get("metrics.jsonl"));
        assertThat(told).isEmpty();
    }

    @Test
    void noMoreAtOnceThanAskedFor() {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Integer> threads = Collections.synchronizedList(new ArrayList<>());
        run(members("many", 1, 2, 3, 4, 5), 2, (plan, own, resume, writeSpec, each, warn, listener) -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            threads.add(each);
            try {
                return TRAINER.train(plan, own, resume, writeSpec, each, warn, listener);
            } finally {
                now.decrementAndGet();
            }
        });
        assertThat(most).hasValueLessThanOrEqualTo(2);
        assertThat(threads).containsOnly(2).hasSize(5);
    }

    /** Ends a run in the way it is told to, at a step between two checkpoints. */
    private static Fleet.Trainer failing(long seed, Runnable failure) {
        return (plan, own, resume, writeSpec, threads, warn, listener) ->
                TRAINER.train(plan, own, resume, writeSpec, threads, warn, (stage, done, total) -> {
                    if (plan.seed() == seed && done == 500) {
                        failure.run();
                    }
                });
    }

    @Test
    void aRunThatFailsLeavesTheOthersAloneAndIsTriedAgain() {
        run(members("whole", 1, 2, 3), 1, TRAINER);
        List<Fleet.Member> members = members("many", 1, 2, 3);
        List<Fleet.End> ends = run(members, 2, failing(2, () -> {
            throw new Diverged(17, "critic loss", Double.NaN);
        }));
        assertThat(ends.get(0)).isInstanceOf(Fleet.Done.class);
        assertThat(ends.get(1))
                .isEqualTo(new Fleet.Failed(
                        "update 17: the critic loss is NaN",
                        "Learning diverged: try a smaller --learning-rate or another --seed."));
        assertThat(ends.get(2)).isInstanceOf(Fleet.Done.class);
        assertThat(told).singleElement().asString().startsWith("seed-2 failed: update 17");
        assertThat(folder.resolve("many/seed-2/checkpoint/400.json")).exists();

        List<Long> resumed = new ArrayList<>();
        List<Fleet.End> again = run(members, 1, (plan, own, resume, writeSpec, threads, warn, listener) -> {
            resumed.add(plan.seed());
            assertThat(resume).isTrue();
            return TRAINER.train(plan, own, resume, writeSpec, threads, warn, (stage, done, total) -> {
                assertThat(done).isGreaterThan(400);
            });
        });
        assertThat(again).hasOnlyElementsOfType(Fleet.Done.class);
        assertThat(resumed).containsExactly(2L);
        assertThat(Json.write(again.getFirst())).isEqualTo(Json.write(ends.getFirst()));
        for (long seed = 1; seed <= 3; seed++) {
            assertSame("many/seed-" + seed, "whole/seed-" + seed);
        }
    }

    @Test
    void whateverFailsHasAReason() throws IOException {
        Fleet.Failed defect = failed(() -> {
            throw new IllegalStateException("broken");
        });
        assertThat(defect.problem()).contains("internal failure").contains("broken");
        Path trace = folder.resolve("many/seed-1-failure.txt");
        assertThat(defect.remedy()).contains(trace.toString());
        assertThat(trace).content().contains("FleetTest");
        Fleet.Failed memory = failed(() -> {
            throw new OutOfMemoryError("Java heap space");
        });
        assertThat(memory.problem()).isEqualTo("not enough memory (Java heap space)");
        assertThat(memory.remedy()).contains("--at-once").contains("--replay");
        Fleet.Failed wrapped = failed(() -> {
            throw new IllegalStateException(new CompletionException(new OutOfMemoryError("Java heap space")));
        });
        assertThat(wrapped).isEqualTo(memory);
        Fleet.Failed gpu = failed(() -> {
            throw cudaFailure();
        });
        assertThat(gpu.problem()).contains("cuLaunchGraph", "700");
        assertThat(gpu.remedy()).contains("--resume", "--device cpu");
        Fleet.Failed bad = failed(() -> {
            throw new BadInput("the disk", "Free some.");
        });
        assertThat(bad).isEqualTo(new Fleet.Failed("the disk", "Free some."));
        assertThat(run(members("many", 1), 1, TRAINER)).hasOnlyElementsOfType(Fleet.Done.class);
        assertThat(trace).doesNotExist();
    }

    /** As the driver's calls throw it. */
    static CudaFailure cudaFailure() {
        try {
            Constructor<CudaFailure> made =
                    CudaFailure.class.getDeclaredConstructor(String.class, int.class, String.class);
            made.setAccessible(true);
            return made.newInstance("cuLaunchGraph", 700, "an illegal memory access");
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    private Fleet.Failed failed(Runnable failure) {
        return (Fleet.Failed) run(members("many", 1), 1, failing(1, failure)).getFirst();
    }

    @Test
    void aRunThatCannotBeginFailsAlone() throws IOException {
        Files.createDirectories(folder.resolve("many"));
        Files.writeString(folder.resolve("many/seed-1"), "in the way");
        List<Fleet.End> ends = run(members("many", 1, 2), 2, TRAINER);
        assertThat(ends.getFirst()).isInstanceOf(Fleet.Failed.class);
        assertThat(ends.getLast()).isInstanceOf(Fleet.Done.class);
    }

    /** A row is two observations, an action, a reward and a flag: 5 floats, of which 600 are kept. */
    @Test
    void memoryIsToldBeforeTheStart() {
        List<Fleet.Member> members = members("many", 1, 2, 3);
        assertThat(members.getFirst().plan().replayBytes(new Point().space())).isEqualTo(600 * 20);
        assertThat(Fleet.memory(members, 2, 18L << 30))
                .isEqualTo("3 runs, 2 at a time: up to 0.0 MiB of replay each, 0.0 MiB in all, of 18.0 GiB");
        assertThat(Fleet.memory(members, 2, 36_000)).isNotEmpty(); // 24,000 are two thirds
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Fleet.memory(members, 3, 36_000))
                .withMessageContaining("--at-once 2")
                .withMessageContaining("--replay");
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Fleet.memory(members, 3, 17_000))
                .withMessageContaining("--replay")
                .satisfies(e -> assertThat(e.remedy()).doesNotContain("--at-once"));
    }

    /** By hand: a quarter of ten, rounded down, goes at either end. */
    @Test
    void groupsAreSummedUp() {
        double[] returns = {100, 3, 1, 2, 4, 6, 8, 7, 5, -90};
        FleetView.Group group = FleetView.Group.of(
                "g", Map.of(), List.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"), returns, Double.NaN);
        assertThat(group.failed()).isEqualTo(1);
        assertThat(group.mean()).isCloseTo(4.6, within(1e-12));
        assertThat(group.interquartileMean()).isCloseTo((2 + 3 + 4 + 5 + 6 + 7) / 6.0, within(1e-12));
        FleetView.Group three = FleetView.Group.of("g", Map.of(), List.of("a", "b", "c"), new double[] {1, 3, 8}, 8);
        assertThat(three.standardDeviation()).isCloseTo(Math.sqrt((9 + 1 + 16) / 2.0), within(1e-12));
        assertThat(three.interquartileMean()).isCloseTo(4, within(1e-12));
        assertThat(three.interval().low()).isEqualTo(1); // of three draws, all are the lowest in 1 of 27
        assertThat(three.interval().high()).isEqualTo(8);
        assertThat(three.ofExpert()).hasValue(0.5);
        assertThat(group.ofExpert()).isEmpty();
        FleetView.Group none = FleetView.Group.of("g", Map.of(), List.of("a"), new double[0], Double.NaN);
        assertThat(none.mean()).isNaN();
        assertThat(none.interquartileMean()).isNaN();
    }

    /** Runs of different devices are not of one group. */
    @Test
    void devicesAreShownWhereTheyDiffer() {
        List<Fleet.Member> members = members("many", 1, 2, 3);
        List<Fleet.End> ends = run(members, 1, (plan, own, resume, writeSpec, threads, warn, listener) -> {
            Backend backend = TrainingRunTest.beside(plan.seed() == 2 ? "Some GPU" : "cpu");
            return TrainingRun.begin(plan, own, writeSpec, backend, threads, listener);
        });
        FleetView.Document document =
                (FleetView.Document) FleetView.of(members, ends, 1).document();
        assertThat(document.groups())
                .extracting(FleetView.Group::name)
                .containsExactly("point, device cpu", "point, device Some GPU");
        assertThat(document.groups().getFirst().runs()).containsExactly("seed-1", "seed-3");
        assertThat(document.each().get(1).settings()).containsEntry("device", "Some GPU");
        assertThat(FleetView.of(members, ends, 1).text()).contains("device", "Some GPU");
        List<Fleet.Member> same = members.subList(0, 1);
        assertThat(FleetView.of(same, ends.subList(0, 1), 1).text()).doesNotContain("device");
    }

    @Test
    void aFolderHasOneCommandAtATime() {
        RunFolder own = RunFolder.create(folder.resolve("own"));
        try (RunFolder.Lock first = own.lock()) {
            assertThat(first).isNotNull();
            assertThatExceptionOfType(BadInput.class)
                    .isThrownBy(own::lock)
                    .withMessageContaining(own.path() + " is in use by another command");
        }
        own.lock().close();
        assertThat(folder.resolve("own")).isEmptyDirectory();
    }
}

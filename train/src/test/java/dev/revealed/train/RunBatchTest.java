package dev.revealed.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.revealed.cuda.CudaFailure;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.DivergenceFailure;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.runs.Json;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many runs side by side, on a task without MuJoCo. */
class RunBatchTest {
    @TempDir
    private Path folder = Path.of("");

    private final List<String> warnings = Collections.synchronizedList(new ArrayList<>());
    private final List<String> cautions = Collections.synchronizedList(new ArrayList<>());

    private static TrainingPlan plan(long seed) {
        return plan(Sac.Settings.PAPER.withHidden(8).withBatch(8), 1000, seed);
    }

    static TrainingPlan plan(Sac.Settings settings, int replay, long seed) {
        return new TrainingPlan(
                Environment.of("point", Point::new),
                1,
                settings,
                new Training.Schedule(100, 1, replay),
                SacProblem.expert(),
                new Timetable(600, 200, 2, 2, 200),
                seed);
    }

    private RunBatch.Member member(String under, long seed) {
        String name = "seed-" + seed;
        return new RunBatch.Member(name, folder.resolve(under).resolve(name), TrainingRunTest.spec(seed), plan(seed));
    }

    private List<RunBatch.Member> members(String under, long... seeds) {
        return LongStream.of(seeds).mapToObj(seed -> member(under, seed)).toList();
    }

    /** Writes results alone, and keeps what it hears. */
    private class Host implements RunBatch.Host {
        @Override
        public void warn(String text) {
            warnings.add(text);
        }

        @Override
        public void caution(String text) {
            cautions.add(text);
        }

        @Override
        public RunListener listener(String run) {
            return TrainingRunTest.QUIET;
        }

        @Override
        public void done(String run, double lastReturn) {}

        @Override
        public void failed(String run) {}

        @Override
        public void write(RunFolder folder, RunBatch.Member member, TrainingResult result) {
            folder.write(RunFiles.RESULT, Json.write(result));
        }

        @Override
        public Optional<String> remedy(Throwable failure) {
            return failure instanceof DivergenceFailure || failure instanceof CudaFailure
                    ? Optional.of("Try something else.")
                    : Optional.empty();
        }
    }

    private List<RunBatch.End> run(List<RunBatch.Member> members, int atOnce) {
        return run(members, atOnce, new Host());
    }

    private static List<RunBatch.End> run(List<RunBatch.Member> members, int atOnce, Host host) {
        return new RunBatch(members, atOnce, 4, Backend.processor(), host).run();
    }

    private void assertSame(String run, String other) {
        Map<String, byte[]> expected = lasting(other);
        assertThat(expected).containsKeys("spec.json", "metrics.jsonl", "policy.safetensors");
        RunBytes.assertSame(lasting(run), expected);
    }

    private Map<String, byte[]> lasting(String run) {
        return RunBytes.of(folder.resolve(run));
    }

    @Test
    void runsSideBySideMakeWhatTheyMakeAlone() {
        assertThat(run(members("many", 1, 2, 3), 3)).hasOnlyElementsOfType(RunBatch.Done.class);
        for (long seed = 1; seed <= 3; seed++) {
            run(members("alone" + seed, seed), 1);
            assertSame("many/seed-" + seed, "alone%d/seed-%d".formatted(seed, seed));
        }
        assertThat(lasting("many/seed-1").get("metrics.jsonl"))
                .isNotEqualTo(lasting("many/seed-2").get("metrics.jsonl"));
        assertThat(warnings).isEmpty();
    }

    @Test
    void noMoreAtOnceThanAskedFor() {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Integer> threads = Collections.synchronizedList(new ArrayList<>());
        Backend processor = Backend.processor();
        Backend counting = new Backend() {
            @Override
            public Training training(TrainingPlan plan, List<Simulator> simulators, RandomStream stream, int each) {
                threads.add(each);
                return processor.training(plan, simulators, stream, each);
            }

            @Override
            public boolean evaluatesAlongside() {
                return processor.evaluatesAlongside();
            }

            @Override
            public String device() {
                return processor.device();
            }
        };
        Host host = new Host() {
            @Override
            public RunListener listener(String run) {
                most.accumulateAndGet(now.incrementAndGet(), Math::max);
                return super.listener(run);
            }

            @Override
            public void done(String run, double lastReturn) {
                now.decrementAndGet();
            }
        };
        new RunBatch(members("many", 1, 2, 3, 4, 5), 2, 4, counting, host).run();
        assertThat(most).hasValueLessThanOrEqualTo(2);
        assertThat(now).hasValue(0);
        assertThat(threads).containsOnly(2).hasSize(5);
    }

    /** Ends a run in the given way, at a step between two checkpoints. */
    private Host failing(long seed, Runnable failure) {
        return new Host() {
            @Override
            public RunListener listener(String run) {
                return (stage, done, total) -> {
                    if (run.equals("seed-" + seed) && done == 500) {
                        failure.run();
                    }
                };
            }
        };
    }

    @Test
    void aRunThatFailsLeavesTheOthersAloneAndIsTriedAgain() {
        run(members("whole", 1, 2, 3), 1);
        List<RunBatch.Member> members = members("many", 1, 2, 3);
        List<RunBatch.End> ends = run(members, 2, failing(2, () -> {
            throw new DivergenceFailure(17, "critic loss", Double.NaN);
        }));
        assertThat(ends.get(0)).isInstanceOf(RunBatch.Done.class);
        assertThat(ends.get(1))
                .isEqualTo(new RunBatch.Failed("update 17: the critic loss is NaN", "Try something else.", false));
        assertThat(ends.get(2)).isInstanceOf(RunBatch.Done.class);
        assertThat(warnings).singleElement().asString().startsWith("seed-2 failed: update 17");
        assertThat(folder.resolve("many/seed-2/checkpoint/400.json")).exists();
        assertThat(folder.resolve("many/seed-2-failure.txt")).exists();

        List<String> resumed = new ArrayList<>();
        List<RunBatch.End> again = run(members, 1, new Host() {
            @Override
            public RunListener listener(String run) {
                resumed.add(run);
                return (stage, done, total) -> {
                    assertThat(done).isGreaterThan(400);
                    assertThat(folder.resolve("many/seed-2-failure.txt")).doesNotExist();
                };
            }
        });
        assertThat(again).hasOnlyElementsOfType(RunBatch.Done.class);
        assertThat(resumed).containsExactly("seed-2");
        assertThat(Json.write(again.getFirst())).isEqualTo(Json.write(ends.getFirst()));
        for (long seed = 1; seed <= 3; seed++) {
            assertSame("many/seed-" + seed, "whole/seed-" + seed);
        }
    }

    /** It goes on from the checkpoint before, which is no failure. */
    @Test
    void aDamagedCheckpointIsACaution() throws IOException {
        List<RunBatch.Member> members = members("many", 1);
        run(members, 1, failing(1, () -> {
            throw new DivergenceFailure(17, "critic loss", Double.NaN);
        }));
        warnings.clear();
        Files.write(folder.resolve("many/seed-1/checkpoint/400.safetensors"), new byte[3]);
        assertThat(run(members, 1)).hasOnlyElementsOfType(RunBatch.Done.class);
        assertThat(cautions)
                .singleElement()
                .asString()
                .startsWith("seed-1: the checkpoint of step 400 is damaged and passed over");
        assertThat(warnings).isEmpty();
    }

    @Test
    void whateverFailsHasAReason() throws IOException {
        RunBatch.Failed defect = failed(() -> {
            throw new IllegalStateException("broken");
        });
        assertThat(defect.problem()).contains("internal failure").contains("broken");
        Path trace = folder.resolve("many/seed-1-failure.txt");
        assertThat(defect.remedy()).contains(trace.toString());
        assertThat(trace).content().contains("RunBatchTest");
        RunBatch.Failed memory = failed(() -> {
            throw new OutOfMemoryError("Java heap space");
        });
        assertThat(memory.problem()).isEqualTo("not enough memory (Java heap space)");
        assertThat(memory.remedy()).contains("`at-once`").contains("`replay`");
        RunBatch.Failed wrapped = failed(() -> {
            throw new IllegalStateException(new CompletionException(new OutOfMemoryError("Java heap space")));
        });
        assertThat(wrapped).isEqualTo(memory);
        RunBatch.Failed gpu = failed(() -> {
            throw new CudaFailure("cuLaunchGraph", 700, "an illegal memory access");
        });
        assertThat(gpu.problem()).contains("cuLaunchGraph", "700");
        assertThat(gpu.remedy()).isEqualTo("Try something else.");
        RunBatch.Failed bad = failed(() -> {
            throw new BadInput("the disk", "Free some.");
        });
        assertThat(bad).isEqualTo(new RunBatch.Failed("the disk", "Free some.", false));
        assertThat(run(members("many", 1), 1)).hasOnlyElementsOfType(RunBatch.Done.class);
        assertThat(trace).doesNotExist();
    }

    private RunBatch.Failed failed(Runnable failure) {
        return (RunBatch.Failed) run(members("many", 1), 1, failing(1, failure)).getFirst();
    }

    @Test
    void aRunThatCannotBeginFailsAlone() throws IOException {
        Files.createDirectories(folder.resolve("many"));
        Files.writeString(folder.resolve("many/seed-1"), "in the way");
        List<RunBatch.End> ends = run(members("many", 1, 2), 2);
        assertThat(ends.getFirst()).isInstanceOf(RunBatch.Failed.class);
        assertThat(ends.getLast()).isInstanceOf(RunBatch.Done.class);
    }

    /** A row is two observations, an action, a reward and a flag: 5 floats, of which 600 are kept. */
    @Test
    void memoryIsReportedBeforeTheStart() {
        List<RunBatch.Member> members = members("many", 1, 2, 3);
        assertThat(members.getFirst().plan().replayBytes(new Point().space())).isEqualTo(600 * 20);
        assertThat(RunBatch.memory(members, 2, 18L << 30))
                .isEqualTo("3 runs, 2 at a time: up to 0.0 MiB of replay each, 0.0 MiB in all, of 18.0 GiB");
        assertThat(RunBatch.memory(members, 2, 36_000)).isNotEmpty(); // 24,000 are two thirds
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> RunBatch.memory(members, 3, 36_000))
                .withMessageContaining("`at-once` 2")
                .withMessageContaining("`replay`");
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> RunBatch.memory(members, 3, 17_000))
                .withMessageContaining("`replay`")
                .satisfies(e -> assertThat(e.remedy()).doesNotContain("at-once"));
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

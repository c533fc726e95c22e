package dev.revealed.app.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.runs.Provenance;
import dev.revealed.runs.RunSpec;
import dev.revealed.train.Environment;
import dev.revealed.train.RunBatch;
import dev.revealed.train.RunListener;
import dev.revealed.train.SacProblem;
import dev.revealed.train.Timetable;
import dev.revealed.train.TrainingPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BatchProgressTest {
    private static final long SECOND = 1_000_000_000;

    @TempDir
    private Path folder = Path.of("");

    private final AtomicLong now = new AtomicLong(-7);
    private final List<String> heard = new ArrayList<>();
    private String note = "";

    private final ProgressListener shown = new ProgressListener() {
        @Override
        public void progress(String stage, long done, long total) {
            heard.add("%s %d/%d: %s".formatted(stage, done, total, note));
        }

        @Override
        public void note(String words) {
            note = words;
        }
    };

    /** Runs of 10,000 steps, the first 1000 of them random, with two updates for each of the others. */
    private BatchProgress progress(int runs, int width) {
        TrainingPlan plan = new TrainingPlan(
                Environment.of("line", () -> {
                    throw new AssertionError("nothing runs here");
                }),
                1,
                Sac.Settings.PAPER,
                new Training.Schedule(1000, 2, 5000),
                SacProblem.expert(),
                new Timetable(10_000, 1000, 1, 1, 1000),
                1);
        RunSpec spec = RunSpec.of(Provenance.of(1, List.of("expert")), Map.of());
        List<RunBatch.Member> members = IntStream.rangeClosed(1, runs)
                .mapToObj(i -> new RunBatch.Member("seed-" + i, folder.resolve("seed-" + i), spec, plan))
                .toList();
        return new BatchProgress(members, shown, warning -> {}, caution -> {}, width, now::get);
    }

    private void step(ProgressListener run, long step) {
        now.addAndGet(SECOND);
        run.progress("expert line", step, 10_000);
    }

    @Test
    void stepsOfAllRunsAndAWordOnEach() {
        BatchProgress progress = progress(3, 200);
        RunListener one = progress.listener("seed-1");
        RunListener two = progress.listener("seed-2");
        step(one, 900);
        step(two, 1000);
        step(one, 1500);
        two.evaluated(-33.2);
        step(two, 4000);
        assertThat(heard)
                .containsExactly(
                        "3 runs, random actions 900/0: seed-1 900  seed-2 0",
                        "3 runs, random actions 1900/0: seed-1 900  seed-2 1.0k",
                        "3 runs 2500/30000: seed-1 1.5k  seed-2 1.0k",
                        // two updates for each of the 3000 steps that were made in the second since the first update
                        "3 runs 5500/30000: 6000 updates/s  seed-1 1.5k  seed-2 4.0k -33");
        now.addAndGet(SECOND);
        progress.failed("seed-1"); // what it will not do is no longer to be done
        progress.done("seed-2", 512.4);
        assertThat(heard).last().isEqualTo("3 runs 11500/21500: 9000 updates/s  seed-1 failed  seed-2 done 512");
    }

    @Test
    void reportsAtMostTenTimesASecond() {
        ProgressListener one = progress(1, 200).listener("seed-1");
        for (int i = 1; i <= 1000; i++) {
            now.addAndGet(SECOND / 1000);
            one.progress("expert line", i, 10_000);
        }
        assertThat(heard).hasSize(10);
    }

    @Test
    void manyRunsAreSummedUpToFitTheLine() {
        BatchProgress progress = progress(14, 150);
        for (int i = 1; i <= 9; i++) {
            RunListener run = progress.listener("seed-" + i);
            run.evaluated(100 * i);
            step(run, 2000);
        }
        progress.failed("seed-9");
        progress.done("seed-8", 5000);
        assertThat(heard)
                .last()
                .asString()
                .endsWith("updates/s  1 done, 7 running, 1 failed, 5 waiting  return 100/500/5000");
        BatchProgress narrow = progress(14, 110);
        narrow.done("seed-1", 7);
        narrow.done("seed-2", 8);
        narrow.failed("seed-3");
        assertThat(heard).last().asString().endsWith(": 2/14 done, 1 failed  return 7/8/8");
        progress(14, 60).failed("seed-3");
        assertThat(heard).last().asString().endsWith(": 0/14 done, 1 failed");
    }

    /** Else the steps of an earlier command would count as made in no time. */
    @Test
    void whatWasThereAtTheStartCounts() throws java.io.IOException {
        Path checkpoints = Files.createDirectories(folder.resolve("seed-1/checkpoint"));
        Files.createFile(checkpoints.resolve("3000.json"));
        Files.createFile(checkpoints.resolve("4000.json"));
        Files.createFile(checkpoints.resolve("4000.safetensors"));
        Files.createDirectories(folder.resolve("seed-2"));
        Files.createFile(folder.resolve("seed-2/result.json"));
        step(progress(3, 200).listener("seed-3"), 10);
        assertThat(heard).containsExactly("3 runs, random actions 14010/0: seed-3 10");
    }
}

package dev.revealed.studies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.inference.Bootstrap;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.task.TaskRunner;
import dev.revealed.numeric.task.Workers;
import dev.revealed.runs.GatheredTasks;
import dev.revealed.runs.KeptTasks;
import dev.revealed.runs.Shard;
import dev.revealed.runs.ShardFinished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bootstrap whose replications are kept in a file goes on where it was killed, to the same bytes. */
class BootstrapJournalTest {
    @TempDir
    Path folder;

    private static Bootstrap bootstrap(long seed) {
        ChoiceModel model = RustBus.of(15, 2, 0.9, RustBus.Cost.LINEAR);
        double[] start = new double[model.states()];
        start[0] = 1;
        ChoiceProblem problem = new ChoiceProblem(
                model,
                model.simulate(new double[] {4, 80}, new double[] {0.3, 0.6}, start, 30, 30, RandomStream.of(3)));
        NestedFixedPoint method = NestedFixedPoint.standard();
        Fit fit = method.fit(problem, problem.firstStage(), RandomStream.of(seed), ProgressListener.NONE);
        return Bootstrap.ofIndividuals(problem, method, fit, RandomStream.of(seed));
    }

    private Path file() {
        return folder.resolve("bootstrap.jsonl");
    }

    private Bootstrap.Result run(Bootstrap bootstrap, int most) {
        KeptTasks runner = new KeptTasks(name -> folder.resolve(name + ".jsonl"), Shard.WHOLE, Workers.THREADS);
        return bootstrap.run(12, runner, (stage, done, total) -> {
            if (done > most) {
                throw new UnsupportedOperationException("killed");
            }
        });
    }

    private long lines() throws IOException {
        return Files.readString(file()).lines().count();
    }

    @Test
    void killedAndResumedEqualsUninterrupted() throws IOException {
        double[][] whole =
                bootstrap(1).run(12, TaskRunner.THREADS, ProgressListener.NONE).draws();
        assertThatThrownBy(() -> run(bootstrap(1), 4)).hasMessage("killed");
        byte[] written = Files.readAllBytes(file());
        Files.write(file(), Arrays.copyOf(written, written.length - 20)); // killed in the middle of a line
        assertThat(lines()).isBetween(6L, 13L); // a heading, and what was finished
        assertThat(run(bootstrap(1), 12).draws()).isDeepEqualTo(whole);
        assertThat(lines()).isEqualTo(13);
        assertThat(run(bootstrap(1), 12).draws()).isDeepEqualTo(whole);
        assertThatThrownBy(() -> run(bootstrap(2), 12))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("another model, panel, method or seed");
    }

    @Test
    void shardsMakeTheSameTogether() {
        double[][] whole =
                bootstrap(1).run(12, TaskRunner.THREADS, ProgressListener.NONE).draws();
        GatheredTasks gathered = new GatheredTasks(folder, shard -> "type " + shard);
        for (int number : new int[] {3, 1, 5}) {
            shard(new Shard(number, 5));
        }
        assertThatThrownBy(() -> bootstrap(1).run(12, gathered, ProgressListener.NONE))
                .isInstanceOfSatisfying(BadInput.class, e -> {
                    assertThat(e.problem()).contains("5 tasks are not done yet, of the shards 2/5, 4/5");
                    assertThat(e.remedy()).contains("type 2/5", "type 4/5").doesNotContain("type 1/5");
                });
        shard(new Shard(2, 5));
        shard(new Shard(4, 5));
        assertThat(bootstrap(1).run(12, gathered, ProgressListener.NONE).draws())
                .isDeepEqualTo(whole);
    }

    private void shard(Shard shard) {
        KeptTasks runner = new KeptTasks(name -> folder.resolve(shard.file()), shard, Workers.THREADS);
        assertThatThrownBy(() -> bootstrap(1).run(12, runner, ProgressListener.NONE))
                .isInstanceOf(ShardFinished.class);
    }
}

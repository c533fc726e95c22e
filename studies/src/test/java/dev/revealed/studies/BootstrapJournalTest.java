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
import dev.revealed.runs.Journal;
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

    private Journal<Bootstrap.Replication> journal(Bootstrap bootstrap) {
        return Journal.open(
                folder.resolve("bootstrap.jsonl"), "bootstrap", bootstrap.fingerprint(), Bootstrap.Replication.class);
    }

    private static Bootstrap.Result run(Bootstrap bootstrap, Journal<Bootstrap.Replication> journal, int most) {
        return bootstrap.run(12, new Bootstrap.Store(journal.entries(), journal::append), (stage, done, total) -> {
            if (done > most) {
                throw new UnsupportedOperationException("killed");
            }
        });
    }

    @Test
    void killedAndResumedEqualsUninterrupted() throws IOException {
        double[][] whole = bootstrap(1)
                .run(12, Bootstrap.Store.inMemory(), ProgressListener.NONE)
                .draws();
        try (Journal<Bootstrap.Replication> journal = journal(bootstrap(1))) {
            assertThatThrownBy(() -> run(bootstrap(1), journal, 4)).hasMessage("killed");
        }
        Path file = folder.resolve("bootstrap.jsonl");
        byte[] written = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(written, written.length - 20)); // killed in the middle of a line
        try (Journal<Bootstrap.Replication> journal = journal(bootstrap(1))) {
            assertThat(journal.entries()).hasSizeBetween(4, 11);
            assertThat(run(bootstrap(1), journal, 12).draws()).isDeepEqualTo(whole);
        }
        try (Journal<Bootstrap.Replication> journal = journal(bootstrap(1))) {
            assertThat(journal.entries()).hasSize(12);
            assertThat(run(bootstrap(1), journal, 12).draws()).isDeepEqualTo(whole);
        }
        assertThatThrownBy(() -> journal(bootstrap(2)))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("another model, panel, method or seed");
    }
}

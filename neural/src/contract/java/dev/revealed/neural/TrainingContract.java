package dev.revealed.neural;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.numeric.Tensors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What runs and methods of imitation rely on in every {@link Training}. A test of an implementation extends this class. */
public abstract class TrainingContract {
    private static final int STEPS = 150; // of which some are random, some learn, and a small replay goes round

    /** A new training with more than one environment, which learns before 100 steps; the seed decides everything. */
    protected abstract Training training(long seed);

    private static Tensors saved(Training training) {
        Tensors tensors = new Tensors();
        training.save(tensors);
        return tensors;
    }

    private static void assertSame(Tensors one, Tensors other) {
        assertThat(other.names()).isEqualTo(one.names());
        for (String name : one.names()) {
            assertThat(other.get(name)).as(name).usingRecursiveComparison().isEqualTo(one.get(name));
        }
    }

    /** What is still there reads the same, episode by episode and row by row, also before the next step. */
    private static void assertSameRows(Training one, Training other) {
        assertThat(one.episodes(STEPS)).usingRecursiveComparison().isEqualTo(other.episodes(STEPS));
        assertThat(one.recentEpisodes(STEPS)).isEqualTo(other.recentEpisodes(STEPS));
        long[] numbers = LongStream.range(other.oldest(), other.remembered()).toArray();
        assertThat(one.rows(numbers)).usingRecursiveComparison().isEqualTo(other.rows(numbers));
    }

    private static void advance(Training training, int steps) {
        training.advance(steps, Batch.Rewards.STORED, made -> {});
    }

    @Test
    void theSameSeedGivesTheSameBytes() {
        try (Training one = training(3);
                Training other = training(3)) {
            advance(one, STEPS);
            advance(other, STEPS);
            assertSame(saved(one), saved(other));
        }
    }

    @Test
    void goesOnFromACheckpointWithTheSameBytes() throws IOException {
        for (int cut : new int[] {20, 130}) {
            try (Training whole = training(3);
                    Training resumed = training(4)) {
                advance(whole, cut);
                ByteArrayOutputStream rows = new ByteArrayOutputStream();
                whole.writeRows(whole.oldest(), whole.remembered(), rows);
                resumed.restore(saved(whole));
                resumed.readRows(whole.oldest(), whole.remembered(), new ByteArrayInputStream(rows.toByteArray()));
                assertThat(resumed.steps()).isEqualTo(cut);
                assertThat(resumed.oldest()).isEqualTo(whole.oldest());
                assertSameRows(resumed, whole);
                advance(whole, STEPS - cut);
                advance(resumed, STEPS - cut);
                assertSame(saved(whole), saved(resumed));
                assertThat(resumed.updates()).isEqualTo(whole.updates());
                assertThat(resumed.episodes(STEPS)).usingRecursiveComparison().isEqualTo(whole.episodes(STEPS));
                assertThat(resumed.takeEpisodes()).isEqualTo(whole.takeEpisodes());
            }
        }
    }

    @Test
    void thePolicyIsASnapshot() {
        try (Training training = training(3)) {
            advance(training, 100);
            Actor policy = training.policy();
            Tensors before = new Tensors();
            policy.save(before);
            advance(training, 50);
            Tensors after = new Tensors();
            policy.save(after);
            assertSame(before, after);
            Tensors now = new Tensors();
            training.policy().save(now);
            assertThat(now.names().stream())
                    .anyMatch(name -> now.get(name) instanceof Tensors.Tensor.Floats changed
                            && !Arrays.equals(changed.values(), before.floats(name)));
        }
    }

    @Test
    void everyStepIsCountedReportedAndRemembered() {
        try (Training training = training(3)) {
            List<Integer> reported = new ArrayList<>();
            training.advance(STEPS, Batch.Rewards.STORED, reported::add);
            assertThat(reported).isSorted().doesNotHaveDuplicates();
            assertThat(reported.getLast()).isEqualTo(STEPS);
            assertThat(training.steps()).isEqualTo(STEPS);
            assertThat(training.remembered()).isEqualTo(STEPS);
            assertThat(training.updates()).isPositive();
            assertThat(training.diagnostics()).isNotEmpty();
            assertThat(training.diagnostics()).isEmpty();
            assertThat(training.takeEpisodes().count()).isPositive();
            assertThat(training.takeEpisodes().count()).isZero();
        }
    }

    @Test
    void canBeClosedTwice() {
        Training training = training(3);
        training.close();
        training.close();
    }
}

package dev.revealed.neural;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What {@link CpuTraining} relies on in every {@link Learner}. A test of an implementation extends this class. */
public abstract class LearnerContract {
    protected static final int BATCH = 12;

    protected abstract Simulator.Space space();

    /** A new learner of batches of {@link #BATCH} rows. */
    protected abstract Learner learner(long seed, int threads);

    private Batch batch(int size, long seed) {
        Batch batch = Batch.of(size, space());
        RandomStream random = RandomStream.of(seed);
        for (float[] values : List.of(batch.states(), batch.nextStates(), batch.rewards())) {
            for (int i = 0; i < values.length; i++) {
                values[i] = (float) random.nextGaussian();
            }
        }
        for (int i = 0; i < batch.actions().length; i++) {
            batch.actions()[i] = space().actions() instanceof Simulator.Actions.Choices choices
                    ? random.nextInt(choices.count())
                    : (float) random.nextDouble(-1, 1);
        }
        for (int i = 0; i < size; i++) {
            batch.live()[i] = random.nextInt(5) == 0 ? 0 : 1;
        }
        return batch;
    }

    private void update(Learner learner, int from, int to) {
        for (int i = from; i < to; i++) {
            learner.update(batch(BATCH, i), () -> {});
        }
    }

    private static Tensors saved(Learner learner) {
        Tensors tensors = new Tensors();
        learner.save(tensors);
        return tensors;
    }

    private static Tensors saved(Actor actor) {
        Tensors tensors = new Tensors();
        actor.save(tensors);
        return tensors;
    }

    private static void assertSame(Tensors one, Tensors other) {
        assertThat(other.names()).isEqualTo(one.names());
        for (String name : one.names()) {
            assertThat(other.get(name)).as(name).usingRecursiveComparison().isEqualTo(one.get(name));
        }
    }

    @Test
    void goesOnFromACheckpointWithTheSameBytes() {
        try (Learner whole = learner(1, 1);
                Learner resumed = learner(2, 1)) {
            update(whole, 0, 5);
            resumed.restore(saved(whole));
            assertSame(saved(whole), saved(resumed));
            update(whole, 5, 10);
            update(resumed, 5, 10);
            assertSame(saved(whole), saved(resumed));
        }
    }

    @Test
    void threadsDoNotChangeTheBytes() {
        try (Learner one = learner(1, 1);
                Learner two = learner(1, 2)) {
            update(one, 0, 10);
            update(two, 0, 10);
            assertSame(saved(one), saved(two));
        }
    }

    @Test
    void whatRunsBesideSeesThePolicyBeforeTheUpdateOnce() {
        try (Learner learner = learner(1, 2)) {
            update(learner, 0, 3);
            Actor worker = learner.actor().worker();
            float[] state = new float[space().observations()];
            float[] before = new float[space().actions().size()];
            float[] beside = new float[before.length];
            AtomicInteger runs = new AtomicInteger();
            worker.act(state, 0, RandomStream.of(6), before, 0);
            learner.update(batch(BATCH, 3), () -> {
                worker.act(state, 0, RandomStream.of(6), beside, 0);
                runs.incrementAndGet();
            });
            assertThat(runs).hasValue(1);
            assertThat(beside).isEqualTo(before);
        }
    }

    @Test
    void aSnapshotStaysWhileTheActorLearns() {
        try (Learner learner = learner(1, 1)) {
            Tensors before = saved(learner.actor());
            Actor snapshot = learner.actor().snapshot();
            update(learner, 0, 3);
            assertSame(before, saved(snapshot));
            Tensors now = saved(learner.actor());
            assertThat(now.names().stream())
                    .anyMatch(name -> now.get(name) instanceof Tensors.Tensor.Floats changed
                            && !Arrays.equals(changed.values(), before.floats(name)));
        }
    }

    @Test
    void aSavedActorActsTheSame() {
        try (Learner learner = learner(1, 1)) {
            update(learner, 0, 3);
            Actor loaded = Actor.load(saved(learner.actor()));
            float[] state = new float[space().observations()];
            float[] one = new float[space().actions().size()];
            float[] other = new float[one.length];
            learner.actor().act(state, 0, RandomStream.of(6), one, 0);
            loaded.act(state, 0, RandomStream.of(6), other, 0);
            assertThat(other).isEqualTo(one);
            learner.actor().actDeterministic(state, 0, one, 0);
            loaded.actDeterministic(state, 0, other, 0);
            assertThat(other).isEqualTo(one);
        }
    }

    @Test
    void diagnosticsAreOfTheUpdatesSinceTheLast() {
        try (Learner learner = learner(1, 1)) {
            assertThat(learner.diagnostics()).isEmpty();
            update(learner, 0, 3);
            assertThat(learner.diagnostics()).isNotEmpty();
            assertThat(learner.diagnostics()).isEmpty();
        }
    }

    @Test
    void aBatchOfAnotherSizeIsRefused() {
        try (Learner learner = learner(1, 1)) {
            assertThatIllegalArgumentException().isThrownBy(() -> learner.update(batch(BATCH - 1, 0), () -> {}));
        }
    }

    @Test
    void canBeClosedTwice() {
        Learner learner = learner(1, 2);
        learner.close();
        learner.close();
    }
}

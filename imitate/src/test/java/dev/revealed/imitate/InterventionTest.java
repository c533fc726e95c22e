package dev.revealed.imitate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.imitate.Intervention.Rows;
import dev.revealed.neural.Batch;
import dev.revealed.neural.CpuTraining;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.List;
import org.junit.jupiter.api.Test;

class InterventionTest {
    private static final Drift DRIFT = new Drift(20);

    /** A reward step that raises the constant by a half, and every other parameter by nothing. */
    private record Raising(RewardModel reward, Training training) implements Intervention.RewardStep {
        @Override
        public void ascend() {}

        @Override
        public void ground() {
            reward.raise(0.5);
        }

        @Override
        public double discount() {
            return 0.98;
        }
    }

    /** By hand: the discounted sum of a half per step is 0.5 / (1 - 0.98) = 25. */
    @Test
    void valuesMoveWithTheConstantByWhatItIsWorth() {
        RandomStream stream = RandomStream.of(1);
        Sac sac = new Sac(DRIFT.space(), Sac.Settings.PAPER.withHidden(8, 8).withBatch(8), stream, 1);
        try (Training training = new CpuTraining(List.of(DRIFT), sac, new Training.Schedule(20, 1, 500), stream)) {
            training.advance(60, Batch.Rewards.STORED, made -> {});
            RewardModel reward =
                    RewardModel.random(Mlp.relu(2, 8, 8, 1), DRIFT.space(), 0, Visits.none(2), RandomStream.of(2));
            Tensors before = Tensors.of(training::save);
            Intervention.SHIFT_CRITICS.step(new Raising(reward, training));
            Tensors after = Tensors.of(training::save);
            for (String name : before.names()) {
                if (name.matches("(critic|target)\\d.bias2")) {
                    assertThat(after.floats(name)[0] - before.floats(name)[0]).isCloseTo(25, within(1e-4f));
                } else {
                    assertThat(after.get(name))
                            .as(name)
                            .usingRecursiveComparison()
                            .isEqualTo(before.get(name));
                }
            }
            Intervention.NONE.step(new Raising(reward, training));
            assertThat(Tensors.of(training::save).floats("critic0.bias2"))
                    .as("who does not intervene moves nothing")
                    .isEqualTo(after.floats("critic0.bias2"));
        }
    }

    @Test
    void rowsAreDroppedOnlyWhereTheyAre() {
        Rows all = new Rows(400_000, 1_400_000);
        assertThat(Intervention.DROP_OLDEST_HALF.dropped(all, 1_399_100)).contains(new Rows(400_000, 900_000));
        assertThat(Intervention.DROP_NEWEST_50K.dropped(all, 1_399_100)).contains(new Rows(1_350_000, 1_399_100));
        assertThat(Intervention.NONE.dropped(all, 1_399_100)).isEmpty();
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Intervention.DROP_NEWEST_50K.dropped(new Rows(0, 50_000), 49_000))
                .withMessageContaining("50000 rows");
    }

    /** As with many environments: their unfinished episodes take up most of the rows that are to be dropped. */
    @Test
    void tooFewRowsToDropAreRefused() {
        Rows all = new Rows(400_000, 1_400_000);
        assertThat(Intervention.DROP_NEWEST_50K.dropped(all, 1_375_000)).contains(new Rows(1_350_000, 1_375_000));
        for (long firstOpen : new long[] {1_374_999, 1_350_000, 1_200_000, 0}) {
            assertThatExceptionOfType(BadInput.class)
                    .isThrownBy(() -> Intervention.DROP_NEWEST_50K.dropped(all, firstOpen))
                    .withMessageContaining("begin %d rows before the end".formatted(1_400_000 - firstOpen));
        }
        assertThat(Intervention.DROP_OLDEST_HALF.dropped(all, 900_000)).contains(new Rows(400_000, 900_000));
        for (long firstOpen : new long[] {899_999, 400_000, 0}) {
            assertThatExceptionOfType(BadInput.class)
                    .isThrownBy(() -> Intervention.DROP_OLDEST_HALF.dropped(all, firstOpen))
                    .withMessageContaining("begin at row %d".formatted(firstOpen));
        }
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Intervention.DROP_OLDEST_HALF.dropped(new Rows(7, 8), 8))
                .withMessageContaining("has 1 rows");
    }

    @Test
    void cloningKnowsNone() {
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> new LearningProblem() {
                    @Override
                    public String kind() {
                        return "bc";
                    }

                    @Override
                    public String title() {
                        return "Cloning";
                    }

                    @Override
                    public Learning begin(dev.revealed.mdp.Simulator.Space space, Agent agent) {
                        throw new UnsupportedOperationException();
                    }
                }.under(Intervention.FREEZE_REWARD))
                .withMessageContaining("no effect on bc");
    }
}

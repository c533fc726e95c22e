package dev.revealed.imitate.rivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.imitate.ExpertAndAgent.Comparison;
import dev.revealed.imitate.Preset;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Training;
import dev.revealed.neural.Training.ExpertRows;
import dev.revealed.neural.objective.ExpertReward;
import dev.revealed.numeric.BadInput;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SqilTest {
    private static Sqil.Settings settings() {
        return new Sqil()
                .preset(Preset.REVEALED, Rivals.SPACE)
                .with(Map.of("block", 200, "recent", 400, "average-policy", 1));
    }

    @Test
    void paysForTheExpertsRowsAlone() {
        Batch batch = Batch.of(6, Rivals.SPACE);
        Arrays.fill(batch.rewards(), 7);
        Arrays.fill(batch.live(), 1);
        batch.live()[1] = 0;
        batch.live()[5] = 0;
        new ExpertReward(new ExpertRows(20, 0.5, 0), 0).relabel(batch);
        assertThat(batch.rewards()).containsExactly(0, 0, 0, 1, 1, 1);
        new ExpertReward(new ExpertRows(20, 0.5, 0), 0.99 / (1 - 0.99)).relabel(batch);
        assertThat(batch.rewards()[5]).isCloseTo(100, within(1e-3f)); // 1 + 0.99 + 0.99^2 + ...
        assertThat(batch.rewards()[1]).isZero();
    }

    /** Half of each batch are the expert's rows, as they were recorded. */
    @Test
    void halfOfABatchIsTheExperts() {
        try (Training training = Rivals.training(3)) {
            Sqil.Loop loop = new Sqil.Loop(settings(), Rivals.expert(), Rivals.SPACE, Rivals.agent(training, 3));
            float[] places = Rivals.expert().episodes().all().getFirst().observations();
            int[] updates = new int[1];
            training.advance(
                    150,
                    batch -> {
                        loop.labels().relabel(batch);
                        updates[0]++;
                        for (int i = 0; i < batch.size(); i++) {
                            assertThat(batch.rewards()[i]).isEqualTo(i < batch.size() / 2 ? 0 : 1);
                        }
                        for (int i = batch.size() / 2; i < batch.size(); i++) {
                            assertThat(places).contains(batch.states()[i]);
                        }
                    },
                    made -> {});
            assertThat(updates[0]).isPositive();
        }
    }

    @Test
    void comesToWhereTheExpertIs() {
        try (Training training = Rivals.training(3)) {
            Sqil.Loop loop = new Sqil.Loop(settings(), Rivals.expert(), Rivals.SPACE, Rivals.agent(training, 3));
            List<Comparison> seen = Rivals.run(loop, 30);
            assertThat(seen.getLast().length()).isGreaterThan(0.9);
            assertThat(Math.abs(Rivals.meanPlace(training) - 0.5)).isLessThan(0.2);
            assertThat(loop.recoveredReward()).isEmpty();
        }
    }

    @Test
    void withoutRowsOfTheExpertThereIsNothingToPayFor() {
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> settings().with(Map.of("expert-rows", 0)))
                .withMessageContaining("`expert-rows` is 0");
    }
}

package dev.revealed.imitate.rivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.imitate.ExpertAndAgent.Comparison;
import dev.revealed.imitate.Imitation;
import dev.revealed.imitate.Intervention;
import dev.revealed.imitate.Preset;
import dev.revealed.imitate.RewardModel;
import dev.revealed.imitate.Visits;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FIrlTest {
    /** Three trajectories, whose covariance is worked out by hand. */
    @Test
    void weightsGiveTheCovarianceOfTheMeans() {
        float[] ratios = {1, 2, -1, 0.5f, 0, -2};
        double[] rewards = {3, -1, 2, 4, 0.5, 1};
        int[] lengths = {2, 1, 3};
        double[] chances = {0.5, 0.25, 0.25};
        float[] weights = DivergenceScoring.covariance(FIrl.Divergence.REVERSE_KL, ratios, lengths, chances);
        double[] s = {1.5, -1, -0.5};
        double[] r = {1, 2, 5.5 / 3};
        double product = 0.5 * 1.5 * 1 + 0.25 * -1 * 2 + 0.25 * -0.5 * 5.5 / 3;
        double means = (0.5 * s[0] + 0.25 * s[1] + 0.25 * s[2]) * (0.5 * r[0] + 0.25 * r[1] + 0.25 * r[2]);
        double sum = 0;
        for (int row = 0; row < rewards.length; row++) {
            sum += weights[row] * rewards[row];
        }
        assertThat(sum).isCloseTo(product - means, within(1e-6));
    }

    @Test
    void divergencesWeighRowsAsPublished() {
        assertThat(FIrl.Divergence.FORWARD_KL.of(2)).isCloseTo(Math.exp(2), within(1e-12));
        assertThat(FIrl.Divergence.REVERSE_KL.of(2)).isEqualTo(2);
        assertThat(FIrl.Divergence.JENSEN_SHANNON.of(2)).isCloseTo(Math.log(1 + Math.exp(2)), within(1e-12));
    }

    private static FIrl.Settings settings(FIrl.Divergence divergence) {
        return new FIrl()
                .preset(Preset.REVEALED, Rivals.SPACE)
                .with(Map.of("reward-hidden", "16,16", "classifier-hidden", "16,16", "block", 200, "recent", 400))
                .with(Map.of("discriminator-updates", 50, "discriminator-batch", 64, "average-policy", 1))
                .with(Map.of("reward-learning-rate", 3e-3, "reward-roughness", 0, "divergence", divergence));
    }

    /** The agent comes to where the expert is, and the reward is highest there among places it knows. */
    @ParameterizedTest
    @EnumSource(FIrl.Divergence.class)
    void recoversARewardOfStatesThatIsHighWhereTheExpertIs(FIrl.Divergence divergence) {
        try (Training training = Rivals.training(3)) {
            Imitation loop = FIrl.loop(
                    settings(divergence), Rivals.expert(), Rivals.SPACE, Rivals.agent(training, 3), Intervention.NONE);
            List<Comparison> seen = Rivals.run(loop, 40);
            assertThat(seen.getLast().length()).isGreaterThan(0.9);
            assertThat(Math.abs(Rivals.meanPlace(training) - 0.5)).isLessThan(0.25);
            RewardModel reward = loop.recoveredReward().orElseThrow();
            float[] places = {-0.9f, -0.5f, 0, 0.5f};
            float[] paid = RewardLoop.paid(reward, new Visits(4, 1, places, new float[] {1, 1, 1, 1}))
                    .rewards();
            assertThat(paid[3]).isGreaterThan(paid[0]).isGreaterThan(paid[1]).isGreaterThan(paid[2]);
            assertThat(loop.diagnostics()).containsKey("discriminatorLoss");
        }
    }

    @Test
    void allTrajectoriesAreCompared() {
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> settings(FIrl.Divergence.REVERSE_KL).with(Map.of("expert-sample", "one")))
                .withMessageContaining("`expert-sample` is one");
    }
}

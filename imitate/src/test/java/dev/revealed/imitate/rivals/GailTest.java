package dev.revealed.imitate.rivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.revealed.imitate.ExpertAndAgent.Comparison;
import dev.revealed.imitate.LearningProblem;
import dev.revealed.imitate.Preset;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GailTest {
    private static Gail.Settings settings() {
        return new Gail()
                .preset(Preset.REVEALED, Rivals.SPACE)
                .with(Map.of("reward-hidden", "16,16", "block", 200, "recent", 400))
                .with(Map.of(
                        "discriminator-updates", 50, "discriminator-batch", 64, "discriminator-learning-rate", 1e-3))
                .with(Map.of("gradient-penalty", 1, "average-policy", 1));
    }

    /** The agent comes to where the expert is and stays there: its rows are where the expert's are. */
    @ParameterizedTest
    @CsvSource({"softplus, mask", "logit, absorb"})
    void matchesWhereTheExpertIs(String label, String afterEnd) {
        try (Training training = Rivals.training(3)) {
            Gail.Settings settings = settings().with(Map.of("gail-reward", label, "after-end", afterEnd));
            Gail.Loop loop = Gail.Loop.of(settings, Rivals.expert(), Rivals.SPACE, Rivals.agent(training, 3));
            List<Comparison> seen = Rivals.run(loop, 30);
            assertThat(seen.getLast().length()).isGreaterThan(0.95);
            assertThat(seen.getLast().distance()).isLessThan(seen.getFirst().distance() / 2);
            assertThat(Math.abs(Rivals.meanPlace(training) - 0.5)).isLessThan(0.2);
            assertThat(loop.diagnostics())
                    .containsOnlyKeys("discriminatorLoss", "discriminatorAccuracy", "discriminatorPenalty");
            assertThat(loop.diagnostics()).isEmpty(); // nothing since it was last asked
        }
    }

    private static LearningProblem problem(String label) {
        return new Gail().problem(settings().with(Map.of("gail-reward", label)), "revealed", Rivals.expert());
    }

    @Test
    void rewardsThatMakeFallingPayAreCautionedOf() {
        assertThat(problem("softplus").cautions(Rivals.SPACE)).isEmpty();
        assertThat(problem("log-d").cautions(Rivals.SPACE))
                .singleElement()
                .asString()
                .contains("log-d", "absorb");
    }

    @Test
    void settingsWithoutEffectAreRefused() {
        Gail.Settings states = settings().with(Map.of("reward", "state"));
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> new Gail().check(states, Set.of("expert-rows")))
                .withMessageContaining("`expert-rows` has no effect");
    }
}

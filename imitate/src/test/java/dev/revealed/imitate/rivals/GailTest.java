package dev.revealed.imitate.rivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.revealed.imitate.Demonstrations;
import dev.revealed.imitate.ExpertAndAgent.Comparison;
import dev.revealed.imitate.LearningProblem;
import dev.revealed.imitate.Preset;
import dev.revealed.mdp.Episode;
import dev.revealed.neural.CpuTraining;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    /**
     * With a reward of states the policy comes to visit each as often as the expert does, whose shares are exact. In a game of
     * policy and discriminator it is the mean over iterations that comes there: single policies go around it.
     */
    @ParameterizedTest
    @ValueSource(strings = {"softplus", "logit"})
    void matchesTheOccupancy(String label) {
        float[] acts = {0.8f, 0.6f, 0.4f, -0.2f, -0.9f};
        double[] expert = Walk.visits(acts);
        Demonstrations shown = Demonstrations.of("walk.npz", Walk.expert(acts, 50, RandomStream.of(8)));
        Gail.Settings settings = settings()
                .with(Map.of("gail-reward", label, "reward", "state"))
                .with(Map.of("gradient-penalty", 0.1, "discriminator-learning-rate", 3e-4));
        Sac.Settings sac = Rivals.sac().with(Map.of("temperature", 0.05, "learning-rate", 1e-3));
        try (Training training = new CpuTraining(
                List.of(new Walk()),
                new Sac(Walk.SPACE, sac, RandomStream.of(5), 1),
                new Training.Schedule(100, 1, 5000),
                RandomStream.of(5))) {
            Gail.Loop loop = Gail.Loop.of(settings, shown, Walk.SPACE, Rivals.agent(training, 5));
            Rivals.run(loop, 1);
            assertThat(apart(Walk.visits(training.episodes(200)), expert)).isGreaterThan(0.2);
            Rivals.run(loop, 19);
            List<Episode> agent = new ArrayList<>();
            for (int iteration = 0; iteration < 40; iteration++) {
                Rivals.run(loop, 1);
                agent.addAll(training.episodes(200));
            }
            assertThat(apart(Walk.visits(agent), expert)).isLessThan(0.07);
        }
    }

    /** Total variation. */
    private static double apart(double[] one, double[] other) {
        double sum = 0;
        for (int s = 0; s < one.length; s++) {
            sum += Math.abs(one[s] - other[s]) / 2;
        }
        return sum;
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

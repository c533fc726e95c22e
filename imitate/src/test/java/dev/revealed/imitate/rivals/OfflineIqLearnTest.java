package dev.revealed.imitate.rivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.imitate.Drift;
import dev.revealed.imitate.Learning;
import dev.revealed.imitate.LearningProblem;
import dev.revealed.imitate.Preset;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.neural.Batch;
import dev.revealed.neural.CpuTraining;
import dev.revealed.neural.Rollouts;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** On the line of {@link Drift}: the expert stays near a half, the log moves at random. */
class OfflineIqLearnTest {
    private static IqLearn.Settings settings() {
        return new OfflineIqLearn()
                .preset(Preset.REVEALED, Rivals.SPACE)
                .with(Map.of("reward-hidden", "16,16", "block", 200, "recent", 400, "average-policy", 1))
                .with(Map.of("reward-updates", 20));
    }

    private static Episodes log() {
        RandomStream stream = RandomStream.of(7);
        List<Episode> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            float[] seen = new float[Rivals.HORIZON + 1];
            float[] acts = new float[Rivals.HORIZON];
            seen[0] = (float) stream.nextDouble(-1, 1);
            int t = 0;
            while (t < Rivals.HORIZON && Math.abs(seen[t]) <= 1) {
                acts[t] = (float) stream.nextDouble(-1, 1);
                seen[t + 1] = seen[t] + 0.2f * acts[t];
                t++;
            }
            all.add(new Episode(
                    t,
                    Arrays.copyOf(seen, t + 1),
                    Arrays.copyOf(acts, t),
                    null,
                    Math.abs(seen[t]) > 1 ? Ending.TERMINATED : Ending.TRUNCATED));
        }
        return new Episodes(all);
    }

    /** Where no demonstration goes, the log shows what leads to the expert. */
    @Test
    void comesToWhereTheExpertIsWithoutAStep() {
        LearningProblem problem = new OfflineIqLearn()
                .problem(settings(), "revealed", Rivals.expert())
                .with(log());
        RandomStream stream = RandomStream.of(3);
        try (Training training = new CpuTraining(
                problem.worlds(Rivals.SPACE, 1, 1),
                problem.learner(Rivals.SPACE, Rivals.sac().with(Map.of("critics", 1, "temperature", 0.01)), stream, 1),
                new Training.Schedule(200, 1, 5000),
                stream)) {
            Learning learning = problem.begin(Rivals.SPACE, Rivals.agent(training, 3));
            learning.advance(40 * 200, made -> {});
            Episodes played =
                    Rollouts.of(learning.policy(), List.of(new Drift(Rivals.HORIZON)), 0, 20, true, RandomStream.of(5));
            double place = played.all().stream()
                    .mapToDouble(one -> one.observations()[one.length()])
                    .average()
                    .orElseThrow();
            assertThat(place).isCloseTo(0.5, within(0.25));
            assertThat(learning.reward()).isPresent();
            transitionsAreThoseOfTheLog(training);
        }
    }

    /** The law of the line holds for the actions that were taken, not for those of the policy. */
    private static void transitionsAreThoseOfTheLog(Training training) {
        Batch rows = training.rows(new long[] {4000, 5000, 6000, 7999});
        for (int i = 0; i < 4; i++) {
            assertThat((double) rows.nextStates()[i])
                    .isCloseTo(rows.states()[i] + 0.2 * rows.actions()[i], within(1e-6));
            assertThat(rows.live()[i]).isEqualTo(Math.abs(rows.nextStates()[i]) > 1 ? 0f : 1f);
        }
    }

    @Test
    void refusesRollouts() {
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> new OfflineIqLearn().check(settings().with(Map.of("rollouts", 2)), Set.of()))
                .withMessageContaining("`rollouts` has no effect");
    }
}

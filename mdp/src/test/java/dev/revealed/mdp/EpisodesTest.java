package dev.revealed.mdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.revealed.mdp.Episode.Ending;
import dev.revealed.numeric.BadInput;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class EpisodesTest {
    private static final Simulator.Space SPACE = new Simulator.Space("toy", 2, new Simulator.Actions.Box(1, 0.5f), 100);

    private static Episode episode(int length, float first, double reward) {
        float[] observations = new float[2 * (length + 1)];
        observations[0] = first;
        double[] rewards = new double[length];
        rewards[length - 1] = reward;
        return new Episode(length, observations, new float[length], rewards, Ending.TRUNCATED);
    }

    private static void refused(ThrowingCallable call, String... parts) {
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.getMessage()).contains(parts));
    }

    @Test
    void knowsItsWidthsAndReturns() {
        Episodes episodes = new Episodes(List.of(episode(3, 1, 5), episode(1, 2, 8)));
        assertThat(episodes.observationSize()).isEqualTo(2);
        assertThat(episodes.actionSize()).isEqualTo(1);
        assertThat(episodes.steps()).isEqualTo(4);
        assertThat(episodes.meanReturn()).isEqualTo(6.5);
        assertThat(episodes.first(1).meanReturn()).isEqualTo(5);
        refused(() -> episodes.first(3), "3 trajectories are asked for and 2 are there");
    }

    @Test
    void holdsWhatItWasGivenAndNotWhatBecomesOfIt() {
        float[] observations = {1, 2, 3, 4};
        Episode episode = new Episode(1, observations, null, null, Ending.UNKNOWN);
        observations[0] = 9;
        assertThat(episode.observations()).containsExactly(1, 2, 3, 4);
        assertThat(episode.total()).isNaN();
        assertThat(new Episodes(List.of(episode)).hasActions()).isFalse();
    }

    @Test
    void everyNumberCountsForTheHash() {
        Episodes one = new Episodes(List.of(episode(2, 1, 1)));
        assertThat(one.hash()).isEqualTo(new Episodes(List.of(episode(2, 1, 1))).hash());
        assertThat(one.hash())
                .isNotEqualTo(new Episodes(List.of(episode(2, 1.5f, 1))).hash())
                .isNotEqualTo(new Episodes(List.of(episode(2, 1, 2))).hash())
                .isNotEqualTo(new Episodes(List.of(episode(3, 1, 1))).hash());
        Episode e = one.all().getFirst();
        assertThat(one.hash())
                .isNotEqualTo(new Episodes(List.of(
                                new Episode(2, e.observations(), new float[] {0, 1}, e.rewards(), Ending.TRUNCATED)))
                        .hash());
    }

    @Test
    void whatIsNotFiniteIsToldWithItsPlace() {
        refused(
                () -> new Episode(1, new float[] {0, 1, 2, Float.NaN}, null, null, Ending.UNKNOWN),
                "observations are NaN at step 1, column 1");
        refused(
                () -> new Episode(2, new float[3], new float[] {0, Float.NEGATIVE_INFINITY}, null, Ending.UNKNOWN),
                "actions are -Infinity at step 1, column 0");
        refused(
                () -> new Episode(1, new float[2], null, new double[] {Double.NaN}, Ending.UNKNOWN),
                "rewards are NaN at step 0");
        assertThatIllegalArgumentException().isThrownBy(() -> new Episode(2, new float[4], null, null, Ending.UNKNOWN));
    }

    @Test
    void episodesMustBeAlike() {
        Episode wide = new Episode(1, new float[6], new float[1], new double[1], Ending.UNKNOWN);
        Episode bare = new Episode(1, new float[4], null, new double[1], Ending.UNKNOWN);
        refused(() -> new Episodes(List.of(episode(1, 0, 0), wide)), "columns of observations: 3 in trajectory 1");
        refused(() -> new Episodes(List.of(episode(1, 0, 0), bare)), "columns of actions: 0 in trajectory 1");
        refused(() -> new Episodes(List.of()), "no trajectories");
    }

    @Test
    void fitsTheSimulatorOrSaysWhyNot() {
        Episodes episodes = new Episodes(List.of(
                episode(1, 0, 0),
                new Episode(2, new float[6], new float[] {0.5f, -0.6f}, new double[2], Ending.UNKNOWN)));
        refused(() -> episodes.check(SPACE), "actions are -0.6 at trajectory 1, step 1, column 0", "-0.5..0.5", "toy");
        episodes.first(1).check(SPACE);
        refused(
                () -> episodes.check(new Simulator.Space("hopper", 11, SPACE.actions(), 100)),
                "observations have 2 columns where hopper needs 11");
        refused(
                () -> episodes.check(new Simulator.Space("toy", 2, new Simulator.Actions.Box(3, 1), 100)),
                "actions have 1 columns where toy needs 3");
        refused(
                () -> episodes.check(new Simulator.Space("car", 2, new Simulator.Actions.Choices(3), 100)),
                "actions are 0.5 at trajectory 1, step 0",
                "not one of 0..2");
    }
}

package dev.revealed.imitate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Resample;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Demonstrations drawn anew, as weights. */
class DrawnVisitsTest {
    private static final int HORIZON = 6;
    private static final Resample TRAJECTORIES = new Resample.Trajectories();

    private static Episodes episodes(Ending ending, int... lengths) {
        RandomStream stream = RandomStream.of(2);
        List<Episode> all = new ArrayList<>();
        for (int length : lengths) {
            float[] observations = new float[length + 1];
            for (int t = 0; t <= length; t++) {
                observations[t] = stream.nextInt(1, 100);
            }
            all.add(new Episode(length, observations, new float[length], null, ending));
        }
        return new Episodes(all);
    }

    /** Weighted sum of a function of the state that tells states apart. */
    private static double sum(Visits visits) {
        double sum = 0;
        for (int row = 0; row < visits.count(); row++) {
            sum += visits.weights()[row] * Math.sqrt(visits.inputs()[row]);
        }
        return sum;
    }

    private static double mass(Visits visits) {
        double mass = 0;
        for (float weight : visits.weights()) {
            mass += weight;
        }
        return mass;
    }

    /** The same as a list in which each trajectory stands as often as it was drawn, whatever comes after its end. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void trajectoriesCountAsOftenAsTheyWereDrawn(boolean absorb) {
        Episodes all = episodes(Ending.TERMINATED, 6, 2, 4, 3, 9);
        double[][] times = {{1}, {1}, {1}, {1}, {1}};
        TRAJECTORIES.draw(times, new int[] {1, 1, 1, 1, 1}, RandomStream.of(4));
        List<Episode> repeated = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            for (int k = 0; k < times[i][0]; k++) {
                repeated.add(all.all().get(i));
            }
        }
        Visits seen = Visits.of(all, true, 0.9, HORIZON, absorb, false);
        Visits drawn = seen.drawn(TRAJECTORIES, all, HORIZON, absorb, RandomStream.of(4));
        Visits again = Visits.of(new Episodes(repeated), true, 0.9, HORIZON, absorb, false);
        assertThat(sum(drawn)).isCloseTo(sum(again), within(1e-5));
        assertThat(mass(drawn)).isCloseTo(1, within(1e-6));
        assertThat(sum(drawn)).isNotCloseTo(sum(seen), within(1e-3));
    }

    /** Blocks weigh what the trajectory weighed, and leave what comes after its end alone. */
    @Test
    void blocksLeaveWhatComesAfterTheEnd() {
        Episodes one = episodes(Ending.TERMINATED, 4);
        Visits seen = Visits.of(one, true, 0.9, HORIZON, true, false);
        Visits drawn = seen.drawn(new Resample.Blocks(1), one, HORIZON, true, RandomStream.of(1));
        assertThat(mass(drawn)).isCloseTo(1, within(1e-6));
        assertThat(drawn.weights()[4]).isCloseTo(seen.weights()[4], within(1e-7f));
        assertThat(drawn.weights()[5]).isCloseTo(seen.weights()[5], within(1e-7f));
        assertThat(drawn.weights()).isNotEqualTo(seen.weights());
    }
}

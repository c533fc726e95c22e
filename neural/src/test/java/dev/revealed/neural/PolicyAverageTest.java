package dev.revealed.neural;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import org.junit.jupiter.api.Test;

class PolicyAverageTest {
    private static final Simulator.Space SPACE = new Simulator.Space("three", 3, new Simulator.Actions.Box(2, 0.4f), 5);

    private static GaussianActor actor(int seed) {
        return GaussianActor.random(SPACE, new int[] {4, 4}, false, RandomStream.of(seed));
    }

    /** Of three, with a quarter of the way to each: 9/16, 3/16 and 1/4. */
    @Test
    void lateOnesCountMost() {
        PolicyAverage average = new PolicyAverage(4);
        assertThat(average.isEmpty()).isTrue();
        for (int seed = 1; seed <= 3; seed++) {
            average.add(actor(seed));
        }
        GaussianActor found = (GaussianActor) average.policy();
        float[] values = found.network().parameters();
        for (int i = 0; i < values.length; i++) {
            double expected = 9 * at(1, i) / 16 + 3 * at(2, i) / 16 + at(3, i) / 4;
            assertThat((double) values[i]).isCloseTo(expected, within(1e-6));
        }
        assertThat(found.bound()).isEqualTo(0.4f);
    }

    /** To the last bit, which no sum of differences is. */
    @Test
    void overOneItIsTheLastAlone() {
        PolicyAverage average = new PolicyAverage(1);
        average.add(actor(1));
        average.add(actor(2));
        assertThat(((GaussianActor) average.policy()).network().parameters())
                .isEqualTo(actor(2).network().parameters());
    }

    private static double at(int seed, int parameter) {
        return actor(seed).network().parameters()[parameter];
    }

    @Test
    void goesOnFromWhatWasSaved() {
        PolicyAverage whole = new PolicyAverage(4);
        whole.add(actor(1));
        whole.add(actor(2));
        Tensors saved = new Tensors();
        whole.save("mean.", saved);
        PolicyAverage resumed = new PolicyAverage(4);
        resumed.restore("mean.", saved);
        whole.add(actor(3));
        resumed.add(actor(3));
        assertThat(((GaussianActor) resumed.policy()).network().parameters())
                .isEqualTo(((GaussianActor) whole.policy()).network().parameters());
    }
}

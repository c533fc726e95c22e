package dev.revealed.mujoco;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.RandomStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@NeedsMujoco
class SimulatorsTest {
    private static final int COPIES = 5;

    @AfterEach
    void allCores() {
        Parallel.threads(Runtime.getRuntime().availableProcessors());
    }

    /** Together on one or more threads as one after the other, each with a model of its own. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void copiesDoWhatEachWouldDoAlone(int threads) {
        Parallel.threads(threads);
        RandomStream chance = RandomStream.of(9);
        float[][] actions = new float[30][COPIES * 8];
        RandomStream stream = chance.named("actions");
        for (float[] row : actions) {
            for (int i = 0; i < row.length; i++) {
                row[i] = 2 * stream.nextFloat() - 1;
            }
        }
        try (Simulators together = Task.ANT.simulators(COPIES, Options.STANDARD)) {
            for (int i = 0; i < COPIES; i++) {
                together.get(i).reset(chance.at(i));
            }
            for (float[] row : actions) {
                together.step(row);
            }
            float[] seen = new float[COPIES * 111];
            together.observe(seen);
            for (int i = 0; i < COPIES; i++) {
                try (Locomotion alone = Task.ANT.simulator()) {
                    alone.reset(chance.at(i));
                    for (float[] row : actions) {
                        alone.step(row, 8 * i);
                    }
                    assertThat(together.get(i).state()).isEqualTo(alone.state());
                    float[] expected = new float[111];
                    alone.observe(expected, 0);
                    assertThat(seen).containsSequence(expected);
                }
            }
        }
    }

    @Test
    void aFailureOfOneReachesTheCaller() {
        try (Simulators together = Task.HOPPER.simulators(3, Options.STANDARD)) {
            float[] actions = new float[9];
            actions[4] = Float.POSITIVE_INFINITY;
            assertThatThrownBy(() -> together.step(actions)).hasMessage("hopper, step 1: action 1 is Infinity");
        }
    }

    @Test
    void noneIsTooFewAndClosingTwiceIsHarmless() {
        assertThatThrownBy(() -> Task.HOPPER.simulators(0, Options.STANDARD)).isInstanceOf(BadInput.class);
        Simulators together = Task.HOPPER.simulators(2, Options.STANDARD);
        together.close();
        together.close();
        assertThatThrownBy(() -> together.step(new float[6])).isInstanceOf(IllegalStateException.class);
    }
}

package dev.revealed.mdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.mdp.model.RandomProcess;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MdpTest {
    private static final Kernel STAY = Kernel.of(2, 1, (s, a, row) -> row.add(s, 1));

    @Test
    void startDistributionsAreChecked() {
        assertThat(Mdp.uniformStart(STAY, 0.9).start()).containsExactly(0.5, 0.5);
        assertThat(new Mdp(STAY, 0.9, new double[] {1, 0}).start()).containsExactly(1, 0);
        assertThatThrownBy(() -> new Mdp(STAY, 0.9, new double[] {1}))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("1 entries for 2 states");
        assertThatThrownBy(() -> new Mdp(STAY, 0.9, new double[] {1.5, -0.5}))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("state 1 is -0.5");
        assertThatThrownBy(() -> new Mdp(STAY, 0.9, new double[] {0.5, Double.NaN}))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("state 1 is NaN");
        assertThatThrownBy(() -> new Mdp(STAY, 0.9, new double[] {0.5, 0.25}))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("sums to 0.75");
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 1.1, Double.NaN}) // 1 is for processes that end: EndingProcessTest
    void discountsAreChecked(double discount) {
        assertThatThrownBy(() -> Mdp.uniformStart(STAY, discount)).isInstanceOf(BadInput.class);
    }

    @Test
    void startIsCopied() {
        double[] start = {1, 0};
        Mdp mdp = new Mdp(STAY, 0.9, start);
        start[0] = 7;
        assertThat(mdp.start()).containsExactly(1, 0);
        assertThat(mdp.withStart(new double[] {0, 1}).start()).containsExactly(0, 1);
    }

    @Test
    void randomProcessesHaveDistinctSuccessorsWithinReach() {
        Kernel kernel = RandomProcess.kernel(50, 2, 5, 3, RandomStream.of(1));
        for (int row = 0; row < kernel.rows(); row++) {
            assertThat(kernel.rowStart()[row + 1] - kernel.rowStart()[row]).isEqualTo(5);
            for (int k = kernel.rowStart()[row]; k < kernel.rowStart()[row + 1]; k++) {
                int distance = Math.floorMod(kernel.successor()[k] - row / 2, 50);
                assertThat(Math.min(distance, 50 - distance)).isLessThanOrEqualTo(3);
            }
        }
        assertThatThrownBy(() -> RandomProcess.kernel(50, 2, 8, 3, RandomStream.of(1)))
                .isInstanceOf(dev.revealed.numeric.BadInput.class);
    }
}

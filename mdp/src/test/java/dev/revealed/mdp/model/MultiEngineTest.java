package dev.revealed.mdp.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.BadInput;
import org.junit.jupiter.api.Test;

class MultiEngineTest {

    /** With one component it is Rust's bus, up to the unit of the cost. */
    @Test
    void oneComponentIsTheBus() {
        int bins = 30;
        double[] phi = {0.35, 0.64};
        double[] bus = RustBus.of(bins, 2, 0.99, RustBus.Cost.LINEAR)
                .solve(new double[] {9, 3}, phi)
                .policy();
        double[] engine = MultiEngine.of(1, bins, 2, 0.99)
                .solve(new double[] {9, 0.001 * 3 * bins}, phi)
                .policy();
        assertThat(engine).containsExactly(bus, within(1e-10));
    }

    /** State (2, 3) of two components with 4 bins that stay with probability 0.4 and 0.3; the last bin keeps all. */
    @Test
    void componentsMoveByThemselvesAndStartAgainWhenReplaced() {
        ChoiceModel model = MultiEngine.of(2, 4, 1, 0.9);
        assertThat(model.actions()).containsExactly("keep", "replace1", "replace2");
        assertThat(model.utility().names()).containsExactly("RC1", "c1", "RC2", "c2");
        Kernel kernel = model.mdp(new double[] {0.4, 0.3}).kernel();
        int state = 2 * 4 + 3;
        assertThat(row(kernel, state, 0)).containsExactly(entries(16, 2 * 4 + 3, 0.4, 3 * 4 + 3, 0.6), within(1e-15));
        assertThat(row(kernel, state, 1)).containsExactly(entries(16, 3, 0.4, 4 + 3, 0.6), within(1e-15));
        assertThat(row(kernel, state, 2))
                .containsExactly(
                        entries(16, 2 * 4, 0.4 * 0.3, 2 * 4 + 1, 0.4 * 0.7, 3 * 4, 0.6 * 0.3, 3 * 4 + 1, 0.6 * 0.7),
                        within(1e-15));
        double[] utility = new double[48];
        model.utility().values(new double[] {5, 0.4, 7, 0.8}, utility);
        assertThat(utility[3 * state]).isCloseTo(-0.4 * 3 / 4 - 0.8, within(1e-15));
        assertThat(utility[3 * state + 1]).isCloseTo(-5 - 0.4 / 4 - 0.8, within(1e-15));
        assertThat(utility[3 * state + 2]).isCloseTo(-7 - 0.4 * 3 / 4 - 0.8 / 4, within(1e-15));
    }

    private static double[] row(Kernel kernel, int state, int action) {
        double[] dense = new double[kernel.states()];
        int row = state * kernel.actions() + action;
        for (int k = kernel.rowStart()[row]; k < kernel.rowStart()[row + 1]; k++) {
            dense[kernel.successor()[k]] += kernel.probability()[k];
        }
        return dense;
    }

    private static double[] entries(int size, double... placeAndValue) {
        double[] dense = new double[size];
        for (int i = 0; i < placeAndValue.length; i += 2) {
            dense[(int) placeAndValue[i]] = placeAndValue[i + 1];
        }
        return dense;
    }

    @Test
    void modelsWithoutRoomAreRefused() {
        assertThatThrownBy(() -> MultiEngine.of(0, 10, 1, 0.9)).isInstanceOf(BadInput.class);
        assertThatThrownBy(() -> MultiEngine.of(2, 1, 1, 0.9)).isInstanceOf(BadInput.class);
        assertThatThrownBy(() -> MultiEngine.of(9, 100, 1, 0.9))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("2^29");
    }
}

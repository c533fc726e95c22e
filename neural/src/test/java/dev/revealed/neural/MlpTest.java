package dev.revealed.neural;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.numeric.BadInput;
import org.junit.jupiter.api.Test;

class MlpTest {
    /** The number of weights was counted in 32 bits, and went below zero. */
    @Test
    void aNetworkThatNoArrayHoldsIsRefused() {
        assertThat(Mlp.relu(100, 10_000_000, 1).parameters()).isEqualTo(1_020_000_001);
        assertThatThrownBy(() -> Mlp.relu(11, 50_000, 50_000, 3))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("layers of 11,50000,50000,3 have 2,500,800,003 weights")
                .hasMessageContaining("at most 1,073,741,824");
    }
}

package dev.revealed.neural;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import org.junit.jupiter.api.Test;

class MlpTest {
    /** What is measured on a saved critic is what the critic computes, norms included. */
    @Test
    void savedNetworksKnowHowTheyNormalise() {
        for (int norms = 0; norms < 4; norms++) {
            Mlp shape = Mlp.relu(3, 8, 6, 1).withLayerNorm(norms % 2 == 1).withFeatureNorm(norms > 1);
            Network network = Network.random(shape, RandomStream.of(1));
            Tensors saved = Tensors.of(into -> network.save("critic0", into));
            assertThat(Network.load("critic0", saved).shape()).isEqualTo(shape);
        }
    }

    @Test
    void gainsOfEarlierVersionsAreRefused() {
        Network network = Network.random(Mlp.relu(3, 8, 6, 1).withLayerNorm(true), RandomStream.of(1));
        Tensors saved = Tensors.of(into -> network.save("critic0", into));
        saved.put("critic0.gain0", new float[8]);
        assertThatThrownBy(() -> network.restore("critic0", saved))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("the layer norm of 'critic0' has gains");
    }

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

package dev.revealed.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Sac;
import dev.revealed.numeric.BadInput;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class LayoutTest {
    private static final Simulator.Space HOPPER =
            new Simulator.Space("hopper", 11, new Simulator.Actions.Box(3, 1), 1000);

    @Test
    void countsTheMemoryOfTheReplay() {
        long small = new Layout(HOPPER, Sac.Settings.PAPER, 2, 1000).bytes(10);
        long large = new Layout(HOPPER, Sac.Settings.PAPER, 2, 2000).bytes(10);

        // 11 + 3 + 2 + 11 numbers, padded to 28, of 4 bytes, for each of two runs.
        assertThat(large - small).isEqualTo(2 * 1000 * 28 * 4);
    }

    @Test
    void everyNetworkBeginsWhereWideLoadsMay() {
        Layout layout = new Layout(HOPPER, Sac.Settings.PAPER, 1, 10);

        assertThat(layout.critic(0) % 4).isZero();
        assertThat(layout.critic(3) + layout.criticShape.parameters()).isLessThanOrEqualTo(layout.thetaStride);
        assertThat(layout.critic(0)).isGreaterThanOrEqualTo(layout.actorShape.parameters());
        assertThat(layout.thetaStride % 4).isZero();
    }

    @Test
    void writesTheWholeStruct() {
        Layout layout = new Layout(HOPPER, Sac.Settings.PAPER, 1, 10);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = arena.allocate(Layout.STRUCT_BYTES, 8);

            layout.write(struct, new long[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, true);

            assertThat(struct.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(1);
            assertThat(struct.get(ValueLayout.JAVA_FLOAT, Layout.STRUCT_BYTES - 4))
                    .isEqualTo(-3);
        }
    }

    @Test
    void refusesWhatTheKernelsCannotDo() {
        assertThatThrownBy(() -> new Layout(HOPPER, Sac.Settings.PAPER.withLayerNorm(), 1, 10))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("layer norm");
        assertThatThrownBy(() -> new Layout(HOPPER, Sac.Settings.PAPER.withHidden(64), 1, 10))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("hidden layers");
        assertThatThrownBy(() -> new Layout(HOPPER, Sac.Settings.PAPER.withHidden(64, 30), 1, 10))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("30");
    }
}

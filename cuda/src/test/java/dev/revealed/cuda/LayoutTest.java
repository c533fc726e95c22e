package dev.revealed.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Mlp.Activation;
import dev.revealed.neural.Sac;
import dev.revealed.neural.objective.Objective;
import dev.revealed.numeric.BadInput;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class LayoutTest {
    private static final Simulator.Space HOPPER =
            new Simulator.Space("hopper", 11, new Simulator.Actions.Box(3, 1), 1000);

    private static final long[] POINTERS = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

    /** Places in struct Sac of sac.cu, by counting: 15 pointers, 2 long numbers, 14 sizes, 31 places, 4 flags. */
    private static final int REWARD = 17 * 8 + 49 * 4;

    private static final int TARGET_ENTROPY = REWARD + 11 * 4 + 2 * 4;

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

            layout.write(struct, POINTERS, true, layout.batch);

            assertThat(struct.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(1);
            assertThat(struct.get(ValueLayout.JAVA_FLOAT, TARGET_ENTROPY)).isEqualTo(-3);
            assertThat(struct.get(ValueLayout.JAVA_INT, REWARD + 4)).isZero();
        }
    }

    @Test
    void writesTheShapeOfTheRewardNetwork() {
        Mlp reward = Mlp.of(new int[] {14, 32, 64, 1}, Activation.TANH, Activation.RELU, Activation.NONE)
                .withClamp(10)
                .withOutput(Mlp.Output.LOG_SIGMOID);
        Layout layout = new Layout(HOPPER, Sac.Settings.PAPER, new Objective.Labelled(reward, 0), 1, 10);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = arena.allocate(Layout.STRUCT_BYTES, 8);

            layout.write(struct, POINTERS, false, layout.batch);

            assertThat(struct.asSlice(REWARD, 11 * 4).toArray(ValueLayout.JAVA_INT))
                    .containsExactly(layout.rewardStride, 14, 32, 64, 2, 1, 2, 0, 0, 0, 0);
            assertThat(struct.get(ValueLayout.JAVA_FLOAT, TARGET_ENTROPY + 4)).isEqualTo(10);
        }
    }

    @Test
    void asksForThePointerOfTheRewardNetworks() {
        Layout layout =
                new Layout(HOPPER, Sac.Settings.PAPER, new Objective.Labelled(Mlp.relu(11, 32, 32, 1), 0), 1, 10);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = arena.allocate(Layout.STRUCT_BYTES, 8);

            assertThatThrownBy(() -> layout.write(struct, Arrays.copyOf(POINTERS, 13), false, layout.batch))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void countsTheMemoryOfRewardNetworks() {
        Layout without = new Layout(HOPPER, Sac.Settings.PAPER, 2, 1000);
        Layout with =
                new Layout(HOPPER, Sac.Settings.PAPER, new Objective.Labelled(Mlp.relu(14, 32, 60, 1), 0), 2, 1000);
        int batch = Sac.Settings.PAPER.batch();

        // 14 x 32 + 32, 32 x 60 + 60 and 60 + 1 parameters, padded to a multiple of 32.
        assertThat(with.rewardStride).isEqualTo(2528);
        assertThat(without.rewardStride).isZero();
        // Besides them 32 hidden numbers and 8 shares of the value for each row.
        int work = Layout.padded(batch * 32, 32) + Layout.padded(batch * 8, 32);
        assertThat(with.bytes(10) - without.bytes(10)).isEqualTo(2L * 4 * (2528 + work));
    }

    @Test
    void refusesRewardNetworksThatTheKernelsCannotDo() {
        Mlp plain = Mlp.relu(11, 32, 32, 1);
        assertThatCode(() -> new Layout(HOPPER, Sac.Settings.PAPER, new Objective.Labelled(plain, 0), 1, 10))
                .doesNotThrowAnyException();
        assertRefused(Mlp.relu(11, 32, 1), "1 hidden layer,");
        assertRefused(plain.withLayerNorm(true), "layer norm");
        assertRefused(Mlp.relu(11, 32, 30, 1), "30");
        assertRefused(Mlp.relu(11, 516, 32, 1), "516");
        assertRefused(Mlp.relu(12, 32, 32, 1), "12 inputs");
        assertRefused(Mlp.relu(11, 32, 32, 2), "2 outputs");
        assertRefused(Mlp.of(new int[] {11, 32, 32, 1}, Activation.RELU, Activation.RELU, Activation.TANH), "TANH");
    }

    private static void assertRefused(Mlp reward, String named) {
        assertThatThrownBy(() -> new Layout(HOPPER, Sac.Settings.PAPER, new Objective.Labelled(reward, 0), 1, 10))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("reward network")
                .hasMessageContaining(named);
    }

    @Test
    void tellsEachRunItsRowsAndUpdates() {
        // Four numbers of eight bytes for each of 9 runs; rows begin at a multiple of 256.
        assertThat(new Layout(HOPPER, Sac.Settings.PAPER, 9, 10).headBytes()).isEqualTo(512);
    }

    @Test
    void refusesWhatTheKernelsCannotDo() {
        assertThatThrownBy(() -> new Layout(HOPPER, Sac.Settings.PAPER.withHidden(64), 1, 10))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("1 hidden layer,");
        assertThatThrownBy(() -> new Layout(HOPPER, Sac.Settings.PAPER.withHidden(64, 30), 1, 10))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("30");
    }
}

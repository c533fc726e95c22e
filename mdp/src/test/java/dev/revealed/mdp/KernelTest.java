package dev.revealed.mdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.model.GridWorld;
import dev.revealed.numeric.BadInput;
import org.junit.jupiter.api.Test;

class KernelTest {
    private static double[][] dense(Kernel kernel) {
        double[][] rows = new double[kernel.rows()][kernel.states()];
        for (int row = 0; row < kernel.rows(); row++) {
            for (int k = kernel.rowStart()[row]; k < kernel.rowStart()[row + 1]; k++) {
                assertThat(rows[row][kernel.successor()[k]])
                        .as("entry given once")
                        .isZero();
                rows[row][kernel.successor()[k]] = kernel.probability()[k];
            }
        }
        return rows;
    }

    @Test
    void tripletsInAnyOrderAddUpAndZerosVanish() {
        Kernel kernel = Kernel.ofTriplets(
                2,
                2,
                new int[] {1, 0, 1, 0, 0, 1, 0, 0},
                new int[] {1, 0, 0, 0, 1, 1, 0, 1},
                new int[] {0, 1, 1, 0, 1, 0, 1, 0},
                new double[] {0.5, 0.25, 1, 0.5, 1, 0.5, 0.25, 0});
        assertThat(dense(kernel)).isDeepEqualTo(new double[][] {{0.5, 0.5}, {0, 1}, {0, 1}, {1, 0}});
        assertThat(kernel.nonzeros()).isEqualTo(5);
        assertThat(kernel.rows()).isEqualTo(4);
    }

    @Test
    void incomingEntriesAreTheTransposedOnes() {
        Kernel kernel = new GridWorld(4, 0.3).kernel();
        double[][] rows = dense(kernel);
        Kernel.Incoming incoming = kernel.incoming();
        int seen = 0;
        for (int s = 0; s < kernel.states(); s++) {
            for (int k = incoming.start()[s]; k < incoming.start()[s + 1]; k++) {
                assertThat(incoming.probability()[k]).isPositive().isEqualTo(rows[incoming.row()[k]][s]);
                seen++;
            }
        }
        assertThat(seen).isEqualTo(kernel.nonzeros());
        assertThat(kernel.incoming()).isSameAs(incoming);
    }

    @Test
    void gridMovesWhereItSays() {
        double[][] rows = dense(new GridWorld(3, 0.1).kernel());
        int centre = 4;
        int[] targets = {5, 3, 7, 1, 4};
        for (int a = 0; a < 5; a++) {
            for (int b = 0; b < 5; b++) {
                assertThat(rows[centre * 5 + a][targets[b]]).isCloseTo(0.02 + (a == b ? 0.9 : 0), within(1e-15));
            }
        }
        // In the corner 0 the moves left and up, like staying, lead nowhere.
        assertThat(rows[1][0]).isCloseTo(0.96, within(1e-15));
        assertThat(rows[0][1]).isCloseTo(0.92, within(1e-15));
    }

    private static void assertRefused(double probability, int successor, String... parts) {
        assertThatThrownBy(() -> Kernel.of(3, 2, (s, a, row) -> {
                    if (s == 2 && a == 1) {
                        row.add(successor, probability);
                    } else {
                        row.add(0, 1);
                    }
                }))
                .isInstanceOf(BadInput.class)
                .hasMessageContainingAll(parts);
    }

    @Test
    void badRowsAreRefusedByNameAndValue() {
        assertRefused(0.93, 0, "state 2, action 1", "sums to 0.93", "successor is missing");
        assertRefused(1.0000001, 0, "successor 0 is 1.0000001");
        assertRefused(-0.5, 1, "successor 1 is -0.5");
        assertRefused(Double.NaN, 1, "successor 1 is NaN");
        assertRefused(Double.POSITIVE_INFINITY, 1, "successor 1 is Infinity");
        assertRefused(1, 3, "successor 3 is outside 0..2");
        assertRefused(1, -1, "successor -1 is outside 0..2");
        assertRefused(0, 0, "state 2, action 1", "sums to 0.0", "self-loop");
    }

    @Test
    void emptyRowsAreRefused() {
        assertThatThrownBy(() -> Kernel.of(3, 1, (s, a, row) -> {
                    if (s != 1) {
                        row.add(s, 1);
                    }
                }))
                .isInstanceOf(BadInput.class)
                .hasMessageContainingAll("state 1, action 0", "no successor", "self-loop");
    }

    @Test
    void roundingInARowIsAccepted() {
        Kernel kernel = Kernel.of(10, 1, (s, a, row) -> {
            for (int k = 0; k < 10; k++) {
                row.add(k, 0.1);
            }
        });
        assertThat(kernel.nonzeros()).isEqualTo(100);
    }

    @Test
    void badTripletsAreRefused() {
        int[] zero = {0};
        double[] one = {1};
        assertThatThrownBy(() -> Kernel.ofTriplets(1, 1, new int[] {1}, zero, zero, one))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("state 1 is outside 0..0");
        assertThatThrownBy(() -> Kernel.ofTriplets(1, 1, zero, new int[] {-1}, zero, one))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("action -1 is outside 0..0");
        assertThatThrownBy(() -> Kernel.ofTriplets(2, 1, zero, zero, zero, one))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("state 1, action 0");
    }

    @Test
    void sizesAreChecked() {
        assertThatThrownBy(() -> Kernel.of(0, 1, (s, a, row) -> {})).isInstanceOf(BadInput.class);
        assertThatThrownBy(() -> Kernel.of(1, 0, (s, a, row) -> {})).isInstanceOf(BadInput.class);
        assertThatThrownBy(() -> Kernel.of(1 << 20, 1 << 11, (s, a, row) -> {}))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("1048576 states and 2048 actions");
    }
}

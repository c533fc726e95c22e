package dev.revealed.mdp.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.offline.LoggedDynamics.Law;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LoggedDynamicsTest {
    /** State 0, action 0: three times to 1, once to 2. State 1, action 1: twice to 0. Nothing else, in three states. */
    private final MoveCounts counts = MoveCounts.of(
            3, 2, new int[] {0, 1, 0, 0, 1, 0}, new int[] {0, 1, 0, 0, 1, 0}, new int[] {1, 0, 2, 1, 0, 1});

    private static double[] row(LoggedDynamics dynamics, int row) {
        double[] p = new double[dynamics.kernel().states()];
        for (int k = dynamics.kernel().rowStart()[row]; k < dynamics.kernel().rowStart()[row + 1]; k++) {
            p[dynamics.kernel().successor()[k]] = dynamics.kernel().probability()[k];
        }
        return p;
    }

    @Test
    void countsAreSharesAndWhatWasNeverLoggedLeadsAnywhere() {
        LoggedDynamics dynamics = LoggedDynamics.of(counts, Law.COUNTS, 1, Set.of());
        assertThat(row(dynamics, 0)).containsExactly(0, 0.75, 0.25);
        assertThat(row(dynamics, 3)).containsExactly(1, 0, 0);
        double third = 1.0 / 3;
        assertThat(row(dynamics, 1)).containsExactly(new double[] {third, third, third}, within(1e-15));
        assertThat(dynamics.unvisited()).containsExactly(1, 2, 4, 5);
        assertThat(counts.visits(0)).isEqualTo(4);
        assertThat(counts.moves()).isEqualTo(6);
        assertThat(counts.arrivals()).containsExactly(2, 3, 1);
    }

    /** The posterior mean of a Dirichlet prior of weight 3 on three states is the rule of succession. */
    @Test
    void smoothedIsTheRuleOfSuccession() {
        LoggedDynamics dynamics = LoggedDynamics.of(counts, Law.SMOOTHED, 3, Set.of());
        assertThat(row(dynamics, 0)).containsExactly(new double[] {1.0 / 7, 4.0 / 7, 2.0 / 7}, within(1e-15));
        assertThat(row(dynamics, 3)).containsExactly(new double[] {3.0 / 5, 1.0 / 5, 1.0 / 5}, within(1e-15));
    }

    /** The root of the summed variances of each probability, from draws of the posterior itself. */
    @Test
    void uncertaintyIsThePosteriorDeviation() {
        double prior = 0.6;
        LoggedDynamics dynamics = LoggedDynamics.of(counts, Law.COUNTS, prior, Set.of());
        RandomStream stream = RandomStream.of(3);
        double[][] shapes = {{0.2, 3.2, 1.2}, {0.2, 0.2, 0.2}};
        for (int row = 0; row < 2; row++) {
            double[] sum = new double[3];
            double[] squares = new double[3];
            int draws = 40_000;
            for (int i = 0; i < draws; i++) {
                double[] p = new double[3];
                for (int s = 0; s < 3; s++) {
                    p[s] = stream.nextGamma(shapes[row][s]);
                }
                double total = Arrays.stream(p).sum();
                for (int s = 0; s < 3; s++) {
                    sum[s] += p[s] / total / draws;
                    squares[s] += p[s] / total * p[s] / total / draws;
                }
            }
            double variance = 0;
            for (int s = 0; s < 3; s++) {
                variance += squares[s] - sum[s] * sum[s];
            }
            assertThat(dynamics.uncertainty()[row]).isCloseTo(Math.sqrt(variance), within(0.01));
        }
        assertThat(dynamics.uncertainty()[1])
                .isCloseTo(Math.sqrt((1 - 1.0 / 3) / (prior + 1)), within(1e-12))
                .isGreaterThan(dynamics.uncertainty()[0]);
    }

    @Test
    void terminalStatesAreKnown() {
        LoggedDynamics dynamics = LoggedDynamics.of(counts, Law.SMOOTHED, 1, Set.of(2));
        assertThat(row(dynamics, 5)).containsExactly(0, 0, 1);
        assertThat(dynamics.uncertainty()[5]).isZero();
        assertThat(dynamics.unvisited()).containsExactly(1, 2);
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> LoggedDynamics.of(counts, Law.COUNTS, 1, Set.of(1)))
                .withMessageContaining("state 1 is given as terminal, but the log leaves it with action 1 for state 0");
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> LoggedDynamics.of(counts, Law.COUNTS, 1, Set.of(7)))
                .withMessageContaining("terminal state 7 is outside 0..2");
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> LoggedDynamics.of(counts, Law.COUNTS, 0, Set.of()))
                .withMessageContaining("`prior` is 0.0");
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> LoggedDynamics.of(MoveCounts.none(8000, 1), Law.COUNTS, 1, Set.of()))
                .withMessageContaining("8000 pairs of state and action would lead to each of 8000 states");
    }

    @Test
    void demonstrationsAreMovesAndLogsAddUp() {
        Demonstrations demonstrations = new Demonstrations(List.of(
                new Trajectory(new int[] {0, 1, 0}, new int[] {0, 1}),
                new Trajectory(new int[] {0, 2}, new int[] {0}),
                new Trajectory(new int[] {2, 2}, new int[] {1})));
        MoveCounts twice = MoveCounts.of(3, 2, demonstrations, new double[] {2, 1, 0});
        assertThat(twice.moves()).isEqualTo(5);
        assertThat(twice.visits(5)).isZero();
        MoveCounts sum = counts.plus(twice);
        assertThat(row(LoggedDynamics.of(sum, Law.COUNTS, 1, Set.of()), 0))
                .containsExactly(new double[] {0, 5.0 / 7, 2.0 / 7}, within(1e-15));
        assertThat(sum.visits(3)).isEqualTo(4);
        assertThat(sum.hash()).isEqualTo(twice.plus(counts).hash()).isNotEqualTo(counts.hash());
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> MoveCounts.of(3, 2, new int[] {0}, new int[] {2}, new int[] {0}))
                .withMessageContaining("action 2 is outside 0..1");
    }

    /** Draws of Dirichlet(3, 1): mean 3/4 and variance 3/16 / 5, visits as they were. */
    @Test
    void resampledCountsAreDirichlet() {
        RandomStream stream = RandomStream.of(9);
        int draws = 20_000;
        double mean = 0;
        double square = 0;
        for (int i = 0; i < draws; i++) {
            MoveCounts drawn = counts.resampled(stream.at(i));
            assertThat(drawn.visits(0)).isCloseTo(4, within(1e-12));
            double share = row(LoggedDynamics.of(drawn, Law.COUNTS, 1, Set.of()), 0)[1];
            mean += share / draws;
            square += share * share / draws;
        }
        assertThat(mean).isCloseTo(0.75, within(0.006));
        assertThat(square - mean * mean).isCloseTo(3.0 / 16 / 5, within(0.002));
    }
}

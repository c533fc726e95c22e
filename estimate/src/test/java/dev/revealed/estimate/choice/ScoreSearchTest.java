package dev.revealed.estimate.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

class ScoreSearchTest {
    private static ScoreSearch.Likelihood of(DoubleUnaryOperator value, DoubleUnaryOperator slope, double outer) {
        return new ScoreSearch.Likelihood() {
            @Override
            public double at(double[] x) {
                return value.applyAsDouble(x[0]);
            }

            @Override
            public ScoreSearch.Slopes slopes(double[] x) {
                return new ScoreSearch.Slopes(
                        at(x), new double[] {slope.applyAsDouble(x[0])}, new double[][] {{outer}});
            }

            @Override
            public int[] free(double[] x) {
                return new int[] {0};
            }
        };
    }

    /** Outer products a thousand times too large crawl; the Hessian then finds the maximum at 3 in one step. */
    @Test
    void theHessianFinishesWhatOuterProductsDoNot() {
        ScoreSearch.Likelihood square = of(x -> -(x - 3) * (x - 3) / 2, x -> 3 - x, 1000);
        ScoreSearch.End end = new ScoreSearch(100, 1e-12).climb(square, new double[] {0}, k -> {});
        assertThat(end.converged()).isTrue();
        assertThat(end.x()[0]).isCloseTo(3, within(1e-6));
        assertThat(end.steps()).isBetween(26, 30);
    }

    /** A likelihood that rises for ever and has no slope beyond 5: no maximum, and no failure either. */
    @Test
    void stopsWhereThereIsNoSlope() {
        ScoreSearch.Likelihood rising = of(x -> x, x -> x > 5 ? Double.NaN : 1, 1);
        ScoreSearch.End end = new ScoreSearch(100, 1e-12).climb(rising, new double[] {0}, k -> {});
        assertThat(end.converged()).isFalse();
        assertThat(end.x()[0]).isBetween(3.0, 5.0);
        assertThatThrownBy(() -> new ScoreSearch(100, 1e-12).climb(rising, new double[] {6}, k -> {}))
                .isInstanceOf(ArithmeticException.class)
                .hasMessageContaining("no slope");
    }

    /** A maximum goes before none, and then the higher one. */
    @Test
    void theBetterEndIsTheHigherMaximum() {
        ScoreSearch.End high = new ScoreSearch.End(new double[1], 2, 1, true);
        ScoreSearch.End low = new ScoreSearch.End(new double[1], 1, 1, true);
        ScoreSearch.End none = new ScoreSearch.End(new double[1], 9, 1, false);
        assertThat(high.betterThan(low)).isTrue();
        assertThat(low.betterThan(high)).isFalse();
        assertThat(low.betterThan(none)).isTrue();
        assertThat(none.betterThan(low)).isFalse();
    }
}

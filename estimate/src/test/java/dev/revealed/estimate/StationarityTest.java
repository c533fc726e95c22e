package dev.revealed.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** The distance of a maximum, by hand. */
class StationarityTest {
    private static final double[][] INFORMATION = {{4, 1}, {1, 9}};

    /** (1, 2) (4 1; 1 9)^-1 (1, 2)' = (9 - 4 + 16) / 35. */
    @Test
    void isTheGradientInStandardErrors() {
        Stationarity found = Stationarity.of(INFORMATION, new double[] {1, 2});
        assertThat(found.distance()).isCloseTo(Math.sqrt(21.0 / 35), within(1e-12));
        assertThat(found.definite()).isTrue();
        assertThat(found.reached()).isFalse();
        assertThat(Stationarity.of(INFORMATION, new double[] {1e-4, 1e-4}).reached())
                .isTrue();
    }

    @Test
    void doesNotDependOnUnits() {
        double k = 1e6;
        double[][] other = {{4 * k * k, k}, {k, 9}};
        assertThat(Stationarity.of(other, new double[] {k, 2}).distance())
                .isCloseTo(Math.sqrt(21.0 / 35), within(1e-9));
    }

    /** Where choices are certain there is no information, and no step; a gradient remains where they are wrong. */
    @Test
    void aGradientWithoutInformationIsNoMaximum() {
        assertThat(Stationarity.of(new double[2][2], new double[] {70, 0}).distance())
                .isInfinite();
        double[][] vanishing = {{1e-40, 0}, {0, 1e-40}};
        assertThat(Stationarity.of(vanishing, new double[] {70, 0}).reached()).isFalse();
        double[][] rankOne = {{1, 1}, {1, 1}};
        assertThat(Stationarity.of(rankOne, new double[] {1, -1}).distance()).isInfinite();
        assertThat(Stationarity.of(rankOne, new double[] {Double.NaN, 0}).reached())
                .isFalse();
    }

    @Test
    void aFlatDirectionWithoutGradientIsAMaximumThatIsNotUnique() {
        double[][] rankOne = {{1, 1}, {1, 1}};
        Stationarity found = Stationarity.of(rankOne, new double[] {1e-9, 1e-9});
        assertThat(found.reached()).isTrue();
        assertThat(found.definite()).isFalse();
    }

    /** Rounding errors of the gradient add up over observations. */
    @Test
    void manyObservationsForgiveMore() {
        double[][] information = {{1}};
        assertThat(Stationarity.of(information, new double[] {0.005}).reached(1000))
                .isFalse();
        assertThat(Stationarity.of(information, new double[] {0.005}).reached(1_000_000))
                .isTrue();
    }
}

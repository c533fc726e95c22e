package dev.revealed.imitate.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.neural.ensemble.Gaussian;
import org.junit.jupiter.api.Test;

class PenaltyTest {
    /** Two members, two numbers: by hand. */
    @Test
    void measuresOfTwoMembers() {
        float[][] said = {{0, 1, -2, -2}, {2, 1, -1, -3}};
        double[] a = {Math.exp(Gaussian.logVariance(-2)), Math.exp(Gaussian.logVariance(-2))};
        double[] b = {Math.exp(Gaussian.logVariance(-1)), Math.exp(Gaussian.logVariance(-3))};
        double first = (a[0] + b[0]) / 2 + 1; // means 0 and 2 have a variance of 1
        double second = (a[1] + b[1]) / 2;
        assertThat(Penalty.MAX_SIGMA.of(said, 0, 2))
                .isCloseTo(Math.sqrt(Math.max(a[0] + a[1], b[0] + b[1])), within(1e-6));
        assertThat(Penalty.ENSEMBLE_VARIANCE.of(said, 0, 2)).isCloseTo((first + second) / 2, within(1e-6));
        assertThat(Penalty.ENSEMBLE_STD.of(said, 0, 2))
                .isCloseTo((Math.sqrt(first) + Math.sqrt(second)) / 2, within(1e-6));
    }
}

package dev.revealed.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class VecTest {
    @Test
    void arithmetic() {
        double[] x = {1, 2, -3};
        double[] y = {4, -5, 6};
        assertThat(Vec.dot(x, y)).isEqualTo(4 - 10 - 18);
        assertThat(Vec.norm(new double[] {3, -4})).isEqualTo(5);
        assertThat(Vec.maxAbs(x)).isEqualTo(3);
        assertThat(Vec.plus(x, 2, y)).containsExactly(9, -8, 9);
        assertThat(x).containsExactly(1, 2, -3);
        Vec.axpy(-1, x, y);
        assertThat(y).containsExactly(3, -7, 9);
    }

    @Test
    void notANumberIsNotLost() {
        double[] x = {1, Double.NaN, 3};
        assertThat(Vec.maxAbs(x)).isNaN();
        assertThat(Vec.span(x)).isNaN();
        assertThat(Vec.isFinite(x)).isFalse();
        assertThat(Vec.isFinite(new double[] {1, Double.NEGATIVE_INFINITY})).isFalse();
        assertThat(Vec.isFinite(new double[] {1, -Double.MAX_VALUE})).isTrue();
    }

    @Test
    void spanSeesEveryBlock() {
        double[] x = new double[3 * Parallel.BLOCK];
        assertThat(Vec.span(x)).isZero();
        x[Parallel.BLOCK - 1] = -2;
        x[2 * Parallel.BLOCK] = 5;
        assertThat(Vec.span(x)).isEqualTo(7);
        x[x.length - 1] = Double.NaN;
        assertThat(Vec.span(x)).isNaN();
    }

    @Test
    void statisticsByHand() {
        double[] x = {1, 2, 3, 4};
        assertThat(Vec.mean(x)).isEqualTo(2.5);
        // Sum of squared deviations 5, variance 5/3, of the mean 5/12.
        assertThat(Vec.deviation(x)).isCloseTo(Math.sqrt(5.0 / 4), within(1e-15));
        assertThat(Vec.standardError(x)).isCloseTo(Math.sqrt(5.0 / 12), within(1e-15));
        double[] y = {2, 1, 4, 3}; // deviations -.5 -1.5 1.5 .5: products .75 .75 .75 .75
        assertThat(Vec.slope(x, y)).isCloseTo(3.0 / 5, within(1e-15));
        assertThat(Vec.correlation(x, y)).isCloseTo(3.0 / 5, within(1e-15));
        assertThat(Vec.correlation(x, new double[] {7, 5, 3, 1})).isCloseTo(-1, within(1e-15));
        assertThat(Vec.slope(x, new double[] {7, 5, 3, 1})).isCloseTo(-2, within(1e-15));
    }
}

package dev.revealed.numeric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

class ElementaryTest {
    private static final int POINTS = 2_000_000;

    @Test
    void expIsWithinTwoUlpWhereverItsResultIsNormal() {
        var random = new SplittableRandom(1);
        assertThat(worstUlp(Elementary::exp, StrictMath::exp, () -> random.nextDouble(-708, 709.7)))
                .isLessThanOrEqualTo(2);
        assertThat(worstUlp(Elementary::exp, StrictMath::exp, () -> random.nextDouble(-1, 1)))
                .isLessThanOrEqualTo(2);
    }

    @Test
    void expTreatsItsEdges() {
        assertThat(Elementary.exp(0)).isEqualTo(1);
        assertThat(Elementary.exp(Double.NEGATIVE_INFINITY)).isZero();
        assertThat(Elementary.exp(-745)).isZero();
        assertThat(Elementary.exp(710)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(Elementary.exp(Double.NaN)).isNaN();
    }

    @Test
    void logIsWithinTwoUlp() {
        var random = new SplittableRandom(2);
        assertThat(worstUlp(Elementary::log, StrictMath::log, () -> random.nextDouble(0.5, 2)))
                .isLessThanOrEqualTo(2);
        assertThat(worstUlp(Elementary::log, StrictMath::log, () -> 1 + random.nextDouble(-0.02, 0.02)))
                .isLessThanOrEqualTo(2);
        assertThat(worstUlp(Elementary::log, StrictMath::log, () -> StrictMath.exp(random.nextDouble(-700, 700))))
                .isLessThanOrEqualTo(2);
    }

    @Test
    void logTreatsItsEdges() {
        assertThat(Elementary.log(1)).isZero();
        assertThat(Elementary.log(0)).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(Elementary.log(-1)).isNaN();
        assertThat(Elementary.log(Double.NaN)).isNaN();
        assertThat(Elementary.log(Double.POSITIVE_INFINITY)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(Elementary.log(Double.MIN_VALUE)).isEqualTo(StrictMath.log(Double.MIN_VALUE));
    }

    @Test
    void addExpIsAbsolutelyAccurate() {
        var random = new SplittableRandom(3);
        double[] x = new double[POINTS];
        double[] sum = new double[POINTS];
        for (int i = 0; i < POINTS; i++) {
            x[i] = i % 2 == 0 ? random.nextDouble(-60, 0) : random.nextDouble(-2, 0);
        }
        Elementary.addExp(x, new double[POINTS], 1, sum, POINTS);
        double worst = 0;
        for (int i = 0; i < POINTS; i++) {
            worst = Math.max(worst, Math.abs(sum[i] - StrictMath.exp(x[i])));
        }
        assertThat(worst).isLessThan(1e-15);
    }

    @Test
    void addExpAddsOneForZeroNothingForMinusInfinityAndKeepsNaN() {
        double[] sum = {1, 1, 1};
        double[] x = {0, Double.NEGATIVE_INFINITY, Double.NaN};
        Elementary.addExp(x, new double[3], 0.5, sum, 3);
        assertThat(sum).containsExactly(2, 1, Double.NaN);
    }

    private interface Points {
        double next();
    }

    private static double worstUlp(DoubleUnaryOperator fast, DoubleUnaryOperator exact, Points points) {
        double worst = 0;
        for (int i = 0; i < POINTS; i++) {
            double x = points.next();
            double expected = exact.applyAsDouble(x);
            worst = Math.max(worst, Math.abs(fast.applyAsDouble(x) - expected) / Math.ulp(expected));
        }
        return worst;
    }
}

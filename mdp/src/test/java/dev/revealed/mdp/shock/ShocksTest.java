package dev.revealed.mdp.shock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Normal;
import dev.revealed.numeric.Vec;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Shocks against finite differences of the expected maximum, and against closed forms. */
class ShocksTest {
    private static final double[] Q = {0.3, -0.5, 1.1, 0.2};
    private static final int[] NEST = {0, 1, 1, 2};
    private static final double H = 1e-5;

    static Stream<Shocks> shocks() {
        return Stream.of(new NestedLogit(NEST, new double[] {1, 0.6, 0.8}), NormalShocks.standard(4, 100));
    }

    private static double[] moved(double[] q, int a, double by) {
        double[] moved = q.clone();
        moved[a] += by;
        return moved;
    }

    /** The theorem of Williams, Daly and Zachary. */
    @ParameterizedTest
    @MethodSource("shocks")
    void probabilitiesAreTheGradientOfTheExpectedMaximum(Shocks shocks) {
        double[] log = new double[4];
        double[] none = new double[4];
        shocks.choose(Q, log);
        double sum = 0;
        for (int a = 0; a < 4; a++) {
            double slope = (shocks.choose(moved(Q, a, H), none) - shocks.choose(moved(Q, a, -H), none)) / (2 * H);
            assertThat(Math.exp(log[a])).isCloseTo(slope, within(1e-9));
            sum += Math.exp(log[a]);
        }
        assertThat(sum).isCloseTo(1, within(1e-12));
    }

    @ParameterizedTest
    @MethodSource("shocks")
    void slopesAreThoseOfTheProbabilities(Shocks shocks) {
        double[] log = new double[4];
        shocks.choose(Q, log);
        double[] direction = {0.7, -0.2, 0.4, 1};
        double[] up = new double[4];
        double[] down = new double[4];
        shocks.choose(Vec.plus(Q, H, direction), up);
        shocks.choose(Vec.plus(Q, -H, direction), down);
        double[] slope = new double[4];
        shocks.slope(Q, log, direction, slope);
        for (int a = 0; a < 4; a++) {
            assertThat(slope[a]).isCloseTo((up[a] - down[a]) / (2 * H), within(1e-7));
        }
        double[] y = {0.1, 0.9, -0.3, 0.5};
        double[] back = new double[4];
        shocks.transposedSlope(Q, log, y, back);
        assertThat(Vec.dot(back, direction)).isCloseTo(Vec.dot(y, slope), within(1e-12));
    }

    @Test
    void dissimilaritiesMoveValuesAndProbabilitiesAsTheirDerivativesSay() {
        double[] lambda = {1, 0.6, 0.8};
        double[] log = new double[4];
        double[] up = new double[4];
        double[] down = new double[4];
        double[] slope = new double[4];
        new NestedLogit(NEST, lambda).choose(Q, log);
        for (int k = 0; k < 3; k++) {
            double high = new NestedLogit(NEST, moved(lambda, k, H)).choose(Q, up);
            double low = new NestedLogit(NEST, moved(lambda, k, -H)).choose(Q, down);
            double value = new NestedLogit(NEST, lambda).parameterSlope(k, Q, log, slope);
            assertThat(value).isCloseTo((high - low) / (2 * H), within(1e-9));
            for (int a = 0; a < 4; a++) {
                assertThat(slope[a]).isCloseTo((up[a] - down[a]) / (2 * H), within(1e-8));
            }
        }
    }

    @Test
    void nestsWithoutCorrelationAreALogit() {
        double[] log = new double[4];
        double value = new NestedLogit(NEST, new double[] {1, 1, 1}).choose(Q, log);
        double sum = Math.log(Math.exp(0.3) + Math.exp(-0.5) + Math.exp(1.1) + Math.exp(0.2));
        assertThat(value).isCloseTo(sum, within(1e-14));
        assertThat(log[2]).isCloseTo(1.1 - sum, within(1e-14));
    }

    @Test
    void actionsThatAreNotAvailableAreNeverChosen() {
        double[] q = {0.3, Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY, 0.2};
        shocks().forEach(shocks -> {
            double[] log = new double[4];
            double[] slope = new double[4];
            assertThat(shocks.choose(q, log)).isFinite();
            assertThat(log[1]).isEqualTo(Double.NEGATIVE_INFINITY);
            assertThat(Math.exp(log[0]) + Math.exp(log[3])).isCloseTo(1, within(1e-12));
            shocks.slope(q, log, new double[] {1, 0, 0, 0}, slope);
            assertThat(slope[0]).isPositive().isFinite();
        });
    }

    /** Two actions, whose difference is normal with variance 2: Phi(d / sqrt 2), up to the error of the draws. */
    @Test
    void normalShocksAreAProbit() {
        NormalShocks shocks = NormalShocks.standard(2, 20_000);
        double[] log = new double[2];
        double value = shocks.choose(new double[] {0, 0.8}, log);
        double d = 0.8 / Math.sqrt(2);
        assertThat(Math.exp(log[1])).isCloseTo(Normal.cdf(d), within(0.01));
        assertThat(value).isCloseTo(0.8 * Normal.cdf(d) + Math.sqrt(2) * Normal.density(d), within(0.03 + 0.06));
        assertThatThrownBy(() -> NormalShocks.standard(7, 100))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("too many");
    }
}

package dev.revealed.mdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class StepsTest {
    private static Gradient gradient(double... g) {
        return new Gradient(g, null);
    }

    /** alpha = 2 / 16^0.5 = 1/2, at every k. */
    @Test
    void decayingIsAlphaOverKToTheSigma() {
        var step = Steps.decaying(2, 0.5, 16);
        double[] theta = {1, 2};
        assertThat(step.next(theta, gradient(4, -2), 0)).containsExactly(3, 1);
        assertThat(step.next(theta, gradient(4, -2), 15)).containsExactly(3, 1);
        assertThat(theta).containsExactly(1, 2);
        assertThat(Steps.decaying(0.3, 0, 1000).next(theta, gradient(1, 1), 0)).containsExactly(1.3, 2.3);
    }

    /**
     * Gradients 1, 2, -1 at rate 0.1 from 0. Means .1, .29, .161 over 1 - .9^k; squares .001, .004999, .005994001 over
     * 1 - .999^k.
     */
    @Test
    void adamByHand() {
        var step = Steps.adam(0.1, 1);
        double[] theta = step.next(new double[] {0}, gradient(1), 0);
        assertThat(theta[0]).isCloseTo(0.099999999, within(1e-12));
        theta = step.next(theta, gradient(2), 1);
        assertThat(theta[0]).isCloseTo(0.1965182009718338, within(1e-12));
        theta = step.next(theta, gradient(-1), 2);
        assertThat(theta[0]).isCloseTo(0.23852713103181336, within(1e-12));
    }

    /** From 4 a step leads to -4, where there is nothing; half of it leads to 0, and half of that to 2. */
    @Test
    void climbingStaysWhereThereIsAModel() {
        var step = Steps.climbing((theta, gradient, k) -> new double[] {theta[0] - 8}, theta -> theta[0] > 0);
        assertThat(step.next(new double[] {4}, gradient(1), 0)).containsExactly(2);
        assertThatThrownBy(() -> Steps.existing(new double[] {4}, new double[] {-4}, theta -> false))
                .isInstanceOf(ArithmeticException.class)
                .hasMessageContaining("values exist at [4.0]");
    }

    /** The likelihood was -10 at 0 and is -12 at 8: it turns back halfway, and goes on from where it is -9. */
    @Test
    void climbingTurnsBackWhereTheLikelihoodFalls() {
        var step = Steps.climbing((theta, gradient, k) -> new double[] {theta[0] + 8}, theta -> true);
        assertThat(step.next(new double[] {0}, valued(-10), 0)).containsExactly(8);
        assertThat(step.next(new double[] {8}, valued(-12), 1)).containsExactly(4);
        assertThat(step.next(new double[] {4}, valued(-11), 2)).containsExactly(2);
        assertThat(step.next(new double[] {2}, valued(-9), 3)).containsExactly(10);
    }

    private static Gradient valued(double value) {
        return new Gradient(new double[] {1}, new double[][] {{1}}, new Gradient.Local() {
            @Override
            public double value(double[] step) {
                return value;
            }

            @Override
            public Gradient gradient(double[] step) {
                throw new IllegalStateException("not asked for");
            }

            @Override
            public double[][] bound() {
                throw new IllegalStateException("not asked for");
            }
        });
    }

    /**
     * F = diag(2, 4): the step is (g1/2, g2/4) where the radius allows it. Lengths are those of the information: that of
     * (3, 4) is sqrt(2*9 + 4*16) = sqrt(82).
     */
    @Test
    void fisherSolvesWithTheInformation() {
        double[][] information = {{2, 0}, {0, 4}};
        double[] theta = {1, 1};
        assertThat(Steps.fisher(10).next(theta, new Gradient(new double[] {2, 4}, information), 0))
                .containsExactly(new double[] {2, 2}, within(1e-14));
        double[] far =
                Steps.fisher(Math.sqrt(82) / 2).next(theta, new Gradient(new double[] {60, 160}, information), 0);
        assertThat(far).as("ten times as long as twice the radius").containsExactly(new double[] {4, 5}, within(1e-13));
    }

    /** The distance grows from 1 to 5 standard errors: the next step is no longer than a quarter of what was trusted. */
    @Test
    void fisherTrustsLessWhenTheMaximumRecedes() {
        double[][] information = {{1}};
        var step = Steps.fisher(2);
        assertThat(step.next(new double[] {0}, new Gradient(new double[] {1}, information), 0))
                .containsExactly(new double[] {1}, within(1e-14));
        assertThat(step.next(new double[] {1}, new Gradient(new double[] {-5}, information), 1))
                .containsExactly(new double[] {0}, within(1e-14));
    }

    /** 70 of 80 chose the second action: the log-odds are log 7 in one step, from however far. */
    @Test
    void fisherStepsToTheSummitOfWhatIsKnownNearby() {
        for (double at : new double[] {0, 5, -40}) {
            double[] logPolicy = {-Math.log1p(Math.exp(at)), at - Math.log1p(Math.exp(at))};
            var choices = new LinearisedChoices(
                    2, new double[] {10, 70}, logPolicy, new double[][] {{0, 1}}, new double[] {at}, 0);
            assertThat(Steps.fisher(1).next(new double[] {at}, choices.gradient(new double[1]), 0))
                    .containsExactly(new double[] {Math.log(7)}, within(1e-7));
        }
    }

    /** The gradient along (1, -1)/sqrt(2) is sqrt(2), the eigenvalue 2; along (1, 1) nothing is known. */
    @Test
    void fisherMovesNowhereTheDataSayNothing() {
        double[][] flat = {{1, -1}, {-1, 1}};
        assertThat(Steps.fisher(10).next(new double[] {0, 0}, new Gradient(new double[] {3, 1}, flat), 0))
                .containsExactly(new double[] {0.5, -0.5}, within(1e-14));
    }

    /** Steps of 1 and 1; the gradient turns and the step is 0.6; it grows beyond twice the smallest: 0.36. */
    @Test
    void shrinkingShortensWhenTheGradientTurnsOrGrows() {
        var step = Steps.shrinking(1);
        double[] origin = {0};
        assertThat(step.next(origin, gradient(4), 0)).containsExactly(4);
        assertThat(step.next(origin, gradient(2), 1)).containsExactly(2);
        assertThat(step.next(origin, gradient(-1), 2)).containsExactly(new double[] {-0.6}, within(1e-15));
        assertThat(step.next(origin, gradient(-3), 3)).containsExactly(new double[] {-3 * 0.36}, within(1e-15));
        assertThat(step.next(origin, gradient(-5), 4)).containsExactly(new double[] {-5 * 0.36}, within(1e-15));
    }

    @Test
    void fisherNeedsTheInformation() {
        assertThatThrownBy(() -> Steps.fisher(1).next(new double[1], gradient(1), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("information");
    }
}

package dev.revealed.estimate.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ConditionalLogitTest {

    /** One constant and one dummy: log-odds of the counts. */
    @Test
    void aSaturatedLogitHasTheLogOddsOfTheCounts() {
        double[][] columns = {{0, 1, 0, 1}, {0, 0, 0, 1}};
        ConditionalLogit logit = new ConditionalLogit(2, columns, new double[4], new double[] {30, 10, 20, 60});
        ConditionalLogit.Maximum found = logit.maximise(new double[] {5, -5});
        assertThat(found.converged()).isTrue();
        double first = Math.log(10.0 / 30);
        assertThat(found.theta()).containsExactly(new double[] {first, Math.log(60.0 / 20) - first}, within(1e-10));
        assertThat(found.value())
                .isCloseTo(
                        30 * Math.log(0.75) + 10 * Math.log(0.25) + 20 * Math.log(0.25) + 60 * Math.log(0.75),
                        within(1e-10));
    }

    /** The offset is part of the index; an action without it is never chosen. */
    @Test
    void anOffsetOfMinusInfinityRulesAnActionOut() {
        double[][] columns = {{0, 1, 1}};
        double[] offset = {0, Math.log(2), Double.NEGATIVE_INFINITY};
        ConditionalLogit logit = new ConditionalLogit(3, columns, offset, new double[] {3, 1, 0});
        double[] theta = logit.maximise(new double[1]).theta();
        assertThat(theta[0]).isCloseTo(Math.log(1.0 / 3) - Math.log(2), within(1e-10));
        assertThat(logit.probabilities(theta)).containsExactly(new double[] {0.75, 0.25, 0}, within(1e-10));
    }

    @Test
    void perfectSeparationIsNoMaximum() {
        double[][] columns = {{0, 1, 0, -1}};
        ConditionalLogit logit = new ConditionalLogit(2, columns, new double[4], new double[] {0, 7, 9, 0});
        assertThat(logit.maximise(new double[1]).converged()).isFalse();
    }

    /** Three actions, many states: the value falls in every direction, as fast as the information says. */
    @Test
    void informationIsTheCurvature() {
        double[][] columns = {{0.3, -1, 2, 0.1, 0.5, -0.2}, {1, 0, 0.5, -1, 0.4, 2}};
        double[] counts = {3, 2, 5, 4, 1, 6};
        ConditionalLogit logit = new ConditionalLogit(2, columns, new double[6], counts);
        ConditionalLogit.Maximum found = logit.maximise(new double[2]);
        double h = 1e-3;
        for (int j = 0; j < 2; j++) {
            double[] up = found.theta().clone();
            double[] down = found.theta().clone();
            up[j] += h;
            down[j] -= h;
            double curvature = (2 * found.value() - logit.value(up) - logit.value(down)) / (h * h);
            assertThat(found.information()[j][j]).isCloseTo(curvature, within(1e-5 * curvature));
            assertThat(logit.value(up) - logit.value(down)).isCloseTo(0, within(1e-7));
        }
    }
}

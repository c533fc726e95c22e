package dev.revealed.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LbfgsTest {
    private static final Lbfgs.Watcher NOBODY = (k, x, value, gradient) -> {};

    /** -1/2 sum of curvature (x - centre)^2, curvatures from 1 to 1e4. */
    private static double quadratic(double[] x, double[] gradient) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            double curvature = Math.pow(1e4, i / (x.length - 1.0));
            double off = x[i] - (i + 1);
            sum -= 0.5 * curvature * off * off;
            gradient[i] = -curvature * off;
        }
        return sum;
    }

    private static double minusRosenbrock(double[] x, double[] gradient) {
        double a = 1 - x[0];
        double b = x[1] - x[0] * x[0];
        gradient[0] = 2 * a + 400 * x[0] * b;
        gradient[1] = -200 * b;
        return -(a * a + 100 * b * b);
    }

    /** At n = 30 SciPy's L-BFGS-B with the same memory takes 611 iterations to a gradient of 1e-7. */
    @ParameterizedTest
    @ValueSource(ints = {2, 5, 30})
    void findsTheTopOfAQuadratic(int n) {
        var result = new Lbfgs(20, 1000, 1e-8).maximise(LbfgsTest::quadratic, new double[n], NOBODY);
        assertThat(result.converged()).isTrue();
        assertThat(result.value()).isCloseTo(0, within(1e-15));
        for (int i = 0; i < n; i++) {
            assertThat(result.x()[i]).isCloseTo(i + 1, within(1e-8));
        }
    }

    @Test
    void findsTheTopOfTheBentValley() {
        var result = new Lbfgs(10, 200, 1e-10).maximise(LbfgsTest::minusRosenbrock, new double[] {-1.2, 1}, NOBODY);
        assertThat(result.converged()).isTrue();
        assertThat(result.x()).containsExactly(new double[] {1, 1}, within(1e-9));
        assertThat(result.iterations()).isLessThan(60);
    }

    @Test
    void everyIterationIsReportedAndClimbs() {
        List<Double> values = new ArrayList<>();
        double[] start = {-1.2, 1};
        var result = new Lbfgs(10, 200, 1e-10).maximise(LbfgsTest::minusRosenbrock, start, (k, x, value, gradient) -> {
            assertThat(k).isEqualTo(values.size() + 1);
            values.add(value);
        });
        assertThat(values).hasSize(result.iterations()).isSorted();
        assertThat(start).containsExactly(-1.2, 1);
    }

    @Test
    void saysWhenItDidNotArrive() {
        var result = new Lbfgs(10, 3, 1e-10).maximise(LbfgsTest::minusRosenbrock, new double[] {-1.2, 1}, NOBODY);
        assertThat(result.converged()).isFalse();
        assertThat(result.iterations()).isEqualTo(3);
        assertThat(result.value()).isGreaterThan(-24.2);
        double[] gradient = new double[2];
        assertThat(minusRosenbrock(result.x(), gradient)).isEqualTo(result.value());
        assertThat(gradient).containsExactly(result.gradient());
    }

    @Test
    void startingAtTheTopCostsOneEvaluation() {
        var result = new Lbfgs(10, 100, 1e-10).maximise(LbfgsTest::minusRosenbrock, new double[] {1, 1}, NOBODY);
        assertThat(result.converged()).isTrue();
        assertThat(result.evaluations()).isEqualTo(1);
        assertThat(result.iterations()).isZero();
    }

    @Test
    void unboundedObjectivesEnd() {
        Objective linear = (x, gradient) -> {
            gradient[0] = 1;
            return x[0];
        };
        Objective exponential = (x, gradient) -> gradient[0] = Math.exp(x[0]);
        for (Objective objective : List.of(linear, exponential)) {
            var result = new Lbfgs(10, 100, 1e-8).maximise(objective, new double[1], NOBODY);
            assertThat(result.converged()).isFalse();
            assertThat(result.evaluations()).isLessThan(100 * 61);
        }
    }

    /** log x - 10 x has its top at 0.1 and is NaN below 0, where the first step from 0.9 lands. */
    @Test
    void backsOutOfRegionsWhereTheObjectiveIsNotDefined() {
        int[] lost = {0};
        Objective objective = (x, gradient) -> {
            gradient[0] = 1 / x[0] - 10;
            lost[0] += x[0] < 0 ? 1 : 0;
            return Math.log(x[0]) - 10 * x[0];
        };
        var result = new Lbfgs(5, 100, 1e-9).maximise(objective, new double[] {0.9}, NOBODY);
        assertThat(lost[0]).isPositive();
        assertThat(result.converged()).isTrue();
        assertThat(result.x()[0]).isCloseTo(0.1, within(1e-9));
        assertThatThrownBy(() -> new Lbfgs(5, 100, 1e-10).maximise(objective, new double[] {-1}, NOBODY))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("objective at the start is NaN");
    }
}

package dev.revealed.studies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The claims of the paper's figure 1 on a smaller board; what depends on a clock is left to the full run. */
class GridWorldStudyTest {
    private static final GridWorldStudy.Board BOARD = GridWorldStudy.Board.of(6);
    private static final OptionalDouble NONE = OptionalDouble.empty();
    private static final GridWorldStudy.Result RESULT =
            GridWorldStudy.run(quick(0.2, 0.05, NONE), ProgressListener.NONE);
    private static final GridWorldStudy.Method SINGLE = RESULT.methods().get(0);
    private static final GridWorldStudy.Method NESTED = RESULT.methods().get(1);

    @Test
    void bothMethodsConvergeOnEverySet() {
        assertThat(RESULT.methods()).extracting(GridWorldStudy.Method::method).containsExactly("ml-irl", "maxent-irl");
        assertThat(RESULT.sets()).hasSize(4).allSatisfy(row -> {
            assertThat(row.converged()).isTrue();
            assertThat(row.gradientNorm()).isLessThanOrEqualTo(1e-3);
        });
    }

    @Test
    void theyReachTheSameLikelihoodAndReward() {
        assertThat(RESULT.comparison().largestLogLikelihoodDifference()).isLessThan(1e-3);
        assertThat(Math.abs(RESULT.comparison().correlationDifference())).isLessThan(0.02);
        assertThat(Math.abs(RESULT.comparison().correlationAtStopDifference())).isLessThan(0.02);
    }

    @Test
    void theSingleLoopMakesFarFewerPasses() {
        assertThat(NESTED.kernelPasses()).isGreaterThan(10 * SINGLE.kernelPasses());
        assertThat(SINGLE.kernelPasses()).isGreaterThan(2 * SINGLE.iterations());
    }

    @Test
    void theRewardIsRecovered() {
        assertThat(SINGLE.rewardCorrelation()).isBetween(0.7, 1.0);
        double[][] found = map("ml-irl, mean of the sets");
        for (double[] row : found) {
            for (double cell : row) {
                assertThat(cell).isLessThanOrEqualTo(found[5][5]);
            }
        }
    }

    @Test
    void theTraceClimbsToTheLikelihoodOfTheFit() {
        for (String method : List.of("ml-irl", "maxent-irl")) {
            List<GridWorldStudy.TracePoint> trace = RESULT.trace().stream()
                    .filter(point -> point.method().equals(method))
                    .toList();
            double end = RESULT.sets().stream()
                    .filter(row -> row.method().equals(method))
                    .findFirst()
                    .orElseThrow()
                    .logLikelihood();
            assertThat(trace.getLast().logLikelihood())
                    .isGreaterThan(trace.getFirst().logLikelihood());
            assertThat(Math.abs(trace.getLast().logLikelihood() - end)).isLessThan(0.05);
            assertThat(trace).isSortedAccordingTo((a, b) -> Long.compare(a.kernelPasses(), b.kernelPasses()));
        }
    }

    @Test
    void oneSetHasNoStandardError() {
        assertThatThrownBy(() -> new GridWorldStudy.Settings(BOARD, 1, 0.1, 0.03, NONE, 1e-3, 10, 0.2, 0, 10, 1))
                .isInstanceOf(BadInput.class);
    }

    /** At a step of 9 of a ridge-bound 10 neither method settles; the rows say so. */
    @Test
    void aFitThatDoesNotSettleIsARowLikeAnyOther() {
        GridWorldStudy.Result wild = GridWorldStudy.run(
                new GridWorldStudy.Settings(BOARD, 2, 0.2, 9, NONE, 1e-3, 60, 0.2, 0, 10, 1), ProgressListener.NONE);
        assertThat(wild.sets()).hasSize(4).allSatisfy(row -> {
            assertThat(row.converged()).isFalse();
            assertThat(row.logLikelihood()).isFinite();
            assertThat(row.gradientNorm()).isGreaterThan(1e-3).isFinite();
        });
        assertThat(wild.methods())
                .allSatisfy(method -> assertThat(method.converged()).isZero());
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 0.1", "1, -1, 0.1", "NaN, 1, 0.1", "1, 20, 0.1", "101, 1, 0", "1, 1, -0.1", "1, 1, NaN"})
    void refusesStepsThatCannotSettle(double step, double nestedStep, double ridge) {
        assertThatThrownBy(() -> quick(ridge, step, OptionalDouble.of(nestedStep)))
                .isInstanceOf(BadInput.class);
    }

    /** Two sets, nothing thrown away. */
    private static GridWorldStudy.Settings quick(double ridge, double step, OptionalDouble nestedStep) {
        return new GridWorldStudy.Settings(BOARD, 2, ridge, step, nestedStep, 1e-3, 5_000, 0.2, 0, 20, 1);
    }

    private static double[][] map(String name) {
        return RESULT.maps().stream()
                .filter(map -> map.name().equals(name))
                .findFirst()
                .orElseThrow()
                .reward();
    }
}

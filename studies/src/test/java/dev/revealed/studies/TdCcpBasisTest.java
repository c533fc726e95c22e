package dev.revealed.studies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.data.model.ModelFile;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.SolvedScore;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.estimate.choice.twostep.TdCcp;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two models on which a fixed basis, polynomials of degree 3 of the variables' ranks, is wrong by several standard errors:
 * the basis that the data choose is not, and where the wrong one is asked for the solved model's score finds it out.
 */
class TdCcpBasisTest {
    private static final double[] TWO_AR = {0.5, 1, 1, 1};
    private static final double[] RETIREMENT = {0.6, 0.5, 0.5};
    private static final TdCcp WRONG =
            TdCcp.semiGradient().basis(TdCcp.Basis.RANKS).degree(3);

    private static ChoiceProblem panel(
            String file, double[] theta, double[] phi, IntPredicate begins, int individuals, int periods, long seed) {
        ChoiceModel model = ModelFile.parse(file, text(file), Map.of()).model();
        double[] first = IntStream.range(0, model.states())
                .mapToDouble(s -> begins.test(s) ? 1 : 0)
                .toArray();
        double total = Vec.sum(first);
        return new ChoiceProblem(
                model,
                model.simulate(
                        theta,
                        phi,
                        Arrays.stream(first).map(x -> x / total).toArray(),
                        individuals,
                        periods,
                        RandomStream.of(seed)));
    }

    private static String text(String file) {
        try (InputStream in = Objects.requireNonNull(TdCcpBasisTest.class.getResourceAsStream(file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static ChoiceProblem twoAr(long seed) {
        return panel("two-ar.yaml", TWO_AR, new double[] {0, 0.8, 0.5, 0, 0.6, 0.5}, s -> true, 1000, 40, seed);
    }

    private static ChoiceProblem retirement(long seed) {
        return panel("retirement.yaml", RETIREMENT, new double[] {0.2, 0.7}, s -> s % 2 == 0, 2000, 15, seed);
    }

    private static Fit fit(TdCcp method, ChoiceProblem problem) {
        return method.fit(problem, problem.firstStage(), RandomStream.of(1), ProgressListener.NONE);
    }

    private static double[] standardErrors(Fit fit) {
        double[] squares = new double[fit.theta().length];
        for (double[] own : fit.influence().orElseThrow()) {
            Arrays.setAll(squares, j -> squares[j] + own[j] * own[j]);
        }
        return Arrays.stream(squares).map(Math::sqrt).toArray();
    }

    private static void near(Fit fit, double[] truth) {
        double[] errors = standardErrors(fit);
        for (int j = 0; j < truth.length; j++) {
            assertThat(fit.theta()[j])
                    .as("%d of %s, %s", j, Arrays.toString(fit.theta()), fit.status())
                    .isCloseTo(truth[j], within(2.5 * errors[j]));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 3, 4})
    void twoAutoregressions(long seed) {
        ChoiceProblem problem = twoAr(seed);
        Fit plain = fit(TdCcp.semiGradient(), problem);
        near(plain, TWO_AR);
        assertThat(plain.warnings()).isEmpty();
        near(fit(TdCcp.locallyRobust(), problem), TWO_AR);
        Fit wrong = fit(WRONG, problem);
        assertThat(wrong.theta()[1]).isLessThan(1 - 1.5 * standardErrors(wrong)[1]);
        assertThat(wrong.warnings()).anyMatch(warning -> warning.contains("score of the solved model"));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void retirementWithKinks(long seed) {
        ChoiceProblem problem = retirement(seed);
        Fit plain = fit(TdCcp.semiGradient(), problem);
        near(plain, RETIREMENT);
        assertThat(plain.warnings()).isEmpty();
        assertThat(plain.status()).contains("splines");
        Fit wrong = fit(WRONG, problem);
        assertThat(Math.abs(wrong.theta()[0] - 0.6)).isGreaterThan(2.5 * standardErrors(wrong)[0]);
        assertThat(wrong.warnings()).anyMatch(warning -> warning.contains("score of the solved model"));
    }

    /** A test at two standard errors is wrong in one panel in twenty; forty panels may have six such. */
    @Test
    void theScoreTestSeldomCriesWolf() {
        int alarms = 0;
        for (int i = 0; i < 40; i++) {
            ChoiceProblem problem =
                    panel("two-ar.yaml", TWO_AR, new double[] {0, 0.8, 0.5, 0, 0.6, 0.5}, s -> true, 300, 30, 100 + i);
            Fit fit = fit(TdCcp.semiGradient().degree(3), problem);
            SolvedScore score = SolvedScore.of(
                            problem,
                            problem.firstStage(),
                            fit.theta(),
                            fit.influence().orElseThrow())
                    .orElseThrow();
            alarms += score.passed() ? 0 : 1;
        }
        assertThat(alarms).isLessThanOrEqualTo(6);
    }

    /** The step is where Newton's method from the estimate towards the maximum of the likelihood goes. */
    @Test
    void theStepLeadsToTheMaximum() {
        ChoiceProblem problem = twoAr(1);
        Fit wrong = fit(WRONG, problem);
        double[] most = NestedFixedPoint.standard()
                .fit(problem, problem.firstStage(), RandomStream.of(1), ProgressListener.NONE)
                .theta();
        SolvedScore score = SolvedScore.of(
                        problem,
                        problem.firstStage(),
                        wrong.theta(),
                        wrong.influence().orElseThrow())
                .orElseThrow();
        for (int j = 0; j < most.length; j++) {
            double distance = most[j] - wrong.theta()[j];
            assertThat(score.step()[j]).isCloseTo(distance, within(0.1 * Math.abs(distance) + 2e-3));
        }
    }
}

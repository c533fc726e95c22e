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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

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

    /** The fits of one method to all panels. */
    private record Fits(List<Fit> fits) {
        static Fits of(TdCcp method, List<ChoiceProblem> problems) {
            return new Fits(
                    problems.stream().map(problem -> fit(method, problem)).toList());
        }

        double mean(int j) {
            return fits.stream().mapToDouble(fit -> fit.theta()[j]).average().orElseThrow();
        }

        double standardError(int j) {
            return fits.stream()
                    .mapToDouble(fit -> standardErrors(fit)[j])
                    .average()
                    .orElseThrow();
        }

        double monteCarloError(int j) {
            return standardError(j) / Math.sqrt(fits.size());
        }

        long warned() {
            return fits.stream().filter(fit -> !fit.warnings().isEmpty()).count();
        }

        long warnedByScore() {
            return fits.stream()
                    .filter(fit ->
                            fit.warnings().stream().anyMatch(warning -> warning.contains("score of the solved model")))
                    .count();
        }

        /** In the mean; a quarter of a standard error is left to a basis that follows the values only so far. */
        void near(double[] truth) {
            for (int j = 0; j < truth.length; j++) {
                assertThat(mean(j))
                        .as("parameter %d", j)
                        .isCloseTo(truth[j], within(2 * monteCarloError(j) + 0.25 * standardError(j)));
            }
        }
    }

    private static List<ChoiceProblem> panels(LongFunction<ChoiceProblem> model) {
        return LongStream.rangeClosed(1, 6).mapToObj(model).toList();
    }

    @Test
    void twoAutoregressions() {
        List<ChoiceProblem> problems = panels(TdCcpBasisTest::twoAr);
        Fits plain = Fits.of(TdCcp.semiGradient(), problems);
        plain.near(TWO_AR);
        assertThat(plain.warned()).isLessThanOrEqualTo(1);
        Fits.of(TdCcp.locallyRobust(), problems).near(TWO_AR);
        Fits wrong = Fits.of(WRONG, problems);
        assertThat(wrong.mean(1)).isLessThan(1 - 4 * wrong.monteCarloError(1));
        assertThat(wrong.warnedByScore()).isGreaterThanOrEqualTo(3);
    }

    @Test
    void retirementWithKinks() {
        List<ChoiceProblem> problems = panels(TdCcpBasisTest::retirement);
        Fits plain = Fits.of(TdCcp.semiGradient(), problems);
        plain.near(RETIREMENT);
        assertThat(plain.warned()).isLessThanOrEqualTo(1);
        assertThat(plain.fits()).allMatch(fit -> fit.status().contains("splines"));
        Fits wrong = Fits.of(WRONG, problems);
        assertThat(wrong.mean(0)).isLessThan(0.6 - 4 * wrong.monteCarloError(0));
        assertThat(wrong.warnedByScore()).isEqualTo(6);
    }

    /**
     * Of 200 such panels 8 had a warning, and the test without the allowance rejected 16 at 5 %. With a true share of 5 %
     * more than five of forty have one in 1.4 % of all cases.
     */
    @Test
    void theScoreTestSeldomCriesWolf() {
        int alarms = 0;
        for (int i = 0; i < 40; i++) {
            ChoiceProblem problem =
                    panel("two-ar.yaml", TWO_AR, new double[] {0, 0.8, 0.5, 0, 0.6, 0.5}, s -> true, 300, 30, 100 + i);
            Fit fit = fit(TdCcp.semiGradient().degree(3), problem);
            SolvedScore score = fit.score().orElseThrow();
            assertThat(score.conservative())
                    .isLessThanOrEqualTo(score.standardErrors().orElseThrow());
            alarms += score.passed() ? 0 : 1;
        }
        assertThat(alarms).isLessThanOrEqualTo(5);
    }

    /** Cross-validation takes polynomials here, the solved model's score rejects them, and splines pass. */
    @Test
    void anotherBasisIsTriedWhereTheScoreRejectsTheFirst() {
        ChoiceProblem problem =
                panel("two-ar.yaml", TWO_AR, new double[] {0, 0.8, 0.5, 0, 0.6, 0.5}, s -> true, 300, 30, 228);
        Fit typed = fit(TdCcp.semiGradient().basis(TdCcp.Basis.POLYNOMIALS).degree(3), problem);
        assertThat(typed.score().orElseThrow().passed()).isFalse();
        assertThat(typed.basis()).contains("polynomials of degree 3");
        assertThat(typed.warnings()).hasSize(1);
        Fit tried = fit(TdCcp.semiGradient().degree(3), problem);
        assertThat(tried.score().orElseThrow().passed()).isTrue();
        assertThat(tried.warnings()).isEmpty();
        assertThat(tried.basis())
                .contains("splines with 8 knots, and polynomials of degree 3; rejected by the solved model's score:"
                        + " polynomials of degree 3");
        assertThat(tried.status()).endsWith("values by " + tried.basis().orElseThrow());
    }

    @Test
    void whereNoBasisPassesTheBestIsKeptWithTheWarning() {
        ChoiceProblem problem =
                panel("two-ar.yaml", TWO_AR, new double[] {0, 0.8, 0.5, 0, 0.6, 0.5}, s -> true, 300, 30, 181);
        Fit fit = fit(TdCcp.semiGradient().degree(3), problem);
        assertThat(fit.score().orElseThrow().passed()).isFalse();
        assertThat(fit.warnings()).hasSize(1);
        assertThat(fit.basis()).contains("polynomials of degree 3; the best of 4 tried, by the solved model's score");
    }

    /** Polynomials of degree 6 pass here with standard errors of .16, since they are too noisy to be rejected. */
    @Test
    void aNoisierBasisIsNotTaken() {
        ChoiceProblem problem = StudyModels.forCoverage("two-ar", CoverageStudy.Settings.STANDARD)
                .problem(RandomStream.of(1).named("coverage").at(118));
        Fit noisy = fit(TdCcp.semiGradient().basis(TdCcp.Basis.POLYNOMIALS).degree(6), problem);
        assertThat(noisy.score().orElseThrow().passed()).isTrue();
        assertThat(standardErrors(noisy)[1]).isGreaterThan(0.15);
        Fit fit = fit(TdCcp.semiGradient(), problem);
        assertThat(fit.basis().orElseThrow()).containsPattern("the best of|rejected by"); // others were tried
        assertThat(standardErrors(fit)[1]).isLessThan(0.06);
    }

    /**
     * Nobody works at the highest ages. A knot there would have no data for the action work, and its value would jump to
     * zero: an effect of illness of .23 to .29 (.06) was found so, for a truth of .9.
     */
    @Test
    void knotsLieWhereTheActionWasTaken() {
        double[] truth = {0.6, 0.8, 0.9};
        for (long seed = 12; seed <= 17; seed++) {
            ChoiceProblem problem =
                    panel("illness.yaml", truth, new double[] {0.5, 0.5}, s -> s % 2 == 0, 1000, 10, seed);
            Fit fit = fit(TdCcp.semiGradient().basis(TdCcp.Basis.SPLINES).degree(1), problem);
            double[] errors = standardErrors(fit);
            for (int j = 0; j < truth.length; j++) {
                assertThat(fit.theta()[j]).isCloseTo(truth[j], within(3 * errors[j]));
            }
        }
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

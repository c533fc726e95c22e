package dev.revealed.estimate.choice.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.Search;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.Panels;
import dev.revealed.estimate.choice.StaticLogit;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Normal;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HypothesisTestsTest {
    private static final RandomStream STREAM = RandomStream.of(1);
    private static final StaticLogit LOGIT = new StaticLogit();

    private static Fit fit(ChoiceProblem problem) {
        return LOGIT.fit(problem, problem.firstStage(), STREAM, ProgressListener.NONE);
    }

    private static LikelihoodRatio ratio(ChoiceProblem problem, String hypothesis) {
        return LikelihoodRatio.test(
                problem,
                LOGIT,
                fit(problem),
                Hypothesis.parse(hypothesis, problem.model().utility().names()),
                STREAM,
                ProgressListener.NONE);
    }

    @Test
    void waldOfOneRestrictionIsTheSquareOfZ() {
        TestResult test = Wald.test(
                Hypothesis.parse("b=1", List.of("a", "b")), new double[] {5, 1.3}, new double[][] {{9, 0.1}, {0.1, 0.04}
                });
        assertThat(test.statistic()).isCloseTo(1.5 * 1.5, within(1e-12));
        assertThat(test.df()).isEqualTo(1);
        assertThat(test.pValue()).isCloseTo(2 * Normal.cdf(-1.5), within(1e-12));
    }

    @Test
    void waldDoesNotDependOnHowTheHypothesisIsWritten() {
        List<String> names = List.of("a", "b", "c");
        double[] theta = {1, 2, -0.5};
        double[][] covariance = {{1, 0.3, 0.1}, {0.3, 2, -0.2}, {0.1, -0.2, 0.5}};
        TestResult one = Wald.test(Hypothesis.parse("a=b, b=c", names), theta, covariance);
        TestResult other = Wald.test(Hypothesis.parse("1000*a=1000*c, a/3 = b/3", names), theta, covariance);
        // (a-b, b-c) = (-1, 2.5) with covariance {{2.4, -2}, {-2, 2.9}}, worked out by hand.
        double expected = (1 * 2.9 + 6.25 * 2.4 + 2 * -1 * 2.5 * 2) / (2.4 * 2.9 - 2 * 2);
        assertThat(one.statistic()).isCloseTo(expected, within(1e-12));
        assertThat(other.statistic()).isCloseTo(expected, within(1e-12));
        assertThat(one.df()).isEqualTo(2);
        assertThat(one.pValue()).isCloseTo(Math.exp(-expected / 2), within(1e-12));
    }

    @Test
    void waldRefusesWhatHasNoVariance() {
        Hypothesis hypothesis = Hypothesis.parse("a=0,b=0", List.of("a", "b"));
        double[] theta = {1, 2};
        assertThatThrownBy(() -> Wald.test(hypothesis, theta, new double[][] {{1, 2}, {2, 4}}))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("no variance of its own");
        assertThatThrownBy(() -> Wald.test(hypothesis, theta, new double[][] {{0, 0}, {0, 4}}))
                .isInstanceOf(BadInput.class);
        assertThatThrownBy(() -> Wald.test(hypothesis, theta, new double[][] {{Double.NaN, 0}, {0, 4}}))
                .isInstanceOf(BadInput.class);
        assertThatThrownBy(() -> Wald.test(hypothesis, theta, new double[0][]))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("no standard errors");
    }

    @Test
    void likelihoodRatioOfABiasedCoinHasAClosedForm() {
        int heads = 61;
        int n = 100;
        LikelihoodRatio ratio = ratio(Panels.tosses(heads, n), "bias=0");
        double free = heads * Math.log(0.61) + (n - heads) * Math.log(0.39);
        assertThat(ratio.logLikelihood()).isCloseTo(free, within(1e-9));
        assertThat(ratio.restrictedLogLikelihood()).isCloseTo(-n * Math.log(2), within(1e-9));
        assertThat(ratio.test().statistic()).isCloseTo(2 * (free + n * Math.log(2)), within(1e-9));
        assertThat(ratio.test().df()).isEqualTo(1);
        assertThat(ratio.test().warnings()).isEmpty();
    }

    @Test
    void twoCoinsAreOneWhereTheirBiasesAreEqual() {
        // 30 of 50 and 40 of 50 heads: under the hypothesis 70 of 100.
        int[] states = new int[100];
        int[] decisions = new int[100];
        for (int i = 0; i < 100; i++) {
            states[i] = i / 50;
            decisions[i] = i < 30 || (i >= 50 && i < 90) ? 1 : 0;
        }
        ChoiceProblem problem = Panels.standing(
                List.of("tails", "heads"),
                List.of("first", "second"),
                new double[][] {{0, 0}, {1, 0}, {0, 0}, {0, 1}},
                states,
                decisions);
        LikelihoodRatio ratio = ratio(problem, "first=second");
        double free = 30 * Math.log(0.6) + 20 * Math.log(0.4) + 40 * Math.log(0.8) + 10 * Math.log(0.2);
        double held = 70 * Math.log(0.7) + 30 * Math.log(0.3);
        assertThat(ratio.test().statistic()).isCloseTo(2 * (free - held), within(1e-8));
        assertThat(ratio.theta()[0]).isCloseTo(Math.log(7.0 / 3), within(1e-8)).isEqualTo(ratio.theta()[1]);
    }

    @Test
    void waldAndLikelihoodRatioAgreeInLargeSamples() {
        ChoiceProblem problem = Panels.bus(2000, 100, 3);
        Fit fit = fit(problem);
        // Two standard errors off the truth, so that there is something to agree on.
        double[][] covariance = Dense.inverse(StaticLogit.information(problem, fit.theta(), new double[2]))
                .orElseThrow();
        double off = fit.theta()[1] + 2 * Math.sqrt(covariance[1][1]);
        for (String text : List.of("theta11=" + off, "RC=3, theta11=" + off)) {
            Hypothesis hypothesis =
                    Hypothesis.parse(text, problem.model().utility().names());
            TestResult wald = Wald.test(hypothesis, fit.theta(), covariance);
            LikelihoodRatio ratio =
                    LikelihoodRatio.test(problem, LOGIT, fit, hypothesis, STREAM, ProgressListener.NONE);
            assertThat(wald.statistic()).isGreaterThan(3.9);
            assertThat(ratio.test().statistic()).isCloseTo(wald.statistic(), within(0.03 * wald.statistic()));
        }
    }

    @Test
    void likelihoodRatioSaysWhatItCannotDo() {
        ChoiceProblem problem = Panels.bus(20, 30, 3);
        Fit fit = fit(problem);
        List<String> names = List.of("RC", "theta11", "theta30", "theta31");
        assertThatThrownBy(() -> LikelihoodRatio.test(
                        problem, LOGIT, fit, Hypothesis.parse("theta30=0.3", names), STREAM, ProgressListener.NONE))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("'theta30', a parameter of the transition law");
        Fit moments = Fit.other(
                fit.theta(), fit.phi(), new Search(1, true, "", 0), Optional.of(new double[20][2]), List.of());
        assertThatThrownBy(() -> LikelihoodRatio.test(
                        problem, LOGIT, moments, Hypothesis.parse("RC=0", names), STREAM, ProgressListener.NONE))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("needs maximum likelihood");
    }

    @Test
    void likelihoodRatioSaysWhenTheMaximumWasNotFound() {
        ChoiceProblem problem = Panels.bus(20, 30, 3);
        Fit bad = Fit.likelihood(new double[] {0, 0}, problem.firstStage().phi(), new Search(1, false, "gave up", 0));
        TestResult test = LikelihoodRatio.test(
                        problem,
                        LOGIT,
                        bad,
                        Hypothesis.parse(
                                "theta11=200", problem.model().utility().names()),
                        STREAM,
                        ProgressListener.NONE)
                .test();
        assertThat(test.statistic()).isZero();
        assertThat(test.warnings())
                .anySatisfy(w -> assertThat(w).contains("did not converge: gave up"))
                .anySatisfy(w -> assertThat(w).contains("has not found the maximum"));
    }
}

package dev.revealed.estimate.choice.likelihood;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.MlIrl;
import dev.revealed.estimate.choice.Buses;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.Observations;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.RowScores;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NestedFixedPointTest {

    private static Fit fit(PanelMethod method, ChoiceProblem problem) {
        return method.fit(problem, problem.firstStage(), RandomStream.of(1), ProgressListener.NONE);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.9, 0.99, 0.9999})
    void everySearchAndTheSingleLoopFindTheSameMaximum(double discount) {
        ChoiceProblem problem = Buses.problem(20, discount, 60, 60, 1);
        Fit scoring = fit(NestedFixedPoint.standard(), problem);
        assertThat(scoring.converged()).isTrue();
        for (PanelMethod other : new PanelMethod[] {
            NestedFixedPoint.standard().by(NestedFixedPoint.Search.BHHH),
            NestedFixedPoint.standard().by(NestedFixedPoint.Search.LBFGS),
            new MlIrlMethod(MlIrl.preconditioned())
        }) {
            Fit fit = fit(other, problem.startingAt(8, 30));
            assertThat(fit.converged()).as(other.toString()).isTrue();
            for (int j = 0; j < 2; j++) {
                assertThat(fit.theta()[j])
                        .as(other.toString())
                        .isCloseTo(scoring.theta()[j], within(1e-4 * Math.abs(scoring.theta()[j])));
            }
        }
    }

    /** The gradient of the joint likelihood, at a point that is no maximum, against differences. */
    @Test
    void jointScoresAreDerivatives() {
        ChoiceProblem problem = Buses.problem(15, 0.95, 20, 30, 2);
        double[] x = {3, 80, 0.25, 0.55};
        RowScores solved = new RowScores(problem.model(), problem.choiceCounts(), new double[] {x[2], x[3]}, true);
        Observations observations = Observations.of(problem.model().law(), problem.panel());
        solved.solve(x);
        double[] gradient =
                observations.sum(observations.scores(problem.model().law(), solved, solved.scores(x), true));
        for (int j = 0; j < x.length; j++) {
            double step = 1e-6 * Math.max(1, x[j]);
            double[] up = x.clone();
            double[] down = x.clone();
            up[j] += step;
            down[j] -= step;
            double difference = (logLikelihood(problem, up) - logLikelihood(problem, down)) / (2 * step);
            assertThat(gradient[j]).isCloseTo(difference, within(1e-5 * Math.max(1, Math.abs(difference))));
        }
    }

    private static double logLikelihood(ChoiceProblem problem, double[] x) {
        double[] phi = {x[2], x[3]};
        return new RowScores(problem.model(), problem.choiceCounts(), phi, false).solve(x)
                + FirstStage.logLikelihood(
                        problem.model().law(),
                        problem.panel().moves(problem.model().law()),
                        phi);
    }

    @Test
    void fullLikelihoodIsAtLeastThatOfTwoSteps() {
        ChoiceProblem problem = Buses.problem(15, 0.95, 30, 30, 3);
        Estimate two =
                new ChoiceEstimator(NestedFixedPoint.standard()).fit(problem, 1).estimate();
        Estimate full = new ChoiceEstimator(NestedFixedPoint.standard().full(true))
                .fit(problem, 1)
                .estimate();
        assertThat(full.logLikelihood()).isGreaterThan(two.logLikelihood());
        assertThat(full.choiceLogLikelihood().orElseThrow())
                .isGreaterThan(two.choiceLogLikelihood().orElseThrow());
        assertThat(full.transitionLogLikelihood().orElseThrow())
                .isLessThan(two.transitionLogLikelihood().orElseThrow());
    }
}

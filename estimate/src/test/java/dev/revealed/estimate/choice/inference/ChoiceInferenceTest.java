package dev.revealed.estimate.choice.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.Buses;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.likelihood.MaxEnt;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.numeric.Vec;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChoiceInferenceTest {

    /** Two hundred fleets: the spread of the estimates is what every kind of standard error should say. */
    @Test
    void standardErrorsAreTheSpreadOfEstimates() {
        int fleets = 200;
        double[][] theta = new double[4][fleets];
        double[][][] errors = new double[4][4][fleets];
        List<StandardErrors> kinds =
                List.of(StandardErrors.OPG, StandardErrors.HESSIAN, StandardErrors.SANDWICH, StandardErrors.CLUSTER);
        for (int i = 0; i < fleets; i++) {
            ChoiceProblem problem = Buses.problem(12, 0.9, 100, 40, 100 + i);
            for (int k = 0; k < kinds.size(); k++) {
                Estimate estimate = new ChoiceEstimator(NestedFixedPoint.standard(), kinds.get(k))
                        .fit(problem, 1)
                        .estimate();
                for (int j = 0; j < 4; j++) {
                    theta[j][i] = estimate.theta()[j];
                    errors[k][j][i] =
                            estimate.parameters().get(j).standardError().orElseThrow();
                }
            }
        }
        for (int j = 0; j < 4; j++) {
            double spread = Vec.standardError(theta[j]) * Math.sqrt(fleets);
            for (int k = 0; k < kinds.size(); k++) {
                // The spread of 200 estimates is itself uncertain by one in twenty.
                assertThat(Vec.mean(errors[k][j]))
                        .as("%s of parameter %d", kinds.get(k), j)
                        .isCloseTo(spread, within(0.15 * spread));
            }
        }
    }

    /**
     * The part of theta's variance that the law adds, against refitting with the law moved: theta depends on phi at the rate
     * A^-1 C, whatever the adjoint says.
     */
    @Test
    void crossInformationIsTheRateAtWhichThetaFollowsTheLaw() {
        ChoiceProblem problem = Buses.problem(12, 0.95, 2000, 40, 7);
        FirstStage first = problem.firstStage();
        Estimate estimate = new ChoiceEstimator(NestedFixedPoint.standard(), StandardErrors.HESSIAN)
                .fit(problem, 1)
                .estimate();
        double[][] covariance = estimate.covariance();
        double[] variance = new double[2];
        for (int k = 0; k < 2; k++) {
            double[] rate = rate(problem, first, k);
            double[] other = rate(problem, first, 1 - k);
            for (int j = 0; j < 2; j++) {
                variance[j] += rate[j] * (rate[j] * covariance[2 + k][2 + k] + other[j] * covariance[2 + k][2 + 1 - k]);
            }
        }
        double[] known = withLawKnown(problem, first);
        for (int j = 0; j < 2; j++) {
            double added = covariance[j][j] - known[j];
            assertThat(added).isPositive().isCloseTo(variance[j], within(0.1 * variance[j]));
        }
    }

    private static double[] rate(ChoiceProblem problem, FirstStage first, int k) {
        double step = 1e-4;
        double[] up = first.phi().clone();
        double[] down = first.phi().clone();
        up[k] += step;
        down[k] -= step;
        double[] high = theta(problem, new FirstStage(up, first.moves()));
        double[] low = theta(problem, new FirstStage(down, first.moves()));
        return new double[] {(high[0] - low[0]) / (2 * step), (high[1] - low[1]) / (2 * step)};
    }

    private static double[] theta(ChoiceProblem problem, FirstStage first) {
        return NestedFixedPoint.standard()
                .fit(
                        problem,
                        first,
                        dev.revealed.numeric.RandomStream.of(1),
                        dev.revealed.numeric.ProgressListener.NONE)
                .theta();
    }

    /** Variances of theta as if the law were known: the inverse of the Hessian of the choices alone. */
    private static double[] withLawKnown(ChoiceProblem problem, FirstStage first) {
        ChoiceInference inference = new ChoiceInference(problem, first, theta(problem, first), first.phi(), false);
        double[][] inverse = dev.revealed.numeric.Dense.inverse(inference.information(StandardErrors.HESSIAN))
                .orElseThrow();
        return new double[] {inverse[0][0], inverse[1][1]};
    }

    @Test
    void moreBusesMoreCertain() {
        Estimate few = new ChoiceEstimator(NestedFixedPoint.standard())
                .fit(Buses.problem(12, 0.9, 50, 40, 5), 1)
                .estimate();
        Estimate many = new ChoiceEstimator(NestedFixedPoint.standard())
                .fit(Buses.problem(12, 0.9, 200, 40, 5), 1)
                .estimate();
        for (int j = 0; j < 4; j++) {
            double ratio = few.parameters().get(j).standardError().orElseThrow()
                    / many.parameters().get(j).standardError().orElseThrow();
            assertThat(ratio).isBetween(1.5, 2.7);
        }
    }

    /** The surrogate's maximiser has a larger spread, and its influence says so. */
    @Test
    void maximumEntropyKnowsItsOwnSpread() {
        int fleets = 100;
        double[][] theta = new double[2][fleets];
        double[][] errors = new double[2][fleets];
        for (int i = 0; i < fleets; i++) {
            Estimate estimate = new ChoiceEstimator(MaxEnt.standard())
                    .fit(Buses.problem(12, 0.95, 200, 60, 500 + i), 1)
                    .estimate();
            for (int j = 0; j < 2; j++) {
                theta[j][i] = estimate.theta()[j];
                errors[j][i] = estimate.parameters().get(j).standardError().orElseThrow();
            }
        }
        for (int j = 0; j < 2; j++) {
            double spread = Vec.standardError(theta[j]) * Math.sqrt(fleets);
            assertThat(Vec.mean(errors[j])).isCloseTo(spread, within(0.25 * spread));
            assertThat(Vec.mean(theta[j])).isCloseTo(Buses.theta()[j], within(4 * spread / Math.sqrt(fleets)));
        }
    }
}

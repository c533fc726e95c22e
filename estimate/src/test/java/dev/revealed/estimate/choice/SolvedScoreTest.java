package dev.revealed.estimate.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.choice.twostep.TdCcp;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Normal;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SolvedScoreTest {

    /**
     * Where the estimate is far noisier than the maximum of the likelihood, the covariance of the step is that of the
     * estimate, and the allowance adds a sixteenth to it. The statistic must not have that sixteenth.
     */
    @Test
    void theAllowanceIsInTheConservativeNumberOnly() {
        ChoiceProblem problem = Buses.problem(20, 0.95, 200, 50, 8);
        Fit fit = TdCcp.semiGradient().fit(problem, problem.firstStage(), RandomStream.of(1), ProgressListener.NONE);
        double[][] noisy = Arrays.stream(fit.influence().orElseThrow())
                .map(own -> Arrays.stream(own).map(x -> 3000 * x).toArray())
                .toArray(double[][]::new);
        double[] far = {2 * fit.theta()[0], 2 * fit.theta()[1]};
        SolvedScore score =
                SolvedScore.of(problem, problem.firstStage(), far, noisy).orElseThrow();
        double[][] covariance = new double[2][2];
        for (double[] own : noisy) {
            Observations.addOuter(1, own, covariance);
        }
        double expected =
                Vec.dot(score.step(), Dense.solve(covariance, score.step()).orElseThrow());
        assertThat(score.statistic().orElseThrow()).isCloseTo(expected, within(0.02 * expected));
        // Chi-squared with two degrees of freedom is exponential.
        double pValue = score.pValue().orElseThrow();
        assertThat(pValue).isCloseTo(Math.exp(-score.statistic().orElseThrow() / 2), within(1e-12));
        assertThat(2 * Normal.cdf(-score.standardErrors().orElseThrow())).isCloseTo(pValue, within(1e-9));
        double allowed = -2 * Math.log(2 * Normal.cdf(-score.conservative()));
        assertThat(allowed).isCloseTo(expected * 16 / 17, within(0.02 * expected));
    }
}

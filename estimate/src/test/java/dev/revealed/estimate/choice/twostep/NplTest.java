package dev.revealed.estimate.choice.twostep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.Buses;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.Machines;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.Panels;
import dev.revealed.estimate.choice.RowScores;
import dev.revealed.numeric.Lbfgs;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NplTest {
    private static Fit fit(PanelMethod method, ChoiceProblem problem) {
        return method.fit(problem, problem.firstStage(), RandomStream.of(1), ProgressListener.NONE);
    }

    /** Maximum likelihood with nothing of ours but the likelihood and its gradient. */
    private static Lbfgs.Result direct(ChoiceProblem problem) {
        RowScores model = new RowScores(
                problem.model(), problem.choiceCounts(), problem.firstStage().phi(), false);
        return new Lbfgs(20, 1000, 1e-6)
                .maximise(
                        (x, gradient) -> {
                            double value = model.solve(x);
                            model.scores(x);
                            System.arraycopy(model.gradient(), 0, gradient, 0, gradient.length);
                            return value;
                        },
                        new double[problem.model().utility().parameters()],
                        (k, x, value, gradient) -> {});
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.9, 0.99, 0.9999})
    void isMaximumLikelihoodFromAnyStart(double discount) {
        for (ChoiceProblem problem :
                List.of(Buses.problem(20, discount, 60, 60, 1), Machines.problem(discount, 60, 40, 1))) {
            double[] best = direct(problem).x();
            for (Npl npl : List.of(
                    Npl.standard(),
                    Npl.standard().fromZero(),
                    new Npl(new ChoiceProbabilities.Frequency(1), 100, 1e-8, false))) {
                Fit fit = fit(npl, problem);
                assertThat(fit.converged()).as(fit.status()).isTrue();
                for (int j = 0; j < best.length; j++) {
                    assertThat(fit.theta()[j]).isCloseTo(best[j], within(1e-5 * Math.max(1, Math.abs(best[j]))));
                }
            }
        }
    }

    @Test
    void theTraceRisesToTheMaximumAndChangesNothing() {
        ChoiceProblem problem = Buses.problem(20, 0.9999, 60, 60, 1);
        Fit fit = fit(Npl.standard().fromZero().traced(), problem);
        assertThat(fit.theta())
                .isEqualTo(fit(Npl.standard().fromZero(), problem).theta());
        List<Estimate.TracePoint> trace = fit.trace();
        assertThat(trace).hasSize(fit.iterations());
        double best = direct(problem).value();
        assertThat(trace.getLast().logLikelihood()).isCloseTo(best, within(1e-8));
        assertThat(trace.getLast().policyError()).isLessThan(1e-7);
        assertThat(trace.getFirst().logLikelihood()).isLessThan(best - 1e-3);
        assertThat(trace.getLast().kernelPasses()).isEqualTo(fit.kernelPasses());
    }

    /** A choice that never varies has no maximum, and that is said. */
    @Test
    void noMaximumIsTold() {
        ChoiceProblem problem = Panels.tosses(0, 20);
        Fit fit = fit(Npl.standard(), problem);
        assertThat(fit.converged()).isFalse();
        assertThat(fit.status()).contains("no maximum").contains("do not vary");
    }
}

package dev.revealed.estimate.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.MlIrl;
import dev.revealed.estimate.choice.constrained.Mpec;
import dev.revealed.estimate.choice.counterfactual.Change;
import dev.revealed.estimate.choice.counterfactual.Counterfactual;
import dev.revealed.estimate.choice.counterfactual.Effects;
import dev.revealed.estimate.choice.counterfactual.Intervals;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.inference.StandardErrors;
import dev.revealed.estimate.choice.likelihood.MaxEnt;
import dev.revealed.estimate.choice.likelihood.MlIrlMethod;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.estimate.choice.simulated.Bbl;
import dev.revealed.estimate.choice.simulated.Hmss;
import dev.revealed.estimate.choice.twostep.Ccp;
import dev.revealed.estimate.choice.twostep.Npl;
import dev.revealed.estimate.choice.twostep.TdCcp;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every estimator finds with a kernel kept as factors what it finds with the matrix written down. */
class FactoredEstimatorsTest {
    private static final ChoiceModel WRITTEN = Plants.model(7, 6, 0.9, TransitionLaw.Plan.ENTRIES);
    private static final ChoiceModel FACTORED = Plants.model(7, 6, 0.9, TransitionLaw.Plan.FACTORED);
    private static final Panel PANEL = Plants.panel(WRITTEN, 60, 30);

    static Stream<PanelMethod> methods() {
        return Stream.of(
                NestedFixedPoint.standard(),
                NestedFixedPoint.standard().full(true),
                new MlIrlMethod(MlIrl.preconditioned()),
                Mpec.standard().by(Mpec.Solver.JAVA),
                Ccp.standard(),
                Npl.standard(),
                Hmss.standard(),
                Bbl.standard(),
                TdCcp.semiGradient(),
                MaxEnt.standard());
    }

    @ParameterizedTest
    @MethodSource("methods")
    void findsTheSame(PanelMethod method) {
        Estimate written = new ChoiceEstimator(method, StandardErrors.CLUSTER)
                .fit(new ChoiceProblem(WRITTEN, PANEL), 1)
                .estimate();
        Estimate factored = new ChoiceEstimator(method, StandardErrors.CLUSTER)
                .fit(new ChoiceProblem(FACTORED, PANEL), 1)
                .estimate();
        assertThat(factored.converged()).isEqualTo(written.converged());
        assertThat(factored.theta()).containsExactly(written.theta(), within(1e-6));
        for (int i = 0; i < written.parameters().size(); i++) {
            assertThat(factored.parameters().get(i).standardError().orElseThrow())
                    .isCloseTo(written.parameters().get(i).standardError().orElseThrow(), within(1e-6));
        }
    }

    @Test
    void predictsTheSame() {
        double[][] covariance = new double[9][9];
        for (int i = 0; i < 9; i++) {
            covariance[i][i] = 1e-4;
        }
        double[] start = new double[WRITTEN.states()];
        start[3] = 1;
        Effects[] effects = new Effects[2];
        for (int i = 0; i < 2; i++) {
            effects[i] = Counterfactual.of(i == 0 ? WRITTEN : FACTORED, Plants.THETA, Plants.PHI, covariance, start)
                    .with(new Intervals(0.95, true, 0))
                    .effects(Change.none().set("cost", 1), RandomStream.of(1), ProgressListener.NONE);
        }
        assertThat(effects[1].stationary().change().value())
                .containsExactly(effects[0].stationary().change().value(), within(1e-9));
        assertThat(effects[1].fromStart().change().value())
                .containsExactly(effects[0].fromStart().change().value(), within(1e-9));
        assertThat(effects[1].shares().change().delta().orElseThrow().standardError())
                .containsExactly(
                        effects[0].shares().change().delta().orElseThrow().standardError(), within(1e-7));
    }
}

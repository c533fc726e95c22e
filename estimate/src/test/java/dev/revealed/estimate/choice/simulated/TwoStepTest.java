package dev.revealed.estimate.choice.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.Buses;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.Machines;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.twostep.Ccp;
import dev.revealed.estimate.choice.twostep.ChoiceProbabilities;
import dev.revealed.estimate.choice.twostep.Plausibility;
import dev.revealed.estimate.choice.twostep.PseudoLikelihood;
import dev.revealed.estimate.choice.twostep.TwoStep;
import dev.revealed.estimate.choice.twostep.Valuation;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TwoStepTest {
    private static final Futures MANY = new Futures(2000, 4, 20_000);

    static Stream<PanelMethod> methods() {
        return Stream.of(Ccp.standard(), Hmss.standard(), Bbl.standard());
    }

    private static Fit fit(PanelMethod method, ChoiceProblem problem) {
        return method.fit(problem, problem.firstStage(), RandomStream.of(1), ProgressListener.NONE);
    }

    /** Rows of exact values under the first step's choice probabilities. */
    private static double[][] exact(TwoStep step) {
        Valuation valuation = new Valuation(step.model(), step.process(), step.visits());
        valuation.under(step.policy());
        return valuation.rows();
    }

    /** With many draws simulation is exact: the same equations solved with values from linear systems. */
    @Test
    void hmssTendsToWhatExactValuesGive() {
        for (ChoiceProblem problem :
                List.of(Buses.problem(20, 0.9999, 100, 60, 1), Machines.problem(0.95, 100, 40, 1))) {
            TwoStep step = new TwoStep(problem, problem.firstStage(), ChoiceProbabilities.STANDARD);
            double[] limit = Hmss.criterion(step).theta(exact(step));
            Fit fit = fit(new Hmss(ChoiceProbabilities.STANDARD, MANY), problem);
            double[][] simulation = fit.simulation().orElseThrow();
            for (int j = 0; j < limit.length; j++) {
                double scale = Math.max(1, Math.abs(limit[j]));
                assertThat(fit.theta()[j]).isCloseTo(limit[j], within(0.01 * scale));
                assertThat(Math.sqrt(simulation[j][j])).isLessThan(0.005 * scale);
            }
        }
    }

    /**
     * The gains of going by other choice probabilities for a period, computed from their definition: none at the estimate
     * where parameters suffice to make P optimal, some as soon as theta moves.
     */
    @Test
    void noAlternativeGainsAtTheEstimateOfBbl() {
        ChoiceProblem problem = Buses.problem(2, 0.9, 100, 60, 1); // two states: two log-odds, two parameters
        TwoStep step = new TwoStep(problem, problem.firstStage(), new ChoiceProbabilities.Frequency(1e-6));
        double[] theta = fit(new Bbl(new ChoiceProbabilities.Frequency(1e-6), MANY, 0.1), problem)
                .theta();
        assertThat(largestGain(step, theta)).isLessThan(1e-6);
        for (int j = 0; j < 2; j++) {
            for (double by : new double[] {-0.3, 0.3}) {
                double[] moved = theta.clone();
                moved[j] += by * (j == 0 ? 1 : 1000); // the second feature counts thousandths
                assertThat(largestGain(step, moved)).isGreaterThan(1e-5);
            }
        }
    }

    private static double largestGain(TwoStep step, double[] theta) {
        double[][] q = exact(step);
        double largest = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < step.visits().states().length; i++) {
            double[] worth = new double[2];
            for (int a = 0; a < 2; a++) {
                worth[a] = q[2][2 * i + a] + theta[0] * q[0][2 * i + a] + theta[1] * q[1][2 * i + a];
            }
            double now = step.chance()[2 * i + 1];
            for (double shift : new double[] {-0.1, 0.1}) {
                double odds = now / (1 - now) * Math.exp(shift);
                double then = odds / (1 + odds);
                largest = Math.max(largest, value(then, worth) - value(now, worth));
            }
        }
        return largest;
    }

    /** Expected worth and expected shock of choosing the second action with probability p. */
    private static double value(double p, double[] worth) {
        return (1 - p) * worth[0] + p * worth[1] - p * Math.log(p) - (1 - p) * Math.log(1 - p);
    }

    /** With small shifts and two actions the inequalities become the equations of hmss. */
    @Test
    void smallShiftsMakeBblTheEstimatorOfLogOdds() {
        ChoiceProblem problem = Buses.problem(20, 0.95, 100, 60, 1);
        double[] hmss = fit(Hmss.standard(), problem).theta();
        double[] bbl = fit(new Bbl(ChoiceProbabilities.STANDARD, Futures.STANDARD, 1e-6), problem)
                .theta();
        assertThat(bbl).containsExactly(hmss, within(1e-3));
    }

    static Stream<Function<TwoStep, TwoStep.Criterion>> criteria() {
        return Stream.of(
                step -> new PseudoLikelihood(step, true),
                Hmss::criterion,
                new Bbl(ChoiceProbabilities.STANDARD, Futures.STANDARD, 1e-6)::criterion);
    }

    /** An individual counted twice moves the estimate by its influence, both first steps being taken again. */
    @ParameterizedTest
    @MethodSource("criteria")
    void influenceIsWhatAnIndividualAdds(Function<TwoStep, TwoStep.Criterion> estimator) {
        for (ChoiceProblem problem : List.of(Buses.problem(15, 0.99, 400, 30, 1), Machines.problem(0.95, 400, 30, 1))) {
            TwoStep step = new TwoStep(problem, problem.firstStage(), ChoiceProbabilities.STANDARD);
            TwoStep.Criterion criterion = estimator.apply(step);
            double[] theta = criterion.theta(exact(step));
            double[][] influence =
                    step.influence(criterion.moments(exact(step), theta), theta).orElseThrow();
            for (int j = 0; j < theta.length; j++) {
                double[] predicted = new double[8];
                double[] actual = new double[8];
                for (int i = 0; i < 8; i++) {
                    int[] draw = IntStream.rangeClosed(0, 400).toArray();
                    draw[400] = 40 * i;
                    ChoiceProblem twice = problem.withPanel(problem.panel().drawn(draw));
                    TwoStep again = new TwoStep(twice, twice.firstStage(), ChoiceProbabilities.STANDARD);
                    predicted[i] = influence[40 * i][j];
                    actual[i] = estimator.apply(again).theta(exact(again))[j] - theta[j];
                }
                assertThat(Vec.norm(Vec.plus(predicted, -1, actual)) / Vec.norm(actual))
                        .as("parameter %d: %s against %s", j, Arrays.toString(predicted), Arrays.toString(actual))
                        .isLessThan(0.05);
            }
        }
    }

    /** Standard errors against the spread of estimates over panels. */
    @ParameterizedTest
    @MethodSource("methods")
    void standardErrorsAreTheSpreadOverPanels(PanelMethod method) {
        int panels = 80;
        double[][] estimates = new double[3][panels];
        double[][] errors = new double[3][panels];
        for (int r = 0; r < panels; r++) {
            Estimate estimate = new ChoiceEstimator(method)
                    .fit(Machines.problem(0.9, 100, 30, 100 + r), r)
                    .estimate();
            for (int j = 0; j < 3; j++) {
                estimates[j][r] = estimate.theta()[j];
                errors[j][r] = estimate.parameters().get(j).standardError().orElseThrow();
            }
        }
        for (int j = 0; j < 3; j++) {
            double spread = Vec.standardError(estimates[j]) * Math.sqrt(panels);
            assertThat(Vec.mean(errors[j]) / spread).isBetween(0.75, 1.33);
            assertThat(Vec.mean(estimates[j])).isCloseTo(Machines.theta()[j], within(0.5 * spread));
        }
    }

    /** Costs that turn into gains where no bus ever was: the estimate stands, but not without a warning. */
    @Test
    void anEstimateThatTheSolvedModelContradictsIsTold() {
        ChoiceProblem problem = Buses.problem(20, 0.95, 100, 60, 1);
        assertThat(Plausibility.warnings(problem, problem.firstStage(), Buses.theta()))
                .isEmpty();
        assertThat(Plausibility.warnings(problem, problem.firstStage(), new double[] {-3, 100}))
                .singleElement()
                .asString()
                .contains("worse")
                .contains("npl");
    }

    @Test
    void parametersThatNoChoiceTellsApartAreTold() {
        ChoiceProblem bus = Buses.problem(10, 0.9, 50, 30, 1);
        double[][] features = new double[20][2];
        for (int s = 0; s < 10; s++) {
            features[2 * s + RustBus.REPLACE][0] = -1;
            features[2 * s + RustBus.REPLACE][1] = 2;
        }
        ChoiceProblem problem = new ChoiceProblem(
                new ChoiceModel(
                        "twins",
                        bus.model().actions(),
                        bus.model().law(),
                        0.9,
                        LinearReward.ofRows(2, List.of("a", "b"), features),
                        bus.model().cost()),
                bus.panel());
        for (PanelMethod method : methods().toList()) {
            Fit fit = fit(method, problem);
            assertThat(fit.converged()).isFalse();
            assertThat(fit.status()).contains("tell");
        }
    }

    @Test
    void uniformProbabilitiesAreNoFirstStep() {
        ChoiceProblem problem = Buses.problem(10, 0.9, 50, 30, 1);
        assertThatThrownBy(() -> fit(new Ccp(new ChoiceProbabilities.Uniform()), problem))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("frequency");
    }
}

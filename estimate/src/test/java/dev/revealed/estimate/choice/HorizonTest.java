package dev.revealed.estimate.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.MlIrl;
import dev.revealed.estimate.choice.constrained.Mpec;
import dev.revealed.estimate.choice.counterfactual.Change;
import dev.revealed.estimate.choice.counterfactual.Counterfactual;
import dev.revealed.estimate.choice.counterfactual.Intervals;
import dev.revealed.estimate.choice.counterfactual.PathCounterfactual;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.inference.StandardErrors;
import dev.revealed.estimate.choice.likelihood.MaxEnt;
import dev.revealed.estimate.choice.likelihood.MlIrlMethod;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.estimate.choice.mixed.Population;
import dev.revealed.estimate.choice.simulated.Bbl;
import dev.revealed.estimate.choice.simulated.Hmss;
import dev.revealed.estimate.choice.twostep.Ccp;
import dev.revealed.estimate.choice.twostep.Npl;
import dev.revealed.estimate.choice.twostep.TdCcp;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.choice.AutoregressiveProcess;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Models with a horizon against loops over periods, and against the same model with the period as a state. */
class HorizonTest {
    private static final ChoiceModel MODEL = Careers.model(0.9, TransitionLaw.Plan.AUTOMATIC);
    private static final Panel PANEL = Careers.panel(MODEL, 1500);
    private static final Estimate BEST = new ChoiceEstimator(NestedFixedPoint.standard())
            .fit(new ChoiceProblem(MODEL, PANEL), 1)
            .estimate();

    /** V_t(skill, wage) by three nested loops, straight from the definition. */
    private static double[][][] values(double discount, double[] theta) {
        AutoregressiveProcess wages = new AutoregressiveProcess(
                Careers.WAGES, List.of("rho", "sigma"), new double[] {0, Double.NaN, Double.NaN});
        double[][][] v = new double[Careers.PERIODS + 1][4][3];
        for (int x = 0; x < 4; x++) {
            for (int w = 0; w < 3; w++) {
                v[Careers.PERIODS][x][w] = theta[2] * x;
            }
        }
        for (int t = Careers.PERIODS - 1; t >= 0; t--) {
            for (int x = 0; x < 4; x++) {
                for (int w = 0; w < 3; w++) {
                    double[] p = wages.probabilities(Careers.PHI, w);
                    double home = theta[0];
                    double work = theta[1] * (Careers.WAGES[w] + 0.3 * x);
                    for (int n = 0; n < 3; n++) {
                        home += discount * p[n] * v[t + 1][x][n];
                        work += discount * p[n] * v[t + 1][Math.min(3, x + 1)][n];
                    }
                    v[t][x][w] = Math.log(Math.exp(home) + Math.exp(work));
                }
            }
        }
        return v;
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.9, 1})
    void backwardInductionIsTheLoopOverPeriods(double discount) {
        double[][][] truth = values(discount, Careers.THETA);
        for (TransitionLaw.Plan plan : TransitionLaw.Plan.values()) {
            SoftPolicy solved = Careers.model(discount, plan).solve(Careers.THETA, Careers.PHI);
            for (int s = 0; s < solved.values().length; s++) {
                assertThat(solved.values()[s]).isCloseTo(truth[s / 12][s / 3 % 4][s % 3], within(1e-12));
            }
        }
    }

    /** Without terminal values it is the model that ends in a last period, whose values are found by other means. */
    @Test
    void isTheModelWithThePeriodAsAState() {
        ChoiceModel written = Careers.written(0.9);
        Panel panel = Careers.panel(written, 300);
        Estimate truth = new ChoiceEstimator(NestedFixedPoint.standard().full(true), StandardErrors.SANDWICH)
                .fit(new ChoiceProblem(written, panel), 1)
                .estimate();
        ChoiceModel periods = Careers.model(0.9, TransitionLaw.Plan.AUTOMATIC);
        ChoiceModel same =
                new ChoiceModel("career", periods.actions(), periods.law(), 0.9, written.utility(), written.cost());
        Estimate found = new ChoiceEstimator(NestedFixedPoint.standard().full(true), StandardErrors.SANDWICH)
                .fit(new ChoiceProblem(same, panel), 1)
                .estimate();
        assertThat(found.logLikelihood()).isCloseTo(truth.logLikelihood(), within(1e-8));
        assertThat(found.theta()).containsExactly(truth.theta(), within(1e-7));
        for (int i = 0; i < truth.covariance().length; i++) {
            assertThat(found.covariance()[i]).containsExactly(truth.covariance()[i], within(1e-7));
        }
    }

    static Stream<PanelMethod> likelihoods() {
        return Stream.of(
                new MlIrlMethod(MlIrl.preconditioned()),
                Npl.standard(),
                Mpec.standard().by(Mpec.Solver.JAVA),
                Mpec.standard());
    }

    @ParameterizedTest
    @MethodSource("likelihoods")
    void likelihoodMethodsFindOneMaximum(PanelMethod method) {
        Estimate found = new ChoiceEstimator(method)
                .fit(new ChoiceProblem(MODEL, PANEL), 1)
                .estimate();
        assertThat(found.converged()).as(found.status()).isTrue();
        assertThat(found.theta()).containsExactly(BEST.theta(), within(1e-5));
        assertThat(found.parameters().get(2).standardError().orElseThrow())
                .isCloseTo(BEST.parameters().get(2).standardError().orElseThrow(), within(1e-4));
    }

    static Stream<PanelMethod> others() {
        return Stream.of(
                Ccp.standard(), Hmss.standard(), Bbl.standard(), MaxEnt.standard(), NestedFixedPoint.standard());
    }

    @ParameterizedTest
    @MethodSource("others")
    void everyMethodIsWithinItsErrors(PanelMethod method) {
        Estimate found = new ChoiceEstimator(method)
                .fit(new ChoiceProblem(MODEL, PANEL), 1)
                .estimate();
        for (int j = 0; j < 3; j++) {
            double error = found.parameters().get(j).standardError().orElseThrow();
            assertThat(found.theta()[j]).isCloseTo(Careers.THETA[j], within(3 * error));
            assertThat(error).isLessThan(0.3);
        }
    }

    @ParameterizedTest
    @EnumSource(StandardErrors.class)
    void standardErrorsOfAllKindsAgree(StandardErrors kind) {
        if (kind == StandardErrors.BOOTSTRAP) {
            return;
        }
        Estimate found = new ChoiceEstimator(NestedFixedPoint.standard(), kind)
                .fit(new ChoiceProblem(MODEL, PANEL), 1)
                .estimate();
        for (int j = 0; j < 3; j++) {
            double usual = BEST.parameters().get(j).standardError().orElseThrow();
            assertThat(found.parameters().get(j).standardError().orElseThrow()).isBetween(0.8 * usual, 1.25 * usual);
        }
    }

    /** A pension that doubles: shares of work by period, by carrying the distribution forwards with the loops' values. */
    @Test
    void counterfactualsArePaths() {
        double[] start = new double[MODEL.states()];
        start[1] = 1;
        double[][] covariance = new double[5][5];
        covariance[2][2] = 0.01;
        PathCounterfactual.Effects effects = new PathCounterfactual(
                        MODEL,
                        new double[] {0.4, 0.8, 0.6, 0.7, 0.6},
                        covariance,
                        start,
                        Optional.of("pay"),
                        new Intervals(0.95, true, 0),
                        Optional.empty())
                .effects(Change.none().set("pension", 1.2), RandomStream.of(1), ProgressListener.NONE);
        assertThat(effects.periods()).containsExactly(1, 2, 3, 4, 5, 6);
        double[] changed = {0.4, 0.8, 1.2};
        double before = values(0.9, Careers.THETA)[0][0][1];
        double after = values(0.9, changed)[0][0][1];
        assertThat(effects.value().change().value()[0]).isCloseTo(after - before, within(1e-11));
        assertThat(effects.valueInNumeraire().orElseThrow().change().value()[0])
                .isCloseTo((after - before) / 0.8, within(1e-11));
        // work in the first period: exp(Q(work) - V)
        double work = 0.8 * 0;
        double[] p = new AutoregressiveProcess(
                        Careers.WAGES, List.of("rho", "sigma"), new double[] {0, Double.NaN, Double.NaN})
                .probabilities(Careers.PHI, 1);
        for (int n = 0; n < 3; n++) {
            work += 0.9 * p[n] * values(0.9, changed)[1][1][n];
        }
        assertThat(effects.shares().counterfactual().value()[1]).isCloseTo(Math.exp(work - after), within(1e-11));
        // what is set has no error, what it is compared with has
        assertThat(effects.value().counterfactual().delta().orElseThrow().standardError()[0])
                .isEqualTo(0);
        assertThat(effects.value().baseline().delta().orElseThrow().standardError()[0])
                .isPositive();
    }

    /** Two types of whom three in ten like leisure less: values and their change are means of the loops' values. */
    @Test
    void pathsOfTypesAreMeans() {
        double[] start = new double[MODEL.states()];
        start[1] = 1;
        Population types = Population.of(MODEL).types(2, List.of("leisure"));
        PathCounterfactual.Effects effects = new PathCounterfactual(
                        MODEL,
                        new double[] {0.2, 0.5, 0.8, 0.6, 0.3, 0.7, 0.6},
                        new double[7][7],
                        start,
                        Optional.empty(),
                        new Intervals(0.95, true, 0),
                        Optional.of(types.mixture(new double[][] {{}}, new double[] {1})))
                .effects(Change.none().set("pension", 1.2), RandomStream.of(1), ProgressListener.NONE);
        double before = 0.3 * first(0.2, 0.6) + 0.7 * first(0.5, 0.6);
        double after = 0.3 * first(0.2, 1.2) + 0.7 * first(0.5, 1.2);
        assertThat(effects.value().baseline().value()[0]).isCloseTo(before, within(1e-11));
        assertThat(effects.value().change().value()[0]).isCloseTo(after - before, within(1e-11));
        assertThat(effects.shares().counterfactual().value()[0]
                        + effects.shares().counterfactual().value()[1])
                .isCloseTo(1, within(1e-12));
    }

    private static double first(double leisure, double pension) {
        return values(0.9, new double[] {leisure, 0.8, pension})[0][0][1];
    }

    @Test
    void refusesWhatNeedsALongRun() {
        assertThatThrownBy(() -> Counterfactual.of(
                        MODEL, Careers.THETA, Careers.PHI, new double[5][5], new double[MODEL.states()]))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("long run");
        assertThatThrownBy(() -> new ChoiceEstimator(TdCcp.semiGradient()).fit(new ChoiceProblem(MODEL, PANEL), 1))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("nfxp");
    }
}

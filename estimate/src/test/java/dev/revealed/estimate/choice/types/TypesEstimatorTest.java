package dev.revealed.estimate.choice.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.Buses;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.inference.ChoiceEstimate;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.model.RouteBus;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TypesEstimatorTest {
    private static final ChoiceModel ROUTES = RouteBus.of(26, 2, 0.9);
    private static final double[] TRUTH = {2, 3, -0.15, 0.6};

    /** Buses of two types, 600 with theta0 = 2 and 400 with theta0 = 3, from new engines on. */
    private static final ChoiceProblem MIXED = mixed();

    private static final ChoiceEstimate FULL =
            TypesEstimator.of(2, "theta0").starts(2).fit(MIXED, RandomStream.of(1), ProgressListener.NONE);

    private static ChoiceProblem mixed() {
        double[] start = new double[ROUTES.states()];
        start[0] = 0.5;
        start[26] = 0.5;
        return new ChoiceProblem(
                ROUTES,
                together(
                        ROUTES.simulate(new double[] {2, -0.15}, new double[0], start, 600, 30, RandomStream.of(1)),
                        ROUTES.simulate(new double[] {3, -0.15}, new double[0], start, 400, 30, RandomStream.of(2))));
    }

    private static Panel together(Panel... panels) {
        List<Panel.Individual> all = new ArrayList<>();
        for (Panel panel : panels) {
            all.addAll(panel.individuals());
        }
        return new Panel(all);
    }

    @ParameterizedTest
    @EnumSource
    void findsTheTypes(TypesEstimator.Form form) {
        ChoiceEstimate outcome = form == TypesEstimator.Form.FULL
                ? FULL
                : TypesEstimator.of(2, "theta0")
                        .by(form)
                        .starts(1)
                        .fit(MIXED, RandomStream.of(1), ProgressListener.NONE);
        Estimate estimate = outcome.estimate();
        assertThat(estimate.converged()).isTrue();
        assertThat(estimate.parameters())
                .extracting(Estimate.Parameter::name)
                .containsExactly("theta0[1]", "theta0[2]", "theta1", "share[1]");
        for (int j = 0; j < TRUTH.length; j++) {
            double error = estimate.parameters().get(j).standardError().orElseThrow();
            assertThat(error).isLessThan(0.15);
            assertThat(estimate.theta()[j]).isCloseTo(TRUTH[j], within(3 * error));
        }
        // Those of the second type are thought so more often than those of the first.
        double[] suspicion = Arrays.stream(outcome.types().orElseThrow())
                .mapToDouble(own -> own[1])
                .toArray();
        assertThat(Arrays.stream(suspicion, 600, 1000).average().orElseThrow())
                .isGreaterThan(0.15 + Arrays.stream(suspicion, 0, 600).average().orElseThrow());
    }

    /** Arcidiacono and Miller, Table 1: without types theta0 lies between the two and theta1 is too close to zero. */
    @Test
    void withoutTypesTheEstimateIsBiased() {
        Estimate estimate =
                new ChoiceEstimator(NestedFixedPoint.standard()).fit(MIXED, 1).estimate();
        double[] errors = estimate.parameters().stream()
                .mapToDouble(p -> p.standardError().orElseThrow())
                .toArray();
        assertThat(estimate.theta()[0]).isBetween(2 + 3 * errors[0], 3 - 3 * errors[0]);
        assertThat(estimate.theta()[1]).isGreaterThan(-0.15 + 3 * errors[1]);
    }

    /** Choice probabilities implied by the model make EM end at the maximum of the likelihood. */
    @Test
    void solvingAndIteratingOnProbabilitiesAgree() {
        Estimate full = FULL.estimate();
        Estimate npl = TypesEstimator.of(2, "theta0")
                .by(TypesEstimator.Form.NPL)
                .starts(1)
                .fit(MIXED, 1)
                .estimate();
        assertThat(full.gradientNorm()).isLessThan(0.05);
        for (int j = 0; j < TRUTH.length; j++) {
            assertThat(npl.theta()[j]).isCloseTo(full.theta()[j], within(1e-3));
        }
        assertThat(npl.choiceLogLikelihood().orElseThrow())
                .isCloseTo(full.choiceLogLikelihood().orElseThrow(), within(1e-5));
    }

    @Test
    void likelihoodNeverFalls() {
        List<Estimate.TracePoint> trace = FULL.estimate().trace();
        assertThat(trace).hasSizeGreaterThan(10);
        for (int k = 1; k < trace.size(); k++) {
            assertThat(trace.get(k).logLikelihood())
                    .isGreaterThanOrEqualTo(trace.get(k - 1).logLikelihood() - 1e-8);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FULL", "NPL"})
    void oneTypeIsMaximumLikelihood(TypesEstimator.Form form) {
        ChoiceProblem problem = Buses.problem(15, 0.95, 80, 40, 3);
        Estimate one = TypesEstimator.of(1).by(form).fit(problem, 1).estimate();
        Estimate plain =
                new ChoiceEstimator(NestedFixedPoint.standard()).fit(problem, 1).estimate();
        assertThat(one.parameters())
                .extracting(Estimate.Parameter::name)
                .containsExactly("RC", "theta11", "theta30", "theta31");
        assertThat(one.logLikelihood()).isCloseTo(plain.logLikelihood(), within(1e-6));
        for (int j = 0; j < 4; j++) {
            assertThat(one.theta()[j]).isCloseTo(plain.theta()[j], within(1e-4 * Math.abs(plain.theta()[j])));
        }
        // Scores are summed by individual here and by decision there: alike in a right model, not the same.
        for (int j = 0; j < 2; j++) {
            assertThat(one.parameters().get(j).standardError().orElseThrow()
                            / plain.parameters().get(j).standardError().orElseThrow())
                    .isBetween(0.7, 1.4);
        }
        assertThat(one.parameters().get(2).standardError().orElseThrow())
                .isCloseTo(plain.parameters().get(2).standardError().orElseThrow(), within(2e-3));
    }

    /** The information from outer products is near minus the Hessian, here by differences of a likelihood of our own. */
    @Test
    void standardErrorsAreThoseOfTheCurvature() {
        Estimate estimate = FULL.estimate();
        double[] at = estimate.theta();
        for (int j = 0; j < at.length; j++) {
            double error = estimate.parameters().get(j).standardError().orElseThrow();
            double step = 0.2 * error;
            double[] up = at.clone();
            double[] down = at.clone();
            up[j] += step;
            down[j] -= step;
            double middle = logLikelihood(at);
            assertThat(middle).isCloseTo(estimate.choiceLogLikelihood().orElseThrow(), within(1e-6));
            double curvature = (2 * middle - logLikelihood(up) - logLikelihood(down)) / (step * step);
            double[][] covariance = estimate.covariance();
            double conditional = 1 / Dense.inverse(covariance).orElseThrow()[j][j];
            assertThat(curvature * conditional).isBetween(0.8, 1.25);
            assertThat(logLikelihood(up)).isLessThan(middle);
            assertThat(logLikelihood(down)).isLessThan(middle);
        }
    }

    /** The mixture's likelihood written out. */
    private static double logLikelihood(double[] x) {
        double[][] log = {
            ROUTES.solve(new double[] {x[0], x[2]}, new double[0]).logPolicy(),
            ROUTES.solve(new double[] {x[1], x[2]}, new double[0]).logPolicy()
        };
        double sum = 0;
        for (Panel.Individual bus : MIXED.panel().individuals()) {
            int[] actions = bus.choices().actions();
            double first = Math.log(x[3]);
            double second = Math.log(1 - x[3]);
            for (int t = 0; actions != null && t < actions.length; t++) {
                int row = 2 * bus.choices().states()[t] + actions[t];
                first += log[0][row];
                second += log[1][row];
            }
            double largest = Math.max(first, second);
            sum += largest + Math.log(Math.exp(first - largest) + Math.exp(second - largest));
        }
        return sum;
    }

    /** Where the first states differ by type, a logit in them finds that out. */
    @Test
    void firstStatesMayTellTheType() {
        double[] slow = new double[ROUTES.states()];
        double[] fast = new double[ROUTES.states()];
        slow[0] = 0.2;
        slow[26] = 0.8;
        fast[0] = 0.8;
        fast[26] = 0.2;
        ChoiceProblem problem = new ChoiceProblem(
                ROUTES,
                together(
                        ROUTES.simulate(new double[] {1.5, -0.15}, new double[0], slow, 500, 40, RandomStream.of(3)),
                        ROUTES.simulate(new double[] {3.5, -0.15}, new double[0], fast, 500, 40, RandomStream.of(4))));
        Estimate estimate = TypesEstimator.of(2, "theta0")
                .initial(true)
                .starts(2)
                .fit(problem, 1)
                .estimate();
        assertThat(estimate.parameters())
                .extracting(Estimate.Parameter::name)
                .containsExactly("theta0[1]", "theta0[2]", "theta1", "type[1]", "type[1]:route");
        // log odds of the first type: log(.2/.8) on the route .25 and log(.8/.2) on the route 1.25
        double error = estimate.parameters().get(4).standardError().orElseThrow();
        assertThat(error).isLessThan(0.4);
        assertThat(estimate.theta()[4]).isCloseTo(2 * Math.log(4), within(3 * error));
    }

    @Test
    void typesAreNumberedByTheirParameterWhateverTheStart() {
        double[] one = FULL.estimate().theta();
        double[] other = TypesEstimator.of(2, "theta0")
                .starts(4)
                .fit(MIXED, 9)
                .estimate()
                .theta();
        assertThat(one[0]).isLessThan(one[1]);
        for (int j = 0; j < one.length; j++) {
            assertThat(other[j]).isCloseTo(one[j], within(1e-3));
        }
    }

    @Test
    void badSettings() {
        assertThatThrownBy(() -> TypesEstimator.of(0, "theta0")).isInstanceOf(BadInput.class);
        assertThatThrownBy(() -> TypesEstimator.of(2, "theta").fit(MIXED, 1).estimate())
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("'theta' is not a parameter")
                .hasMessageContaining("theta0");
        assertThatThrownBy(() -> TypesEstimator.of(2).fit(MIXED, 1).estimate())
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("no parameter differs");
    }
}

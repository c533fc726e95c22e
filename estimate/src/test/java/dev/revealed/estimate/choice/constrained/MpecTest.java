package dev.revealed.estimate.choice.constrained;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.revealed.estimate.choice.Buses;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.Panels;
import dev.revealed.estimate.choice.RowScores;
import dev.revealed.estimate.choice.StaticLogit;
import dev.revealed.estimate.choice.Zurcher;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.PerceptronReward;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Lbfgs;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.nlp.Ipopt;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MpecTest {
    private static final double[] DISCOUNTS = {0, 0.975, 0.99, 0.9999};

    private static Fit fit(ChoiceProblem problem, Mpec method) {
        return method.fit(problem, problem.firstStage(), RandomStream.of(1), ProgressListener.NONE);
    }

    private static Mpec by(Mpec.Solver solver) {
        Ipopt.Availability ipopt = Ipopt.available();
        assumeTrue(
                solver != Mpec.Solver.IPOPT || ipopt.installed(), "SKIPPED: Ipopt is not installed: " + ipopt.reason());
        return Mpec.standard().by(solver);
    }

    private static double logLikelihood(ChoiceProblem problem, double[] theta) {
        return new RowScores(
                        problem.model(),
                        problem.choiceCounts(),
                        problem.firstStage().phi(),
                        false)
                .solve(theta);
    }

    /** Maximum likelihood the other way: the model is solved at every trial of L-BFGS. */
    private static double[] direct(ChoiceProblem problem) {
        RowScores model = new RowScores(
                problem.model(), problem.choiceCounts(), problem.firstStage().phi(), false);
        Lbfgs.Result result = new Lbfgs(10, 1000, 1e-6)
                .maximise(
                        (theta, gradient) -> {
                            double value = model.solve(theta);
                            model.scores(theta);
                            System.arraycopy(model.gradient(), 0, gradient, 0, gradient.length);
                            return value;
                        },
                        new double[problem.model().utility().parameters()],
                        (k, x, value, gradient) -> {});
        assertThat(result.converged()).isTrue();
        return result.x();
    }

    static Stream<Arguments> cases() {
        return Stream.of(Mpec.Solver.values())
                .flatMap(solver -> Arrays.stream(DISCOUNTS).mapToObj(discount -> Arguments.of(solver, discount)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void findsTheMaximumOfTheLikelihood(Mpec.Solver solver, double discount) {
        for (ChoiceProblem problem :
                List.of(Buses.problem(20, discount, 40, 50, 1), MpecProblemTest.thicket(discount, 60))) {
            Fit fit = fit(problem, by(solver));
            assertThat(fit.converged()).as(fit.status()).isTrue();
            assertThat(fit.status()).contains("solved");
            assertThat(fit.kernelPasses()).isGreaterThan(fit.iterations());
            double[] expected = direct(problem);
            for (int j = 0; j < expected.length; j++) {
                assertThat(fit.theta()[j]).isCloseTo(expected[j], within(1e-5 * Math.max(1, Math.abs(expected[j]))));
            }
        }
    }

    @Test
    void withoutAFutureItIsALogit() {
        ChoiceProblem problem = Panels.bus(30, 40, 1);
        double[] logit = new StaticLogit()
                .fit(problem, problem.firstStage(), RandomStream.of(1), ProgressListener.NONE)
                .theta();
        double[] theta = fit(problem, by(Mpec.Solver.JAVA)).theta();
        assertThat(theta[0]).isCloseTo(logit[0], within(1e-7));
        assertThat(theta[1]).isCloseTo(logit[1], within(1e-5));
    }

    /** Su and Judd's design, and starts far from anything plausible. */
    @ParameterizedTest
    @EnumSource
    void arrivesFromAnywhere(Mpec.Solver solver) {
        double[] start = new double[175];
        start[0] = 1;
        for (double discount : new double[] {0.975, 0.9999}) {
            ChoiceModel model = RustBus.of(175, 4, discount, RustBus.Cost.LINEAR);
            ChoiceProblem problem = new ChoiceProblem(
                    model,
                    model.simulate(
                            new double[] {11.7257, 2.4569},
                            new double[] {0.0937, 0.4475, 0.4459, 0.0127},
                            start,
                            50,
                            120,
                            RandomStream.of(7)));
            double[] reference = fit(problem, by(Mpec.Solver.JAVA)).theta();
            for (double[] theta : new double[][] {
                {4, 1}, {5, 2}, {6, 3}, {7, 4}, {8, 5}, {30, 10}, {1, 20}, {100, 0}, {-10, 10}, {10, -10}, {-50, -50}
            }) {
                Fit fit = fit(problem.startingAt(theta), by(solver));
                assertThat(fit.converged())
                        .as("from %s: %s", Arrays.toString(theta), fit.status())
                        .isTrue();
                assertThat(fit.theta()).containsExactly(reference, within(1e-5));
            }
        }
    }

    /** Rust (1987), Table VIII: -306.641 and -300.250; and the same as the nested fixed point at other discounts. */
    @ParameterizedTest
    @MethodSource("cases")
    void onTheRealBusesItAgreesWithRustAndWithTheNestedFixedPoint(Mpec.Solver solver, double discount) {
        ChoiceProblem problem = Zurcher.problem(90, discount, RustBus.Cost.LINEAR);
        Fit fit = fit(problem, by(solver));
        assertThat(fit.converged()).as(fit.status()).isTrue();
        double value = logLikelihood(problem, fit.theta());
        if (discount == 0) {
            assertThat(value).isCloseTo(-306.641, within(5e-4));
        } else if (discount == 0.9999) {
            assertThat(value).isCloseTo(-300.250, within(5e-4));
        }
        same(problem, fit.theta());
    }

    private static void same(ChoiceProblem problem, double[] theta) {
        double[] nested = NestedFixedPoint.standard()
                .fit(problem, problem.firstStage(), RandomStream.of(1), ProgressListener.NONE)
                .theta();
        assertThat(theta).containsExactly(nested, within(1e-3));
        assertThat(logLikelihood(problem, theta)).isCloseTo(logLikelihood(problem, nested), within(1e-4));
    }

    static Stream<Arguments> costs() {
        return Stream.of(Mpec.Solver.JAVA, Mpec.Solver.IPOPT)
                .flatMap(solver -> Stream.of(RustBus.Cost.values()).map(cost -> Arguments.of(solver, cost)));
    }

    @ParameterizedTest
    @MethodSource("costs")
    void alsoWithOtherCostsAndFinerBins(Mpec.Solver solver, RustBus.Cost cost) {
        for (int bins : new int[] {90, 175}) {
            for (double discount : DISCOUNTS) {
                ChoiceProblem problem = Zurcher.problem(bins, discount, cost);
                Fit fit = fit(problem, by(solver));
                assertThat(fit.converged())
                        .as("%d %s: %s", bins, discount, fit.status())
                        .isTrue();
                same(problem, fit.theta());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"JAVA", "IPOPT"})
    void saysWhenItStoppedEarly(Mpec.Solver solver) {
        Fit fit = fit(Buses.problem(20, 0.99, 40, 50, 1), by(solver).limitedTo(2));
        assertThat(fit.converged()).isFalse();
        assertThat(fit.iterations()).isEqualTo(2);
        assertThat(fit.status()).contains("too many iterations").contains("try");
    }

    /** Two parameters of one feature: their sum is all the data tell. */
    @ParameterizedTest
    @EnumSource
    void parametersTheDataCannotTellApartDoNotDisturb(Mpec.Solver solver) {
        double[][] features = {{0, 0}, {1, 1}};
        ChoiceProblem problem =
                Panels.standing(List.of("no", "yes"), List.of("a", "b"), features, new int[4], new int[] {1, 1, 1, 0});
        double[] theta = fit(problem.startingAt(0, 0.5), by(solver)).theta();
        assertThat(theta[0] + theta[1]).isCloseTo(Math.log(3), within(1e-8));
    }

    @Test
    void refusesWhatItCannotUse() {
        ChoiceProblem problem = Buses.problem(20, 0.9, 5, 20, 1);
        assertThatThrownBy(() -> fit(problem.startingAt(1, 2, 3), Mpec.standard()))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("RC, theta11");
        ChoiceModel linear = problem.model();
        ChoiceModel curved = new ChoiceModel(
                "curved",
                linear.actions(),
                linear.law(),
                0.9,
                PerceptronReward.ofStates(2, new double[20][1], 3),
                InformationCost.STANDARD);
        assertThatThrownBy(() -> fit(new ChoiceProblem(curved, problem.panel()), Mpec.standard()))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("linear in its parameters");
    }
}

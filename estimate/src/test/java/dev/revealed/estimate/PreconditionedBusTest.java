package dev.revealed.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The preconditioned single loop where economists are: few parameters, a horizon of thousands of months, rare events. */
class PreconditionedBusTest {
    private static final double[] TRUTH = {9.7557, 2.6276};
    private static final double[] LAW = {0.35, 0.64};

    /** Data of the linear model, seen through one with the given costs. */
    private static Problem problem(double discount, RustBus.Cost cost) {
        double[] start = new double[90];
        start[0] = 1;
        Panel panel =
                RustBus.of(90, 2, 0.9999, RustBus.Cost.LINEAR).simulate(TRUTH, LAW, start, 40, 200, RandomStream.of(1));
        ChoiceModel model = RustBus.of(90, 2, discount, cost);
        return new ChoiceProblem(model, panel).problem(LAW);
    }

    /** Costs whose features differ by six orders of magnitude and are nearly collinear included. */
    @ParameterizedTest
    @CsvSource({
        "0.99, LINEAR",
        "0.9999, LINEAR",
        "0.9999, QUADRATIC",
        "0.9999, CUBIC",
        "0.9999, SQRT",
        "0.9999, HYPERBOLIC",
        "0.9999, MIXED",
        "0.99, CUBIC"
    })
    void withinAThousandthOfTheMaximumInFewIterationsFromZero(double discount, RustBus.Cost cost) {
        Problem problem = problem(discount, cost);
        Estimate estimate =
                MlIrl.preconditioned().tracing(100_000).fit(problem, 1).orThrow();
        double nested = Nfxp.standard().fit(problem, 1).logLikelihood();
        assertThat(estimate.logLikelihood()).isGreaterThan(nested - 1e-9);
        assertThat(estimate.iterations()).isLessThanOrEqualTo(20);
        int within = estimate.trace().stream()
                .filter(point -> point.logLikelihood() > estimate.logLikelihood() - 1e-3)
                .findFirst()
                .orElseThrow()
                .iteration();
        assertThat(within).isBetween(1, 8);
    }

    /** Su and Judd's five starts (2012, section 4.2) lead to one estimate. */
    @ParameterizedTest
    @ValueSource(doubles = {0.975, 0.995, 0.9999})
    void everyStartLeadsToTheSameEstimate(double discount) {
        Problem problem = problem(discount, RustBus.Cost.LINEAR);
        double[] best = Nfxp.standard().fit(problem, 1).orThrow().theta();
        for (int i = 0; i < 5; i++) {
            MlIrl.Solution search = MlIrl.preconditioned()
                    .startingAt(new double[] {4 + i, 1 + i})
                    .search(problem, RandomStream.of(1), ProgressListener.NONE);
            assertThat(search.converged()).isTrue();
            assertThat(search.theta()).containsExactly(best, within(1e-5));
        }
    }

    @Test
    void aStartHasANumberForEachParameter() {
        Problem problem = problem(0.9, RustBus.Cost.LINEAR);
        MlIrl method = MlIrl.preconditioned().startingAt(new double[] {1});
        assertThatThrownBy(() -> method.fit(problem, 1))
                .isInstanceOf(BadInput.class)
                .hasMessageContainingAll("has 1 parameters", "RC, theta11");
    }
}

package dev.revealed.app.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.data.model.ModelFile;
import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.MlIrl;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.inference.StandardErrors;
import dev.revealed.estimate.choice.likelihood.MlIrlMethod;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.estimate.choice.twostep.Npl;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Utilities that are not linear, and parameters with rules, against the same model written otherwise. */
class UtilityRulesTest {
    private static final String LINEAR = "-storage * stock";
    private static final Panel PANEL = panel();

    private static ChoiceModel model(String parameters, String storage) {
        return ModelFile.parse("shop.yaml", """
                discount: 0.95
                states: {stock: 0..5, season: [0, 1]}
                actions: [wait, sell]
                parameters: %s
                utility:
                  wait: %s
                  sell: %s - effort + margin * season
                available: {sell: stock > 0}
                transitions:
                  stock:
                    wait: {shift: [0, 1], probabilities: [quiet]}
                    sell: stock - 1
                  season: {matrix: [[0.7, 0.3], [0.3, 0.7]]}
                """.formatted(parameters, storage, storage), Map.of())
                .model();
    }

    private static Panel panel() {
        ChoiceModel truth = model("[storage, effort, margin]", LINEAR);
        double[] start = new double[truth.states()];
        Arrays.fill(start, 1.0 / start.length);
        return truth.simulate(new double[] {0.2, 1, 1.5}, new double[] {0.6}, start, 150, 30, RandomStream.of(7));
    }

    private static Estimate fit(ChoiceModel model, PanelMethod method, StandardErrors kind) {
        Estimate found = new ChoiceEstimator(method, kind)
                .fit(new ChoiceProblem(model, PANEL), 1)
                .estimate();
        assertThat(found.converged()).as(found.status()).isTrue();
        return found;
    }

    private static Estimate fit(ChoiceModel model) {
        return fit(model, NestedFixedPoint.standard(), StandardErrors.OPG);
    }

    private static Estimate fit(String parameters) {
        return fit(model(parameters, LINEAR));
    }

    private static double error(Estimate estimate, int j) {
        return estimate.parameters().get(j).standardError().orElse(Double.NaN);
    }

    /** Maximum likelihood does not depend on how a parameter is written, and its errors follow by the delta method. */
    @Test
    void anotherParametrisationIsTheSameEstimate() {
        ChoiceModel logs = model("[a, effort, margin]", "-exp(a) * stock");
        for (StandardErrors kind : new StandardErrors[] {StandardErrors.OPG, StandardErrors.CLUSTER}) {
            Estimate plain = fit(model("[storage, effort, margin]", LINEAR), NestedFixedPoint.standard(), kind);
            Estimate other = fit(logs, NestedFixedPoint.standard(), kind);
            assertThat(other.logLikelihood()).isCloseTo(plain.logLikelihood(), within(1e-7));
            double storage = plain.theta()[0];
            assertThat(Math.exp(other.theta()[0])).isCloseTo(storage, within(1e-6));
            assertThat(storage * error(other, 0)).isCloseTo(error(plain, 0), within(1e-6));
            assertThat(error(other, 1)).isCloseTo(error(plain, 1), within(1e-6));
        }
        Estimate loop = fit(logs, new MlIrlMethod(MlIrl.preconditioned()), StandardErrors.OPG);
        assertThat(loop.theta()).containsExactly(fit(logs).theta(), within(1e-4));
    }

    @Test
    void powersAndQuotientsOfParametersAreEstimated() {
        ChoiceModel curved = model(
                "{storage: {}, effort: {}, margin: {}, curve: {start: 1, lower: 0.05}}",
                "-storage * stock^curve / (1 + 0 * effort)");
        Estimate found = fit(curved);
        assertThat(found.theta()[3]).isCloseTo(1, within(3 * error(found, 3))); // linear costs made the data
        assertThatThrownBy(() -> fit(curved, Npl.standard(), StandardErrors.OPG))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("npl needs a utility that is linear");
    }

    @Test
    void aParameterAtItsBoundIsAsIfFixedThere() {
        Estimate bounded = fit("{storage: {upper: 0.15}, effort: {}, margin: {}}");
        Estimate fixed = fit("{storage: {fixed: 0.15}, effort: {}, margin: {}}");
        assertThat(bounded.theta()[0]).isEqualTo(0.15);
        assertThat(bounded.theta()[1]).isCloseTo(fixed.theta()[0], within(1e-6));
        assertThat(bounded.theta()[2]).isCloseTo(fixed.theta()[1], within(1e-6));
        assertThat(error(bounded, 1)).isCloseTo(error(fixed, 0), within(1e-6));
        assertThat(bounded.warnings()).anyMatch(said -> said.contains("storage is at its bound 0.15"));
        Estimate inside = fit("{storage: {lower: -1, upper: 5}, effort: {}, margin: {}}");
        assertThat(inside.theta())
                .containsExactly(fit("[storage, effort, margin]").theta(), within(1e-6));
    }

    @Test
    void priorsPullTowardsTheirMeans() {
        double[] free = fit("[storage, effort, margin]").theta();
        Estimate flat = fit("{storage: {prior: [9, 1e6]}, effort: {}, margin: {}}");
        assertThat(flat.theta()).containsExactly(free, within(1e-5));
        Estimate tight = fit("{storage: {prior: [0.15, 1e-6]}, effort: {}, margin: {}}");
        assertThat(tight.theta()[0]).isCloseTo(0.15, within(1e-6));
        assertThat(tight.theta()[1])
                .isCloseTo(
                        fit("{storage: {fixed: 0.15}, effort: {}, margin: {}}").theta()[0], within(1e-4));
        // a normal prior as wide as the estimate's own error is as much information again
        Estimate plain = fit("[storage, effort, margin]");
        Estimate half = fit("{storage: {prior: [%s, %s]}, effort: {}, margin: {}}".formatted(free[0], error(plain, 0)));
        assertThat(half.theta()[0]).isCloseTo(free[0], within(1e-6));
        assertThat(error(half, 0)).isCloseTo(error(plain, 0) / Math.sqrt(2), within(0.02 * error(plain, 0)));
    }

    @Test
    void tiedParametersAreOne() {
        Estimate tied = fit("{storage: {}, effort: {}, margin: {tied: effort}}");
        assertThat(tied.parameters())
                .extracting(Estimate.Parameter::name)
                .containsExactly("storage", "effort", "quiet");
        double[] effort = fit("[storage, effort, margin]").theta();
        assertThat(tied.theta()[1]).isBetween(Math.min(effort[1], effort[2]), Math.max(effort[1], effort[2]));
        assertThatThrownBy(() -> model("{storage: {}, effort: {}, margin: {tied: effrt}}", LINEAR))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("tied to 'effrt'");
    }
}

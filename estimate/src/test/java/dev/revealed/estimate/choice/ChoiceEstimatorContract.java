package dev.revealed.estimate.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.inference.ChoiceEstimate;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What every estimator of a choice model must keep to; each has a subclass that supplies it. */
public abstract class ChoiceEstimatorContract {
    private static final ChoiceProblem BUSES = Buses.problem(20, 0.95, 100, 60, 1);
    private static final Estimate BEST =
            new ChoiceEstimator(NestedFixedPoint.standard()).fit(BUSES, 1).estimate();

    protected abstract ChoiceEstimate fit(ChoiceProblem problem);

    @AfterEach
    void allThreadsAgain() {
        Parallel.threads(Runtime.getRuntime().availableProcessors());
    }

    @Test
    void findsFiniteParametersAndHowSureTheyAre() {
        ChoiceEstimate found = fit(BUSES);
        Estimate estimate = found.estimate();
        assertThat(Vec.isFinite(estimate.theta())).isTrue();
        assertThat(estimate.parameters())
                .allSatisfy(p -> assertThat(p.standardError()).isPresent());
        assertThat(estimate.theta()).containsExactly(found.fit().parameters());
        assertThat(estimate.status()).isEqualTo(found.fit().status()).isNotBlank();
        assertThat(estimate.dataHash()).isEqualTo(BUSES.panel().choices().hash());
        assertThat(found.bootstrap()).isEmpty();
    }

    @Test
    void sameBytesWhateverTheThreads() {
        Parallel.threads(1);
        Estimate one = fit(BUSES).estimate();
        Parallel.threads(3);
        Estimate three = fit(BUSES).estimate();
        assertThat(three.theta()).containsExactly(one.theta());
        assertThat(three.covariance()).isDeepEqualTo(one.covariance());
        assertThat(three.logLikelihood()).isEqualTo(one.logLikelihood());
        assertThat(three.iterations()).isEqualTo(one.iterations());
    }

    /** Maximum likelihood is one point, whoever finds it; others lie about it within their own errors. */
    @Test
    void agreesWithMaximumLikelihood() {
        ChoiceEstimate found = fit(BUSES);
        boolean likelihood = found.fit().kind() == Fit.Kind.LIKELIHOOD;
        for (int j = 0; j < BEST.theta().length; j++) {
            double error = found.estimate().parameters().get(j).standardError().orElseThrow();
            assertThat(found.estimate().theta()[j])
                    .as(BEST.parameters().get(j).name())
                    .isCloseTo(BEST.theta()[j], within(likelihood ? 1e-3 * error : 4 * error));
        }
        if (likelihood) {
            assertThat(found.estimate().gradientNorm()).isLessThan(1e-3 * BEST.covariance().length);
            assertThat(found.estimate().logLikelihood()).isCloseTo(BEST.logLikelihood(), within(1e-6));
        }
    }

    /** Where all decide alike the likelihood has no maximum. */
    @Test
    void saysWhyThereIsNoEstimate() {
        try {
            Estimate estimate =
                    fit(Panels.bus(0.9, new double[] {60, 1}, 20, 10, 1)).estimate();
            assertThat(estimate.warnings()).isNotEmpty();
            assertThat(estimate.covariance()).isEmpty();
        } catch (BadInput refused) {
            assertThat(refused.remedy()).isNotBlank();
        }
    }

    /** From wherever a search begins, it ends at the same estimate or says that it did not converge. */
    @ParameterizedTest
    @CsvSource({"250, -3000", "-250, 3000", "0, 1e6", "1e300, 0"})
    void aFarStartEndsAtTheSameEstimateOrSaysSo(double cost, double slope) {
        Estimate own = fit(BUSES).estimate();
        Estimate far = fit(BUSES.startingAt(cost, slope)).estimate();
        if (far.converged()) {
            for (int j = 0; j < own.theta().length; j++) {
                double error = own.parameters().get(j).standardError().orElseThrow();
                assertThat(far.theta()[j]).isCloseTo(own.theta()[j], within(0.01 * error));
            }
        } else {
            assertThat(far.covariance()).isEmpty();
            assertThat(far.warnings()).isNotEmpty();
        }
    }

    @Test
    void aChoiceTheModelRulesOutIsRefused() {
        ChoiceModel model = BUSES.model();
        double[] weight = new double[model.utility().rows()];
        int action = Arrays.stream(
                        BUSES.panel().choices().trajectories().getFirst().actions())
                .findFirst()
                .orElseThrow();
        for (int s = 0; s < model.states(); s++) {
            weight[s * model.actions().size() + action] = Double.NEGATIVE_INFINITY;
        }
        assertThatThrownBy(() -> fit(new ChoiceProblem(
                        new ChoiceModel(
                                model.name(),
                                model.actions(),
                                model.law(),
                                model.discount(),
                                model.utility(),
                                new InformationCost(1, weight)),
                        BUSES.panel())))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("was chosen in state");
    }
}

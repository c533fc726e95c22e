package dev.revealed.estimate.choice.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.Search;
import dev.revealed.estimate.choice.Buses;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Searches that fail, stop short or claim too much. */
class CheckedSearchTest {
    private static final ChoiceProblem BUSES = Buses.problem(20, 0.95, 100, 60, 1);
    private static final Estimate BEST = fit(NestedFixedPoint.standard(), BUSES);

    private static Estimate fit(PanelMethod method, ChoiceProblem problem) {
        return new ChoiceEstimator(method).fit(problem, 1).estimate();
    }

    /** Claims to have converged where it was told to. */
    private record Claims(double... theta) implements PanelMethod {
        @Override
        public String name() {
            return "claims";
        }

        @Override
        public boolean maximisesLikelihood() {
            return true;
        }

        @Override
        public Fit fit(ChoiceProblem problem, FirstStage first, RandomStream stream, ProgressListener listener) {
            return Fit.likelihood(theta, first.phi(), new Search(1, true, "converged at once", 0));
        }
    }

    /** Where choices are certain the information vanishes, and scoring takes no step: that is no convergence. */
    @Test
    void aFlatRegionIsNoMaximum() {
        Estimate once = new ChoiceEstimator(NestedFixedPoint.standard())
                .withoutRestarts()
                .fit(BUSES.startingAt(1e6, 0), 1)
                .estimate();
        assertThat(once.converged()).isFalse();
        assertThat(once.parameters())
                .allSatisfy(p -> assertThat(p.standardError()).isEmpty());
        assertThat(once.warnings()).anySatisfy(w -> assertThat(w).contains("chosen equally often"));

        Estimate again = fit(NestedFixedPoint.standard(), BUSES.startingAt(1e6, 0));
        assertThat(again.converged()).isTrue();
        assertThat(again.theta()).containsExactly(BEST.theta());
        assertThat(again.warnings()).singleElement().asString().contains("the starting values", "the search from zero");
    }

    @Test
    void aFalseClaimIsFoundOutAndTheLikelihoodMaximisedOtherwise() {
        Estimate estimate = fit(new Claims(3, 20), BUSES);
        assertThat(estimate.converged()).isTrue();
        assertThat(estimate.method()).isEqualTo("claims, then nfxp");
        assertThat(estimate.logLikelihood()).isCloseTo(BEST.logLikelihood(), within(1e-6));
        assertThat(estimate.warnings()).first().asString().contains("standard errors away", "L-BFGS");
    }

    @Test
    void withoutRestartsAFalseClaimIsNotBelieved() {
        Estimate estimate = new ChoiceEstimator(new Claims(3, 20))
                .withoutRestarts()
                .fit(BUSES, 1)
                .estimate();
        assertThat(estimate.converged()).isFalse();
        assertThat(estimate.theta()).startsWith(3, 20);
        assertThat(estimate.covariance()).isEmpty();
        assertThat(estimate.status()).contains("not converged");
    }

    /** Of a method that maximises something else, and ends at a given place. */
    private record Otherwise(double... theta) implements PanelMethod {
        @Override
        public String name() {
            return "otherwise";
        }

        @Override
        public Fit fit(ChoiceProblem problem, FirstStage first, RandomStream stream, ProgressListener listener) {
            double[][] influence = new double[problem.panel().size()][];
            Arrays.setAll(influence, i -> new double[] {stream.at(i).nextGaussian(), 1});
            return new Fit(
                    Fit.Kind.OTHER,
                    theta,
                    first.phi(),
                    new Search(1, true, "converged at once", 0),
                    Optional.of(influence),
                    Optional.empty(),
                    List.of());
        }
    }

    @Test
    void anEstimateWorseThanChanceHasNotConverged() {
        assertThat(fit(new Otherwise(Arrays.copyOf(BEST.theta(), 2)), BUSES).converged())
                .isTrue();
        Estimate estimate = fit(new Otherwise(-5, 0), BUSES);
        assertThat(estimate.status()).isEqualTo("not converged: the choices are less likely than by chance");
        assertThat(estimate.covariance()).isEmpty();
    }

    /** Away from a maximum the Hessian is singular or worse, which says nothing of identification. */
    @ParameterizedTest
    @EnumSource(StandardErrors.class)
    void theReasonIsTheSearchWhateverTheStandardErrors(StandardErrors kind) {
        Estimate estimate = new ChoiceEstimator(NestedFixedPoint.standard().limitedTo(1), kind)
                .withoutRestarts()
                .fit(BUSES.startingAt(50, 1), 1)
                .estimate();
        assertThat(estimate.warnings()).first().asString().contains("not converged after 1 iteration");
        assertThat(estimate.warnings()).contains("no standard errors, since the search has not converged");
    }

    /** Takes another law than the moves imply, and finds the maximum of the likelihood that the choices have by it. */
    private static final class WithAnotherLaw implements PanelMethod {
        @Override
        public String name() {
            return "another law";
        }

        @Override
        public boolean maximisesLikelihood() {
            return true;
        }

        @Override
        public Fit fit(ChoiceProblem problem, FirstStage first, RandomStream stream, ProgressListener listener) {
            FirstStage other = new FirstStage(new double[] {0.01, 0.01}, first.moves());
            return NestedFixedPoint.standard().fit(problem, other, stream, listener);
        }
    }

    /** No gradient shows that a maximum is only a local one; the flexible logit does. */
    @Test
    void aStationaryPlaceBelowTheFlexibleLogitIsNoMaximum() {
        Estimate once = new ChoiceEstimator(new WithAnotherLaw())
                .withoutRestarts()
                .fit(BUSES, 1)
                .estimate();
        assertThat(once.converged()).isFalse();
        assertThat(once.status()).contains("the log-likelihood is larger elsewhere");
        assertThat(once.covariance()).isEmpty();
        Estimate again = fit(new WithAnotherLaw(), BUSES);
        assertThat(again.converged()).isTrue();
        assertThat(again.method()).isEqualTo("another law, then nfxp");
        assertThat(again.logLikelihood()).isCloseTo(BEST.logLikelihood(), within(1e-6));
    }

    /** Bootstraps of a problem with a far start do not begin there. */
    @Test
    void bootstrapsForgetTheStart() {
        ChoiceEstimator estimator = new ChoiceEstimator(
                NestedFixedPoint.standard(), StandardErrors.BOOTSTRAP, ChoiceEstimator.Replications.inMemory(5));
        ChoiceEstimate found = estimator.fit(BUSES.startingAt(1e6, 0), 1);
        assertThat(found.bootstrap().orElseThrow().failed()).isZero();
    }
}

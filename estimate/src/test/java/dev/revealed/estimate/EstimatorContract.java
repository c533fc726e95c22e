package dev.revealed.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.Trajectory;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every estimator of a reward on a finite process must keep to; each has a subclass that supplies it. */
abstract class EstimatorContract {
    private static final double[] TRUTH = {1, -0.5, 0.7};

    private final Problem problem = problem();

    protected abstract Estimator estimator();

    /** Whether it finds the maximum itself; a sampled form only comes near. */
    protected boolean exact() {
        return true;
    }

    private static Problem problem() {
        RandomStream stream = RandomStream.of(5);
        Mdp mdp = Examples.mdp(12, 3, 0.9, stream.named("mdp"));
        Reward reward = Examples.linear(mdp, false, 3, stream.named("features"));
        Demonstrations data =
                Examples.demonstrations(mdp, InformationCost.STANDARD, reward, TRUTH, 100, 20, stream.named("data"));
        return Problem.of(mdp, reward, data);
    }

    @AfterEach
    void allThreadsAgain() {
        Parallel.threads(Runtime.getRuntime().availableProcessors());
    }

    @Test
    void findsFiniteParametersAndHowSureTheyAre() {
        Estimate estimate = estimator().fit(problem, 1);
        assertThat(estimate.theta())
                .hasSize(3)
                .satisfies(theta -> assertThat(Vec.isFinite(theta)).isTrue());
        assertThat(estimate.parameters())
                .as("standard errors are those of a maximum")
                .allSatisfy(p -> assertThat(p.standardError().isPresent()).isEqualTo(estimate.converged()));
        assertThat(estimate.status()).isNotBlank();
        assertThat(estimate.dataHash()).isEqualTo(problem.demonstrations().hash());
        if (!estimate.converged()) {
            assertThat(estimate.warnings()).first().asString().contains("not converged");
        }
    }

    @Test
    void sameBytesWhateverTheThreads() {
        Parallel.threads(1);
        Estimate one = estimator().fit(problem, 1);
        Parallel.threads(3);
        Estimate three = estimator().fit(problem, 1);
        assertThat(three.theta()).containsExactly(one.theta());
        assertThat(three.covariance()).isDeepEqualTo(one.covariance());
        assertThat(three.logLikelihood()).isEqualTo(one.logLikelihood());
        assertThat(three.iterations()).isEqualTo(one.iterations());
    }

    /** The surrogate of a linear reward is concave: there is one maximum, where the gradient vanishes. */
    @Test
    void endsAtTheMaximum() {
        Estimate best = Nfxp.standard().fit(problem, 1);
        Estimate estimate = estimator().fit(problem, 1);
        assertThat(estimate.gradientNorm()).isLessThan(exact() ? 1e-3 : 1);
        assertThat(estimate.theta()).containsExactly(best.theta(), within(exact() ? 1e-2 : 1));
        assertThat(estimate.logLikelihood()).isLessThanOrEqualTo(best.logLikelihood() + 1e-9);
    }

    @Test
    void otherDataAreRefused() {
        Demonstrations elsewhere = new Demonstrations(List.of(new Trajectory(new int[] {0, 99}, new int[] {0})));
        assertThatThrownBy(() -> estimator().fit(problem.withDemonstrations(elsewhere), 1))
                .isInstanceOf(BadInput.class);
    }
}

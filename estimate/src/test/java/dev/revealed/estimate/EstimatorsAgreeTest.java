package dev.revealed.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Agent;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.Evaluation;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Reward;
import dev.revealed.numeric.RandomStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every method climbs the same hill: they must meet at the top. */
class EstimatorsAgreeTest {
    private static final double[] TRUTH = {1, -0.5, 0.3};

    private static Problem problem(boolean stateOnly) {
        RandomStream stream = RandomStream.of(5);
        Mdp mdp = Examples.mdp(12, 3, 0.9, stream.named("mdp"));
        Reward reward = Examples.linear(mdp, stateOnly, 3, stream.named("features"));
        Demonstrations data =
                Examples.demonstrations(mdp, InformationCost.STANDARD, reward, TRUTH, 200, 30, stream.named("data"));
        return Problem.of(mdp, reward, data);
    }

    @ParameterizedTest
    @EnumSource
    void preconditionedSingleLoopReachesTheMaximumLikelihoodEstimate(Problem.Objective objective) {
        Problem problem = problem(false).withObjective(objective);
        Estimate nested = Nfxp.standard().fit(problem, 1).orThrow();
        Estimate single = MlIrl.preconditioned().fit(problem, 1).orThrow();
        assertThat(single.theta()).containsExactly(nested.theta(), within(1e-6));
        assertThat(single.logLikelihood())
                .isCloseTo(nested.logLikelihood(), within(1e-9 * Math.abs(nested.logLikelihood())));
    }

    @Test
    void everyFirstOrderFormReachesIt() {
        Problem problem = problem(false);
        double[] best = Nfxp.standard().fit(problem, 1).orThrow().theta();
        StepRule step = new StepRule.Automatic();
        for (Estimator estimator : new Estimator[] {
            MlIrl.tracked(step, 20_000, 1e-6),
            MlIrl.maxEnt(step, 20_000, 1e-6),
            new MlIrl("ml-irl", new Evaluation.Exact(), new Agent.Exact(), step, 20_000, 1e-6),
            new MlIrl("ml-irl", new Evaluation.Sweeps(3), new Agent.Swept(0, 3), step, 20_000, 1e-6),
        }) {
            assertThat(estimator.fit(problem, 1).orThrow().theta())
                    .as(estimator.toString())
                    .containsExactly(best, within(1e-5));
        }
    }

    @Test
    void stateOnlyRewardsNeedNoActions() {
        Problem problem = problem(true);
        Problem blind = problem.withDemonstrations(problem.demonstrations().statesOnly());
        Estimate seeing = MlIrl.preconditioned().fit(problem, 1).orThrow();
        Estimate unseeing = MlIrl.preconditioned().fit(blind, 1).orThrow();
        assertThat(unseeing.theta()).containsExactly(seeing.theta(), within(1e-9));
        assertThat(unseeing.choiceLogLikelihood()).isEmpty();
        for (int j = 0; j < TRUTH.length; j++) {
            Estimate.Parameter parameter = unseeing.parameters().get(j);
            assertThat(parameter.value())
                    .isCloseTo(TRUTH[j], within(3 * parameter.standardError().orElseThrow()));
        }
    }

    @Test
    void sampledFormComesNear() {
        Problem problem = problem(false);
        double[] best = Nfxp.standard().fit(problem, 1).orThrow().theta();
        Estimate sampled = MlIrl.paper(0.5, 0.5, 4000).fit(problem, 3);
        assertThat(sampled.theta()).containsExactly(best, within(0.1));
    }

    /** Corollary 2: with every iterate a checkpoint, what is returned has the smallest exact gradient of all. */
    @Test
    void sampledFormReturnsTheSmallestGradient() {
        Estimate sampled = MlIrl.paper(0.5, 0.5, 50).tracing(100_000).fit(problem(false), 3);
        assertThat(sampled.trace()).hasSize(51);
        double smallest = sampled.trace().stream()
                .mapToDouble(Estimate.TracePoint::gradientNorm)
                .min()
                .orElseThrow();
        assertThat(sampled.gradientNorm()).isCloseTo(smallest, within(1e-9));
        assertThat(sampled.trace().getLast().gradientNorm()).isGreaterThan(smallest);
    }

    @Test
    void sameSeedSameNumbers() {
        Problem problem = problem(false);
        assertThat(MlIrl.paper(0.5, 0.5, 300).fit(problem, 9).theta())
                .containsExactly(MlIrl.paper(0.5, 0.5, 300).fit(problem, 9).theta());
    }
}

package dev.revealed.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.Evaluation;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Likelihood;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MlIrlTest {
    private static Problem linear(int trajectories) {
        RandomStream stream = RandomStream.of(31);
        Mdp mdp = Examples.mdp(8, 3, 0.9, stream.named("mdp"));
        Reward reward = Examples.linear(mdp, false, 3, stream.named("features"));
        double[] truth = {1, -0.5, 0.3};
        return Problem.of(
                mdp,
                reward,
                Examples.demonstrations(
                        mdp, InformationCost.STANDARD, reward, truth, trajectories, 20, stream.named("data")));
    }

    private static Problem perceptron() {
        RandomStream stream = RandomStream.of(33);
        Mdp mdp = Examples.mdp(8, 3, 0.9, stream.named("mdp"));
        Reward reward = Examples.perceptron(mdp, false, stream.named("features"));
        double[] truth = reward.initial(stream.named("truth"));
        for (int j = 0; j < truth.length; j++) {
            truth[j] *= 2;
        }
        return Problem.of(
                        mdp,
                        reward,
                        Examples.demonstrations(
                                mdp, InformationCost.STANDARD, reward, truth, 100, 20, stream.named("data")))
                .withRidge(0.2);
    }

    private static Stream<MlIrl> deepForms() {
        return Stream.of(MlIrl.deep(0.01, 3000, 1e-4), MlIrl.deepMaxEnt(0.01, 3000, 1e-4));
    }

    /** From the same first guess, up the same hill: the likelihood of nested fixed point is theirs too. */
    @ParameterizedTest
    @MethodSource("deepForms")
    void perceptronsAreFittedAsWellAsByNestedFixedPoint(MlIrl form) {
        Problem problem = perceptron();
        ExactLikelihood exact = new ExactLikelihood(problem, problem.process());
        double start = exact.value(problem.reward().initial(RandomStream.of(1).named("initial")));
        double nested = exact.value(Nfxp.standard().fit(problem, 1).orThrow().theta());
        double single = exact.value(form.fit(problem, 1).orThrow().theta());
        assertThat(nested).isGreaterThan(start + 1);
        assertThat(single).isCloseTo(nested, within(1e-5));
    }

    /** Theorem 1: both the policy's error and the gradient vanish along the run, and exact quantities are recorded. */
    @Test
    void policyErrorAndGradientFallAlongTheTrace() {
        Problem problem = linear(100);
        Estimate estimate = MlIrl.tracked(new StepRule.Automatic(), 20_000, 1e-7)
                .tracing(20)
                .fit(problem, 1)
                .orThrow();
        List<Estimate.TracePoint> trace = estimate.trace();
        assertThat(trace).hasSizeBetween(5, 25);
        Estimate.TracePoint first = trace.getFirst();
        Estimate.TracePoint last = trace.getLast();
        assertThat(first.iteration()).isZero();
        assertThat(last.gradientNorm()).isLessThan(1e-3 * first.gradientNorm());
        assertThat(first.policyError())
                .as("at zero reward the first policy is optimal")
                .isLessThan(1e-12);
        double largest = trace.stream()
                .mapToDouble(Estimate.TracePoint::policyError)
                .max()
                .orElseThrow();
        assertThat(last.policyError()).isLessThan(1e-3 * largest);
        assertThat(last.logLikelihood()).isGreaterThan(first.logLikelihood());
        assertThat(trace).isSortedAccordingTo(java.util.Comparator.comparingLong(Estimate.TracePoint::kernelPasses));
        ExactLikelihood exact = new ExactLikelihood(problem, problem.process());
        double[] zero = new double[3];
        double[] gradient = new double[3];
        assertThat(first.logLikelihood()).isCloseTo(exact.at(zero, gradient), within(1e-9));
        assertThat(first.gradientNorm()).isCloseTo(Vec.norm(gradient), within(1e-9));
    }

    @Test
    void lookingDoesNotCount() {
        Problem problem = linear(20);
        MlIrl plain = MlIrl.tracked(new StepRule.Automatic(), 500, 1e-5);
        Estimate unseen = plain.fit(problem, 1);
        Estimate seen = plain.tracing(10).fit(problem, 1);
        assertThat(seen.theta()).containsExactly(unseen.theta());
        assertThat(seen.kernelPasses()).isEqualTo(unseen.kernelPasses());
    }

    /** Where part of the data is held out, the stopping point is the iterate that explained that part best. */
    @Test
    void holdingOutReturnsWhereToStop() {
        Problem problem = linear(10);
        MlIrl form = MlIrl.tracked(new StepRule.Automatic(), 400, 1e-9).holdingOut(0.3);
        Estimate estimate = form.fit(problem, 1);
        double[] stopped = estimate.stopped().orElseThrow();
        assertThat(estimate.dataHash()).isEqualTo(problem.demonstrations().hash());
        Demonstrations order =
                MlIrl.shuffled(problem.demonstrations(), RandomStream.of(1).named("held-out"));
        double[] counts = Likelihood.choiceCounts(problem.mdp(), order.slice(7, 10));
        assertThat(heldOut(problem, counts, stopped))
                .isGreaterThanOrEqualTo(heldOut(problem, counts, estimate.theta()) - 1e-3)
                .isGreaterThan(heldOut(problem, counts, new double[3]));
        assertThat(MlIrl.tracked(new StepRule.Automatic(), 10, 1e-9)
                        .fit(problem, 1)
                        .stopped())
                .isEmpty();
    }

    private static double heldOut(Problem problem, double[] counts, double[] theta) {
        SoftPolicy policy = Examples.expert(problem.mdp(), problem.cost(), problem.reward(), theta);
        return Likelihood.weightedSum(counts, policy.logPolicy());
    }

    @Test
    void oneTrajectoryCannotBeSplit() {
        Problem problem = linear(1);
        MlIrl form = MlIrl.preconditioned().holdingOut(0.2);
        assertThatThrownBy(() -> form.fit(problem, 1))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("1 trajectories cannot be split");
    }

    /** The ridge's optimum solves gradient = ridge theta, and a stronger one shrinks. */
    @Test
    void ridgeShrinks() {
        Problem problem = linear(50);
        double[] free = Nfxp.standard().fit(problem, 1).orThrow().theta();
        double last = Vec.norm(free);
        for (double ridge : new double[] {0.01, 0.1, 1}) {
            Estimate estimate =
                    MlIrl.preconditioned().fit(problem.withRidge(ridge), 1).orThrow();
            double[] gradient = new double[3];
            new ExactLikelihood(problem, problem.process()).at(estimate.theta(), gradient);
            for (int j = 0; j < 3; j++) {
                assertThat(gradient[j]).isCloseTo(ridge * estimate.theta()[j], within(2e-6));
            }
            assertThat(Vec.norm(estimate.theta())).isLessThan(last);
            last = Vec.norm(estimate.theta());
        }
    }

    @Test
    void notConvergingIsAValueUntilTheUserInsists() {
        Estimate estimate =
                MlIrl.tracked(new StepRule.Decaying(1e-4, 0), 5, 1e-9).fit(linear(10), 1);
        assertThat(estimate.converged()).isFalse();
        assertThat(estimate.status()).contains("not converged after 5 iterations");
        assertThat(estimate.warnings()).isNotEmpty();
        assertThatThrownBy(estimate::orThrow)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("did not converge");
    }

    /** A step without end: the reward leaves the numbers and is refused there, not one sweep later. */
    @Test
    void rewardsThatBecomeInfiniteAreRefused() {
        Problem problem = linear(10);
        MlIrl form = MlIrl.tracked(new StepRule.Decaying(1e308, 0), 50, 1e-9);
        assertThatThrownBy(() -> form.fit(problem, 1))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("NaN or infinite");
    }

    /** A likelihood that differs from the paper's only in the reference policy and the temperature is met as well. */
    @Test
    void generalCostsAreEstimatedByTheSingleLoopToo() {
        RandomStream stream = RandomStream.of(33);
        Mdp mdp = Examples.mdp(6, 2, 0.9, stream.named("mdp"));
        double[] reference = new double[12];
        for (int s = 0; s < 6; s++) {
            reference[2 * s] = 0.2 + 0.1 * s;
            reference[2 * s + 1] = 0.8 - 0.1 * s;
        }
        InformationCost cost = InformationCost.of(0.6, 2, reference);
        Reward reward = Examples.linear(mdp, false, 2, stream.named("features"));
        Demonstrations data =
                Examples.demonstrations(mdp, cost, reward, new double[] {0.5, -0.5}, 100, 20, stream.named("data"));
        Problem problem = new Problem(mdp, cost, reward, data, Problem.Objective.SURROGATE, 0);
        double[] nested = Nfxp.standard().fit(problem, 1).orThrow().theta();
        assertThat(MlIrl.preconditioned().fit(problem, 1).orThrow().theta()).containsExactly(nested, within(1e-5));
    }

    @Test
    void suitedFormsFollowTheNumberOfParameters() {
        assertThat(MlIrl.suited(linear(2)).step()).isInstanceOf(StepRule.Fisher.class);
        Mdp mdp = linear(2).mdp();
        Problem table =
                Problem.of(mdp, LinearReward.perStateAction(8, 3), linear(2).demonstrations());
        assertThat(MlIrl.suited(table).evaluation()).isEqualTo(new Evaluation.Backups(1));
    }
}

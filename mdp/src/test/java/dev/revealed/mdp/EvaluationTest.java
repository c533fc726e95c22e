package dev.revealed.mdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Vec;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Under a reward that stands still every form of the policy step must arrive at the soft-optimal policy. */
class EvaluationTest {
    private static final double TAU = 0.5;

    static Stream<Evaluation> forms() {
        return Stream.of(
                new Evaluation.Exact(),
                new Evaluation.Sweeps(1),
                new Evaluation.Sweeps(5),
                new Evaluation.Backups(1),
                new Evaluation.Backups(7),
                new Evaluation.Adapted(0.1, 50),
                new Evaluation.Solved(1e-12, true),
                new Evaluation.Solved(1e-12, false));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void repeatedStepsReachTheOptimalPolicy(Evaluation evaluation) {
        Mdp mdp = Truth.process(10, 3, 0.95, 1);
        InformationCost cost = InformationCost.ofTemperature(TAU);
        SoftProcess process = new SoftProcess(mdp, cost);
        double[] theta = Truth.reward(mdp, 1);
        var lower = Evaluation.lower(process, LinearReward.perStateAction(10, 3), evaluation);
        SoftPolicy policy = SoftPolicy.start(process);
        Truth.Solution truth = Truth.solve(mdp, cost, theta);
        for (int k = 0; k < 150; k++) {
            policy = lower.improve(policy, theta);
        }
        assertThat(policy.policy()).containsExactly(truth.policy(), within(1e-10));
        assertThat(policy.values()).containsExactly(truth.values(), within(1e-9));

        double[] moved = Vec.plus(theta, 1, Truth.reward(mdp, 2));
        for (int k = 0; k < 150; k++) {
            policy = lower.improve(policy, moved);
        }
        assertThat(policy.policy())
                .as("after the reward moved")
                .containsExactly(Truth.solve(mdp, cost, moved).policy(), within(1e-10));
    }

    /** Soft policy improvement: V of the improved policy is nowhere below V of the one before. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void exactStepsImproveEveryState(long seed) {
        Mdp mdp = Truth.process(15, 4, 0.97, seed);
        SoftProcess process = new SoftProcess(mdp, InformationCost.ofTemperature(0.2));
        double[] theta = Truth.reward(mdp, seed);
        var lower = Evaluation.lower(process, LinearReward.perStateAction(15, 4), new Evaluation.Exact());
        SoftPolicy policy = Truth.randomPolicy(process, seed);
        double[] before = softValues(process, theta, policy);
        double gain = 0;
        for (int k = 0; k < 8; k++) {
            policy = lower.improve(policy, theta);
            double[] after = softValues(process, theta, policy);
            for (int s = 0; s < 15; s++) {
                assertThat(after[s]).isGreaterThanOrEqualTo(before[s] - 1e-11);
                gain = Math.max(gain, after[s] - before[s]);
            }
            before = after;
        }
        assertThat(gain).isGreaterThan(0.1);
        assertThat(before)
                .containsExactly(
                        Truth.solve(mdp, InformationCost.ofTemperature(0.2), theta)
                                .values(),
                        within(1e-9));
    }

    private static double[] softValues(SoftProcess process, double[] reward, SoftPolicy policy) {
        double[] payoff = new double[reward.length];
        for (int row = 0; row < reward.length; row++) {
            payoff[row] = reward[row] - process.cost().temperature() * Math.log(policy.policy()[row]);
        }
        return Truth.evaluate(process.mdp(), policy.policy(), payoff);
    }

    /** One backup is one backup: the paper's cost argument counts on it. */
    @Test
    void oneBackupReadsTheKernelOnce() {
        Mdp mdp = Truth.process(10, 3, 0.95, 1);
        SoftProcess process = new SoftProcess(mdp, InformationCost.STANDARD);
        var lower = Evaluation.lower(process, LinearReward.perStateAction(10, 3), new Evaluation.Backups(1));
        SoftPolicy policy = SoftPolicy.start(process);
        for (int k = 0; k < 5; k++) {
            lower.improve(policy, Truth.reward(mdp, 1));
        }
        assertThat(process.passes().count()).isEqualTo(5);
    }

    @ParameterizedTest
    @MethodSource("forms")
    void rewardsThatAreNotFiniteAreRefused(Evaluation evaluation) {
        Mdp mdp = Truth.process(4, 2, 0.9, 1);
        SoftProcess process = new SoftProcess(mdp, InformationCost.STANDARD);
        double[][] huge = {{1e308}, {1e308}, {1e308}, {1e308}};
        Reward reward = LinearReward.ofStates(2, java.util.List.of("x"), huge);
        var lower = Evaluation.lower(process, reward, evaluation);
        assertThatThrownBy(() -> lower.improve(SoftPolicy.start(process), new double[] {10}))
                .isInstanceOf(BadInput.class)
                .hasMessageContainingAll("NaN or infinite", "10.0");
    }

    /** Values of 1e31 cannot change by less than their rounding, far above any tolerance. */
    @Test
    void rewardsOfAnySizeComeToAnEnd() {
        Mdp mdp = Truth.process(10, 3, 0.9, 1);
        SoftProcess process = new SoftProcess(mdp, InformationCost.STANDARD);
        double[] theta = Truth.reward(mdp, 1);
        for (int i = 0; i < theta.length; i++) {
            theta[i] *= 1e30;
        }
        var lower = Evaluation.lower(process, LinearReward.perStateAction(10, 3), new Evaluation.Solved(1e-6, true));
        SoftPolicy policy = lower.improve(SoftPolicy.start(process), theta);
        assertThat(Vec.isFinite(policy.values())).isTrue();
        assertThat(process.passes().count()).isLessThan(5000);
    }

    /** The reward of one state is finite, and its value is not: the span of the change is infinite, then NaN. */
    @ParameterizedTest
    @MethodSource("toATolerance")
    void valuesThatOverflowAreNotSolved(Evaluation evaluation) {
        Mdp mdp = Truth.process(4, 2, 0.9, 1);
        SoftProcess process = new SoftProcess(mdp, InformationCost.STANDARD);
        double[] theta = new double[8];
        theta[0] = Double.MAX_VALUE;
        theta[1] = Double.MAX_VALUE;
        var lower = Evaluation.lower(process, LinearReward.perStateAction(4, 2), evaluation);
        assertThatThrownBy(() -> lower.improve(SoftPolicy.start(process), theta))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("NaN");
    }

    static Stream<Evaluation> toATolerance() {
        return Stream.of(new Evaluation.Adapted(1e-9, 5000), new Evaluation.Solved(1e-6, true));
    }

    /** A unit in the last place of 1000 is 1.1e-13. */
    @Test
    void aChangeThatStaysIsRoundingOnlyWhereItIsSmall() {
        double[] values = {-1000, 3};
        assertThat(Evaluation.FiniteLower.isRounding(1e-12, 1e-12, values)).isTrue();
        assertThat(Evaluation.FiniteLower.isRounding(1e-12, 2e-12, values))
                .as("it still falls")
                .isFalse();
        assertThat(Evaluation.FiniteLower.isRounding(1e-8, 1e-8, values)).isFalse();
        assertThat(Evaluation.FiniteLower.isRounding(Double.NaN, 1, values)).isFalse();
        assertThat(Evaluation.FiniteLower.isRounding(Double.NaN, 1, new double[] {Double.NaN}))
                .isFalse();
        double infinity = Double.POSITIVE_INFINITY;
        assertThat(Evaluation.FiniteLower.isRounding(infinity, infinity, new double[] {infinity}))
                .isFalse();
    }
}

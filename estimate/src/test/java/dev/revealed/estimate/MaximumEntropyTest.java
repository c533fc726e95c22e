package dev.revealed.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MaximumEntropyTest {
    /** One state, two actions, discount 1/2, the feature says which action: total visits are 2. */
    private static final Mdp COIN = new Mdp(Kernel.of(1, 2, (s, a, row) -> row.add(0, 1)), 0.5, new double[] {1});

    private static final LinearReward SECOND_ACTION =
            LinearReward.ofRows(2, List.of("second"), new double[][] {{0}, {1}});

    @Test
    void aBiasedCoinByHand() {
        // the second action 0.5 of 2 times: probability 1/4, entropy 2 (-(3/4) ln(3/4) - (1/4) ln(1/4)) = 1.124670...
        MaximumEntropy.Solution solution = MaximumEntropy.solve(COIN, SECOND_ACTION, new double[] {0.5});
        double byHand = 2 * (-0.75 * Math.log(0.75) - 0.25 * Math.log(0.25));
        assertThat(solution.value()).isCloseTo(byHand, within(1e-12));
        assertThat(solution.policy()).containsExactly(new double[] {0.75, 0.25}, within(1e-12));
        assertThat(solution.occupancy()).containsExactly(new double[] {1.5, 0.5}, within(1e-12));
        // and its dual: theta = logit(1/4) = -ln 3, V = 2 ln(1 + 1/3), -L^ = V - 0.5 theta
        Duality duality = Duality.of(COIN, SECOND_ACTION, new double[] {0.5});
        assertThat(duality.theta()[0]).isCloseTo(-Math.log(3), within(1e-8));
        assertThat(duality.dual()).isCloseTo(2 * Math.log(4.0 / 3) + 0.5 * Math.log(3), within(1e-10));
        assertThat(duality.gap()).isCloseTo(0, within(1e-10));
    }

    @Test
    void withoutAnythingToMatchEveryChoiceIsACoinToss() {
        RandomStream stream = RandomStream.of(3);
        Mdp mdp = Examples.mdp(6, 3, 0.9, stream);
        LinearReward nothing = LinearReward.ofRows(3, List.of("zero"), new double[18][1]);
        MaximumEntropy.Solution solution = MaximumEntropy.solve(mdp, nothing, new double[] {0});
        assertThat(solution.value()).isCloseTo(Math.log(3) / 0.1, within(1e-9));
        assertThat(solution.dependentConstraints()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void meetsTheLikelihoodThatWasMaximisedWithoutIt(long seed) {
        RandomStream stream = RandomStream.of(seed);
        Mdp mdp = Examples.mdp(9, 3, 0.9, stream.named("mdp"));
        LinearReward reward = features(mdp, 4, stream.named("features"));
        double[] target = MaximumEntropy.features(mdp, reward, policy(mdp, stream.named("policy")));
        Duality duality = Duality.of(mdp, reward, target);
        assertThat(duality.gap()).isCloseTo(0, within(1e-9));
        assertThat(duality.policyDistance()).isLessThan(1e-6);
        assertThat(duality.dependentConstraints()).isZero();
    }

    /** Choices as rare as 1e-10 have occupancies that far apart, and forty states make a system of 160 unknowns. */
    @Test
    void isNotUpsetByRareChoices() {
        RandomStream stream = RandomStream.of(5);
        Mdp mdp = Examples.mdp(40, 3, 0.9, stream.named("mdp"));
        LinearReward reward = features(mdp, 4, stream.named("features"));
        double[] expert = Examples.expert(mdp, InformationCost.STANDARD, reward, new double[] {3, -3, 1.5, 0.3})
                .policy();
        assertThat(Arrays.stream(expert).min().orElseThrow()).isLessThan(1e-6);
        Duality duality = Duality.of(mdp, reward, MaximumEntropy.features(mdp, reward, expert));
        assertThat(duality.gap()).isCloseTo(0, within(1e-9));
        // the expert's own policy is the maximum-entropy one, since its reward is in the class
        assertThat(duality.theta()).containsExactly(new double[] {3, -3, 1.5, 0.3}, within(1e-6));
    }

    /** A constant and a potential h(s) - gamma E h(s') have the same expectation under every policy. */
    @Test
    void featuresThatTheFlowImpliesAreDropped() {
        RandomStream stream = RandomStream.of(8);
        Mdp mdp = Examples.mdp(7, 3, 0.8, stream.named("mdp"));
        double[] h = stream.doubles(7, -1, 1).toArray();
        Kernel kernel = mdp.kernel();
        double[][] rows = Examples.features(mdp.rows(), 4, stream);
        for (int row = 0; row < rows.length; row++) {
            rows[row][1] = 1;
            rows[row][2] = h[row / 3];
            for (int k = kernel.rowStart()[row]; k < kernel.rowStart()[row + 1]; k++) {
                rows[row][2] -= 0.8 * kernel.probability()[k] * h[kernel.successor()[k]];
            }
        }
        LinearReward reward = LinearReward.ofRows(3, List.of("a", "constant", "potential", "b"), rows);
        double[] target = MaximumEntropy.features(mdp, reward, policy(mdp, stream));
        Duality duality = Duality.of(mdp, reward, target);
        assertThat(duality.dependentConstraints()).isEqualTo(2);
        assertThat(duality.gap()).isCloseTo(0, within(1e-9));

        target[1] += 0.3; // no policy has more visits than 1/(1-gamma)
        assertThatThrownBy(() -> MaximumEntropy.solve(mdp, reward, target))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("no policy has these features");
    }

    @Test
    void saysByHowMuchInfeasibleFeaturesAreMissed() {
        // the second action can be taken at most 2 discounted times
        assertThatThrownBy(() -> MaximumEntropy.solve(COIN, SECOND_ACTION, new double[] {2.25}))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("nearest misses them by 0.25")
                .hasMessageContaining("second (wanted 2.25000, nearest 2.00000)");
        assertThat(MaximumEntropy.smallestMismatch(COIN, SECOND_ACTION, new double[] {-0.5}))
                .isCloseTo(0.5, within(1e-6));
        assertThat(MaximumEntropy.smallestMismatch(COIN, SECOND_ACTION, new double[] {0.7}))
                .isCloseTo(0, within(1e-5));
        assertThatThrownBy(() -> MaximumEntropy.solve(COIN, SECOND_ACTION, new double[] {2}))
                .hasMessageContaining("hardly ever takes some action");
    }

    @Test
    void statesTheStartCannotReachHaveNoPart() {
        // 0 -> 0 or 1 -> 1; state 2 leads to 0 but nothing leads to it
        Kernel kernel = Kernel.of(3, 2, (s, a, row) -> row.add(s == 2 ? 0 : s == 1 || a == 1 ? 1 : 0, 1));
        Mdp mdp = new Mdp(kernel, 0.9, new double[] {1, 0, 0});
        LinearReward reward = LinearReward.ofRows(2, List.of("go"), new double[][] {{0}, {1}, {0}, {0}, {0}, {0}});
        Duality duality = Duality.of(mdp, reward, new double[] {0.5});
        MaximumEntropy.Solution solution = MaximumEntropy.solve(mdp, reward, new double[] {0.5});
        assertThat(Arrays.copyOfRange(solution.occupancy(), 4, 6)).containsOnly(0);
        // d(0) = 0.5 + x(0,stay), x(0,stay) 0.9 + 1 = d(0), so d(0) = 5.5 and going has probability 1/11
        assertThat(solution.policy()[1]).isCloseTo(1.0 / 11, within(1e-12));
        assertThat(duality.gap()).isCloseTo(0, within(1e-9));
    }

    private static LinearReward features(Mdp mdp, int width, RandomStream stream) {
        return LinearReward.ofRows(
                mdp.actions(),
                IntStream.range(0, width).mapToObj(j -> "x" + j).toList(),
                Examples.features(mdp.rows(), width, stream));
    }

    private static double[] policy(Mdp mdp, RandomStream stream) {
        double[] policy = new double[mdp.rows()];
        for (int s = 0; s < mdp.states(); s++) {
            double sum = 0;
            for (int row = s * mdp.actions(); row < (s + 1) * mdp.actions(); row++) {
                policy[row] = stream.nextExponential();
                sum += policy[row];
            }
            for (int row = s * mdp.actions(); row < (s + 1) * mdp.actions(); row++) {
                policy[row] /= sum;
            }
        }
        return policy;
    }
}

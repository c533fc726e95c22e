package dev.revealed.mdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TangentTest {
    private static final double TAU = 0.8;
    private static final double RIDGE = 0.3;
    private final Mdp mdp = Truth.process(70, 3, 0.95, 1); // more states than are solved for by elimination
    private final SoftProcess process = new SoftProcess(mdp, InformationCost.ofTemperature(TAU));
    private final Reward reward = LinearReward.ofRows(3, List.of("a", "b"), features());
    private final double[] theta = {0.4, -0.6};
    private final Demonstrations data =
            new Simulation(mdp, Truth.randomPolicy(process, 3).logPolicy()).demonstrations(5, 6, RandomStream.of(4));

    private double[][] features() {
        double[][] features = new double[mdp.rows()][];
        RandomStream stream = RandomStream.of(2);
        Arrays.setAll(features, i -> stream.doubles(2, -1, 1).toArray());
        return features;
    }

    @AfterEach
    void restore() {
        Parallel.threads(Runtime.getRuntime().availableProcessors());
    }

    private Likelihood likelihood(boolean panel) {
        return panel ? new Likelihood.Panel(process, data) : new Likelihood.Surrogate(process, data);
    }

    private Truth.Solution optimal(double[] at) {
        double[] rows = new double[mdp.rows()];
        reward.values(at, rows);
        return Truth.solve(mdp, process.cost(), rows);
    }

    /** Under a reward that stands still each step is one of Newton's: a few of them, and the policy is optimal. */
    @Test
    void aFewStepsReachTheOptimalPolicy() {
        Tangent tangent = new Tangent(process, reward, likelihood(true), 0, 0.01);
        SoftPolicy policy = SoftPolicy.start(process);
        for (int k = 0; k < 8; k++) {
            policy = tangent.improve(policy, theta);
            tangent.at(theta, policy, RandomStream.of(5));
        }
        assertThat(policy.policy()).containsExactly(optimal(theta).policy(), within(1e-11));
    }

    /** At the optimal policy the score is the exact one of the occupancy, and the information that of exact derivatives. */
    @ParameterizedTest(name = "panel={0}")
    @ValueSource(booleans = {false, true})
    void gradientAndInformationAreTheExactOnes(boolean panel) {
        Tangent tangent = new Tangent(process, reward, likelihood(panel), RIDGE, 1e-13);
        SoftPolicy policy = SoftPolicy.start(process);
        Gradient tracked = new Gradient(new double[0], null);
        for (int k = 0; k < 12; k++) {
            policy = tangent.improve(policy, theta);
            tracked = tangent.at(theta, policy, RandomStream.of(5));
        }
        Likelihood likelihood = likelihood(panel);
        double[] exact = Agent.score(process, reward, likelihood, data, RIDGE, new Agent.Exact())
                .at(theta, policy.copy(), RandomStream.of(5))
                .vector();
        assertThat(tracked.vector()).containsExactly(exact, within(1e-9));

        double[][] information = Objects.requireNonNull(tracked.information());
        ValueDerivatives derivatives = new ValueDerivatives(process, reward);
        derivatives.solve(theta, policy.policy(), new SoftSolver(process));
        double[] weights = likelihood.informationWeights(policy.occupancy());
        Arrays.setAll(weights, s -> Math.max(0, weights[s]));
        double[][] expected = derivatives.information(policy.policy(), weights);
        for (int j = 0; j < 2; j++) {
            expected[j][j] += RIDGE;
            assertThat(information[j]).containsExactly(expected[j], within(1e-7));
        }
    }

    /** After a small move of the reward the policy is optimal up to the fourth order: twice Newton, once predicted. */
    @Test
    void valuesFollowTheReward() {
        Tangent tangent = new Tangent(process, reward, likelihood(true), 0, 1e-12);
        SoftPolicy policy = SoftPolicy.start(process);
        for (int k = 0; k < 8; k++) {
            policy = tangent.improve(policy, theta);
        }
        double[] moved = Vec.plus(theta, 0.1, new double[] {1, 1});
        double before = largestDifference(policy.logPolicy(), optimal(moved).policy());
        policy = tangent.improve(policy, moved);
        double after = largestDifference(policy.logPolicy(), optimal(moved).policy());
        assertThat(before).isGreaterThan(0.01);
        assertThat(after).isLessThan(1e-3 * before);
    }

    private static double largestDifference(double[] logPolicy, double[] policy) {
        double largest = 0;
        for (int row = 0; row < policy.length; row++) {
            largest = Math.max(largest, Math.abs(logPolicy[row] - Math.log(policy[row])));
        }
        return largest;
    }

    @Test
    void sameBitsOnAnyNumberOfThreads() {
        double[] one = run(1);
        assertThat(run(2)).containsExactly(one);
        assertThat(run(3)).containsExactly(one);
    }

    private double[] run(int threads) {
        Parallel.threads(threads);
        Tangent tangent = new Tangent(process, reward, likelihood(true), 0, 0.01);
        SoftPolicy policy = tangent.improve(SoftPolicy.start(process), theta);
        return tangent.at(theta, policy, RandomStream.of(5)).vector();
    }

    @Test
    void rewardsThatAreNotFiniteAreRefused() {
        Tangent tangent = new Tangent(process, reward, likelihood(true), 0, 0.01);
        assertThatThrownBy(() -> tangent.improve(SoftPolicy.start(process), new double[] {1e308, -1e308}))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("NaN or infinite");
    }
}

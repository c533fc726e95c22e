package dev.revealed.mdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Three ways to the agent's half of the gradient, one gradient. */
class AgentTest {
    private static final double TAU = 0.8;
    private final Mdp mdp = Truth.process(6, 3, 0.9, 1);
    private final SoftProcess process = new SoftProcess(mdp, InformationCost.ofTemperature(TAU));
    private final Reward reward = LinearReward.ofRows(3, List.of("a", "b"), features());
    private final double[] theta = {0.4, -0.6};
    private final Demonstrations data = demonstrations();

    private double[][] features() {
        double[][] features = new double[mdp.rows()][];
        RandomStream stream = RandomStream.of(2);
        Arrays.setAll(features, i -> stream.doubles(2, -1, 1).toArray());
        return features;
    }

    private Demonstrations demonstrations() {
        return new Simulation(mdp, Truth.randomPolicy(process, 3).logPolicy()).demonstrations(5, 6, RandomStream.of(4));
    }

    private SoftPolicy optimal() {
        double[] rows = new double[mdp.rows()];
        reward.values(theta, rows);
        SoftPolicy policy = SoftPolicy.start(process);
        new SoftSolver(process).solve(rows, policy, 1e-12);
        return policy;
    }

    private Gradient gradient(boolean panel, double ridge, Agent agent) {
        Likelihood likelihood = panel ? new Likelihood.Panel(process, data) : new Likelihood.Surrogate(process, data);
        return Agent.score(process, reward, likelihood, data, ridge, agent).at(theta, optimal(), RandomStream.of(5));
    }

    @ParameterizedTest(name = "panel={0}")
    @ValueSource(booleans = {false, true})
    void exactAndSweptScoresAgree(boolean panel) {
        double[] exact = gradient(panel, 0.3, new Agent.Exact()).vector();
        assertThat(gradient(panel, 0.3, new Agent.Swept(1e-14, 100_000)).vector())
                .containsExactly(exact, within(1e-11));
    }

    @Test
    void ridgePullsTowardsZero() {
        double[] plain = gradient(false, 0, new Agent.Exact()).vector();
        double[] pulled = gradient(false, 2, new Agent.Exact()).vector();
        assertThat(pulled).containsExactly(Vec.plus(plain, -2, theta), within(1e-13));
    }

    /** Unbiased: the mean of many one-trajectory gradients is the exact one, within four standard errors. */
    @Test
    void sampledScoreIsRightOnAverage() {
        double[] exact = gradient(false, 0, new Agent.Exact()).vector();
        var score =
                Agent.score(process, reward, new Likelihood.Surrogate(process, data), data, 0, new Agent.Sampled(1));
        SoftPolicy policy = optimal();
        int n = 20_000;
        double[][] draws = new double[2][n];
        RandomStream stream = RandomStream.of(6);
        for (int i = 0; i < n; i++) {
            double[] g = score.at(theta, policy, stream).vector();
            draws[0][i] = g[0];
            draws[1][i] = g[1];
        }
        for (int j = 0; j < 2; j++) {
            assertThat(Vec.standardError(draws[j])).isPositive().isLessThan(0.05);
            assertThat(Vec.mean(draws[j])).isCloseTo(exact[j], within(4 * Vec.standardError(draws[j])));
        }
    }

    @Test
    void moreTrajectoriesMakeLessNoise() {
        Likelihood likelihood = new Likelihood.Surrogate(process, data);
        SoftPolicy policy = optimal();
        double[] spread = new double[2];
        int[] counts = {1, 16};
        for (int c = 0; c < 2; c++) {
            var score = Agent.score(process, reward, likelihood, data, 0, new Agent.Sampled(counts[c]));
            double[] draws = new double[500];
            RandomStream stream = RandomStream.of(7);
            Arrays.setAll(draws, i -> score.at(theta, policy, stream).vector()[0]);
            spread[c] = Vec.standardError(draws);
        }
        assertThat(spread[0] / spread[1]).isBetween(3.2, 4.8); // sqrt(16) = 4
    }
}

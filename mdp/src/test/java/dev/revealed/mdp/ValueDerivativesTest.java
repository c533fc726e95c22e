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

class ValueDerivativesTest {
    private static final double TAU = 0.7;
    private final Mdp mdp = Truth.process(8, 3, 0.95, 1);
    private final InformationCost cost = InformationCost.ofTemperature(TAU);
    private final SoftProcess process = new SoftProcess(mdp, cost);

    private Reward reward(String kind) {
        double[][] features = new double[mdp.rows()][];
        RandomStream stream = RandomStream.of(2);
        Arrays.setAll(features, i -> stream.doubles(2, -1, 1).toArray());
        return kind.equals("linear")
                ? LinearReward.ofRows(3, List.of("a", "b"), features)
                : PerceptronReward.ofRows(3, features, 3);
    }

    private Truth.Solution solved(Reward reward, double[] theta) {
        double[] rows = new double[mdp.rows()];
        reward.values(theta, rows);
        return Truth.solve(mdp, cost, rows);
    }

    /** At the optimal policy these are the derivatives of the optimal values: the choice itself adds nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"linear", "perceptron"})
    void columnsEqualCentralDifferencesOfOptimalValues(String kind) {
        Reward reward = reward(kind);
        double[] theta = RandomStream.of(3).doubles(reward.parameters(), -1, 1).toArray();
        double[] policy = solved(reward, theta).policy();
        ValueDerivatives exact = new ValueDerivatives(process, reward);
        exact.solve(theta, policy, new SoftSolver(process));
        double h = 1e-5;
        for (int j = 0; j < theta.length; j++) {
            double[] moved = theta.clone();
            moved[j] = theta[j] + h;
            Truth.Solution up = solved(reward, moved);
            moved[j] = theta[j] - h;
            Truth.Solution down = solved(reward, moved);
            assertThat(exact.ofValues(j)).containsExactly(difference(up.values(), down.values(), h), within(1e-6));
            assertThat(exact.ofActionValues(j)).containsExactly(difference(up.q(), down.q(), h), within(1e-6));
        }
    }

    private static double[] difference(double[] up, double[] down, double h) {
        double[] difference = Vec.plus(up, -1, down);
        return Arrays.stream(difference).map(x -> x / (2 * h)).toArray();
    }

    /** The information is the variance of the score d log pi(a|s) / d theta, with a drawn from pi. */
    @Test
    void informationIsTheVarianceOfTheScore() {
        Reward reward = reward("linear");
        double[] theta = {0.5, -1};
        Truth.Solution at = solved(reward, theta);
        ValueDerivatives derivatives = new ValueDerivatives(process, reward);
        derivatives.solve(theta, at.policy(), new SoftSolver(process));
        double[] weight = RandomStream.of(5).doubles(8).toArray();
        weight[3] = 0;
        double h = 1e-5;
        double[][] score = new double[2][];
        for (int j = 0; j < 2; j++) {
            double[] moved = theta.clone();
            moved[j] = theta[j] + h;
            double[] up = solved(reward, moved).policy();
            moved[j] = theta[j] - h;
            double[] down = solved(reward, moved).policy();
            score[j] = new double[mdp.rows()];
            for (int row = 0; row < mdp.rows(); row++) {
                score[j][row] = (Math.log(up[row]) - Math.log(down[row])) / (2 * h);
            }
        }
        double[][] information = derivatives.information(at.policy(), weight);
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                double expected = 0;
                for (int row = 0; row < mdp.rows(); row++) {
                    expected += weight[row / 3] * at.policy()[row] * score[i][row] * score[j][row];
                }
                assertThat(information[i][j]).isCloseTo(expected, within(1e-7));
            }
        }
    }
}

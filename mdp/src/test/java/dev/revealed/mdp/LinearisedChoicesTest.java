package dev.revealed.mdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.Dense;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LinearisedChoicesTest {
    private static final int ACTIONS = 3;
    private static final double RIDGE = 0.7;
    private final double[] theta = {0.4, -0.2};
    private final double[] step = {0.3, 1.1};
    private final LinearisedChoices choices = choices();

    private LinearisedChoices choices() {
        RandomStream stream = RandomStream.of(1);
        double[] counts = stream.doubles(12, 0, 5).toArray();
        counts[4] = 0;
        double[] logPolicy = stream.doubles(12, -3, 0).toArray();
        logPolicy[4] = Double.NEGATIVE_INFINITY; // an action that is not available
        double[][] derivative = {
            stream.doubles(12, -1, 1).toArray(), stream.doubles(12, -1, 1).toArray()
        };
        return new LinearisedChoices(ACTIONS, counts, logPolicy, derivative, theta, RIDGE);
    }

    @Test
    void gradientAndInformationAreDerivativesOfTheValue() {
        Gradient gradient = choices.gradient(step);
        double[][] information = Objects.requireNonNull(gradient.information());
        double h = 1e-5;
        for (int j = 0; j < 2; j++) {
            double[] up = step.clone();
            double[] down = step.clone();
            up[j] += h;
            down[j] -= h;
            assertThat(gradient.vector()[j])
                    .isCloseTo((choices.value(up) - choices.value(down)) / (2 * h), within(1e-7));
            for (int k = 0; k < 2; k++) {
                double second = (choices.gradient(up).vector()[k]
                                - choices.gradient(down).vector()[k])
                        / (2 * h);
                assertThat(information[j][k]).isCloseTo(-second, within(1e-7));
            }
        }
    }

    /** Boehning's matrix less the information has no negative eigenvalue, wherever one looks. */
    @Test
    void informationStaysBelowItsBound() {
        RandomStream stream = RandomStream.of(2);
        for (int i = 0; i < 50; i++) {
            double[] anywhere = stream.doubles(2, -8, 8).toArray();
            double[][] information =
                    Objects.requireNonNull(choices.gradient(anywhere).information());
            double[][] difference = choices.bound();
            for (int j = 0; j < 2; j++) {
                for (int k = 0; k < 2; k++) {
                    difference[j][k] -= information[j][k];
                }
            }
            assertThat(Dense.symmetricEigen(difference).values()[0]).isGreaterThan(-1e-12);
        }
    }

    /** Without a future the values are the reward, which is linear: then this is the likelihood, however far the step. */
    @Test
    void withoutAFutureItIsTheLikelihood() {
        double tau = 0.6;
        Mdp mdp = Truth.process(5, ACTIONS, 0, 3);
        SoftProcess process = new SoftProcess(mdp, InformationCost.ofTemperature(tau));
        double[][] features = new double[mdp.rows()][];
        RandomStream stream = RandomStream.of(4);
        Arrays.setAll(features, i -> stream.doubles(2, -1, 1).toArray());
        Reward reward = LinearReward.ofRows(ACTIONS, java.util.List.of("a", "b"), features);
        Demonstrations data =
                new Simulation(mdp, Truth.randomPolicy(process, 5).logPolicy()).demonstrations(4, 10, stream);
        Likelihood.Panel panel = new Likelihood.Panel(process, data);
        Tangent tangent = new Tangent(process, reward, panel, 0, 1e-10);
        SoftPolicy policy = tangent.improve(SoftPolicy.start(process), theta);
        Gradient.Local local = Objects.requireNonNull(
                tangent.at(theta, policy, RandomStream.of(6)).local());
        double[] rows = new double[mdp.rows()];
        for (double[] move : new double[][] {{0, 0}, {2, -3}, {-5, 1}}) {
            reward.values(new double[] {theta[0] + move[0], theta[1] + move[1]}, rows);
            SoftPolicy there = SoftPolicy.start(process);
            new SoftSolver(process).solve(rows, there, 1e-13);
            assertThat(local.value(move))
                    .isCloseTo(panel.value(rows, there.values(), there.logPolicy()), within(1e-10));
        }
    }
}

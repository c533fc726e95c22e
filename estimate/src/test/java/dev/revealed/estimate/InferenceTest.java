package dev.revealed.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.AnchoredReward;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.Simulation;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InferenceTest {
    private static final double[] TRUTH = {1, -0.7};

    /** Two hundred worlds: intervals hold the truth as often as they say, and errors spread as much as they say. */
    @ParameterizedTest(name = "{0} temperature={1}")
    @CsvSource({"SURROGATE, 1", "PANEL, 1", "SURROGATE, 0.5", "PANEL, 0.5"})
    void intervalsCoverTheTruth(Problem.Objective objective, double tau) {
        RandomStream stream = RandomStream.of(17);
        InformationCost cost = InformationCost.ofTemperature(tau);
        Mdp mdp = Examples.mdp(6, 3, 0.8, stream.named("mdp"));
        Reward reward = Examples.linear(mdp, false, 2, stream.named("features"));
        Simulation simulation =
                new Simulation(mdp, Examples.expert(mdp, cost, reward, TRUTH).logPolicy());
        int worlds = 200;
        int covered = 0;
        double[][] estimates = new double[2][worlds];
        double[] meanVariance = new double[2];
        for (int i = 0; i < worlds; i++) {
            Demonstrations data =
                    simulation.demonstrations(100, 15, stream.named("data").at(i));
            Estimate estimate = Nfxp.standard()
                    .fit(new Problem(mdp, cost, reward, data, objective, 0), 1)
                    .orThrow();
            for (int j = 0; j < 2; j++) {
                Estimate.Parameter parameter = estimate.parameters().get(j);
                double error = parameter.standardError().orElseThrow();
                covered += Math.abs(parameter.value() - TRUTH[j]) <= 1.96 * error ? 1 : 0;
                estimates[j][i] = parameter.value();
                meanVariance[j] += error * error / worlds;
            }
        }
        assertThat(covered / (2.0 * worlds)).isBetween(0.90, 0.99);
        for (int j = 0; j < 2; j++) {
            double spread = Vec.standardError(estimates[j]) * Math.sqrt(worlds);
            assertThat(Math.sqrt(meanVariance[j]) / spread).isBetween(0.85, 1.15);
            assertThat(Vec.mean(estimates[j])).isCloseTo(TRUTH[j], within(4 * spread / Math.sqrt(worlds)));
        }
    }

    /** The meat and bread again from the outside: Hessian and scores by differences of each trajectory's likelihood. */
    @ParameterizedTest(name = "{0} scaled shocks={1}")
    @CsvSource({"SURROGATE, false", "PANEL, false", "SURROGATE, true", "PANEL, true"})
    void covarianceIsTheSandwichOfNumericalDerivatives(Problem.Objective objective, boolean scaled) {
        RandomStream stream = RandomStream.of(18);
        Mdp mdp = Examples.mdp(6, 3, 0.8, stream.named("mdp"));
        Reward reward = Examples.linear(mdp, false, 2, stream.named("features"));
        InformationCost cost = scaled
                ? InformationCost.STANDARD.scaled(new double[] {0.5, 2, 1, 0.8, 1.5, 0.4})
                : InformationCost.STANDARD;
        int n = 400;
        Demonstrations data = Examples.demonstrations(mdp, cost, reward, TRUTH, n, 15, stream.named("data"));
        Problem problem = new Problem(mdp, cost, reward, data, objective, 0);
        Estimate estimate = Nfxp.standard().fit(problem, 1).orThrow();
        double[] theta = estimate.theta();
        double[][] meat = new double[2][2];
        double[][] scores = new double[n][2];
        double[] mean = new double[2];
        for (int i = 0; i < n; i++) {
            Problem one = problem.withDemonstrations(data.slice(i, i + 1));
            ExactLikelihood exact = new ExactLikelihood(one, one.process());
            for (int j = 0; j < 2; j++) {
                scores[i][j] = (exact.value(shifted(theta, j, 1e-5)) - exact.value(shifted(theta, j, -1e-5))) / 2e-5;
                mean[j] += scores[i][j] / n;
            }
        }
        for (double[] score : scores) {
            for (int j = 0; j < 2; j++) {
                for (int k = 0; k < 2; k++) {
                    meat[j][k] += (score[j] - mean[j]) * (score[k] - mean[k]) / (n - 1);
                }
            }
        }
        ExactLikelihood exact = new ExactLikelihood(problem, problem.process());
        double[][] hessian = new double[2][2];
        for (int j = 0; j < 2; j++) {
            double[] up = new double[2];
            double[] down = new double[2];
            exact.at(shifted(theta, j, 1e-4), up);
            exact.at(shifted(theta, j, -1e-4), down);
            for (int k = 0; k < 2; k++) {
                hessian[j][k] = (down[k] - up[k]) / 2e-4;
            }
        }
        double[][] bread = Dense.inverse(hessian).orElseThrow();
        double[][] sandwich = Dense.multiply(Dense.multiply(bread, meat), bread);
        // The panel's information is the expected one: it differs from the Hessian as the data do from expectation.
        boolean surrogate = objective == Problem.Objective.SURROGATE;
        double tolerance = surrogate ? 1e-5 : 0.1;
        double scale = surrogate ? 1.0 / n : n;
        for (int j = 0; j < 2; j++) {
            double expected = scale * sandwich[j][j];
            assertThat(estimate.covariance()[j][j]).isCloseTo(expected, within(tolerance * expected));
            assertThat(estimate.parameters().get(j).standardError().orElseThrow())
                    .isEqualTo(Math.sqrt(estimate.covariance()[j][j]));
        }
    }

    private static double[] shifted(double[] theta, int j, double h) {
        double[] moved = theta.clone();
        moved[j] += h;
        return moved;
    }

    private static final int STATES = 4;
    private static final int ACTIONS = 3;

    /** A reward for every state and action; with an anchor that of action 0 is known and only the others are free. */
    private static Problem table(boolean anchored) {
        RandomStream stream = RandomStream.of(19);
        Mdp mdp = Examples.mdp(STATES, ACTIONS, 0.9, stream.named("mdp"));
        Reward all = LinearReward.perStateAction(STATES, ACTIONS);
        double[] truth = stream.named("truth").doubles(STATES * ACTIONS, -1, 1).toArray();
        Demonstrations data =
                Examples.demonstrations(mdp, InformationCost.STANDARD, all, truth, 300, 20, stream.named("data"));
        double[] known = new double[STATES];
        double[][] others = new double[STATES * ACTIONS][STATES * (ACTIONS - 1)];
        List<String> names = new ArrayList<>();
        for (int row = 0; row < truth.length; row++) {
            if (row % ACTIONS == 0) {
                known[row / ACTIONS] = truth[row];
            } else {
                others[row][names.size()] = 1;
                names.add(all.names().get(row));
            }
        }
        Reward reward =
                anchored ? new AnchoredReward(LinearReward.ofRows(ACTIONS, names, others), ACTIONS, 0, known) : all;
        return Problem.of(mdp, reward, data);
    }

    /** Shaping by a potential leaves every choice as it was: one direction per state. */
    @Test
    void anUnanchoredTableIsNotIdentified() {
        Estimate estimate = Nfxp.standard().fit(table(false), 1);
        assertThat(estimate.warnings())
                .anySatisfy(warning -> assertThat(warning)
                        .startsWith(STATES + " of " + STATES * ACTIONS + " directions of the reward are not identified")
                        .contains("r(s", "reference action"));
        assertThat(estimate.covariance()).isEmpty();
        assertThat(estimate.parameters())
                .allMatch(parameter -> parameter.standardError().isEmpty());
        Estimate ridged = Nfxp.standard().fit(table(false).withRidge(0.01), 1);
        assertThat(ridged.warnings()).anySatisfy(warning -> assertThat(warning).contains("The ridge picks"));
        assertThat(ridged.covariance()).hasDimensions(STATES * ACTIONS, STATES * ACTIONS);
    }

    @Test
    void aConstantIsNamedAsSuch() {
        RandomStream stream = RandomStream.of(20);
        Mdp mdp = Examples.mdp(5, 2, 0.9, stream.named("mdp"));
        Reward reward = LinearReward.perState(5, 2);
        Demonstrations data = Examples.demonstrations(
                mdp, InformationCost.STANDARD, reward, new double[] {1, 0, -1, 0.5, 0}, 100, 20, stream);
        Problem problem = Problem.of(mdp, reward, data).withRidge(0.01);
        assertThat(Nfxp.standard().fit(problem, 1).orThrow().warnings())
                .anySatisfy(warning ->
                        assertThat(warning).contains("1 of 5 directions", "the same amount added to every parameter"));
    }

    /** Corollary 1: with the reference action's reward known the estimate is one, wherever the search starts. */
    @Test
    void anAnchoredTableIsIdentified() {
        Problem anchored = table(true);
        Estimate estimate = Nfxp.standard().fit(anchored, 1).orThrow();
        assertThat(estimate.warnings()).isEmpty();
        assertThat(estimate.parameters())
                .allMatch(parameter -> parameter.standardError().isPresent());
        double[] start = RandomStream.of(21).doubles(STATES * ACTIONS, -2, 2).toArray();
        double[] other = Nfxp.standard()
                .fit(from(Arrays.copyOf(start, STATES * (ACTIONS - 1)), anchored), 1)
                .orThrow()
                .theta();
        assertThat(other).containsExactly(estimate.theta(), within(1e-5));

        double[] some = Nfxp.standard().fit(table(false), 1).theta();
        double[] others = Nfxp.standard().fit(from(start, table(false)), 1).theta();
        assertThat(Vec.maxAbs(Vec.plus(some, -1, others)))
                .as("without the anchor it does depend")
                .isGreaterThan(0.1);
    }

    /** The same problem with another first guess. */
    private static Problem from(double[] start, Problem problem) {
        Reward reward = problem.reward();
        Reward started = new Reward() {
            @Override
            public int parameters() {
                return reward.parameters();
            }

            @Override
            public int rows() {
                return reward.rows();
            }

            @Override
            public List<String> names() {
                return reward.names();
            }

            @Override
            public boolean stateOnly() {
                return reward.stateOnly();
            }

            @Override
            public void values(double[] theta, double[] rows) {
                reward.values(theta, rows);
            }

            @Override
            public void accumulate(double[] theta, double[] weight, double[] gradient) {
                reward.accumulate(theta, weight, gradient);
            }

            @Override
            public void derivative(double[] theta, int j, double[] rows) {
                reward.derivative(theta, j, rows);
            }

            @Override
            public double[] initial(RandomStream stream) {
                return start.clone();
            }
        };
        return new Problem(
                problem.mdp(), problem.cost(), started, problem.demonstrations(), problem.objective(), problem.ridge());
    }
}

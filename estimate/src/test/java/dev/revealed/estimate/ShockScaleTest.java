package dev.revealed.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.Trajectory;
import dev.revealed.numeric.RandomStream;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Shocks whose scale depends on the state: rewards are found in units of the scale of each state. */
class ShockScaleTest {
    private static final double[] SCALES = {0.5, 2};

    static Stream<Estimator> estimators() {
        return Stream.of(Nfxp.standard(), MlIrl.preconditioned());
    }

    /**
     * Two states visited in turn whatever is done, action 1 with a reward of its own in each. In state 0 it is taken in 3 of
     * 4 decisions and in state 1 in 1 of 4, so the rewards are tau(s) times the log odds: 0.5 log 3 and -2 log 3.
     */
    @ParameterizedTest
    @MethodSource("estimators")
    void rewardsAreLogOddsTimesTheScale(Estimator estimator) {
        for (Problem.Objective objective : List.of(Problem.Objective.PANEL, Problem.Objective.SURROGATE)) {
            Problem problem = turns(InformationCost.STANDARD.scaled(SCALES), objective);
            double[] theta = estimator.fit(problem, 1).theta();
            assertThat(theta).containsExactly(new double[] {0.5 * Math.log(3), -2 * Math.log(3)}, within(1e-5));
        }
    }

    /** Where all scales are equal nothing is new, to the last bit. */
    @ParameterizedTest
    @MethodSource("estimators")
    void equalScalesAreTheTemperature(Estimator estimator) {
        Problem scaled = turns(InformationCost.STANDARD.scaled(new double[] {2, 2}), Problem.Objective.SURROGATE);
        Problem plain = turns(InformationCost.ofTemperature(2), Problem.Objective.SURROGATE);
        Estimate one = estimator.fit(scaled, 1);
        Estimate other = estimator.fit(plain, 1);
        assertThat(one.theta()).isEqualTo(other.theta());
        assertThat(one.logLikelihood()).isEqualTo(other.logLikelihood());
    }

    /** On a process of many states both objectives and both methods find the reward that made the data. */
    @ParameterizedTest
    @MethodSource("estimators")
    void findsTheTruth(Estimator estimator) {
        RandomStream stream = RandomStream.of(3);
        Mdp mdp = Examples.mdp(6, 3, 0.8, stream.named("mdp"));
        Reward reward = Examples.linear(mdp, false, 2, stream.named("features"));
        double[] truth = {1, -0.7};
        InformationCost cost = InformationCost.STANDARD.scaled(new double[] {0.4, 3, 0.4, 3, 0.4, 3});
        Demonstrations data = Examples.demonstrations(mdp, cost, reward, truth, 2000, 20, stream.named("data"));
        for (Problem.Objective objective : Problem.Objective.values()) {
            Estimate estimate = estimator.fit(new Problem(mdp, cost, reward, data, objective, 0), 1);
            for (int j = 0; j < 2; j++) {
                double error = estimate.parameters().get(j).standardError().orElseThrow();
                assertThat(estimate.theta()[j]).isCloseTo(truth[j], within(3.5 * error));
                assertThat(error).isLessThan(0.1);
            }
        }
        // with one temperature for all states the same data give another reward
        Problem wrong = new Problem(mdp, InformationCost.ofTemperature(1.7), reward, data, Problem.Objective.PANEL, 0);
        Estimate misfit = estimator.fit(wrong, 1);
        double off = Math.abs(misfit.theta()[0] - truth[0])
                / misfit.parameters().getFirst().standardError().orElseThrow();
        assertThat(off).isGreaterThan(3.5);
    }

    /** The value gap of Lemma 4 weighs each state by its scale. */
    @Test
    void theValueGapIsInUnitsOfTheReward() {
        Problem problem = turns(InformationCost.STANDARD.scaled(SCALES), Problem.Objective.PANEL);
        ValueGap gap = ValueGap.of(problem, new double[] {0, 0});
        double missed = Math.log(2) + 0.25 * Math.log(0.25) + 0.75 * Math.log(0.75);
        // from state 0: scale 0.5 at even times, 2 at odd ones
        assertThat(gap.gap().getAsDouble()).isCloseTo(missed * (0.5 + 0.9 * 2) / (1 - 0.81), within(1e-9));
    }

    private static Problem turns(InformationCost cost, Problem.Objective objective) {
        Kernel kernel = Kernel.of(2, 2, (s, a, row) -> row.add(1 - s, 1));
        Mdp mdp = new Mdp(kernel, 0.9, new double[] {1, 0});
        double[][] features = {{0, 0}, {1, 0}, {0, 0}, {0, 1}};
        // discounted alike in each trajectory: 3 of 4 take action 1 in state 0, 1 of 4 in state 1
        List<Trajectory> data = Stream.of(
                        new int[] {1, 1, 1, 1}, new int[] {1, 0, 1, 0}, new int[] {1, 0, 1, 0}, new int[] {0, 0, 0, 0})
                .map(actions -> new Trajectory(new int[] {0, 1, 0, 1, 0}, actions))
                .toList();
        Reward reward = LinearReward.ofRows(2, List.of("first", "second"), features);
        return new Problem(mdp, cost, reward, new Demonstrations(data), objective, 0);
    }
}

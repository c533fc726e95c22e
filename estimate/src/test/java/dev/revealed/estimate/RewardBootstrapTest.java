package dev.revealed.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Resample;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.Trajectory;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RewardBootstrapTest {
    private static final double[] TRUTH = {1, -0.7};

    private final RandomStream stream = RandomStream.of(11);
    private final Mdp mdp = Examples.mdp(6, 3, 0.8, stream.named("mdp"));

    private Problem problem(Problem.Objective objective, boolean stateOnly, double tau, int count, int length) {
        InformationCost cost = InformationCost.ofTemperature(tau);
        Reward reward = Examples.linear(mdp, stateOnly, 2, stream.named("features"));
        Demonstrations data = Examples.demonstrations(mdp, cost, reward, TRUTH, count, length, stream.named("data"));
        return new Problem(mdp, cost, reward, stateOnly ? data.statesOnly() : data, objective, 0);
    }

    /** How often each thing is drawn, from the outside. */
    private static double[] drawn(Resample resample, int trajectories, int steps, RandomStream stream) {
        double[][] weights = new double[trajectories][steps];
        int[] lengths = new int[trajectories];
        for (int i = 0; i < trajectories; i++) {
            Arrays.fill(weights[i], 1);
            lengths[i] = steps;
        }
        resample.draw(weights, lengths, stream);
        return Arrays.stream(weights).flatMapToDouble(Arrays::stream).toArray();
    }

    /** A draw is the maximum likelihood estimate from a list in which trajectories stand as often as they were drawn. */
    @ParameterizedTest
    @CsvSource({
        "SURROGATE, false, 1, false",
        "PANEL, false, 0.5, false",
        "SURROGATE, true, 0.5, false",
        "SURROGATE, false, 1, true"
    })
    void aDrawIsTheEstimateFromRepeatedTrajectories(
            Problem.Objective objective, boolean stateOnly, double tau, boolean observedStarts) {
        Problem known = problem(objective, stateOnly, tau, 40, 12);
        Problem problem = observedStarts ? known.withObservedStarts() : known;
        double[] theta = Nfxp.standard().fit(problem, 1).orThrow().theta();
        Resample resample = new Resample.Trajectories();
        double[] times = drawn(resample, 40, 1, RandomStream.of(2));
        List<Trajectory> repeated = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            for (int k = 0; k < times[i]; k++) {
                repeated.add(problem.demonstrations().trajectories().get(i));
            }
        }
        double[] again = Nfxp.standard()
                .fit(problem.withDemonstrations(new Demonstrations(repeated)), 1)
                .orThrow()
                .theta();
        double[] draw = RewardBootstrap.of(problem, theta, resample)
                .orElseThrow()
                .draw(RandomStream.of(2))
                .orElseThrow();
        assertThat(draw).containsExactly(again, within(1e-5));
        assertThat(Vec.norm(Vec.plus(draw, -1, theta))).isGreaterThan(1e-3);
    }

    /** On a panel, decisions count alike: blocks are a list of single decisions, each as often as it was drawn. */
    @Test
    void blocksAreDecisionsAsOftenAsTheyWereDrawn() {
        Problem problem = problem(Problem.Objective.PANEL, false, 1, 1, 600);
        double[] theta = Nfxp.standard().fit(problem, 1).orThrow().theta();
        Resample resample = new Resample.Blocks(7);
        double[] times = drawn(resample, 1, 600, RandomStream.of(4));
        Trajectory seen = problem.demonstrations().trajectories().getFirst();
        List<Trajectory> single = new ArrayList<>();
        for (int t = 0; t < 600; t++) {
            for (int k = 0; k < times[t]; k++) {
                single.add(new Trajectory(
                        new int[] {seen.states()[t]}, new int[] {Objects.requireNonNull(seen.actions())[t]}));
            }
        }
        assertThat(single).hasSize(600);
        double[] again = Nfxp.standard()
                .fit(problem.withDemonstrations(new Demonstrations(single)), 1)
                .orThrow()
                .theta();
        assertThat(RewardBootstrap.of(problem, theta, resample)
                        .orElseThrow()
                        .draw(RandomStream.of(4))
                        .orElseThrow())
                .containsExactly(again, within(1e-5));
    }

    /** A Newton step is the sum of the influences of the trajectories that were drawn. */
    @ParameterizedTest
    @EnumSource
    void aStepIsTheSumOfInfluences(Problem.Objective objective) {
        Problem problem = problem(objective, false, 1, 40, 12);
        double[] theta = Nfxp.standard().fit(problem, 1).orThrow().theta();
        Resample resample = new Resample.Trajectories();
        double[] times = drawn(resample, 40, 1, RandomStream.of(2));
        Inference.Influence influence = Inference.Influence.of(problem, theta).orElseThrow();
        double[] expected = theta.clone();
        // Influence is that on the mean of scores; the panel's likelihood is their sum.
        double scale = objective == Problem.Objective.PANEL ? 40 : 1;
        for (int i = 0; i < 40; i++) {
            Vec.axpy(scale * times[i], influence.ofTrajectory()[i], expected);
        }
        assertThat(RewardBootstrap.of(problem, theta, resample).orElseThrow().step(RandomStream.of(2)))
                .containsExactly(expected, within(1e-6));
    }

    @Test
    void theLastStateMustBeKnown() {
        Problem problem = problem(Problem.Objective.SURROGATE, false, 1, 3, 5);
        Trajectory whole = problem.demonstrations().trajectories().getFirst();
        Problem cut = problem.withDemonstrations(new Demonstrations(
                List.of(new Trajectory(Arrays.copyOf(whole.states(), 5), Objects.requireNonNull(whole.actions())))));
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> RewardBootstrap.of(cut, TRUTH, new Resample.Blocks(2)))
                .withMessageContaining("last decision");
    }
}

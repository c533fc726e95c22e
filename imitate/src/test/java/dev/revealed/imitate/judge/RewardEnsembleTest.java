package dev.revealed.imitate.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Interval;
import dev.revealed.numeric.RandomStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class RewardEnsembleTest {

    /** Rewards that differ in constant and scale alone are the same reward, and leave no doubt. */
    @Test
    void constantAndScaleAreNoDifference() {
        double[][][] rewards = {{{1, 2, 3}, {4}}, {{10, 30, 50}, {70}}, {{-0.2, -0.1, 0}, {0.1}}};
        RewardEnsemble ensemble = RewardEnsemble.standardise(rewards);
        double deviation = Math.sqrt(1.25); // of 1, 2, 3, 4
        assertThat(ensemble.mean(0))
                .containsExactly(new double[] {-1.5 / deviation, -0.5 / deviation, 0.5 / deviation}, within(1e-12));
        for (Interval interval : ensemble.intervals(1, 0.95)) {
            assertThat(interval.low()).isCloseTo(1.5 / deviation, within(1e-12));
            assertThat(interval.width()).isCloseTo(0, within(1e-12));
        }
        assertThat(ensemble.agreement()).isCloseTo(1, within(1e-12));
    }

    /** By hand: two members, +1 -1 and -1 +1, of mean 0 and deviation sqrt 2; t of one degree of freedom is 12.706. */
    @Test
    void fewMembersAreLittleKnowledge() {
        RewardEnsemble opposite = RewardEnsemble.standardise(new double[][][] {{{5, 3}}, {{0, 8}}});
        Interval first = opposite.intervals(0, 0.95)[0];
        assertThat(first.high()).isCloseTo(12.7062 * Math.sqrt(2), within(1e-3));
        assertThat(first.low()).isCloseTo(-12.7062 * Math.sqrt(2), within(1e-3));
        assertThat(opposite.agreement()).isCloseTo(-1, within(1e-12));
    }

    /** Members about a truth, each with noise of a known size: intervals are 1.96 of it to either side. */
    @Test
    void widthsAreThoseOfTheNoise() {
        int steps = 400;
        RandomStream noise = RandomStream.of(6);
        for (int size : new int[] {20, 200}) {
            double[][][] rewards = new double[size][1][steps];
            for (double[][] member : rewards) {
                for (int t = 0; t < steps; t++) {
                    member[0][t] = 10 * Math.sin(t) + noise.nextGaussian();
                }
            }
            RewardEnsemble ensemble = RewardEnsemble.standardise(rewards);
            double width = 0;
            for (Interval interval : ensemble.intervals(0, 0.95)) {
                width += interval.width() / steps;
            }
            double one = 1 / Math.sqrt(50 + 1); // the noise, in deviations of signal and noise together
            double reach = size == 20 ? 2.093 : 1.96;
            assertThat(width).isCloseTo(2 * reach * one, within(0.05 * 2 * reach * one));
            assertThat(ensemble.agreement()).isCloseTo(50 / 51.0, within(0.005));
        }
    }

    /** Rewards are read at the steps of the trajectories, each with the state before its action. */
    @Test
    void evaluatesMembersAlongTrajectories() {
        Episodes episodes = new Episodes(List.of(
                new Episode(2, new float[] {1, 2, 9}, new float[] {0, 1}, null, Ending.TERMINATED),
                new Episode(1, new float[] {3, 9}, new float[] {0.5f}, null, Ending.TRUNCATED)));
        Simulator.Space space = new Simulator.Space("drift", 1, new Simulator.Actions.Box(1, 1), 5);
        Batch.Rewards place = batch -> System.arraycopy(batch.states(), 0, batch.rewards(), 0, batch.size());
        Batch.Rewards twice = batch -> {
            for (int row = 0; row < batch.size(); row++) {
                batch.rewards()[row] = 7 + 2 * batch.states()[row];
            }
        };
        RewardEnsemble ensemble = RewardEnsemble.of(List.of(place, twice), episodes, space);
        double unit = Math.sqrt(2 / 3.0); // of 1, 2, 3
        assertThat(ensemble.standardised()[1][0]).containsExactly(new double[] {-1 / unit, 0}, within(1e-6));
        assertThat(ensemble.standardised()[1][1]).containsExactly(new double[] {1 / unit}, within(1e-6));
        assertThat(ensemble.agreement()).isCloseTo(1, within(1e-9));
        assertThatExceptionOfType(BadInput.class).isThrownBy(() -> RewardEnsemble.of(List.of(place), episodes, space));
    }
}

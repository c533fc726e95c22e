package dev.revealed.imitate.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RewardDistanceTest {
    private static final Simulator.Space SPACE = new Simulator.Space("toy", 1, new Simulator.Actions.Box(2, 9), 100);
    private static final double DISCOUNT = 0.9;
    private static final int STEPS = 3000;

    /** A reward of state, two actions and next state. */
    private interface Formula {
        double of(double s, double a, double b, double next);

        default Batch.Rewards rewards() {
            return batch -> {
                for (int i = 0; i < batch.size(); i++) {
                    batch.rewards()[i] = (float) of(
                            batch.states()[i],
                            batch.actions()[2 * i],
                            batch.actions()[2 * i + 1],
                            batch.nextStates()[i]);
                }
            };
        }
    }

    private static Batch normal(long seed) {
        RandomStream stream = RandomStream.of(seed);
        Batch steps = Batch.of(STEPS, SPACE);
        for (float[] array : List.of(steps.states(), steps.actions(), steps.nextStates())) {
            for (int i = 0; i < array.length; i++) {
                array[i] = (float) stream.nextGaussian();
            }
        }
        Arrays.fill(steps.live(), 1);
        return steps;
    }

    private static double epic(Formula one, Formula other) {
        return new RewardDistance(normal(1), SPACE, DISCOUNT, 32, RandomStream.of(2))
                .epic(one.rewards(), other.rewards());
    }

    private static double potential(double s) {
        return 4 * Math.sin(2 * s) + s * s;
    }

    @Test
    void shapingAPositiveScaleAndAConstantAreNoDistance() {
        Formula plain = (s, a, b, next) -> Math.cos(s) * a + 0.5 * next * b;
        Formula shaped =
                (s, a, b, next) -> 3 * (plain.of(s, a, b, next) + DISCOUNT * potential(next) - potential(s)) + 7;
        assertThat(epic(plain, shaped)).isCloseTo(0, within(1e-3));
        assertThat(epic(plain, (s, a, b, next) -> -shaped.of(s, a, b, next))).isCloseTo(1, within(1e-6));
        Formula wrong = (s, a, b, next) -> plain.of(s, a, b, next) + 0.5 * potential(next) - potential(s);
        assertThat(epic(plain, wrong)).isGreaterThan(0.3); // shaped with another discount
        RewardDistance fidelity = new RewardDistance(normal(1), SPACE, DISCOUNT, 32, RandomStream.of(2));
        assertThat(Vec.correlation(fidelity.own(plain.rewards()), fidelity.own(shaped.rewards())))
                .isLessThan(0.5); // which the plain correlation does not see
    }

    /** With independent actions of variance one, a and a + c b correlate by 1 / sqrt(1 + c^2). */
    @Test
    void distancesBetweenAreThoseOfTheCorrelation() {
        Formula one = (s, a, b, next) -> a;
        double error = 4 / Math.sqrt(STEPS);
        assertThat(epic(one, (s, a, b, next) -> b)).isCloseTo(Math.sqrt(0.5), within(error));
        double half = 1 / Math.sqrt(5);
        assertThat(epic(one, (s, a, b, next) -> a + 2 * b)).isCloseTo(Math.sqrt((1 - half) / 2), within(error));
    }

    @Test
    void ranksAreSharedByEqualNumbers() {
        assertThat(RewardDistance.ranks(new double[] {5, 1, 5, -2})).containsExactly(2.5, 1, 2.5, 0);
        // ranks 0, 1.5, 1.5, 3 and 0, 2, 1, 3
        assertThat(RewardDistance.spearman(new double[] {1, 2, 2, 3}, new double[] {10, 30, 20, 400}))
                .isCloseTo(4.5 / Math.sqrt(4.5 * 5), within(1e-12));
        assertThat(RewardDistance.spearman(new double[] {1, 2, 3}, new double[] {1, 8, 1e9}))
                .isCloseTo(1, within(1e-12));
        assertThat(RewardDistance.spearman(new double[] {1, 2, 3}, new double[] {0, -1, -2}))
                .isCloseTo(-1, within(1e-12));
    }

    @Test
    void aRecordedRewardIsKnownAtOtherSteps() {
        Formula truth = (s, a, b, next) -> 2 * s - a + 3 * b - 0.5 * a * a + 40;
        Batch steps = normal(1);
        truth.rewards().relabel(steps);
        RegressionReward fit = RegressionReward.of(steps);
        assertThat(fit.explained()).isCloseTo(1, within(1e-6));
        Batch others = normal(2);
        fit.relabel(others);
        for (int i = 0; i < 50; i++) {
            double expected = truth.of(others.states()[i], others.actions()[2 * i], others.actions()[2 * i + 1], 0);
            assertThat(others.rewards()[i]).isCloseTo((float) expected, within(5e-3f));
        }
        // a part that no state or action tells, of as much variance as the rest
        Formula hidden = (s, a, b, next) -> a + next;
        hidden.rewards().relabel(steps);
        assertThat(RegressionReward.of(steps).explained()).isCloseTo(0.5, within(0.06));
    }

    @Test
    void stepsOfEpisodesAreTheirOwnPairs() {
        Episode one = new Episode(
                3,
                new float[] {1, 2, 3, 4},
                new float[] {10, 11, 20, 21, 30, 31},
                new double[] {0.1, 0.2, 0.3},
                Ending.TERMINATED);
        Batch steps = RewardDistance.steps(new Episodes(List.of(one, one)), SPACE);
        assertThat(steps.states()).containsExactly(1, 2, 3, 1, 2, 3);
        assertThat(steps.nextStates()).containsExactly(2, 3, 4, 2, 3, 4);
        assertThat(steps.actions()).startsWith(10, 11, 20, 21, 30, 31, 10);
        assertThat(steps.rewards()).containsExactly(0.1f, 0.2f, 0.3f, 0.1f, 0.2f, 0.3f);
        assertThat(steps.live()).containsOnly(1);
    }

    /** Two steps that pay 1 + 2, and an end that pays 3 each step that is left of five; recordings that were cut have none. */
    @Test
    void aRewardThatGoesOnAfterTheEndIsCountedToTheHorizon() {
        Simulator.Space five = new Simulator.Space("toy", 1, new Simulator.Actions.Box(2, 9), 5);
        Formula state = (s, a, b, next) -> s + 100 * (a + b);
        float[] states = {1, 2, 3};
        List<Episode> both = List.of(
                new Episode(2, states, new float[4], null, Ending.TERMINATED),
                new Episode(2, states, new float[4], null, Ending.TRUNCATED));
        RandomStream stream = RandomStream.of(1);
        assertThat(RewardComparison.of(state.rewards(), new Episodes(both), five, DISCOUNT, true, stream)
                        .returns())
                .containsExactly(3 + 3 * 3, 3);
        RewardComparison mask = RewardComparison.of(state.rewards(), new Episodes(both), five, DISCOUNT, false, stream);
        assertThat(mask.returns()).containsExactly(3, 3);
        assertThat(mask.mean()).isEqualTo(1.5);
        assertThat(mask.deviation()).isEqualTo(0.5);
        assertThat(mask.pearson()).isNaN();
    }
}

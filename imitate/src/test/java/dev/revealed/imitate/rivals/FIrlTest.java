package dev.revealed.imitate.rivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.imitate.AfterEnd;
import dev.revealed.imitate.Demonstrations;
import dev.revealed.imitate.ExpertAndAgent;
import dev.revealed.imitate.ExpertAndAgent.Comparison;
import dev.revealed.imitate.Imitation;
import dev.revealed.imitate.Intervention;
import dev.revealed.imitate.Preset;
import dev.revealed.imitate.RewardModel;
import dev.revealed.imitate.Score;
import dev.revealed.imitate.Visits;
import dev.revealed.mdp.Episodes;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FIrlTest {
    /** Three trajectories, whose covariance is worked out by hand. */
    @Test
    void weightsGiveTheCovarianceOfTheMeans() {
        float[] ratios = {1, 2, -1, 0.5f, 0, -2};
        double[] rewards = {3, -1, 2, 4, 0.5, 1};
        int[] lengths = {2, 1, 3};
        double[] chances = {0.5, 0.25, 0.25};
        float[] weights = DivergenceScoring.covariance(FIrl.Divergence.REVERSE_KL, ratios, lengths, chances);
        double[] s = {1.5, -1, -0.5};
        double[] r = {1, 2, 5.5 / 3};
        double product = 0.5 * 1.5 * 1 + 0.25 * -1 * 2 + 0.25 * -0.5 * 5.5 / 3;
        double means = (0.5 * s[0] + 0.25 * s[1] + 0.25 * s[2]) * (0.5 * r[0] + 0.25 * r[1] + 0.25 * r[2]);
        double sum = 0;
        for (int row = 0; row < rewards.length; row++) {
            sum += weights[row] * rewards[row];
        }
        assertThat(sum).isCloseTo(product - means, within(1e-6));
    }

    @Test
    void divergencesWeighRowsAsPublished() {
        assertThat(FIrl.Divergence.FORWARD_KL.of(2)).isCloseTo(Math.exp(2), within(1e-12));
        assertThat(FIrl.Divergence.REVERSE_KL.of(2)).isEqualTo(2);
        assertThat(FIrl.Divergence.JENSEN_SHANNON.of(2)).isCloseTo(Math.log(1 + Math.exp(2)), within(1e-12));
    }

    /** The divergence of the agent's visits from the expert's, or the other way, as its textbook defines it. */
    private static double divergence(FIrl.Divergence divergence, double[] expert, double[] agent) {
        double sum = 0;
        for (int s = 0; s < expert.length; s++) {
            double mean = (expert[s] + agent[s]) / 2;
            sum += switch (divergence) {
                case FORWARD_KL -> expert[s] * Math.log(expert[s] / agent[s]);
                case REVERSE_KL -> agent[s] * Math.log(agent[s] / expert[s]);
                case JENSEN_SHANNON -> expert[s] * Math.log(expert[s] / mean) + agent[s] * Math.log(agent[s] / mean);
            };
        }
        return sum;
    }

    /**
     * Ni et al., theorem 4.1, with all 243 sequences of moves and exact densities: the covariance is the slope of the
     * divergence under the soft-optimal policy, by finite differences; per step instead of per trajectory, it is divided by
     * the number of steps.
     */
    @ParameterizedTest
    @EnumSource(FIrl.Divergence.class)
    void theCovarianceIsTheSlopeOfTheDivergence(FIrl.Divergence divergence) {
        Ring ring = new Ring(4, 5);
        double[] expert = ring.visits(ring.softOptimal(new double[] {0, 1, -0.5, 0.25}));
        double[] reward = {0.3, -0.2, 0.4, 0};
        double[][][] policy = ring.softOptimal(reward);
        double[] agent = ring.visits(policy);
        List<int[]> sequences = ring.sequences();
        int[] rows = new int[5 * sequences.size()];
        float[] ratios = new float[rows.length];
        int[] lengths = new int[sequences.size()];
        double[] chances = new double[sequences.size()];
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = 5;
            chances[i] = 1;
            int place = 0;
            for (int t = 0; t < 5; t++) {
                int move = sequences.get(i)[t];
                rows[5 * i + t] = place;
                ratios[5 * i + t] = (float) Math.log(expert[place] / agent[place]);
                chances[i] *= policy[t][place][move];
                place = ring.to(place, move);
            }
        }
        float[] weights = DivergenceScoring.covariance(divergence, ratios, lengths, chances);
        double[] gradient = new double[4];
        for (int row = 0; row < rows.length; row++) {
            gradient[rows[row]] += weights[row];
        }
        for (int s = 0; s < 4; s++) {
            double[] up = reward.clone();
            double[] down = reward.clone();
            up[s] += 1e-4;
            down[s] -= 1e-4;
            double slope = (divergence(divergence, expert, ring.visits(ring.softOptimal(up)))
                            - divergence(divergence, expert, ring.visits(ring.softOptimal(down))))
                    / 2e-4;
            assertThat(Math.abs(slope)).isGreaterThan(1e-3);
            assertThat(5 * gradient[s]).isCloseTo(-slope, within(1e-5));
        }
    }

    /**
     * Trajectories of the same length have the same sum of a constant, and the temperature is given: so the reward of places is
     * identified but for a constant, its scale included. The agent is soft-optimal for the reward at every step, and the
     * classifier knows it by its episodes alone.
     */
    @ParameterizedTest
    @EnumSource(FIrl.Divergence.class)
    void recoversTheRewardOfPlacesUpToAConstant(FIrl.Divergence divergence) {
        Ring ring = new Ring(5, 8);
        double[] truth = {0, 0.8, -0.4, 0.2, 0.5};
        RandomStream random = RandomStream.of(11);
        Demonstrations shown = Demonstrations.of("ring.npz", ring.sample(ring.softOptimal(truth), 1000, random));
        RewardModel reward = tabular(ring).with(new float[6]);
        try (Training training = Rivals.training(3)) {
            ExpertAndAgent sides = new ExpertAndAgent(
                    new ExpertAndAgent.Settings(1, 0, 1),
                    true,
                    1,
                    AfterEnd.MASK,
                    shown,
                    ring.space(),
                    Rivals.agent(training, 3));
            DivergenceScoring scoring = new DivergenceScoring(
                    divergence,
                    new Discriminator.Settings(40, 256, 1e-2, 0, 0),
                    sides,
                    tabular(ring).with(new float[6]),
                    false);
            double[] mean = new double[5];
            for (int step = 0; step < 150; step++) {
                double[] now = places(reward);
                Episodes episodes = ring.sample(ring.softOptimal(now), 200, random);
                Score score =
                        scoring.at(reward, sides.expert(), episodes, sides.visits(episodes, false), random, step == 0);
                float[] theta = reward.learnt().parameters();
                for (int i = 0; i < theta.length; i++) {
                    theta[i] += 10 * score.gradient()[i];
                }
                reward.learnt().changed();
                reward.changed();
                for (int s = 0; s < 5 && step >= 100; s++) {
                    mean[s] += (now[s] - now[0]) / 50;
                }
            }
            for (int s = 1; s < 5; s++) {
                assertThat(mean[s]).as("place %d", s).isCloseTo(truth[s] - truth[0], within(0.15));
            }
        }
    }

    /** A number for each place, and a constant. */
    private static RewardModel tabular(Ring ring) {
        return RewardModel.random(
                Mlp.of(new int[] {ring.places(), 1}, Mlp.Activation.NONE),
                ring.space(),
                0,
                Visits.none(ring.places()),
                RandomStream.of(1));
    }

    private static double[] places(RewardModel reward) {
        int places = reward.learnt().shape().inputs();
        float[] each = new float[places * places];
        for (int s = 0; s < places; s++) {
            each[s * places + s] = 1;
        }
        float[] paid = RewardLoop.paid(reward, new Visits(places, places, each, new float[places]))
                .rewards();
        double[] rewards = new double[places];
        Arrays.setAll(rewards, s -> paid[s]);
        return rewards;
    }

    private static FIrl.Settings settings(FIrl.Divergence divergence) {
        return new FIrl()
                .preset(Preset.REVEALED, Rivals.SPACE)
                .with(Map.of("reward-hidden", "16,16", "classifier-hidden", "16,16", "block", 200, "recent", 400))
                .with(Map.of("discriminator-updates", 50, "discriminator-batch", 64, "average-policy", 1))
                .with(Map.of("reward-learning-rate", 3e-3, "reward-roughness", 0, "divergence", divergence));
    }

    /** The agent comes to where the expert is, and the reward is highest there among places it knows. */
    @ParameterizedTest
    @EnumSource(FIrl.Divergence.class)
    void recoversARewardOfStatesThatIsHighWhereTheExpertIs(FIrl.Divergence divergence) {
        try (Training training = Rivals.training(3)) {
            Imitation loop = FIrl.loop(
                    settings(divergence), Rivals.expert(), Rivals.SPACE, Rivals.agent(training, 3), Intervention.NONE);
            List<Comparison> seen = Rivals.run(loop, 40);
            assertThat(seen.getLast().length()).isGreaterThan(0.9);
            assertThat(Math.abs(Rivals.meanPlace(training) - 0.5)).isLessThan(0.25);
            RewardModel reward = loop.recoveredReward().orElseThrow();
            float[] places = {-0.9f, -0.5f, 0, 0.5f};
            float[] paid = RewardLoop.paid(reward, new Visits(4, 1, places, new float[] {1, 1, 1, 1}))
                    .rewards();
            assertThat(paid[3]).isGreaterThan(paid[0]).isGreaterThan(paid[1]).isGreaterThan(paid[2]);
            assertThat(loop.diagnostics()).containsKey("discriminatorLoss");
        }
    }

    @Test
    void allTrajectoriesAreCompared() {
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> settings(FIrl.Divergence.REVERSE_KL).with(Map.of("expert-sample", "one")))
                .withMessageContaining("`expert-sample` is one");
    }
}

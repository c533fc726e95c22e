package dev.revealed.imitate.rivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.imitate.ExpertAndAgent.Comparison;
import dev.revealed.imitate.LearningProblem;
import dev.revealed.imitate.Preset;
import dev.revealed.imitate.RewardModel;
import dev.revealed.imitate.Visits;
import dev.revealed.neural.Batch;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Learner;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Network;
import dev.revealed.neural.Training;
import dev.revealed.neural.softq.InverseSoftQ;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IqLearnTest {
    private static IqLearn.Settings settings() {
        return new IqLearn()
                .preset(Preset.REVEALED, Rivals.SPACE)
                .with(Map.of("reward-hidden", "16,16", "block", 200, "recent", 400, "average-policy", 1))
                .with(Map.of("iq-term", "value", "reward-updates", 50));
    }

    private static LearningProblem problem() {
        return new IqLearn().problem(settings(), "revealed", Rivals.expert());
    }

    /** The agent comes to where the expert is, and as long as they differ the fitted reward pays the expert more. */
    @Test
    void comesToWhereTheExpertIs() {
        Learner learner = problem()
                .learner(
                        Rivals.SPACE,
                        Rivals.sac().with(Map.of("critics", 1, "temperature", 0.05)),
                        RandomStream.of(3),
                        1);
        try (Training training = Rivals.training(learner, 3)) {
            IqLearn.Loop loop = new IqLearn.Loop(settings(), Rivals.expert(), Rivals.SPACE, Rivals.agent(training, 3));
            List<Comparison> seen = Rivals.run(loop, 40);
            assertThat(seen.getLast().length()).isGreaterThan(0.9);
            assertThat(Math.abs(Rivals.meanPlace(training) - 0.5)).isLessThan(0.25);
            assertThat(seen.stream()
                            .mapToDouble(Comparison::gap)
                            .skip(1)
                            .limit(10)
                            .average()
                            .orElseThrow())
                    .isGreaterThan(0.02);
            assertThat(loop.diagnostics()).containsOnlyKeys("rewardError", "rewardDeviation");
        }
    }

    /** Q(s, a) - discount V(s') by hand, from critics that are linear. */
    @Test
    void theRewardIsWhatTheCriticsHold() {
        Tensors learner = new Tensors();
        new GaussianActor(new Network(Mlp.relu(1, 2), new float[] {0, 0, 0, -20}), 1).save(learner);
        new Network(Mlp.relu(2, 1), new float[] {2, 3, 1}).save("critic0", learner);
        new Network(Mlp.relu(2, 1), new float[] {2, 3, 100}).save("critic1", learner); // never the least
        learner.put(InverseSoftQ.TEMPERATURE, new double[] {0});
        Batch batch = Batch.of(2, Rivals.SPACE);
        System.arraycopy(new float[] {0.5f, -1}, 0, batch.states(), 0, 2);
        System.arraycopy(new float[] {0.25f, 0.5f}, 0, batch.actions(), 0, 2);
        System.arraycopy(new float[] {2, 4}, 0, batch.nextStates(), 0, 2);
        batch.live()[0] = 1;
        InverseSoftQ.Loss published = settings().loss().with(Map.of("iq-value-limit", 0, "iq-end", "zero"));
        double[] rewards = CriticReward.rewards(learner, 0.9, published, batch, false, RandomStream.of(1));
        assertThat(rewards[0]).isCloseTo(2 * 0.5 + 3 * 0.25 + 1 - 0.9 * (2 * 2 + 1), within(1e-5));
        assertThat(rewards[1]).isCloseTo(2 * -1 + 3 * 0.5 + 1, within(1e-5));
        InverseSoftQ.Loss limited = settings().loss().with(Map.of("iq-value-limit", 4, "iq-end", "limit"));
        for (boolean expert : new boolean[] {true, false}) {
            double[] cut = CriticReward.rewards(learner, 0.9, limited, batch, expert, RandomStream.of(1));
            assertThat(cut[0]).isCloseTo(2 * 0.5 + 3 * 0.25 + 1 - 0.9 * 4, within(1e-5));
            assertThat(cut[1]).isCloseTo(2 * -1 + 3 * 0.5 + 1 - 0.9 * (expert ? 4 : -4), within(1e-5));
        }
    }

    /** With enough updates the network pays what the critics hold. */
    @Test
    void theNetworkIsFittedToIt() {
        Tensors learner = new Tensors();
        new GaussianActor(new Network(Mlp.relu(1, 2), new float[] {0, 0, 0, -20}), 1).save(learner);
        new Network(Mlp.relu(2, 1), new float[] {2, 3, 1}).save("critic0", learner);
        learner.put(InverseSoftQ.TEMPERATURE, new double[] {0});
        Batch batch = Batch.of(64, Rivals.SPACE);
        RandomStream random = RandomStream.of(4);
        for (int i = 0; i < 64; i++) {
            batch.states()[i] = (float) random.nextDouble(-1, 1);
            batch.actions()[i] = (float) random.nextDouble(-1, 1);
        }
        RewardModel reward =
                RewardModel.random(Mlp.relu(2, 16, 1), Rivals.SPACE, 0, Visits.none(2), RandomStream.of(2));
        InverseSoftQ.Loss published = settings().loss().with(Map.of("iq-value-limit", 0, "iq-end", "zero"));
        CriticReward fit = new CriticReward(3000, published, reward);
        fit.learn(learner, 0.9, batch, batch, random);
        fit.diagnostics();
        fit.learn(learner, 0.9, batch, batch, random);
        Map<String, Double> seen = fit.diagnostics();
        assertThat(seen.getOrDefault("rewardError", 1.0)).isLessThan(0.1 * seen.getOrDefault("rewardDeviation", 0.0));
    }

    @Test
    void whatHasNoEffectIsRefused() {
        for (Map<String, Object> wrong : List.<Map<String, Object>>of(
                Map.of("expert-rows", 0), Map.of("cloning", 1), Map.of("after-end", "absorb"))) {
            String name = wrong.keySet().iterator().next();
            assertThatExceptionOfType(BadInput.class)
                    .isThrownBy(() -> settings().with(wrong))
                    .withMessageContaining("`" + name + "`");
        }
    }
}

package dev.revealed.imitate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Mlp.Activation;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ScoreTest {
    private static final Simulator.Space SPACE = new Simulator.Space("two", 2, new Simulator.Actions.Box(1, 1), 4);

    private static Episode episode(int length, long seed) {
        RandomStream stream = RandomStream.of(seed);
        float[] observations = new float[2 * (length + 1)];
        float[] actions = new float[length];
        for (int i = 0; i < observations.length; i++) {
            observations[i] = (float) (3 + 2 * stream.nextGaussian());
        }
        for (int i = 0; i < length; i++) {
            actions[i] = (float) stream.nextDouble(-1, 1);
        }
        return new Episode(length, observations, actions, null, Ending.TERMINATED);
    }

    private static Episodes episodes(int... lengths) {
        return new Episodes(java.util.stream.IntStream.range(0, lengths.length)
                .mapToObj(i -> episode(lengths[i], i + 10 * lengths.length))
                .toList());
    }

    private static RewardModel model(Visits expert) {
        Mlp shape = Mlp.of(new int[] {expert.width(), 5, 4, 1}, Activation.TANH, Activation.RELU, Activation.NONE)
                .withClamp(10);
        return RewardModel.random(shape, SPACE, 0, expert, RandomStream.of(3));
    }

    /** By their time, and by nothing else: the sums of 1, 1/2, 1/4, 1/8 are to be seen by hand. */
    @Test
    void rowsOfTheSameTimeWeighAlikeAndAllTogetherOne() {
        Visits visits = Visits.of(episodes(4, 2), false, 0.5, 4, false, false);
        assertThat(visits.count()).isEqualTo(6);
        assertThat(visits.width()).isEqualTo(3);
        double whole = 1.875 + 1.5;
        double[] expected = {1, 0.5, 0.25, 0.125, 1, 0.5};
        for (int row = 0; row < expected.length; row++) {
            assertThat(visits.weights()[row]).isCloseTo((float) (expected[row] / whole), within(1e-7f));
        }
    }

    /** One that fell stays where it fell, so that expert and agent weigh the same and a constant changes nothing. */
    @Test
    void theFallenMayStayWhereTheyFell() {
        Episode fallen = episode(2, 1);
        Visits visits = Visits.of(new Episodes(List.of(fallen)), false, 0.9, 4, true, false);
        assertThat(visits.count()).isEqualTo(4);
        assertThat(visits.inputs()[9]).isEqualTo(fallen.observations()[4]);
        assertThat(visits.inputs()[11]).isZero();
        Episode cut = new Episode(2, fallen.observations(), fallen.actions(), null, Ending.TRUNCATED);
        assertThat(Visits.of(new Episodes(List.of(cut)), false, 0.9, 4, true, false)
                        .count())
                .isEqualTo(2);
    }

    @Test
    void pairsAreThoseOfTheSameStepUnlessTheQuirkIsAskedFor() {
        Episode one = episode(3, 1);
        Visits aligned = Visits.of(new Episodes(List.of(one)), false, 1, 3, false, false);
        Visits shifted = Visits.of(new Episodes(List.of(one)), false, 1, 3, false, true);
        assertThat(aligned.inputs()[3]).isEqualTo(one.observations()[2]);
        assertThat(shifted.inputs()[3]).isEqualTo(one.observations()[4]);
        assertThat(aligned.inputs()[5])
                .isEqualTo(Objects.requireNonNull(one.actions())[1])
                .isEqualTo(shifted.inputs()[5]);
    }

    /** Central differences of the gap; parameters whose step crosses a kink of the ReLU differ and are few. */
    @Test
    void theGradientIsThatOfTheGap() {
        for (boolean stateOnly : new boolean[] {false, true}) {
            Visits expert = Visits.of(episodes(4, 4), stateOnly, 0.9, 4, false, false);
            Visits agent = Visits.of(episodes(2, 4, 1), stateOnly, 0.9, 4, false, false);
            RewardModel model = model(expert);
            Features features = Features.of(expert);
            Score score = Score.of(model, expert, features, agent, 1);
            float[] theta = model.learnt().parameters();
            int apart = 0;
            for (int i = 0; i < theta.length; i++) {
                float kept = theta[i];
                float step = 1e-2f;
                theta[i] = kept + step;
                double up = Score.of(model, expert, features, agent, 1).gap();
                theta[i] = kept - step;
                double down = Score.of(model, expert, features, agent, 1).gap();
                theta[i] = kept;
                apart += Math.abs((up - down) / (2 * step) - score.gradient()[i]) < 2e-3 ? 0 : 1;
            }
            assertThat(apart).isLessThanOrEqualTo(2);
        }
    }

    /** Rows go by chunks of a thousand or so: what many are worth is what their parts are worth together. */
    @Test
    void manyRowsAreTheSumOfTheirParts() {
        Visits all = random(2500);
        Visits agent = Visits.of(episodes(2, 4, 1), false, 1, 4, false, false);
        RewardModel model = model(agent);
        Features features = Features.of(agent);
        Score whole = Score.of(model, all, features, agent, 1);
        double[] gradient = new double[whole.gradient().length];
        double reward = 0;
        for (int part = 0; part < 5; part++) {
            Visits some = new Visits(
                    500,
                    3,
                    Arrays.copyOfRange(all.inputs(), 1500 * part, 1500 * (part + 1)),
                    Arrays.copyOfRange(all.weights(), 500 * part, 500 * (part + 1)));
            Score score = Score.of(model, some, features, agent, 1);
            reward += score.expertReward();
            for (int i = 0; i < gradient.length; i++) { // each takes the agent's away once
                gradient[i] += score.gradient()[i];
            }
        }
        Visits nothing = new Visits(1, 3, new float[3], new float[1]);
        Score lost = Score.of(model, nothing, features, agent, 1);
        assertThat(whole.expertReward()).isCloseTo(reward, within(1e-4));
        for (int i = 0; i < gradient.length; i++) {
            assertThat((double) whole.gradient()[i]).isCloseTo(gradient[i] - 4 * lost.gradient()[i], within(1e-3));
        }
    }

    @Test
    void threadsChangeNothing() {
        Visits expert = random(2500);
        Visits agent = random(3000);
        RewardModel model = model(expert);
        List<float[]> gradients = new ArrayList<>();
        try {
            for (int threads : new int[] {1, 4}) {
                Parallel.threads(threads);
                gradients.add(
                        Score.of(model, expert, Features.of(expert), agent, 1).gradient());
            }
        } finally {
            Parallel.threads(Runtime.getRuntime().availableProcessors());
        }
        assertThat(gradients.getFirst()).containsExactly(gradients.getLast());
    }

    private static Visits random(int rows) {
        RandomStream stream = RandomStream.of(rows);
        float[] inputs = new float[3 * rows];
        float[] weights = new float[rows];
        for (int i = 0; i < inputs.length; i++) {
            inputs[i] = (float) (3 + 2 * stream.nextGaussian());
        }
        for (int row = 0; row < rows; row++) {
            weights[row] = stream.nextFloat() * 2 / rows;
        }
        return new Visits(rows, 3, inputs, weights);
    }

    /** What labels batches is the same function as what is learnt, with shift and scale folded in. */
    @Test
    void theRewardOfNumbersAsTheyAreIsTheOneThatIsLearnt() {
        Visits expert = Visits.of(episodes(4, 4), false, 1, 4, false, false);
        RewardModel model = model(expert);
        Tensors saved = new Tensors();
        model.save(saved);
        float[] rows = expert.inputs().clone();
        model.standardise(rows, expert.count());
        dev.revealed.neural.Tape tape = model.learnt().tape(expert.count());
        tape.forward(rows, expert.count());
        Batch batch = new Batch(8, new float[16], new float[8], new float[8], new float[8], new float[16]);
        for (int row = 0; row < 8; row++) {
            System.arraycopy(expert.inputs(), 3 * row, batch.states(), 2 * row, 2);
            batch.actions()[row] = expert.inputs()[3 * row + 2];
        }
        RewardModel.load(saved, SPACE, 0).labels().relabel(batch);
        for (int row = 0; row < 8; row++) {
            assertThat(batch.rewards()[row]).isCloseTo(tape.output()[row], within(1e-5f));
        }
    }

    /** What varies little stays as it is, what varies much has deviation 1 among expert and agent, and both are centred. */
    @Test
    void largeInputsAreScaledAndSmallOnesAreNot() {
        RewardModel model = RewardModel.random(Mlp.relu(2, 4, 1), SPACE, 0, Visits.none(2), RandomStream.of(3));
        // of the first all are within one; of the second half are at 0 and half at 60, so 30 from their mean
        model.scale(
                new Features(new double[] {0.5, 0}, new double[] {0.2, 0}),
                new Features(new double[] {0.1, 60}, new double[] {0.4, 0}));
        float[] rows = {0.3f, 30, 0.8f, 60};
        model.standardise(rows, 2);
        assertThat(rows).containsExactly(new float[] {0, 0, 0.5f, 1}, within(1e-6f));
    }

    @Test
    void aConstantIsPaidForEverythingAndChangesNoGap() {
        Visits expert = Visits.of(episodes(4, 4), false, 1, 4, false, false);
        Visits agent = Visits.of(episodes(2, 4, 1), false, 1, 4, false, false);
        RewardModel model = model(expert);
        Score before = Score.of(model, expert, Features.of(expert), agent, 1);
        model.raise(0.5);
        Score after = Score.of(model, expert, Features.of(expert), agent, 1);
        assertThat(after.expertReward()).isCloseTo(before.expertReward() + 0.5, within(1e-5));
        assertThat(after.gap()).isCloseTo(before.gap(), within(1e-5));
        assertThat(after.agent().low()).isCloseTo(before.agent().low() + 0.5, within(1e-5));
        assertThat(after.gradient()).containsExactly(before.gradient(), within(1e-5f));
    }

    @Test
    void demonstrationsWithoutActionsGiveRewardsOfStatesAlone() {
        Episodes blind = new Episodes(List.of(new Episode(1, new float[4], null, null, Ending.UNKNOWN)));
        assertThat(Visits.of(blind, true, 1, 4, false, false).width()).isEqualTo(2);
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Visits.of(blind, false, 1, 4, false, false))
                .withMessageContaining("no actions");
    }
}

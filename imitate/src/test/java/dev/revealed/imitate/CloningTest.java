package dev.revealed.imitate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Adam;
import dev.revealed.neural.Batch;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.SoftmaxActor;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Experts that are in one of two states and draw alike in each: the likeliest policy has a closed form. */
class CloningTest {
    private static final int STEPS = 400;
    private static final Simulator.Space BOX = new Simulator.Space("two", 1, new Simulator.Actions.Box(1, 0.4f), STEPS);
    private static final Cloning.Settings SETTINGS =
            new Cloning.Settings(new int[] {16}, Adam.Settings.of(3e-3), 200, 0.99);

    /** In state 100 at even steps and 103 at odd ones: far from standardised. */
    private static Episodes episodes(float[] actions) {
        float[] observations = new float[STEPS + 1];
        for (int t = 0; t <= STEPS; t++) {
            observations[t] = t % 2 == 0 ? 100 : 103;
        }
        return new Episodes(List.of(new Episode(STEPS, observations, actions, null, Ending.TRUNCATED)));
    }

    @Test
    void meanAndDeviationBeforeSquashingAreThoseOfTheExpert() {
        RandomStream stream = RandomStream.of(1);
        float[] actions = new float[STEPS];
        double[] mean = new double[2];
        double[] square = new double[2];
        for (int t = 0; t < STEPS; t++) {
            double u = (t % 2 == 0 ? 0.5 : -1) + (t % 2 == 0 ? 0.2 : 0.6) * stream.nextGaussian();
            actions[t] = (float) (0.4 * Math.tanh(u));
            mean[t % 2] += u / (STEPS / 2.0);
            square[t % 2] += u * u / (STEPS / 2.0);
        }
        Cloning clone = new Cloning(SETTINGS, episodes(actions), BOX, RandomStream.of(2));
        clone.advance(5900, Batch.Rewards.STORED, made -> {});
        double before = Objects.requireNonNull(clone.diagnostics().get("logLikelihood"));
        assertThat(clone.diagnostics().get("logLikelihood"))
                .as("of the policy, whenever it is asked")
                .isEqualTo(before);
        clone.advance(100, Batch.Rewards.STORED, made -> {});
        assertThat(clone.updates()).isEqualTo(6000);
        GaussianActor actor = (GaussianActor) clone.policy();
        double likelihood = 0;
        for (int t = 0; t < STEPS; t++) {
            likelihood += actor.logDensity(new float[] {t % 2 == 0 ? 100 : 103}, 0, actions, t) / STEPS;
        }
        assertThat(clone.diagnostics().get("logLikelihood")).isCloseTo(likelihood, within(1e-6));
        for (int state = 0; state < 2; state++) {
            float[] action = new float[1];
            actor.actDeterministic(new float[] {100 + 3 * state}, 0, action, 0);
            double deviation = Math.sqrt(square[state] - mean[state] * mean[state]);
            assertThat(action[0]).isCloseTo((float) (0.4 * Math.tanh(mean[state])), within(0.01f));
            // the density at the mean tells the deviation: log phi(0) - log deviation - log slope - log bound
            action[0] = (float) (0.4 * Math.tanh(mean[state]));
            double slope = 0.4 * (1 - Math.tanh(mean[state]) * Math.tanh(mean[state]));
            double peak = -0.5 * Math.log(2 * Math.PI) - Math.log(deviation * slope);
            assertThat(actor.logDensity(new float[] {100 + 3 * state}, 0, action, 0))
                    .isCloseTo(peak, within(0.06));
        }
    }

    @Test
    void choicesAreAsFrequentAsTheExperts() {
        float[] taken = new float[STEPS];
        int[][] counts = new int[2][3];
        RandomStream stream = RandomStream.of(3);
        for (int t = 0; t < STEPS; t++) {
            taken[t] = t % 2 == 0 ? (stream.nextDouble() < 0.8 ? 0 : 2) : stream.nextInt(3);
            counts[t % 2][(int) taken[t]]++;
        }
        Simulator.Space choices = new Simulator.Space("two", 1, new Simulator.Actions.Choices(3), STEPS);
        Cloning clone = new Cloning(SETTINGS, episodes(taken), choices, RandomStream.of(2));
        clone.advance(6000, Batch.Rewards.STORED, made -> {});
        SoftmaxActor actor = (SoftmaxActor) clone.policy();
        double likelihood = 0;
        for (int t = 0; t < STEPS; t++) {
            likelihood += actor.logProbability(new float[] {t % 2 == 0 ? 100 : 103}, 0, (int) taken[t]) / STEPS;
        }
        assertThat(clone.diagnostics().get("logLikelihood")).isCloseTo(likelihood, within(1e-6));
        for (int state = 0; state < 2; state++) {
            double[] probabilities = actor.probabilities(new float[] {100 + 3 * state}, 0);
            for (int a = 0; a < 3; a++) {
                assertThat(probabilities[a]).isCloseTo(counts[state][a] / (STEPS / 2.0), within(0.02));
            }
        }
    }

    /** Actions that follow from the state have a likelihood without bound: what is missed by a little must not count for all. */
    @Test
    void anExpertWithoutChanceIsClonedForLong() {
        float[] actions = new float[STEPS];
        for (int t = 0; t < STEPS; t++) {
            actions[t] = t % 2 == 0 ? 0.3f : -0.1f;
        }
        Cloning clone = new Cloning(SETTINGS, episodes(actions), BOX, RandomStream.of(2));
        // log phi(0) + 3 - log slope - log bound, at the two actions; deviations may be a little below the least that
        // counts
        double peak = -0.5 * Math.log(2 * Math.PI) + 3 - Math.log(0.4) - 0.5 * Math.log((1 - 0.5625) * (1 - 0.0625));
        for (int part = 0; part < 3; part++) {
            clone.advance(4000, Batch.Rewards.STORED, made -> {});
            assertThat(clone.diagnostics().get("logLikelihood")).isBetween(peak - 0.2, peak + 1);
        }
    }

    /** They would be infinitely far out. */
    @Test
    void actionsOnTheBoundAreClonedToJustInside() {
        float[] actions = new float[STEPS];
        Arrays.fill(actions, 0.4f);
        Cloning clone = new Cloning(SETTINGS, episodes(actions), BOX, RandomStream.of(2));
        clone.advance(1500, Batch.Rewards.STORED, made -> {});
        float[] action = new float[1];
        clone.policy().actDeterministic(new float[] {103}, 0, action, 0);
        assertThat(action[0]).isCloseTo(0.99f * 0.4f, within(2e-3f));
    }

    /** In the middle of a pass: 400 rows are two minibatches. */
    @Test
    void goesOnFromACheckpointToTheSameNumbers() {
        float[] actions = new float[STEPS];
        RandomStream stream = RandomStream.of(7);
        for (int t = 0; t < STEPS; t++) {
            actions[t] = (float) stream.nextDouble(-0.4, 0.4);
        }
        Cloning alone = new Cloning(SETTINGS, episodes(actions), BOX, RandomStream.of(2));
        alone.advance(20, Batch.Rewards.STORED, made -> {});
        Cloning first = new Cloning(SETTINGS, episodes(actions), BOX, RandomStream.of(2));
        first.advance(7, Batch.Rewards.STORED, made -> {});
        Tensors saved = new Tensors();
        first.save(saved);
        Cloning second = new Cloning(SETTINGS, episodes(actions), BOX, RandomStream.of(2));
        second.restore(saved);
        second.advance(13, Batch.Rewards.STORED, made -> {});
        Tensors one = new Tensors();
        Tensors other = new Tensors();
        alone.save(one);
        second.save(other);
        one.names().stream()
                .filter(name -> one.get(name) instanceof Tensors.Tensor.Floats)
                .forEach(name -> assertThat(other.floats(name)).containsExactly(one.floats(name)));
        assertThat(second.diagnostics()).isEqualTo(alone.diagnostics());
        assertThat(GaussianActor.load(saved).observations()).isEqualTo(1);
    }

    @Test
    void thereIsNothingToCloneWithoutActions() {
        Episodes blind = new Episodes(List.of(new Episode(1, new float[2], null, null, Ending.UNKNOWN)));
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> new Cloning(SETTINGS, blind, BOX, RandomStream.of(1)))
                .withMessageContaining("no actions");
    }
}

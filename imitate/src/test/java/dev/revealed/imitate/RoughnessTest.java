package dev.revealed.imitate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Mlp.Activation;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RoughnessTest {
    private static final Simulator.Space SPACE = new Simulator.Space("two", 2, new Simulator.Actions.Box(1, 1), 4);

    private static Visits visits(int rows, long seed) {
        RandomStream stream = RandomStream.of(seed);
        float[] inputs = new float[rows * 3];
        for (int i = 0; i < inputs.length; i++) {
            inputs[i] = (float) (3 + 2 * stream.nextGaussian());
        }
        float[] weights = new float[rows];
        Arrays.fill(weights, 1f / rows);
        return new Visits(rows, 3, inputs, weights);
    }

    /** Slopes of a linear reward are its weights, so penalty and gradient are to be seen by hand; a constant costs nothing. */
    @Test
    void theSlopeOfALinearRewardIsItsWeights() {
        Visits expert = visits(50, 1);
        Mlp shape = Mlp.of(new int[] {3, 1}, Activation.NONE);
        RewardModel model = RewardModel.random(shape, SPACE, 0, expert, RandomStream.of(3));
        System.arraycopy(new float[] {3, 0, -4, 100}, 0, model.learnt().parameters(), 0, 4);
        model.changed();
        for (double weight : new double[] {0.1, 0}) {
            Score score = Score.of(model, expert, Features.of(expert), visits(60, 2), 1);
            float[] before = score.gradient().clone();
            double penalty = new Roughness(weight, model).subtract(score, RandomStream.of(7));
            assertThat(penalty).isCloseTo(weight / 2 * 3 * 25, within(1e-5));
            float each = (float) weight * 3;
            assertThat(score.gradient())
                    .containsExactly(
                            new float[] {before[0] - each * 3, before[1], before[2] + each * 4, before[3]},
                            within(1e-5f));
        }
    }

    /** The slope is looked at between expert and agent, and not beyond: there the reward may be as steep as it likes. */
    @Test
    void pointsLieBetweenExpertAndAgent() {
        Visits low = constant(0);
        Visits high = constant(1);
        Mlp shape = Mlp.of(new int[] {3, 1, 1}, Activation.RELU, Activation.NONE);
        RewardModel model = RewardModel.random(shape, SPACE, 0, Visits.none(3), RandomStream.of(3));
        for (float kink : new float[] {1, 0.5f, -1}) { // the reward rises from there on
            System.arraycopy(
                    new float[] {1, 0, 0, -kink, 1, 0}, 0, model.learnt().parameters(), 0, 6);
            model.changed();
            Score score = Score.of(model, high, Features.of(high), low, 1);
            double penalty = new Roughness(2. / 3, model).subtract(score, RandomStream.of(7));
            assertThat(penalty).isCloseTo(Math.min(1, 1 - kink), within(0.05));
        }
    }

    /** With a row far away that weighs nothing. */
    private static Visits constant(float value) {
        return new Visits(3, 3, new float[] {value, 0, 0, 99, 0, 0, value, 0, 0}, new float[] {0.5f, 0, 0.5f});
    }
}

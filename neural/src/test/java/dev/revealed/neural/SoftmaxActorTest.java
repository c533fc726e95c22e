package dev.revealed.neural;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.RandomStream;
import org.junit.jupiter.api.Test;

class SoftmaxActorTest {
    private static final float[] TAKEN = {0, 2, 1, 2};

    private static Network network(long seed) {
        return Network.random(
                Mlp.of(new int[] {2, 5, 3}, Mlp.Activation.TANH, Mlp.Activation.NONE), RandomStream.of(seed));
    }

    private static double total(SoftmaxActor actor, float[] observations) {
        double sum = 0;
        for (int row = 0; row < TAKEN.length; row++) {
            sum += actor.logProbability(observations, 2 * row, (int) TAKEN[row]);
        }
        return sum;
    }

    @Test
    void theLikelihoodOfGivenChoicesHasItsGradient() {
        Network network = network(3);
        SoftmaxActor actor = new SoftmaxActor(new Network[] {network}, 0.5);
        float[] observations = TapeTest.normal(8, RandomStream.of(4));
        float[] gradient = new float[network.parameters().length];
        double sum = actor.worker(4).logLikelihood(4, observations, TAKEN, gradient);
        assertThat(sum).isCloseTo(total(actor, observations), within(1e-5));
        float[] theta = network.parameters();
        for (int i = 0; i < theta.length; i++) {
            float kept = theta[i];
            theta[i] = kept + 5e-3f;
            double up = total(actor, observations);
            theta[i] = kept - 5e-3f;
            double down = total(actor, observations);
            theta[i] = kept;
            assertThat((double) gradient[i]).isCloseTo((up - down) / 1e-2, within(1e-3));
        }
    }

    @Test
    void theSmallestOfSeveralNetworksIsNotLearntByLikelihood() {
        SoftmaxActor actor = new SoftmaxActor(new Network[] {network(1), network(2)}, 1);
        assertThatIllegalStateException()
                .isThrownBy(() -> actor.worker(4).logLikelihood(4, new float[8], TAKEN, new float[33]));
    }
}

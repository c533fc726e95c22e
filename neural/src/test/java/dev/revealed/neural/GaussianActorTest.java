package dev.revealed.neural;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GaussianActorTest {
    private static final Simulator.Space SPACE = new Simulator.Space("toy", 3, new Simulator.Actions.Box(1, 0.4f), 100);
    private static final float[] OBSERVATION = {9, 0.5f, -1, 2};

    private static GaussianActor actor(float mean, float logStd) {
        GaussianActor actor = GaussianActor.random(SPACE, new int[] {8}, false, RandomStream.of(2));
        float[] theta = actor.network().parameters();
        int biases = actor.network().shape().biases(1);
        theta[biases] += mean;
        theta[biases + 1] += logStd;
        return actor;
    }

    @Test
    void densityIntegratesToOneAndAgreesWithDraws() {
        GaussianActor actor = actor(0.3f, -0.2f);
        double mass = 0;
        double mean = 0;
        double meanLog = 0;
        int n = 20_000;
        float[] action = new float[1];
        for (int i = 0; i < n; i++) { // midpoints
            action[0] = (float) (-0.4 + 0.8 * (i + 0.5) / n);
            double log = actor.logDensity(OBSERVATION, 1, action, 0);
            double density = Math.exp(log);
            mass += density * 0.8 / n;
            mean += action[0] * density * 0.8 / n;
            meanLog += log * density * 0.8 / n;
        }
        assertThat(mass).isCloseTo(1, within(1e-5));

        RandomStream noise = RandomStream.of(4);
        double drawn = 0;
        double drawnLog = 0;
        for (int i = 0; i < n; i++) {
            actor.act(OBSERVATION, 1, noise, action, 0);
            drawn += action[0] / n;
            drawnLog += actor.logDensity(OBSERVATION, 1, action, 0) / n;
        }
        // four standard errors: actions spread by about 0.2, log densities by about 1
        assertThat(drawn).isCloseTo(mean, within(4 * 0.25 / Math.sqrt(n)));
        assertThat(drawnLog).isCloseTo(meanLog, within(4 * 1.5 / Math.sqrt(n)));
    }

    @Test
    void whatCannotActIsRefusedByTheNameOfTheTensor() {
        Tensors saved = new Tensors();
        actor(0, 0).save(saved);
        for (String name : saved.names()) {
            float[] values = saved.floats(name);
            float before = values[values.length - 1];
            for (float bad : new float[] {Float.NaN, Float.POSITIVE_INFINITY}) {
                values[values.length - 1] = bad;
                assertThatExceptionOfType(BadInput.class)
                        .isThrownBy(() -> GaussianActor.load(saved))
                        .withMessageContaining("tensor '%s' holds %s", name, bad);
            }
            values[values.length - 1] = before;
        }
        saved.floats("actor.bound")[0] = 0;
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> GaussianActor.load(saved))
                .withMessageContaining("'actor.bound' is [0.0]");
    }

    @Test
    void densityOnTheBoundIsFinite() {
        GaussianActor actor = actor(4, 0);
        assertThat(actor.logDensity(OBSERVATION, 1, new float[] {0.4f}, 0)).isFinite();
        assertThat(actor.logDensity(OBSERVATION, 1, new float[] {-0.4f}, 0)).isFinite();
    }

    @Test
    void logSlopeStaysExactWhereTanhIsOne() {
        assertThat(GaussianActor.logSlope(0.7)).isCloseTo(Math.log(1 - Math.tanh(0.7) * Math.tanh(0.7)), within(1e-14));
        // 1 - tanh^2 = 4 e^-2u (1 - 2 e^-2u ...) far out
        assertThat(GaussianActor.logSlope(-50)).isCloseTo(Math.log(4) - 100, within(1e-12));
    }

    @Test
    void manyRowsAreAsManySingleOnes() {
        GaussianActor actor = GaussianActor.random(
                new Simulator.Space("toy", 3, new Simulator.Actions.Box(2, 0.4f), 100),
                new int[] {40, 70},
                true,
                RandomStream.of(2));
        float[] observations = TapeTest.normal(9 * 3, RandomStream.of(1));
        float[] together = new float[18];
        float[] alone = new float[18];
        actor.worker(9).act(9, observations, 0, RandomStream.of(8), together, 0);
        RandomStream noise = RandomStream.of(8);
        for (int i = 0; i < 9; i++) {
            actor.act(observations, 3 * i, noise, alone, 2 * i);
        }
        assertThat(together).containsExactly(alone);

        Tensors tensors = new Tensors();
        actor.save(tensors);
        float[] loaded = new float[18];
        GaussianActor.load(tensors).worker(9).act(9, observations, 0, RandomStream.of(8), loaded, 0);
        assertThat(loaded).containsExactly(together);
    }

    /** Against logDensity row by row, and against its central differences. */
    @Test
    void theLikelihoodOfGivenActionsHasItsGradient() {
        Simulator.Space two = new Simulator.Space("toy", 3, new Simulator.Actions.Box(2, 0.4f), 100);
        Network network = Network.random(
                Mlp.of(new int[] {3, 6, 4}, Mlp.Activation.TANH, Mlp.Activation.NONE), RandomStream.of(5));
        GaussianActor actor = new GaussianActor(network, 0.4f);
        float[] observations = TapeTest.normal(5 * two.observations(), RandomStream.of(6));
        float[] actions = {0.1f, -0.3f, 0.4f, 0.2f, -0.39f, 0, 0.25f, 0.3f, -0.1f, -0.4f};
        float[] gradient = new float[network.parameters().length];
        double sum = actor.worker(5).logLikelihood(5, observations, actions, GaussianActor.LOG_STD_MIN, gradient);
        assertThat(sum).isCloseTo(total(actor, observations, actions), within(1e-4 * Math.abs(sum)));
        float[] theta = network.parameters();
        for (int i = 0; i < theta.length; i++) {
            float kept = theta[i];
            theta[i] = kept + 5e-3f;
            double up = total(actor, observations, actions);
            theta[i] = kept - 5e-3f;
            double down = total(actor, observations, actions);
            theta[i] = kept;
            double slope = (up - down) / 1e-2;
            assertThat((double) gradient[i]).isCloseTo(slope, within(2e-2 + 2e-3 * Math.abs(slope)));
        }
    }

    /** Whose only state is 0, so that its outputs are two biases: a mean of 0, and what is given of the deviation. */
    @ParameterizedTest
    @CsvSource({
        "-9, 0.3, 1", // narrower than is allowed, and the action far away: wider
        "-9, 0, 0", // and the action met: no narrower
        "3, 0, -1", // wider than is allowed, and the action met: narrower
    })
    void deviationsBeyondTheirBoundsComeBack(float raw, float action, int way) {
        Network network = Network.random(Mlp.of(new int[] {1, 2}, Mlp.Activation.NONE), RandomStream.of(5));
        int mean = network.shape().biases(0);
        network.parameters()[mean] = 0;
        network.parameters()[mean + 1] = raw;
        float[] gradient = new float[network.parameters().length];
        new GaussianActor(network, 0.4f).worker(1).logLikelihood(1, new float[1], new float[] {action}, -5, gradient);
        assertThat(Math.signum(gradient[mean + 1])).isEqualTo(way);
    }

    private static double total(GaussianActor actor, float[] observations, float[] actions) {
        double sum = 0;
        for (int row = 0; row < 5; row++) {
            sum += actor.logDensity(observations, 3 * row, actions, 2 * row);
        }
        return sum;
    }
}

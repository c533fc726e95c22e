package dev.revealed.neural;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.neural.Mlp.Activation;
import dev.revealed.numeric.RandomStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TapeTest {
    private static final int ROWS = 7;

    static Stream<Mlp> shapes() {
        return Stream.of(
                Mlp.relu(5, 70, 33, 3),
                Mlp.relu(5, 19, 1),
                Mlp.of(new int[] {4, 18, 9, 2}, Activation.TANH, Activation.TANH, Activation.NONE),
                Mlp.of(new int[] {6, 24, 20, 1}, Activation.NONE, Activation.RELU, Activation.NONE)
                        .withClamp(0.1f),
                Mlp.relu(5, 17, 30, 2).withLayerNorm(true),
                Mlp.of(new int[] {4, 18, 3}, Activation.TANH, Activation.NONE).withLayerNorm(true),
                Mlp.relu(5, 17, 30, 2).withFeatureNorm(true),
                Mlp.relu(5, 70, 33, 1).withLayerNorm(true).withFeatureNorm(true));
    }

    /** The loss is the inner product of the outputs with fixed numbers. */
    private static double loss(DoubleNet net, double[] x, double[] direction) {
        int in = x.length / ROWS;
        int out = direction.length / ROWS;
        double sum = 0;
        for (int row = 0; row < ROWS; row++) {
            double[] one = new double[in];
            System.arraycopy(x, row * in, one, 0, in);
            double[] y = net.apply(one);
            for (int j = 0; j < out; j++) {
                sum += y[j] * direction[row * out + j];
            }
        }
        return sum;
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void gradientsAreThoseOfDifferences(Mlp shape) {
        RandomStream stream = RandomStream.of(3);
        Network network = Network.random(shape, stream);
        for (int i = 0; i < network.parameters().length; i++) { // away from the initial range
            network.parameters()[i] += 0.1f * (float) stream.nextGaussian();
        }
        network.changed();
        float[] x = normal(ROWS * shape.inputs(), stream);
        float[] direction = normal(ROWS * shape.outputs(), stream);
        DoubleNet net = new DoubleNet(network);
        double[] xs = wide(x);
        double[] ds = wide(direction);

        Tape tape = network.tape(ROWS + 2);
        tape.forward(x, ROWS);
        System.arraycopy(direction, 0, tape.outputGradient(), 0, direction.length);
        double sum = 0;
        for (int i = 0; i < direction.length; i++) {
            sum += tape.output()[i] * direction[i];
        }
        assertThat(sum).isCloseTo(loss(net, xs, ds), within(1e-5));
        tape.propagate(ROWS);
        float[] gradient = new float[network.parameters().length];
        tape.gradient(ROWS, gradient, false);
        for (int i = 0; i < gradient.length; i++) {
            assertThat((double) gradient[i])
                    .as("parameter %d", i)
                    .isCloseTo(net.difference(i, () -> loss(net, xs, ds)), within(3e-5));
        }
        float[] inputGradient = new float[x.length];
        tape.inputGradient(ROWS, inputGradient);
        for (int i = 0; i < x.length; i++) {
            assertThat((double) inputGradient[i])
                    .as("input %d", i)
                    .isCloseTo(DoubleNet.difference(xs, i, () -> loss(net, xs, ds)), within(3e-5));
        }
        int first = 2;
        int wanted = shape.inputs() - first;
        float[] some = new float[ROWS * wanted];
        tape.inputGradient(0, ROWS, first, some);
        for (int i = 0; i < some.length; i++) {
            assertThat(some[i])
                    .isCloseTo(inputGradient[i / wanted * shape.inputs() + first + i % wanted], within(3e-6f));
        }
        tape.gradient(ROWS, gradient, true);
        assertThat((double) gradient[0]).isCloseTo(2 * net.difference(0, () -> loss(net, xs, ds)), within(6e-5));
    }

    static float[] normal(int n, RandomStream stream) {
        float[] x = new float[n];
        for (int i = 0; i < n; i++) {
            x[i] = (float) stream.nextGaussian();
        }
        return x;
    }

    static double[] wide(float[] x) {
        double[] y = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            y[i] = x[i];
        }
        return y;
    }
}

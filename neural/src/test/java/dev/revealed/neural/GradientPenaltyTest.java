package dev.revealed.neural;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.neural.Mlp.Activation;
import dev.revealed.numeric.RandomStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GradientPenaltyTest {
    private static final int ROWS = 5;

    static Stream<Mlp> shapes() {
        return Stream.of(
                Mlp.relu(4, 18, 17, 1),
                Mlp.of(new int[] {4, 9, 6, 1}, Activation.TANH, Activation.TANH, Activation.NONE),
                Mlp.of(new int[] {3, 7, 8, 1}, Activation.TANH, Activation.RELU, Activation.NONE),
                Mlp.of(new int[] {3, 7, 8, 1}, Activation.NONE, Activation.TANH, Activation.NONE)
                        .withClamp(0.5f));
    }

    /** Slopes of the double-precision network are central differences too, with errors of some 1e-8. */
    private static double penalty(DoubleNet net, double[] x, double weight, double near) {
        int in = x.length / ROWS;
        double sum = 0;
        for (int row = 0; row < ROWS; row++) {
            double[] one = new double[in];
            System.arraycopy(x, row * in, one, 0, in);
            double squares = 0;
            for (int i = 0; i < in; i++) {
                double slope = DoubleNet.difference(one, i, 1e-4, () -> net.apply(one.clone())[0]);
                squares += slope * slope;
            }
            sum += weight * (Math.sqrt(squares) - near) * (Math.sqrt(squares) - near) / ROWS;
        }
        return sum;
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void gradientIsThatOfDifferences(Mlp shape) {
        RandomStream stream = RandomStream.of(2);
        Network network = Network.random(shape, stream);
        float[] x = TapeTest.normal(ROWS * shape.inputs(), stream);
        DoubleNet net = new DoubleNet(network);
        double[] xs = TapeTest.wide(x);
        for (double near : new double[] {1, 0}) {
            float[] gradient = new float[shape.parameters()];
            gradient[0] = 3;
            double penalty = new GradientPenalty(network, ROWS, near).add(x, ROWS, 4, gradient);
            assertThat(penalty).isCloseTo(penalty(net, xs, 4, near), within(1e-5));
            gradient[0] -= 3;
            for (int i = 0; i < gradient.length; i++) { // differences of differences: good to about 1e-5
                double expected = DoubleNet.difference(net.theta, i, 1e-4, () -> penalty(net, xs, 4, near));
                assertThat((double) gradient[i]).as("parameter %d", i).isCloseTo(expected, within(5e-5));
            }
        }
    }

    @Test
    void refusesWhatItCannotDifferentiate() {
        Network two = Network.random(Mlp.relu(3, 4, 2), RandomStream.of(1));
        assertThatThrownBy(() -> new GradientPenalty(two, 1, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}

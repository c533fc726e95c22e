package dev.revealed.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PerceptronTest {
    @Test
    void withoutHiddenLayersItIsAffine() {
        var perceptron = new Perceptron(2, 1);
        assertThat(perceptron.parameters()).isEqualTo(3);
        double[] inputs = {9, 2, 3};
        assertThat(perceptron.new Tape().forward(new double[] {5, 7, 11}, inputs, 1))
                .isEqualTo(5 * 2 + 7 * 3 + 11);
    }

    @Test
    void oneHiddenUnitByHand() {
        var perceptron = new Perceptron(1, 1, 1);
        double[] theta = {2, -1, 3, 0.5};
        assertThat(perceptron.new Tape().forward(theta, new double[] {0.7}, 0))
                .isCloseTo(3 * Math.tanh(2 * 0.7 - 1) + 0.5, within(1e-15));
    }

    static Stream<Perceptron> shapes() {
        return Stream.of(
                new Perceptron(3, 1),
                new Perceptron(1, 4, 1),
                new Perceptron(3, 5, 4, 1),
                new Perceptron(2, 3, 3, 3, 1));
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void gradientEqualsCentralDifferences(Perceptron perceptron) {
        var stream = RandomStream.of(3);
        double[] theta = stream.doubles(perceptron.parameters(), -1, 1).toArray();
        double[] inputs = stream.doubles(7, -1, 1).toArray();
        var tape = perceptron.new Tape();
        double[] gradient = new double[theta.length];
        tape.forward(theta, inputs, 0); // another row before: nothing of it may remain
        tape.backward(theta, 1, new double[theta.length]);
        tape.forward(theta, inputs, 2);
        tape.backward(theta, 0.5, gradient);
        tape.backward(theta, 2, gradient); // adds up
        double h = 1e-5;
        for (int j = 0; j < theta.length; j++) {
            double[] up = theta.clone();
            double[] down = theta.clone();
            up[j] += h;
            down[j] -= h;
            double difference = (tape.forward(up, inputs, 2) - tape.forward(down, inputs, 2)) / (2 * h);
            assertThat(gradient[j]).as("parameter %d", j).isCloseTo(2.5 * difference, within(1e-8));
        }
    }

    @Test
    void firstGuessIsWithinOneOverRootFanInWithZeroBiases() {
        double[] theta = new Perceptron(4, 100, 1).initial(RandomStream.of(1));
        double largest = 0;
        for (int unit = 0; unit < 100; unit++) {
            for (int i = 0; i < 4; i++) {
                largest = Math.max(largest, Math.abs(theta[5 * unit + i]));
            }
            assertThat(theta[5 * unit + 4]).isZero();
        }
        assertThat(largest).isBetween(0.45, 0.5);
        for (int i = 500; i < 600; i++) {
            assertThat(Math.abs(theta[i])).isLessThanOrEqualTo(0.1);
        }
        assertThat(theta[600]).isZero();
    }

    @Test
    void needsAnInputAndOneOutput() {
        assertThatThrownBy(() -> new Perceptron(3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Perceptron(3, 2)).isInstanceOf(IllegalArgumentException.class);
    }
}

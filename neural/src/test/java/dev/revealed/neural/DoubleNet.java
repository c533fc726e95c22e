package dev.revealed.neural;

import dev.revealed.neural.Mlp.Activation;
import java.util.Arrays;
import java.util.function.DoubleSupplier;

/**
 * The same perceptron once more, plainly and in double precision. Differences of a network in single precision drown in
 * its rounding; differences of this one, with steps of 1e-6, are good to about 1e-8, so what separates them from the
 * gradients under test is the rounding of the latter.
 */
final class DoubleNet {
    private final Mlp shape;
    final double[] theta;

    DoubleNet(Network network) {
        this(network.shape(), network.parameters());
    }

    DoubleNet(Mlp shape, float[] parameters) {
        this.shape = shape;
        theta = new double[parameters.length];
        for (int i = 0; i < theta.length; i++) {
            theta[i] = parameters[i];
        }
    }

    double[] apply(double... input) {
        double[] x = input;
        for (int layer = 0; layer < shape.layers(); layer++) {
            double[] y = new double[shape.out(layer)];
            for (int j = 0; j < y.length; j++) {
                y[j] = theta[shape.biases(layer) + j];
                for (int i = 0; i < x.length; i++) {
                    y[j] += x[i] * theta[shape.weights(layer) + i * y.length + j];
                }
            }
            if (shape.normed(layer)) {
                double mean = 0;
                double variance = 0;
                for (double v : y) {
                    mean += v / y.length;
                }
                for (double v : y) {
                    variance += (v - mean) * (v - mean) / y.length;
                }
                for (int j = 0; j < y.length; j++) {
                    y[j] = (y[j] - mean) / Math.sqrt(variance + 1e-5);
                }
            }
            for (int j = 0; j < y.length; j++) {
                Activation activation = shape.activation(layer);
                y[j] = switch (activation) {
                    case NONE -> y[j];
                    case RELU -> Math.max(0, y[j]);
                    case TANH -> Math.tanh(y[j]);
                };
            }
            if (shape.unitLength(layer)) {
                double squares = Arrays.stream(y).map(v -> v * v).sum();
                Arrays.setAll(y, j -> y[j] / Math.sqrt(squares));
            }
            x = y;
        }
        for (int j = 0; j < x.length; j++) {
            x[j] = Math.clamp(x[j], -shape.clamp(), shape.clamp());
        }
        return x;
    }

    /** Central difference of {@code loss} in parameter {@code i}. */
    double difference(int i, DoubleSupplier loss) {
        return difference(theta, i, loss);
    }

    static double difference(double[] at, int i, DoubleSupplier loss) {
        return difference(at, i, 1e-6, loss);
    }

    static double difference(double[] at, int i, double step, DoubleSupplier loss) {
        double kept = at[i];
        at[i] = kept + step;
        double up = loss.getAsDouble();
        at[i] = kept - step;
        double down = loss.getAsDouble();
        at[i] = kept;
        return (up - down) / (2 * step);
    }
}

package dev.revealed.numeric;

/**
 * A small perceptron with tanh hidden layers and one linear output, as a function of a flat parameter vector. Parameters
 * are laid out layer by layer, each unit's weights followed by its bias.
 *
 * @param sizes width of the input, of each hidden layer, and of the output, which is 1
 */
public record Perceptron(int... sizes) {
    public Perceptron {
        if (sizes.length < 2 || sizes[sizes.length - 1] != 1) {
            throw new IllegalArgumentException("a perceptron needs an input and one output");
        }
        sizes = sizes.clone();
    }

    public int parameters() {
        int count = 0;
        for (int layer = 1; layer < sizes.length; layer++) {
            count += sizes[layer] * (sizes[layer - 1] + 1);
        }
        return count;
    }

    /** Weights uniform within 1/sqrt(fan-in), biases zero. */
    public double[] initial(RandomStream stream) {
        double[] theta = new double[parameters()];
        int p = 0;
        for (int layer = 1; layer < sizes.length; layer++) {
            double bound = 1 / Math.sqrt(sizes[layer - 1]);
            for (int unit = 0; unit < sizes[layer]; unit++) {
                for (int i = 0; i < sizes[layer - 1]; i++) {
                    theta[p++] = stream.nextDouble(-bound, bound);
                }
                p++;
            }
        }
        return theta;
    }

    /** Activations of all layers, reused between rows by one thread. */
    public final class Tape {
        private final double[][] activation = new double[sizes.length][];
        private final double[][] adjoint = new double[sizes.length][];

        public Tape() {
            for (int layer = 0; layer < sizes.length; layer++) {
                activation[layer] = new double[sizes[layer]];
                adjoint[layer] = new double[sizes[layer]];
            }
        }

        /** The output for the input that starts at {@code inputs[offset]}. */
        public double forward(double[] theta, double[] inputs, int offset) {
            System.arraycopy(inputs, offset, activation[0], 0, sizes[0]);
            int p = 0;
            int last = sizes.length - 1;
            for (int layer = 1; layer <= last; layer++) {
                double[] in = activation[layer - 1];
                for (int unit = 0; unit < sizes[layer]; unit++) {
                    double sum = 0;
                    for (double value : in) {
                        sum += theta[p++] * value;
                    }
                    sum += theta[p++];
                    activation[layer][unit] = layer == last ? sum : Math.tanh(sum);
                }
            }
            return activation[last][0];
        }

        /** gradient += weight * d output / d theta, at the input of the last {@link #forward}. */
        public void backward(double[] theta, double weight, double[] gradient) {
            int last = sizes.length - 1;
            adjoint[last][0] = weight;
            int end = theta.length;
            for (int layer = last; layer >= 1; layer--) {
                double[] in = activation[layer - 1];
                java.util.Arrays.fill(adjoint[layer - 1], 0);
                int begin = end - sizes[layer] * (in.length + 1);
                int p = begin;
                for (int unit = 0; unit < sizes[layer]; unit++) {
                    double output = activation[layer][unit];
                    double delta = adjoint[layer][unit] * (layer == last ? 1 : 1 - output * output);
                    for (int i = 0; i < in.length; i++) {
                        adjoint[layer - 1][i] += delta * theta[p];
                        gradient[p++] += delta * in[i];
                    }
                    gradient[p++] += delta;
                }
                end = begin;
            }
        }
    }
}

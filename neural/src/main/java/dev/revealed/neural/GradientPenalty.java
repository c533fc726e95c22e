package dev.revealed.neural;

import dev.revealed.neural.Mlp.Activation;
import dev.revealed.numeric.Gemm;
import dev.revealed.numeric.Gemm.Matrix;
import java.util.Arrays;

/**
 * Holds the slope of a network with one output near a number: weight times the mean over rows of (|df/dx| - slope)^2, and
 * its gradient with respect to the parameters. A slope of 1 is the penalty of Gulrajani et al. (2017), 0 makes smooth.
 *
 * <p>That gradient is the derivative of df/dtheta along a direction v in the inputs, the gradient of the penalty with respect
 * to df/dx. So v is sent forward through the network as a tangent, and the products of the ordinary backward pass are taken
 * with tangents in place of activations. Where an activation bends (tanh), its curvature sends a second pass backwards.
 */
public final class GradientPenalty {
    private final Network network;
    private final Mlp shape;
    private final double slope;
    private final Tape tape;
    private final float[] inputGradient;
    private final float[] direction;
    /** Tangents of a layer's sums and of its results. */
    private final float[][] sumTangent;

    private final float[][] tangent;
    /** Gradients of a layer's sums through curvature. */
    private final float[][] bent;

    private final boolean curved;

    public GradientPenalty(Network network, int rows, double slope) {
        this.network = network;
        this.slope = slope;
        shape = network.shape();
        if (shape.outputs() != 1 || shape.layerNorm() || shape.activation(shape.layers() - 1) != Activation.NONE) {
            throw new IllegalArgumentException(
                    "a gradient penalty is for networks with one plain output, without norms");
        }
        tape = network.tape(rows);
        inputGradient = new float[rows * shape.inputs()];
        direction = new float[rows * shape.inputs()];
        sumTangent = new float[shape.layers()][];
        tangent = new float[shape.layers()][];
        bent = new float[shape.layers()][];
        boolean anyTanh = false;
        for (int layer = 0; layer < shape.layers(); layer++) {
            sumTangent[layer] = new float[rows * shape.out(layer)];
            tangent[layer] = new float[rows * shape.out(layer)];
            bent[layer] = new float[rows * shape.out(layer)];
            anyTanh |= shape.activation(layer) == Activation.TANH;
        }
        curved = anyTanh;
    }

    /** The penalty at {@code rows} rows of x; its gradient is added to {@code gradient}. */
    public double add(float[] x, int rows, double weight, float[] gradient) {
        tape.forward(x, rows);
        Arrays.fill(tape.outputGradient(), 0, rows, 1);
        tape.propagate(rows);
        tape.inputGradient(rows, inputGradient);
        double penalty = 0;
        int in = shape.inputs();
        for (int row = 0; row < rows; row++) {
            double squares = 0;
            for (int i = row * in; i < (row + 1) * in; i++) {
                squares += (double) inputGradient[i] * inputGradient[i];
            }
            double norm = Math.sqrt(squares);
            penalty += weight * (norm - slope) * (norm - slope) / rows;
            double scale = norm > 0 ? 2 * weight * (norm - slope) / (norm * rows) : 0;
            for (int i = row * in; i < (row + 1) * in; i++) {
                direction[i] = (float) (scale * inputGradient[i]);
            }
        }
        for (int layer = 0; layer < shape.layers(); layer++) {
            pushTangent(layer, rows);
            addProduct(layer, rows, layer == 0 ? direction : tangent[layer - 1], tape.delta(layer), gradient);
        }
        if (curved) {
            addCurvature(x, rows, gradient);
        }
        return penalty;
    }

    /** Adds the products of a layer's inputs and the gradients of its sums to the gradient of its weights. */
    private void addProduct(int layer, int rows, float[] inputs, float[] deltas, float[] gradient) {
        int in = shape.in(layer);
        int out = shape.out(layer);
        Matrix to = Matrix.of(gradient, shape.weights(layer), out);
        Gemm.transposedProduct(in, out, rows, Matrix.of(inputs, 0, in), Matrix.of(deltas, 0, out), to, true);
    }

    private void pushTangent(int layer, int rows) {
        int in = shape.in(layer);
        int out = shape.out(layer);
        float[] from = layer == 0 ? direction : tangent[layer - 1];
        float[] sums = sumTangent[layer];
        Matrix weights = Matrix.of(network.parameters(), shape.weights(layer), out);
        Gemm.product(rows, out, in, Matrix.of(from, 0, in), weights, Matrix.of(sums, 0, out));
        float[] y = tape.output(layer);
        for (int i = 0; i < rows * out; i++) {
            tangent[layer][i] = switch (shape.activation(layer)) {
                case NONE -> sums[i];
                case RELU -> y[i] > 0 ? sums[i] : 0;
                case TANH -> sums[i] * (1 - y[i] * y[i]);
            };
        }
    }

    /** tanh'' = -2 tanh tanh', and the backward pass already multiplied by tanh'. */
    private void addCurvature(float[] x, int rows, float[] gradient) {
        int last = shape.layers() - 1;
        Arrays.fill(bent[last], 0, rows * shape.out(last), 0);
        for (int layer = last - 1; layer >= 0; layer--) {
            int out = shape.out(layer);
            int above = shape.out(layer + 1);
            float[] s = bent[layer];
            Matrix weights = Matrix.of(network.transposed(layer + 1), 0, out);
            Gemm.product(rows, out, above, Matrix.of(bent[layer + 1], 0, above), weights, Matrix.of(s, 0, out));
            float[] y = tape.output(layer);
            float[] delta = tape.delta(layer);
            for (int i = 0; i < rows * out; i++) {
                s[i] = switch (shape.activation(layer)) {
                    case NONE -> s[i];
                    case RELU -> y[i] > 0 ? s[i] : 0;
                    case TANH -> s[i] * (1 - y[i] * y[i]) - 2 * y[i] * sumTangent[layer][i] * delta[i];
                };
            }
            addProduct(layer, rows, layer == 0 ? x : tape.output(layer - 1), s, gradient);
            Gemm.sumRows(rows, out, s, gradient, shape.biases(layer), true);
        }
    }
}

package dev.revealed.neural;

import dev.revealed.neural.Mlp.Activation;
import dev.revealed.neural.Mlp.Output;
import dev.revealed.numeric.Elementary;
import dev.revealed.numeric.Gemm;
import dev.revealed.numeric.Gemm.Matrix;
import dev.revealed.numeric.RowNorm;
import org.jspecify.annotations.Nullable;

/**
 * What one batch leaves behind in a network: the outputs of its layers, then their gradients. Rows are independent in
 * both passes, so that threads may share them out; gradients of parameters add up rows in their order.
 *
 * <p>A backward pass is: fill {@link #outputGradient}, {@link #propagate}, then {@link #gradient} or {@link
 * #inputGradient}.
 */
public final class Tape {
    private final Network network;
    private final Mlp shape;
    private final int capacity;
    private final float[][] outputs;
    private final float[][] deltas;
    private final float[][] normal;
    private final float[][] inverseDeviation;
    private final float[] inverseLength;
    private float[] input = new float[0];

    Tape(Network network, int capacity) {
        this.network = network;
        this.capacity = capacity;
        shape = network.shape();
        int layers = shape.layers();
        outputs = new float[layers][];
        deltas = new float[layers][];
        normal = new float[layers][0];
        inverseDeviation = new float[layers][0];
        inverseLength = new float[shape.featureNorm() ? capacity : 0];
        for (int layer = 0; layer < layers; layer++) {
            outputs[layer] = new float[capacity * shape.out(layer)];
            deltas[layer] = new float[capacity * shape.out(layer)];
            if (shape.normed(layer)) {
                normal[layer] = new float[capacity * shape.out(layer)];
                inverseDeviation[layer] = new float[capacity];
            }
        }
    }

    public int capacity() {
        return capacity;
    }

    /** What the network gave, row after row. */
    public float[] output() {
        return outputs[shape.layers() - 1];
    }

    /** Where the gradient with respect to {@link #output} goes before {@link #propagate}, which may change it. */
    public float[] outputGradient() {
        return deltas[shape.layers() - 1];
    }

    /** What a layer gave, row after row. */
    public float[] output(int layer) {
        return outputs[layer];
    }

    float[] delta(int layer) {
        return deltas[layer];
    }

    /** Outputs for rows 0 to {@code rows - 1} of {@code x}, which is kept for the gradient. */
    public void forward(float[] x, int rows) {
        forward(x, 0, rows);
    }

    void forward(float[] x, int from, int to) {
        forward(x, from * shape.inputs(), from, to);
    }

    /** Rows {@code from} to {@code to - 1} of the tape, whose inputs begin at {@code x[at]}. */
    public void forward(float[] x, int at, int from, int to) {
        input = x;
        float[] theta = network.parameters();
        for (int layer = 0; layer < shape.layers(); layer++) {
            int in = shape.in(layer);
            int out = shape.out(layer);
            boolean normed = shape.normed(layer);
            boolean relu = shape.activation(layer) == Activation.RELU && !normed;
            Matrix below = layer == 0 ? Matrix.of(x, at, in) : Matrix.of(outputs[layer - 1], from * in, in);
            Matrix sums = Matrix.of(outputs[layer], from * out, out);
            Gemm.affine(to - from, in, out, below, theta, shape.weights(layer), shape.biases(layer), sums, relu);
            if (normed) {
                boolean cut = shape.activation(layer) == Activation.RELU;
                for (int row = from; row < to; row++) {
                    inverseDeviation[layer][row] =
                            RowNorm.standardise(out, outputs[layer], row * out, normal[layer], cut);
                }
            }
            if (shape.unitLength(layer)) {
                for (int row = from; row < to; row++) {
                    inverseLength[row] = RowNorm.unitLength(out, outputs[layer], row * out);
                }
            }
            if (shape.activation(layer) == Activation.TANH) {
                tanh(outputs[layer], from * out, to * out);
            }
        }
        float limit = shape.clamp();
        if (limit < Float.POSITIVE_INFINITY) {
            float[] y = output();
            for (int i = from * shape.outputs(); i < to * shape.outputs(); i++) {
                y[i] = Math.clamp(y[i], -limit, limit);
            }
        }
        if (shape.output() != Output.PLAIN) {
            float[] y = output();
            for (int i = from * shape.outputs(); i < to * shape.outputs(); i++) {
                y[i] = shape.output().of(y[i]);
            }
        }
    }

    private static void tanh(float[] y, int from, int to) {
        for (int i = from; i < to; i++) {
            y[i] = tanh(y[i]);
        }
    }

    static float tanh(float x) {
        double e = Elementary.exp(-2 * Math.abs((double) x));
        return Math.abs(x) < 1e-4f ? x : (float) Math.copySign((1 - e) / (1 + e), x);
    }

    /** From the gradient of the outputs to those of all layers, for rows {@code 0} to {@code rows - 1}. */
    public void propagate(int rows) {
        propagate(0, rows, null);
    }

    /**
     * The same for rows {@code from} to {@code to - 1} of the gradients.
     *
     * @param rowOf the row of the forward pass that each row of the gradients belongs to, where they are not the same
     */
    void propagate(int from, int to, int @Nullable [] rowOf) {
        if (shape.output() != Output.PLAIN) {
            throw new IllegalStateException("gradients are those of plain outputs");
        }
        int last = shape.layers() - 1;
        finish(last, from, to, rowOf);
        for (int layer = last; layer > 0; layer--) {
            int in = shape.in(layer);
            int out = shape.out(layer);
            boolean fused = rowOf == null && shape.activation(layer - 1) == Activation.RELU && !normalised(layer - 1);
            Matrix above = Matrix.of(deltas[layer], from * out, out);
            Matrix weights = Matrix.of(network.transposed(layer), 0, in);
            Matrix below = Matrix.of(deltas[layer - 1], from * in, in);
            if (fused) {
                Matrix mask = Matrix.of(outputs[layer - 1], from * in, in);
                Gemm.maskedProduct(to - from, in, out, above, weights, below, mask);
            } else {
                Gemm.product(to - from, in, out, above, weights, below);
                finish(layer - 1, from, to, rowOf);
            }
        }
    }

    private boolean normalised(int layer) {
        return shape.normed(layer) || shape.unitLength(layer);
    }

    /** Turns gradients of a layer's results into those of its sums. */
    private void finish(int layer, int from, int to, int @Nullable [] rowOf) {
        int n = shape.out(layer);
        float[] delta = deltas[layer];
        float[] y = outputs[layer];
        boolean last = layer == shape.layers() - 1;
        float limit = last ? shape.clamp() : Float.POSITIVE_INFINITY;
        for (int row = from; row < to; row++) {
            int at = row * n;
            int of = (rowOf == null ? row : rowOf[row]) * n;
            if (limit < Float.POSITIVE_INFINITY) {
                for (int j = 0; j < n; j++) {
                    if (Math.abs(y[of + j]) >= limit) {
                        delta[at + j] = 0;
                    }
                }
            }
            if (shape.unitLength(layer)) {
                RowNorm.unitLengthBack(n, delta, at, y, of, inverseLength[of / n]);
            }
            switch (shape.activation(layer)) {
                case NONE -> {}
                case RELU -> Gemm.mask(n, y, of, delta, at);
                case TANH -> {
                    for (int j = 0; j < n; j++) {
                        delta[at + j] *= 1 - y[of + j] * y[of + j];
                    }
                }
            }
            if (shape.normed(layer)) {
                RowNorm.standardiseBack(n, delta, at, normal[layer], of, inverseDeviation[layer][of / n]);
            }
        }
    }

    /** Gradient of the parameters over all rows, written to {@code into} or added to it. */
    public void gradient(int rows, float[] into, boolean add) {
        for (int layer = 0; layer < shape.layers(); layer++) {
            weightGradient(layer, 0, shape.in(layer), rows, into, shape.weights(layer), add);
            biasGradient(layer, rows, into, shape.biases(layer), add);
        }
    }

    /** Gradient of the weights of a layer's inputs {@code from} to {@code to - 1}, written from {@code into[at]} on. */
    void weightGradient(int layer, int from, int to, int rows, float[] into, int at, boolean add) {
        int in = shape.in(layer);
        int out = shape.out(layer);
        float[] x = layer == 0 ? input : outputs[layer - 1];
        Matrix delta = Matrix.of(deltas[layer], 0, out);
        Gemm.transposedProduct(to - from, out, rows, Matrix.of(x, from, in), delta, Matrix.of(into, at, out), add);
    }

    /** Gradient of a layer's biases. */
    void biasGradient(int layer, int rows, float[] into, int at, boolean add) {
        Gemm.sumRows(rows, shape.out(layer), deltas[layer], into, at, add);
    }

    /** Gradient of the inputs, row after row, for rows {@code 0} to {@code rows - 1}. */
    public void inputGradient(int rows, float[] into) {
        int in = shape.in(0);
        int out = shape.out(0);
        Matrix weights = Matrix.of(network.transposed(0), 0, in);
        Gemm.product(rows, in, out, Matrix.of(deltas[0], 0, out), weights, Matrix.of(into, 0, in));
    }

    /** Gradient of the few inputs from {@code first} on alone, which takes no transposed weights. */
    public void inputGradient(int from, int to, int first, float[] into) {
        int out = shape.out(0);
        int wanted = shape.in(0) - first;
        float[] theta = network.parameters();
        for (int row = from; row < to; row++) {
            for (int j = 0; j < wanted; j++) {
                int weights = shape.weights(0) + (first + j) * out;
                into[row * wanted + j] = Gemm.dot(out, deltas[0], row * out, theta, weights);
            }
        }
    }
}

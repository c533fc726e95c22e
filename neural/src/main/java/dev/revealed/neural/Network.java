package dev.revealed.neural;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Gemm;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.numeric.Tensors.Tensor;
import java.util.Arrays;

/**
 * A perceptron with its parameters. Gradients of inputs need the weights transposed; those copies are kept here, so who
 * changes parameters says so by {@link #changed}.
 */
public final class Network {
    private static final String NORM = ".norm"; // in checkpoints

    private final Mlp shape;
    private final float[] parameters;
    private final float[][] transposed;

    public Network(Mlp shape, float[] parameters) {
        if (parameters.length != shape.parameters()) {
            throw new IllegalArgumentException(
                    "%d parameters where %d are needed".formatted(parameters.length, shape.parameters()));
        }
        this.shape = shape;
        this.parameters = parameters;
        transposed = new float[shape.layers()][];
        Arrays.setAll(transposed, layer -> new float[shape.in(layer) * shape.out(layer)]);
        changed();
    }

    public static Network random(Mlp shape, RandomStream stream) {
        return new Network(shape, shape.initial(stream));
    }

    public Mlp shape() {
        return shape;
    }

    /** The parameters themselves. */
    public float[] parameters() {
        return parameters;
    }

    /** A copy that changes on its own. */
    public Network copy() {
        return new Network(shape, parameters.clone());
    }

    /**
     * Makes {@code plain}, of the same layers, the same function of numbers as they are, where this one takes each of them
     * less a shift and times a scale: both go into the first layer.
     */
    public void fold(float[] shift, float[] scale, Network plain) {
        float[] to = plain.parameters;
        System.arraycopy(parameters, 0, to, 0, parameters.length);
        int out = shape.out(0);
        for (int j = 0; j < out; j++) {
            double bias = parameters[shape.biases(0) + j];
            for (int i = 0; i < shape.inputs(); i++) {
                int at = shape.weights(0) + i * out + j;
                to[at] = parameters[at] * scale[i];
                bias -= (double) to[at] * shift[i];
            }
            to[shape.biases(0) + j] = (float) bias;
        }
        plain.changed();
    }

    /** Multiplies the weights of the first inputs by these numbers, as many as there are. */
    public void scaleInputs(float[] scale) {
        int out = shape.out(0);
        for (int i = 0; i < scale.length; i++) {
            for (int j = 0; j < out; j++) {
                parameters[shape.weights(0) + i * out + j] *= scale[i];
            }
        }
        changed();
    }

    /** To be called when parameters were changed, before the next backward pass. */
    public void changed() {
        for (int layer = 0; layer < shape.layers(); layer++) {
            transpose(layer);
        }
    }

    void transpose(int layer) {
        Gemm.transpose(shape.in(layer), shape.out(layer), parameters, shape.weights(layer), transposed[layer], 0);
    }

    /** Weights with one row per output. */
    float[] transposed(int layer) {
        return transposed[layer];
    }

    /** Room for the passes of up to {@code rows} rows at a time; one for each thread that works with this network. */
    public Tape tape(int rows) {
        return new Tape(this, rows);
    }

    /**
     * Writes a tensor for each array of each layer: {@code prefix.weight0} (inputs x outputs), {@code prefix.bias0} ..., and
     * {@code prefix.norm} where layers are normalised: whether hidden layers are, whether the last features are.
     */
    public void save(String prefix, Tensors into) {
        for (int layer = 0; layer < shape.layers(); layer++) {
            into.put(
                    prefix + ".weight" + layer,
                    piece(shape.weights(layer), shape.in(layer) * shape.out(layer)),
                    shape.in(layer),
                    shape.out(layer));
            into.put(prefix + ".bias" + layer, piece(shape.biases(layer), shape.out(layer)));
        }
        if (shape.layerNorm() || shape.featureNorm()) {
            into.put(prefix + NORM, shape.layerNorm() ? 1L : 0L, shape.featureNorm() ? 1L : 0L);
        }
    }

    private float[] piece(int from, int length) {
        return Arrays.copyOfRange(parameters, from, from + length);
    }

    /** Reads what {@link #save} wrote for a network of this shape. */
    public void restore(String prefix, Tensors from) {
        BadInput.when(
                from.has(prefix + ".gain0"),
                "the layer norm of '%s' has gains, as earlier versions wrote it".formatted(prefix),
                "Go on with the version that wrote it, or start a new run: layer norm has no gains now.");
        for (int layer = 0; layer < shape.layers(); layer++) {
            copy(prefix + ".weight" + layer, from, shape.weights(layer), shape.in(layer) * shape.out(layer));
            copy(prefix + ".bias" + layer, from, shape.biases(layer), shape.out(layer));
        }
        changed();
    }

    private void copy(String name, Tensors from, int to, int length) {
        float[] values = new float[length];
        from.into(name, values);
        System.arraycopy(values, 0, parameters, to, length);
    }

    /** A network of ReLU layers with the sizes and parameters that were saved. */
    public static Network load(String prefix, Tensors from) {
        long[] norm = from.has(prefix + NORM) ? from.longs(prefix + NORM) : new long[2];
        Mlp shape =
                Mlp.relu(savedSizes(prefix, from)).withLayerNorm(norm[0] == 1).withFeatureNorm(norm[1] == 1);
        Network network = new Network(shape, new float[shape.parameters()]);
        network.restore(prefix, from);
        return network;
    }

    private static int[] savedSizes(String prefix, Tensors from) {
        int layers = 0;
        while (from.has(prefix + ".weight" + layers)) {
            layers++;
        }
        int[] sizes = new int[layers + 1];
        for (int layer = 0; layer < layers; layer++) {
            Tensor weight = from.get(prefix + ".weight" + layer);
            BadInput.when(
                    weight.shape().length != 2 || (layer > 0 && weight.shape()[0] != sizes[layer]),
                    "tensor '%s.weight%d' has the shape %s, which does not follow the layer before it"
                            .formatted(prefix, layer, Arrays.toString(weight.shape())),
                    "It was perhaps written by another program.");
            sizes[layer] = weight.shape()[0];
            sizes[layer + 1] = weight.shape()[1];
        }
        if (layers == 0) {
            from.get(prefix + ".weight0"); // says what is there instead
        }
        return sizes;
    }
}

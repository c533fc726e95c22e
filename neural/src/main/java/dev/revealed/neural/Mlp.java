package dev.revealed.neural;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a perceptron: layers of weights with an activation each. Its parameters live in one flat array, layer by
 * layer: weights (one row per input, so that outputs lie side by side), biases.
 *
 * <p>A layer computes activation(norm(x W + b)). Only hidden layers are normalised; norms have no parameters.
 */
public final class Mlp {

    /** What is applied to the sums of a layer. */
    public enum Activation {
        NONE,
        RELU,
        TANH
    }

    /** What is made of the outputs, after they were cut to the clamp. */
    public enum Output {
        PLAIN,
        /** log(1 + e^x), which is -log(1 - D) where x is the logit of D. */
        SOFTPLUS,
        /** -log(1 + e^-x), which is log D. */
        LOG_SIGMOID;

        /** Of one output. */
        public float of(float x) {
            return switch (this) {
                case PLAIN -> x;
                case SOFTPLUS -> softplus(x);
                case LOG_SIGMOID -> -softplus(-x);
            };
        }

        private static float softplus(double x) {
            return (float) (Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))));
        }
    }

    /** More numbers than these are not held in one array, nor more of a batch. */
    static final int MOST = 1 << 30;

    /** The widest hidden layer that a setting may ask for. */
    public static final int WIDEST = 1 << 14;

    private final int[] sizes;
    private final Activation[] activations;
    private final boolean layerNorm;
    private final boolean featureNorm;
    private final float clamp;
    private final Output output;
    private final int[] start;

    private Mlp(
            int[] sizes, Activation[] activations, boolean layerNorm, boolean featureNorm, float clamp, Output output) {
        this.sizes = sizes;
        this.activations = activations;
        this.layerNorm = layerNorm;
        this.featureNorm = featureNorm;
        this.clamp = clamp;
        this.output = output;
        affordable(sizes);
        start = new int[sizes.length];
        for (int layer = 0; layer < layers(); layer++) {
            start[layer + 1] = start[layer] + out(layer) * (in(layer) + 1);
        }
    }

    /** Refuses layers of these widths, each fully connected to the next, where their weights would be too many. */
    static void affordable(int... sizes) {
        double weights = 0;
        for (int layer = 1; layer < sizes.length; layer++) {
            weights += sizes[layer] * (sizes[layer - 1] + 1.0);
        }
        BadInput.when(
                weights > MOST,
                "layers of %s have %,.0f weights"
                        .formatted(
                                Arrays.stream(sizes).mapToObj(Integer::toString).collect(Collectors.joining(",")),
                                weights),
                "A network has at most %,d: use fewer or narrower hidden layers.".formatted(MOST));
    }

    /** ReLU between the layers, nothing after the last. */
    public static Mlp relu(int... sizes) {
        Activation[] activations = new Activation[sizes.length - 1];
        Arrays.fill(activations, Activation.RELU);
        activations[activations.length - 1] = Activation.NONE;
        return of(sizes, activations);
    }

    /** @param sizes width of the input and of each layer's output; one activation for each layer */
    public static Mlp of(int[] sizes, Activation... activations) {
        if (sizes.length < 2 || activations.length != sizes.length - 1) {
            throw new IllegalArgumentException("%d sizes need %d activations, not %d"
                    .formatted(sizes.length, sizes.length - 1, activations.length));
        }
        for (int size : sizes) {
            if (size < 1) {
                throw new IllegalArgumentException("a layer of width " + size);
            }
        }
        return new Mlp(sizes.clone(), activations.clone(), false, false, Float.POSITIVE_INFINITY, Output.PLAIN);
    }

    /** The same with the sums of hidden layers brought to mean 0 and variance 1 in each row, before the activation. */
    public Mlp withLayerNorm(boolean wanted) {
        return new Mlp(sizes, activations, wanted, featureNorm, clamp, output);
    }

    /** The same with what the last hidden layer gives, after its ReLU, brought to length 1 in each row. */
    public Mlp withFeatureNorm(boolean wanted) {
        if (wanted && (layers() < 2 || activation(layers() - 2) != Activation.RELU)) {
            throw new IllegalArgumentException("features of length 1 are those of a hidden layer with ReLU");
        }
        return new Mlp(sizes, activations, layerNorm, wanted, clamp, output);
    }

    /** The same with outputs cut to [-limit, limit]; the gradient is zero where they were cut. */
    public Mlp withClamp(float limit) {
        return new Mlp(sizes, activations, layerNorm, featureNorm, limit, output);
    }

    /** The same with another function of its outputs; gradients are those of plain ones only. */
    public Mlp withOutput(Output wanted) {
        return new Mlp(sizes, activations, layerNorm, featureNorm, clamp, wanted);
    }

    public int layers() {
        return sizes.length - 1;
    }

    public int inputs() {
        return sizes[0];
    }

    public int outputs() {
        return sizes[sizes.length - 1];
    }

    /** How many numbers a layer takes. */
    public int in(int layer) {
        return sizes[layer];
    }

    /** How many numbers a layer gives. */
    public int out(int layer) {
        return sizes[layer + 1];
    }

    public Activation activation(int layer) {
        return activations[layer];
    }

    /** Whether a layer's sums are normalised. */
    public boolean normed(int layer) {
        return layerNorm && layer < layers() - 1;
    }

    public boolean layerNorm() {
        return layerNorm;
    }

    /** Whether what a layer gives has length 1. */
    public boolean unitLength(int layer) {
        return featureNorm && layer == layers() - 2;
    }

    public boolean featureNorm() {
        return featureNorm;
    }

    /** Outputs lie within this of zero; infinite where nothing is cut. */
    public float clamp() {
        return clamp;
    }

    /** What is made of the outputs. */
    public Output output() {
        return output;
    }

    public int parameters() {
        return start[layers()];
    }

    /** Where a layer's weights begin; row {@code i} belongs to input {@code i}. */
    public int weights(int layer) {
        return start[layer];
    }

    /** Where a layer's biases begin. */
    public int biases(int layer) {
        return start[layer] + in(layer) * out(layer);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Mlp mlp
                && Arrays.equals(sizes, mlp.sizes)
                && Arrays.equals(activations, mlp.activations)
                && layerNorm == mlp.layerNorm
                && featureNorm == mlp.featureNorm
                && clamp == mlp.clamp
                && output == mlp.output;
    }

    @Override
    public int hashCode() {
        return Objects.hash(
                Arrays.hashCode(sizes), Arrays.hashCode(activations), layerNorm, featureNorm, clamp, output);
    }

    /** Weights and biases uniform within 1/sqrt(inputs), as PyTorch has them. */
    public float[] initial(RandomStream stream) {
        float[] theta = new float[parameters()];
        for (int layer = 0; layer < layers(); layer++) {
            float bound = (float) (1 / Math.sqrt(in(layer)));
            for (int i = weights(layer); i < biases(layer) + out(layer); i++) {
                theta[i] = (2 * stream.nextFloat() - 1) * bound;
            }
        }
        return theta;
    }
}

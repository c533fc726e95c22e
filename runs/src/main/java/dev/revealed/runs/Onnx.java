package dev.revealed.runs;

import dev.revealed.numeric.Tensors;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Feed-forward networks as ONNX models, which other programs can run: single precision, any number of rows at a time,
 * operators of version 17. The messages are those of onnx.proto.
 */
public final class Onnx {
    private static final int IR_VERSION = 8; // the one that came with operators of version 17
    private static final int OPERATORS = 17;
    private static final int FLOAT = 1;
    private static final int INT64 = 7;
    private static final int INPUT = 11; // of a graph
    private static final int OUTPUT = 12;

    /** What is applied to the sums of a layer. */
    public enum Activation {
        NONE,
        RELU,
        TANH
    }

    /** Layer norm: each row to mean 0 and variance 1 (plus 1e-5), times the gains, plus the shifts. */
    public record Norm(float[] gains, float[] shifts) {}

    /**
     * activation(norm(x W + b)).
     *
     * @param weights one row per input, outputs side by side
     */
    public record Layer(
            int inputs, int outputs, float[] weights, float[] biases, Optional<Norm> norm, Activation activation) {
        public Layer {
            boolean fits = weights.length == inputs * outputs && biases.length == outputs;
            boolean normFits = norm.stream().allMatch(n -> n.gains.length == outputs && n.shifts.length == outputs);
            if (!fits || !normFits) {
                throw new IllegalArgumentException(
                        "arrays that are not those of a layer from %d to %d".formatted(inputs, outputs));
            }
        }
    }

    private static final String REWARD_OUTPUT =
            "reward.output"; // 1 softplus, 2 log-sigmoid; left out where it is plain

    private final Protobuf graph = new Protobuf();

    private Onnx() {}

    /**
     * The layers of a network that was saved as tensors {@code prefix.weight0} (inputs x outputs), {@code prefix.bias0} and,
     * with layer norm, {@code prefix.gain0}, {@code prefix.shift0}, and so on; nothing is applied after the last.
     */
    public static List<Layer> layers(Tensors tensors, String prefix, Activation hidden) {
        List<Layer> layers = new ArrayList<>();
        do {
            int k = layers.size();
            boolean last = !tensors.has(prefix + ".weight" + (k + 1));
            layers.add(layer(tensors, prefix, k, last ? Activation.NONE : hidden));
        } while (tensors.has(prefix + ".weight" + layers.size()));
        return layers;
    }

    private static Layer layer(Tensors tensors, String prefix, int k, Activation activation) {
        float[] weights = tensors.floats(prefix + ".weight" + k);
        float[] biases = tensors.floats(prefix + ".bias" + k);
        int[] shape = tensors.get(prefix + ".weight" + k).shape();
        Optional<Norm> norm = tensors.has(prefix + ".gain" + k)
                ? Optional.of(new Norm(tensors.floats(prefix + ".gain" + k), tensors.floats(prefix + ".shift" + k)))
                : Optional.empty();
        return new Layer(shape[0], shape[1], weights, biases, norm, activation);
    }

    /**
     * A squashed Gaussian policy. Takes {@code observations}; gives {@code action} = bound tanh(mean), the action it would
     * rather take than any other, and {@code mean} and {@code log_std} of the normal draw before squashing.
     *
     * @param layers their outputs are the means, then the log standard deviations
     */
    public static byte[] actor(List<Layer> layers, float bound, float logStdMin, float logStdMax) {
        int size = layers.getLast().outputs / 2;
        Onnx onnx = new Onnx();
        onnx.layers(layers, "observations", "raw");
        onnx.tensor("sizes", size, size);
        Protobuf axis = new Protobuf().text(1, "axis").varint(3, 1).varint(20, 2);
        onnx.graph.message(
                1,
                node("Split", List.of("raw", "sizes"), List.of("mean", "raw_log_std"))
                        .message(5, axis));
        onnx.clip("raw_log_std", "log_std", logStdMin, logStdMax);
        onnx.node("Tanh", "squashed", "mean");
        onnx.tensor("bound", new int[] {1}, bound);
        onnx.node("Mul", "action", "squashed", "bound");
        onnx.rows(INPUT, "observations", layers.getFirst().inputs);
        for (String output : List.of("action", "mean", "log_std")) {
            onnx.rows(OUTPUT, output, size);
        }
        return onnx.model("policy");
    }

    /**
     * A network with one array of outputs: a critic, whose input is observation and action side by side, or a reward.
     *
     * @param clamp outputs are cut to [-clamp, clamp]; infinite where they are not
     */
    public static byte[] network(List<Layer> layers, String input, String output, float clamp) {
        Onnx onnx = new Onnx();
        if (Float.isInfinite(clamp)) {
            onnx.layers(layers, input, output);
        } else {
            onnx.layers(layers, input, "raw");
            onnx.clip("raw", output, -clamp, clamp);
        }
        onnx.rows(INPUT, input, layers.getFirst().inputs);
        onnx.rows(OUTPUT, output, layers.getLast().outputs);
        return onnx.model(output);
    }

    /**
     * A reward as imitation saves it: a network {@code reward} of inputs less {@code reward.shift} and times {@code
     * reward.scale}, both folded into its first layer, with {@code reward.activations} (0 none, 1 ReLU, 2 tanh), {@code
     * reward.clamp} and perhaps {@code reward.output} (1 softplus, 2 log-sigmoid). Takes {@code input}, the state or state and action side by side; gives {@code reward}.
     */
    public static byte[] reward(Tensors tensors) {
        List<Layer> layers = new ArrayList<>();
        for (long activation : tensors.longs("reward.activations")) {
            layers.add(layer(tensors, "reward", layers.size(), Activation.values()[(int) activation]));
        }
        Layer first = layers.getFirst();
        float[] shift = tensors.floats("reward.shift");
        float[] scale = tensors.floats("reward.scale");
        float[] weights = first.weights.clone();
        float[] biases = new float[first.outputs];
        for (int j = 0; j < first.outputs; j++) {
            double bias = first.biases[j];
            for (int i = 0; i < first.inputs; i++) {
                weights[i * first.outputs + j] *= scale[i];
                bias -= (double) weights[i * first.outputs + j] * shift[i];
            }
            biases[j] = (float) bias;
        }
        layers.set(0, new Layer(first.inputs, first.outputs, weights, biases, Optional.empty(), first.activation));
        float clamp = tensors.floats("reward.clamp")[0];
        return tensors.has(REWARD_OUTPUT)
                ? reward(layers, clamp, tensors.longs(REWARD_OUTPUT)[0] == 2)
                : network(layers, "input", "reward", clamp);
    }

    /** A reward that is softplus(x) of the network's output x, or -softplus(-x). */
    private static byte[] reward(List<Layer> layers, float clamp, boolean mirrored) {
        Onnx onnx = new Onnx();
        onnx.layers(layers, "input", "raw");
        onnx.clip("raw", "logit", -clamp, clamp);
        if (mirrored) {
            onnx.node("Neg", "mirrored", "logit");
            onnx.node("Softplus", "positive", "mirrored");
            onnx.node("Neg", "reward", "positive");
        } else {
            onnx.node("Softplus", "reward", "logit");
        }
        onnx.rows(INPUT, "input", layers.getFirst().inputs);
        onnx.rows(OUTPUT, "reward", layers.getLast().outputs);
        return onnx.model("reward");
    }

    private void layers(List<Layer> layers, String input, String output) {
        String x = input;
        for (int k = 0; k < layers.size(); k++) {
            Layer layer = layers.get(k);
            if (k > 0 && layer.inputs != layers.get(k - 1).outputs) {
                throw new IllegalArgumentException("layer %d does not follow the one before".formatted(k));
            }
            String last = k == layers.size() - 1 ? output : "layer" + k;
            boolean activated = layer.activation != Activation.NONE;
            String normed = activated ? "normed" + k : last;
            String sums = layer.norm.isPresent() ? "sums" + k : normed;
            int[] row = {layer.outputs};
            tensor("weight" + k, new int[] {layer.inputs, layer.outputs}, layer.weights);
            tensor("bias" + k, row, layer.biases);
            node("Gemm", sums, x, "weight" + k, "bias" + k);
            if (layer.norm.isPresent()) {
                tensor("gain" + k, row, layer.norm.get().gains);
                tensor("shift" + k, row, layer.norm.get().shifts);
                node("LayerNormalization", normed, sums, "gain" + k, "shift" + k); // epsilon is 1e-5 by default
            }
            if (activated) {
                node(layer.activation == Activation.RELU ? "Relu" : "Tanh", last, normed);
            }
            x = last;
        }
    }

    private void clip(String from, String to, float least, float most) {
        tensor(to + "_min", new int[0], least);
        tensor(to + "_max", new int[0], most);
        node("Clip", to, from, to + "_min", to + "_max");
    }

    private void node(String operator, String output, String... inputs) {
        graph.message(1, node(operator, List.of(inputs), List.of(output)));
    }

    private static Protobuf node(String operator, List<String> inputs, List<String> outputs) {
        Protobuf node = new Protobuf();
        inputs.forEach(input -> node.text(1, input));
        outputs.forEach(output -> node.text(2, output));
        return node.text(4, operator);
    }

    /** @param shape empty for a scalar */
    private void tensor(String name, int[] shape, float... values) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        initializer(name, FLOAT, shape, bytes.array());
    }

    private void tensor(String name, long... values) {
        ByteBuffer bytes = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asLongBuffer().put(values);
        initializer(name, INT64, new int[] {values.length}, bytes.array());
    }

    private void initializer(String name, int type, int[] shape, byte[] values) {
        Protobuf tensor = new Protobuf();
        for (int length : shape) {
            tensor.varint(1, length);
        }
        graph.message(5, tensor.varint(2, type).text(8, name).bytes(9, values));
    }

    /** An input or output: any number of rows of so many numbers. */
    private void rows(int field, String name, int columns) {
        Protobuf shape = new Protobuf()
                .message(1, new Protobuf().text(2, "batch"))
                .message(1, new Protobuf().varint(1, columns));
        Protobuf type =
                new Protobuf().message(1, new Protobuf().varint(1, FLOAT).message(2, shape));
        graph.message(field, new Protobuf().text(1, name).message(2, type));
    }

    private byte[] model(String name) {
        return new Protobuf()
                .varint(1, IR_VERSION)
                .text(2, "revealed")
                .message(7, graph.text(2, name))
                .message(8, new Protobuf().text(1, "").varint(2, OPERATORS))
                .toBytes();
    }
}

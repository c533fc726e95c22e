package dev.revealed.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.Onnx.Activation;
import dev.revealed.runs.Onnx.Layer;
import dev.revealed.runs.Onnx.Norm;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What ONNX Runtime makes of our files, against plain loops in double precision. */
class OnnxTest {
    private final RandomStream stream = RandomStream.of(11);

    private float[] random(int size, double scale) {
        float[] values = new float[size];
        for (int i = 0; i < size; i++) {
            values[i] = (float) (scale * stream.nextGaussian());
        }
        return values;
    }

    private List<Layer> layers(Activation hidden, boolean norm, double scale, int... sizes) {
        List<Layer> layers = new ArrayList<>();
        for (int k = 0; k + 1 < sizes.length; k++) {
            boolean last = k + 2 == sizes.length;
            layers.add(new Layer(
                    sizes[k],
                    sizes[k + 1],
                    random(sizes[k] * sizes[k + 1], scale),
                    random(sizes[k + 1], scale),
                    norm && !last
                            ? Optional.of(new Norm(random(sizes[k + 1], 1), random(sizes[k + 1], 1)))
                            : Optional.empty(),
                    last ? Activation.NONE : hidden));
        }
        return layers;
    }

    private static double[] apply(List<Layer> layers, float[] input) {
        double[] x = new double[input.length];
        for (int i = 0; i < x.length; i++) {
            x[i] = input[i];
        }
        for (Layer layer : layers) {
            double[] y = new double[layer.outputs()];
            for (int j = 0; j < y.length; j++) {
                y[j] = layer.biases()[j];
                for (int i = 0; i < x.length; i++) {
                    y[j] += x[i] * layer.weights()[i * y.length + j];
                }
            }
            layer.norm().ifPresent(norm -> normalise(y, norm));
            for (int j = 0; j < y.length; j++) {
                y[j] = switch (layer.activation()) {
                    case NONE -> y[j];
                    case RELU -> Math.max(0, y[j]);
                    case TANH -> Math.tanh(y[j]);
                };
            }
            x = y;
        }
        return x;
    }

    private static void normalise(double[] y, Norm norm) {
        double mean = 0;
        double variance = 0;
        for (double value : y) {
            mean += value / y.length;
        }
        for (double value : y) {
            variance += (value - mean) * (value - mean) / y.length;
        }
        for (int j = 0; j < y.length; j++) {
            y[j] = (y[j] - mean) / Math.sqrt(variance + 1e-5) * norm.gains()[j] + norm.shifts()[j];
        }
    }

    /** What a model gave, by name. */
    private record Outputs(Map<String, float[][]> byName) {
        float[] row(String name, int row) {
            return Objects.requireNonNull(byName.get(name), name)[row];
        }
    }

    private static Outputs run(byte[] model, String input, float[][] rows) throws OrtException {
        OrtEnvironment environment = OrtEnvironment.getEnvironment();
        Map<String, float[][]> outputs = new HashMap<>();
        try (OrtSession session = environment.createSession(model);
                OnnxTensor tensor = OnnxTensor.createTensor(environment, rows);
                OrtSession.Result result = session.run(Map.of(input, tensor))) {
            for (Map.Entry<String, ?> entry : result) {
                outputs.put(entry.getKey(), (float[][])
                        result.get(entry.getKey()).orElseThrow().getValue());
            }
        }
        return new Outputs(outputs);
    }

    @ParameterizedTest
    @CsvSource({"RELU, false", "TANH, false", "RELU, true"})
    void anActorActsTheSame(Activation hidden, boolean norm) throws OrtException {
        List<Layer> layers = layers(hidden, norm, 0.6, 11, 16, 24, 6);
        byte[] model = Onnx.actor(layers, 0.4f, -0.5f, 2);
        float[][] rows = new float[5][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = random(11, 1);
        }
        Outputs outputs = run(model, "observations", rows);
        assertThat(outputs.byName()).containsOnlyKeys("action", "mean", "log_std");
        for (int i = 0; i < rows.length; i++) {
            double[] raw = apply(layers, rows[i]);
            for (int j = 0; j < 3; j++) {
                double size = 1 + Math.abs(raw[j]);
                assertThat(outputs.row("mean", i)[j]).isCloseTo((float) raw[j], within((float) (1e-5 * size)));
                assertThat(outputs.row("action", i)[j])
                        .isCloseTo((float) (0.4 * Math.tanh(raw[j])), within((float) (1e-5 * size)));
                assertThat(outputs.row("log_std", i)[j])
                        .isCloseTo((float) Math.clamp(raw[3 + j], -0.5, 2), within((float)
                                (1e-5 * (1 + Math.abs(raw[3 + j])))));
            }
        }
        assertThat(run(model, "observations", new float[][] {rows[3]}).row("action", 0)) // and one row alone
                .containsExactly(outputs.row("action", 3), within(1e-6f));
    }

    @ParameterizedTest
    @CsvSource({"Infinity", "0.5"})
    void aCriticValuesTheSame(float clamp) throws OrtException {
        List<Layer> layers = layers(Activation.RELU, false, 0.5, 7, 12, 12, 1);
        float[][] rows = {random(7, 1), random(7, 1), random(7, 3), random(7, 3)};
        Outputs outputs = run(Onnx.network(layers, "input", "value", clamp), "input", rows);
        assertThat(outputs.byName()).containsOnlyKeys("value");
        for (int i = 0; i < rows.length; i++) {
            double expected = Math.clamp(apply(layers, rows[i])[0], -clamp, clamp);
            assertThat(outputs.row("value", i)[0]).isCloseTo((float) expected, within(1e-4f));
        }
    }

    @Test
    void savedNetworksCanBeExported() throws OrtException {
        List<Layer> layers = layers(Activation.RELU, true, 0.5, 3, 8, 2);
        Tensors saved = new Tensors();
        for (int k = 0; k < layers.size(); k++) {
            Layer layer = layers.get(k);
            saved.put("actor.weight" + k, layer.weights(), layer.inputs(), layer.outputs());
            saved.put("actor.bias" + k, layer.biases());
            if (layer.norm().isPresent()) {
                saved.put("actor.gain" + k, layer.norm().get().gains());
                saved.put("actor.shift" + k, layer.norm().get().shifts());
            }
        }
        byte[] model = Onnx.actor(Onnx.layers(saved, "actor", Activation.RELU), 1, -20, 2);
        assertThat(model).isEqualTo(Onnx.actor(layers, 1, -20, 2));
        float[] row = random(3, 1);
        assertThat(run(model, "observations", new float[][] {row}).row("mean", 0)[0])
                .isCloseTo((float) apply(layers, row)[0], within(1e-5f));
    }

    /** Shift and scale are in its first layer; the first activation is none, as in the reference code, or a tanh. */
    @ParameterizedTest
    @CsvSource({"NONE, Infinity, 0", "TANH, 0.5, 0", "TANH, 2, 1", "NONE, 2, 2"})
    void aSavedRewardPaysTheSame(Activation firstLayer, float clamp, int output) throws OrtException {
        List<Layer> layers = layers(Activation.RELU, false, 0.8, 4, 6, 5, 1);
        Layer first = layers.getFirst();
        layers.set(0, new Layer(4, 6, first.weights(), first.biases(), Optional.empty(), firstLayer));
        Tensors saved = new Tensors();
        for (int k = 0; k < layers.size(); k++) {
            Layer layer = layers.get(k);
            saved.put("reward.weight" + k, layer.weights(), layer.inputs(), layer.outputs());
            saved.put("reward.bias" + k, layer.biases());
        }
        float[] shift = {3, -1, 0, 20};
        float[] scale = {0.5f, 2, 1, 0.1f};
        saved.put("reward.shift", shift).put("reward.scale", scale);
        saved.put("reward.activations", new long[] {firstLayer == Activation.NONE ? 0 : 2, 1, 0});
        saved.put("reward.clamp", new float[] {clamp});
        if (output > 0) {
            saved.put("reward.output", new long[] {output});
        }
        float[][] rows = {random(4, 2), random(4, 2), random(4, 4), random(4, 8)};
        Outputs outputs = run(Onnx.reward(saved), "input", rows);
        for (int i = 0; i < rows.length; i++) {
            float[] standard = new float[4];
            for (int j = 0; j < 4; j++) {
                standard[j] = (rows[i][j] - shift[j]) * scale[j];
            }
            double plain = Math.clamp(apply(layers, standard)[0], -clamp, clamp);
            double expected = switch (output) {
                case 1 -> Math.log(1 + Math.exp(plain));
                case 2 -> -Math.log(1 + Math.exp(-plain));
                default -> plain;
            };
            assertThat(outputs.row("reward", i)[0]).isCloseTo((float) expected, within(1e-4f));
        }
    }

    @Test
    void layersMustFit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Layer(2, 3, new float[5], new float[3], Optional.empty(), Activation.NONE));
        List<Layer> broken = List.of(
                layers(Activation.NONE, false, 1, 2, 3).getFirst(),
                layers(Activation.NONE, false, 1, 4, 2).getFirst());
        assertThatIllegalArgumentException().isThrownBy(() -> Onnx.network(broken, "x", "y", Float.POSITIVE_INFINITY));
    }
}

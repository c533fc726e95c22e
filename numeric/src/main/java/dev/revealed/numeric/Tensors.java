package dev.revealed.numeric;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Named arrays with shapes, in order: what networks, optimisers and simulators hand to a checkpoint and take back. Arrays
 * are held, not copied.
 */
public final class Tensors {

    /** One array, last index fastest. */
    public sealed interface Tensor {
        int[] shape();

        record Floats(int[] shape, float[] values) implements Tensor {
            public Floats {
                check(shape, values.length);
            }
        }

        record Doubles(int[] shape, double[] values) implements Tensor {
            public Doubles {
                check(shape, values.length);
            }
        }

        record Longs(int[] shape, long[] values) implements Tensor {
            public Longs {
                check(shape, values.length);
            }
        }

        private static void check(int[] shape, int length) {
            long size = 1;
            for (int n : shape) {
                size *= n;
            }
            if (size != length) {
                throw new IllegalArgumentException(
                        "%d values for the shape %s".formatted(length, Arrays.toString(shape)));
            }
        }
    }

    private final Map<String, Tensor> byName = new LinkedHashMap<>();

    /** What a learner, a policy or another thing saves. */
    public static Tensors of(Consumer<Tensors> save) {
        Tensors saved = new Tensors();
        save.accept(saved);
        return saved;
    }

    public Tensors put(String name, Tensor tensor) {
        if (byName.putIfAbsent(name, tensor) != null) {
            throw new IllegalArgumentException("two tensors are called " + name);
        }
        return this;
    }

    public Tensors put(String name, float[] values, int... shape) {
        return put(name, new Tensor.Floats(shape.length == 0 ? new int[] {values.length} : shape, values));
    }

    public Tensors put(String name, double[] values, int... shape) {
        return put(name, new Tensor.Doubles(shape.length == 0 ? new int[] {values.length} : shape, values));
    }

    public Tensors put(String name, long... values) {
        return put(name, new Tensor.Longs(new int[] {values.length}, values));
    }

    public Set<String> names() {
        return byName.keySet();
    }

    public boolean has(String name) {
        return byName.containsKey(name);
    }

    public Tensor get(String name) {
        Tensor tensor = byName.get(name);
        if (tensor == null) {
            throw new BadInput(
                    "there is no tensor '%s'".formatted(name),
                    Closest.question("Is '%s' meant? ", name, names()) + "It was perhaps written with other settings.");
        }
        return tensor;
    }

    /** Those whose names begin so, by the rest of their names. */
    public Tensors under(String prefix) {
        Tensors found = new Tensors();
        byName.forEach((name, tensor) -> {
            if (name.startsWith(prefix)) {
                found.put(name.substring(prefix.length()), tensor);
            }
        });
        return found;
    }

    public float[] floats(String name) {
        if (get(name) instanceof Tensor.Floats floats) {
            return floats.values;
        }
        throw wrongType(name, "float32");
    }

    public double[] doubles(String name) {
        if (get(name) instanceof Tensor.Doubles doubles) {
            return doubles.values;
        }
        throw wrongType(name, "float64");
    }

    public long[] longs(String name) {
        if (get(name) instanceof Tensor.Longs longs) {
            return longs.values;
        }
        throw wrongType(name, "int64");
    }

    private static BadInput wrongType(String name, String type) {
        return new BadInput(
                "tensor '%s' does not hold %s".formatted(name, type), "It was perhaps written by another program.");
    }

    /** Copies a tensor into an array that is already there. */
    public void into(String name, float[] target) {
        float[] values = floats(name);
        checkLength(name, values.length, target.length);
        System.arraycopy(values, 0, target, 0, values.length);
    }

    public void into(String name, double[] target) {
        double[] values = doubles(name);
        checkLength(name, values.length, target.length);
        System.arraycopy(values, 0, target, 0, values.length);
    }

    private static void checkLength(String name, int there, int needed) {
        BadInput.when(
                there != needed,
                "tensor '%s' has %d values where %d are needed".formatted(name, there, needed),
                "It was perhaps written with other settings.");
    }
}

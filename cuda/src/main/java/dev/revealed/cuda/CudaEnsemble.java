package dev.revealed.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.revealed.neural.Adam;
import dev.revealed.neural.DivergenceFailure;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Network;
import dev.revealed.neural.ensemble.Ensemble;
import dev.revealed.neural.ensemble.Gaussian;
import dev.revealed.neural.ensemble.PredictedRows;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/** An ensemble on one GPU: its members take their steps together, and its rows stay in the device's memory. */
public final class CudaEnsemble implements Ensemble {
    private static final int MOST_LAYERS = 8;
    private static final int STRUCT_BYTES = 264;
    private static final int TILE = 32;
    private static final int ROWS_AT_ONCE = 1 << 20; // of copies to the device

    private final Gpu gpu;
    private final Driver driver;
    private final Mlp shape;
    private final int members;
    private final int batch;
    private final Adam.Settings adam;
    private final int[] weights; // where a layer begins
    private final int thetaStride;
    private final Owned owned = new Owned();
    private final Arena arena = Arena.ofShared();
    private final long stream;
    private final DeviceMemory theta;
    private final DeviceMemory first;
    private final DeviceMemory second;
    private final DeviceMemory losses;
    private final DeviceMemory order;
    private final int orderStride;
    private final MemorySegment struct;
    private final long takeRows;
    private final long layerForward;
    private final long likelihood;
    private final long layerBackward;
    private final long layerStep;
    private final long addLosses;
    private long steps;

    /** @param streams one for each member, as on the processor */
    public CudaEnsemble(Gpu gpu, Mlp shape, PredictedRows rows, Settings settings, List<RandomStream> streams) {
        BadInput.when(
                shape.layers() > MOST_LAYERS,
                "there are %d `hidden` layers, and a GPU takes at most %d"
                        .formatted(shape.layers() - 1, MOST_LAYERS - 1),
                "Use fewer, or learn on the processor.");
        this.gpu = gpu;
        driver = gpu.driver();
        this.shape = shape;
        members = streams.size();
        batch = settings.batch();
        adam = settings.adam();
        int layers = shape.layers();
        weights = new int[layers];
        int end = 0;
        for (int layer = 0; layer < layers; layer++) {
            weights[layer] = end;
            end += (shape.in(layer) + 1) * pitch(shape.out(layer));
        }
        thetaStride = end;
        int[] sums = new int[layers];
        int[] slopes = new int[layers];
        end = batch * pitch(shape.inputs());
        for (int[] places : List.of(sums, slopes)) {
            for (int layer = 0; layer < layers; layer++) {
                places[layer] = end;
                end += batch * pitch(shape.out(layer));
            }
        }
        int target = end;
        end += batch * rows.wide();
        int ends = end;
        end += batch;
        int workStride = pitch(end);
        orderStride = rows.count();
        gpu.bind();
        long needed = Float.BYTES
                        * ((3L * thetaStride + workStride + rows.count()) * members
                                + (long) rows.count() * (rows.width() + rows.wide() + (rows.ends() ? 1 : 0)))
                + (long) Double.BYTES * members * (batch + 1);
        BadInput.when(
                needed > driver.memory()[0],
                "the world model needs %.1f GiB of the GPU's memory, of which %.1f GiB are free"
                        .formatted(needed / 0x1p30, driver.memory()[0] / 0x1p30),
                "Use a shorter log, or learn on the processor.");
        try {
            owned.add(arena);
            stream = driver.createStream();
            owned.add(() -> driver.destroyStream(stream));
            theta = memory((long) members * thetaStride * Float.BYTES);
            first = memory((long) members * thetaStride * Float.BYTES);
            second = memory((long) members * thetaStride * Float.BYTES);
            DeviceMemory work = memory((long) members * workStride * Float.BYTES);
            DeviceMemory rowLoss = memory((long) members * batch * Double.BYTES);
            losses = memory((long) members * Double.BYTES);
            order = memory((long) members * rows.count() * Integer.BYTES);
            DeviceMemory inputs = filled(rows.inputs());
            DeviceMemory targets = filled(rows.targets());
            long ended = rows.ends() ? filled(asFloats(rows.ended())).pointer() : 0;
            long module = gpu.load("ensemble.cu");
            owned.add(() -> driver.unloadModule(module));
            takeRows = driver.function(module, "takeRows");
            layerForward = driver.function(module, "layerForward");
            likelihood = driver.function(module, "likelihood");
            layerBackward = driver.function(module, "layerBackward");
            layerStep = driver.function(module, "layerStep");
            addLosses = driver.function(module, "addLosses");
            owned.add(() -> driver.synchronize(stream)); // the first thing that close does
            struct = arena.allocate(STRUCT_BYTES, 16);
            ByteBuffer out = struct.asByteBuffer().order(ByteOrder.nativeOrder());
            for (DeviceMemory each : List.of(theta, first, second, work, rowLoss, losses, inputs, targets)) {
                out.putLong(each.pointer());
            }
            out.putLong(ended).putLong(order.pointer());
            out.putInt(thetaStride).putInt(workStride).putInt(orderStride);
            out.putInt(batch)
                    .putInt(rows.wide())
                    .putInt(layers)
                    .putInt(0)
                    .putInt(target)
                    .putInt(ends);
            int[] sizes = new int[layers + 1];
            Arrays.setAll(sizes, layer -> layer == 0 ? shape.inputs() : shape.out(layer - 1));
            integers(out, sizes, MOST_LAYERS + 1);
            integers(out, weights, MOST_LAYERS);
            integers(out, sums, MOST_LAYERS);
            integers(out, slopes, MOST_LAYERS);
            out.putFloat((float) Gaussian.MOST).putFloat((float) Gaussian.LEAST);
            out.putFloat(adam.keep());
            for (int m = 0; m < members; m++) {
                put(theta, m, shape.initial(streams.get(m)));
            }
        } catch (RuntimeException | Error e) {
            try {
                close();
            } catch (RuntimeException also) {
                e.addSuppressed(also);
            }
            throw e;
        }
    }

    private static void integers(ByteBuffer out, int[] values, int room) {
        for (int value : Arrays.copyOf(values, room)) {
            out.putInt(value);
        }
    }

    /** Columns of a matrix with this many in use, so that its rows begin at multiples of sixteen bytes. */
    private static int pitch(int size) {
        return (size + 3) / 4 * 4;
    }

    private DeviceMemory memory(long bytes) {
        DeviceMemory memory = new DeviceMemory(gpu, stream, bytes);
        owned.add(memory);
        return memory;
    }

    private DeviceMemory filled(float[] values) {
        DeviceMemory memory = memory((long) values.length * Float.BYTES);
        for (int from = 0; from < values.length; from += ROWS_AT_ONCE) {
            memory.put(from, Arrays.copyOfRange(values, from, Math.min(values.length, from + ROWS_AT_ONCE)));
        }
        return memory;
    }

    private static float[] asFloats(boolean[] flags) {
        float[] values = new float[flags.length];
        for (int i = 0; i < flags.length; i++) {
            values[i] = flags[i] ? 1 : 0;
        }
        return values;
    }

    @Override
    public double[] pass(int[][] orders) {
        gpu.bind();
        int batches = orders[0].length / batch;
        begin(orders);
        double share = 1.0 / batch / batches;
        for (int b = 0; b < batches; b++) {
            steps++;
            float rate = adam.rate(steps, 1);
            float root = adam.rootCorrection(steps);
            try (Arena launch = Arena.ofConfined()) {
                predict(launch, b * batch, batch, true, share);
                for (int layer = shape.layers() - 1; layer > 0; layer--) {
                    launch(launch, layerBackward, tiles(batch, shape.in(layer)), 256, integer(launch, layer, batch));
                }
                for (int layer = 0; layer < shape.layers(); layer++) {
                    int pieces = tiles(shape.in(layer), shape.out(layer)) + Math.ceilDiv(shape.out(layer), 32);
                    MemorySegment[] arguments = {
                        launch.allocateFrom(JAVA_INT, layer),
                        launch.allocateFrom(JAVA_INT, batch),
                        launch.allocateFrom(JAVA_FLOAT, rate),
                        launch.allocateFrom(JAVA_FLOAT, root)
                    };
                    launch(launch, layerStep, pieces, 256, arguments);
                }
            }
        }
        double[] found = losses.doubles(0, members);
        for (double loss : found) {
            if (!Double.isFinite(loss)) {
                throw new DivergenceFailure(steps, "loss of the world model", loss);
            }
        }
        return found;
    }

    @Override
    public double[] losses(int[] rows) {
        gpu.bind();
        int[][] same = new int[members][];
        Arrays.fill(same, rows);
        begin(same);
        for (int from = 0; from < rows.length; from += batch) {
            try (Arena launch = Arena.ofConfined()) {
                predict(launch, from, Math.min(batch, rows.length - from), false, 1.0 / rows.length);
            }
        }
        return losses.doubles(0, members);
    }

    /** Sums begin at zero, over rows in these orders. */
    private void begin(int[][] orders) {
        for (int m = 0; m < members; m++) {
            order.put((long) m * orderStride, orders[m]);
        }
        losses.put(0, new double[members]);
    }

    private void predict(Arena launch, int from, int rows, boolean learning, double share) {
        launch(launch, takeRows, rows, 128, integer(launch, from));
        for (int layer = 0; layer < shape.layers(); layer++) {
            launch(launch, layerForward, tiles(rows, shape.out(layer)), 256, integer(launch, layer, rows));
        }
        launch(launch, likelihood, rows, 64, integer(launch, rows, learning ? 1 : 0));
        launch(launch, addLosses, 1, 256, launch.allocateFrom(JAVA_INT, rows), launch.allocateFrom(JAVA_DOUBLE, share));
    }

    private static int tiles(int rows, int columns) {
        return Math.ceilDiv(rows, TILE) * Math.ceilDiv(columns, TILE);
    }

    private static MemorySegment[] integer(Arena launch, int... values) {
        return Arrays.stream(values)
                .mapToObj(value -> launch.allocateFrom(JAVA_INT, value))
                .toArray(MemorySegment[]::new);
    }

    private void launch(Arena launch, long kernel, int blocks, int threads, MemorySegment... more) {
        MemorySegment arguments = launch.allocate(ADDRESS, 1L + more.length);
        arguments.setAtIndex(ADDRESS, 0, struct);
        for (int i = 0; i < more.length; i++) {
            arguments.setAtIndex(ADDRESS, 1L + i, more[i]);
        }
        driver.launch(kernel, blocks, members, threads, arguments, stream);
    }

    @Override
    public float[] parameters(int member) {
        gpu.bind();
        return get(theta, member);
    }

    @Override
    public void save(int member, String prefix, Tensors into) {
        gpu.bind();
        new Network(shape, get(theta, member)).save(prefix, into);
        into.put(prefix + ".adam.first", get(first, member));
        into.put(prefix + ".adam.second", get(second, member));
        into.put(prefix + ".adam.steps", steps);
    }

    @Override
    public void restore(int member, String prefix, Tensors from) {
        gpu.bind();
        Network network = new Network(shape, new float[shape.parameters()]);
        network.restore(prefix, from);
        put(theta, member, network.parameters());
        float[] moments = new float[shape.parameters()];
        from.into(prefix + ".adam.first", moments);
        put(first, member, moments);
        from.into(prefix + ".adam.second", moments);
        put(second, member, moments);
        steps = from.longs(prefix + ".adam.steps")[0];
    }

    /** Writes what belongs to a member's parameters, rows of each layer padded. */
    private void put(DeviceMemory memory, int member, float[] values) {
        float[] padded = new float[thetaStride];
        copy(values, padded, true);
        memory.put((long) member * thetaStride, padded);
    }

    private float[] get(DeviceMemory memory, int member) {
        float[] values = new float[shape.parameters()];
        copy(values, memory.floats((long) member * thetaStride, thetaStride), false);
        return values;
    }

    /** Weights and then biases of each layer, which follow each other in either form. */
    private void copy(float[] plain, float[] padded, boolean pad) {
        for (int layer = 0; layer < shape.layers(); layer++) {
            int out = shape.out(layer);
            for (int row = 0; row <= shape.in(layer); row++) {
                int at = shape.weights(layer) + row * out;
                int to = weights[layer] + row * pitch(out);
                if (pad) {
                    System.arraycopy(plain, at, padded, to, out);
                } else {
                    System.arraycopy(padded, to, plain, at, out);
                }
            }
        }
    }

    @Override
    public void close() {
        gpu.bind();
        owned.close();
    }
}

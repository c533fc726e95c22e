package dev.revealed.cuda;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Memory of the device, zero at first. Copies to and from arrays wait until they are done; they are for rare use. */
final class DeviceMemory implements AutoCloseable {
    private final Gpu gpu;
    private final long stream;
    private final long pointer;
    private final long bytes;

    DeviceMemory(Gpu gpu, long stream, long bytes) {
        this.gpu = gpu;
        this.stream = stream;
        this.bytes = bytes;
        pointer = gpu.driver().alloc(bytes);
        try {
            gpu.driver().zero(pointer, bytes, stream);
        } catch (CudaFailure e) {
            gpu.driver().free(pointer);
            throw e;
        }
    }

    long pointer() {
        return pointer;
    }

    /** Writes values from the {@code at}-th on. */
    void put(long at, float... values) {
        copy(JAVA_FLOAT, at, values.length, MemorySegment.ofArray(values), true);
    }

    void put(long at, double... values) {
        copy(JAVA_DOUBLE, at, values.length, MemorySegment.ofArray(values), true);
    }

    void put(long at, long... values) {
        copy(JAVA_LONG, at, values.length, MemorySegment.ofArray(values), true);
    }

    void put(long at, int... values) {
        copy(JAVA_INT, at, values.length, MemorySegment.ofArray(values), true);
    }

    float[] floats(long at, int count) {
        float[] values = new float[count];
        copy(JAVA_FLOAT, at, count, MemorySegment.ofArray(values), false);
        return values;
    }

    double[] doubles(long at, int count) {
        double[] values = new double[count];
        copy(JAVA_DOUBLE, at, count, MemorySegment.ofArray(values), false);
        return values;
    }

    long[] longs(long at, int count) {
        long[] values = new long[count];
        copy(JAVA_LONG, at, count, MemorySegment.ofArray(values), false);
        return values;
    }

    private void copy(ValueLayout type, long at, long count, MemorySegment values, boolean toDevice) {
        long from = at * type.byteSize();
        long length = count * type.byteSize();
        if (at < 0 || from + length > bytes) {
            throw new IndexOutOfBoundsException("bytes %d to %d of %d".formatted(from, from + length, bytes));
        }
        if (length == 0) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment host = arena.allocate(length, 16);
            if (toDevice) {
                host.copyFrom(values);
                gpu.driver().toDevice(pointer + from, host, length, stream);
                gpu.driver().synchronize(stream);
            } else {
                gpu.driver().toHost(host, pointer + from, length, stream);
                gpu.driver().synchronize(stream);
                values.copyFrom(host);
            }
        }
    }

    @Override
    public void close() {
        gpu.driver().free(pointer);
    }
}

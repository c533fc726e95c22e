package dev.revealed.cuda;

import dev.revealed.neural.Replay;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The replays of all runs in the device's memory, written and read as {@link Replay} does. */
final class DeviceReplay {
    private static final int ROWS_PER_COPY = 4096;

    private final Layout layout;
    private final DeviceMemory memory;
    private final int width;

    DeviceReplay(Layout layout, DeviceMemory memory) {
        this.layout = layout;
        this.memory = memory;
        width = 2 * layout.observations + layout.actions + 2;
    }

    void write(int run, long from, long to, OutputStream out) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(width * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (long row = from; row < to; ) {
            int count = together(row, to);
            float[] rows = memory.floats(place(run, row), count * layout.rowPitch);
            for (int i = 0; i < count; i++) {
                bytes.asFloatBuffer().put(rows, i * layout.rowPitch, width);
                out.write(bytes.array());
            }
            row += count;
        }
    }

    void read(int run, long from, long to, InputStream in) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(width * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (long row = from; row < to; ) {
            int count = together(row, to);
            float[] rows = new float[count * layout.rowPitch];
            for (int i = 0; i < count; i++) {
                if (in.readNBytes(bytes.array(), 0, bytes.capacity()) < bytes.capacity()) {
                    throw new EOFException("the transitions end at row %d of %d to %d".formatted(row + i, from, to));
                }
                bytes.asFloatBuffer().get(rows, i * layout.rowPitch, width);
            }
            memory.put(place(run, row), rows);
            row += count;
        }
    }

    private long place(int run, long row) {
        return run * layout.replayStride() + row % layout.capacity * layout.rowPitch;
    }

    /** How many rows from this one on lie side by side. */
    private int together(long row, long to) {
        return (int) Math.min(Math.min(ROWS_PER_COPY, to - row), layout.capacity - row % layout.capacity);
    }
}

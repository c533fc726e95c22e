package dev.revealed.cuda;

import dev.revealed.neural.Batch;
import dev.revealed.neural.Replay;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The replays of all runs in the device's memory, written and read as {@link Replay} does. */
final class DeviceReplay {
    private static final int ROWS_PER_COPY = 4096;

    private final Layout layout;
    private final DeviceMemory memory;

    DeviceReplay(Layout layout, DeviceMemory memory) {
        this.layout = layout;
        this.memory = memory;
    }

    void write(int run, long from, long to, OutputStream out) throws IOException {
        for (long next = from; next < to; ) {
            int count = together(next, to);
            float[] rows = memory.floats(place(run, next), count * layout.rowPitch);
            for (int i = 0; i < count; i++) {
                layout.row.write(rows, i * layout.rowPitch, out);
            }
            next += count;
        }
    }

    void copy(int run, long from, long to, float[] into) {
        int width = layout.row.width();
        for (long next = from; next < to; ) {
            int count = together(next, to);
            float[] rows = memory.floats(place(run, next), count * layout.rowPitch);
            for (int i = 0; i < count; i++) {
                System.arraycopy(rows, i * layout.rowPitch, into, (int) (next - from + i) * width, width);
            }
            next += count;
        }
    }

    void read(int run, long from, long to, InputStream in) throws IOException {
        for (long next = from; next < to; ) {
            int count = together(next, to);
            float[] rows = new float[count * layout.rowPitch];
            for (int i = 0; i < count; i++) {
                layout.row.read(in, next + i, rows, i * layout.rowPitch);
            }
            memory.put(place(run, next), rows);
            next += count;
        }
    }

    /** Puts transitions of an expert behind all that the run remembers. */
    void putExpert(int run, Batch batch) {
        float[] rows = new float[batch.size() * layout.rowPitch];
        int states = layout.observations;
        int actions = layout.actions;
        for (int i = 0; i < batch.size(); i++) {
            int at = i * layout.rowPitch;
            System.arraycopy(batch.states(), i * states, rows, at, states);
            System.arraycopy(batch.actions(), i * actions, rows, at + states, actions);
            rows[at + layout.row.reward()] = batch.rewards()[i];
            rows[at + layout.row.live()] = batch.live()[i];
            System.arraycopy(batch.nextStates(), i * states, rows, at + layout.row.nextState(), states);
        }
        memory.put(run * layout.replayStride() + layout.capacity * layout.rowPitch, rows);
    }

    private long place(int run, long row) {
        return run * layout.replayStride() + row % layout.capacity * layout.rowPitch;
    }

    /** How many rows from this one on lie side by side. */
    private int together(long row, long to) {
        return (int) Math.min(Math.min(ROWS_PER_COPY, to - row), layout.capacity - row % layout.capacity);
    }
}

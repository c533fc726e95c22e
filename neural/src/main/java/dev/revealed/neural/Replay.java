package dev.revealed.neural;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The last transitions an agent made, oldest forgotten first. Rows lie one after the other in flat memory, which is taken
 * piece by piece as it fills: a short run of a large task stays small. Rows are numbered from 0 for all time, so that a
 * checkpoint can say which it has.
 */
public final class Replay {
    private static final int PIECE = 4096; // rows

    private final int observations;
    private final int actions;
    private final int width;
    private final long capacity;
    private final List<float[]> pieces = new ArrayList<>(); // rows come in order, so pieces do
    private long added;

    /** Room for {@code capacity} transitions. */
    public Replay(Simulator.Space space, int capacity) {
        if (capacity < 1) {
            throw new BadInput("a replay of %d transitions".formatted(capacity), "Keep at least one.");
        }
        this.observations = space.observations();
        this.actions = space.actions().size();
        this.width = 2 * observations + actions + 2;
        this.capacity = capacity;
    }

    /** How many transitions can be drawn. */
    public long size() {
        return Math.min(added, capacity);
    }

    /** How many transitions were ever added: the number of the next one. */
    public long added() {
        return added;
    }

    /** The number of the oldest transition that is still there. */
    public long oldest() {
        return added - size();
    }

    /** Bytes of memory it takes when full. */
    public long bytesWhenFull() {
        return 4L * width * capacity;
    }

    /** Adds a transition; the next state of one that did not terminate is worth what the learner thinks it is. */
    public void add(float[] state, float[] action, double reward, boolean terminated, float[] nextState) {
        float[] piece = piece(added);
        int at = place(added);
        System.arraycopy(state, 0, piece, at, observations);
        System.arraycopy(action, 0, piece, at + observations, actions);
        piece[at + observations + actions] = (float) reward;
        piece[at + observations + actions + 1] = terminated ? 0 : 1;
        System.arraycopy(nextState, 0, piece, at + observations + actions + 2, observations);
        added++;
    }

    /** Fills the batch with rows drawn uniformly, with replacement. */
    public void sample(RandomStream stream, Batch batch) {
        long first = oldest();
        long size = size();
        for (int i = 0; i < batch.size(); i++) {
            long row = first + stream.nextLong(size);
            float[] piece = piece(row);
            int at = place(row);
            System.arraycopy(piece, at, batch.states(), i * observations, observations);
            System.arraycopy(piece, at + observations, batch.actions(), i * actions, actions);
            batch.rewards()[i] = piece[at + observations + actions];
            batch.live()[i] = piece[at + observations + actions + 1];
            System.arraycopy(
                    piece, at + observations + actions + 2, batch.nextStates(), i * observations, observations);
        }
    }

    private float[] piece(long row) {
        int index = (int) (row % capacity / PIECE);
        while (index >= pieces.size()) {
            long rows = Math.min(PIECE, capacity - (long) PIECE * pieces.size());
            pieces.add(new float[(int) rows * width]);
        }
        return pieces.get(index);
    }

    private int place(long row) {
        return (int) (row % capacity % PIECE) * width;
    }

    /** Writes the rows {@code from} to {@code to}, which are all still there. */
    public void write(long from, long to, OutputStream out) throws IOException {
        if (from < oldest() || to > added) {
            throw new IllegalArgumentException("rows %d to %d of %d to %d".formatted(from, to, oldest(), added));
        }
        ByteBuffer row = ByteBuffer.allocate(4 * width).order(ByteOrder.LITTLE_ENDIAN);
        for (long i = from; i < to; i++) {
            row.asFloatBuffer().put(piece(i), place(i), width);
            out.write(row.array());
        }
    }

    /** Continues with the rows {@code from} to {@code to}, as they were written; blocks come in order. */
    public void read(long from, long to, InputStream in) throws IOException {
        if (size() > 0 && from != added) {
            throw new IllegalArgumentException("row %d after row %d".formatted(from, added));
        }
        ByteBuffer row = ByteBuffer.allocate(4 * width).order(ByteOrder.LITTLE_ENDIAN);
        for (long i = from; i < to; i++) {
            if (in.readNBytes(row.array(), 0, row.capacity()) < row.capacity()) {
                throw new EOFException("the transitions end at row %d of %d to %d".formatted(i, from, to));
            }
            row.asFloatBuffer().get(piece(i), place(i), width);
        }
        added = to;
    }
}

package dev.revealed.neural;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The last transitions an agent made, oldest forgotten first. Rows lie one after the other in flat memory, which is taken
 * piece by piece as it fills: a short run of a large task stays small. Rows are numbered from 0 for all time, so that a
 * checkpoint can say which it has.
 */
public final class Replay {
    private static final int PIECE = 4096; // rows

    private final TransitionLayout layout;
    private final int width;
    private final long capacity;
    private final List<float[]> pieces = new ArrayList<>(); // rows come in order, so pieces do
    private long added;

    /** Room for {@code capacity} transitions. */
    public Replay(Simulator.Space space, int capacity) {
        BadInput.when(capacity < 1, "a replay of %d transitions".formatted(capacity), "Keep at least one.");
        layout = TransitionLayout.of(space);
        width = layout.width();
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

    /** Adds a transition; the next state of one that did not terminate is worth what the learner thinks it is. */
    public void add(float[] state, float[] action, double reward, boolean terminated, float[] nextState) {
        float[] piece = piece(added);
        int at = place(added);
        System.arraycopy(state, 0, piece, at, layout.observations());
        System.arraycopy(action, 0, piece, at + layout.observations(), layout.actions());
        piece[at + layout.reward()] = (float) reward;
        piece[at + layout.live()] = terminated ? 0 : 1;
        System.arraycopy(nextState, 0, piece, at + layout.nextState(), layout.observations());
        added++;
    }

    /** Fills the batch with rows drawn uniformly, with replacement. */
    public void sample(RandomStream stream, Batch batch) {
        sample(stream, batch, batch.size());
    }

    /** The same for the first {@code count} rows of the batch. */
    void sample(RandomStream stream, Batch batch, int count) {
        long first = oldest();
        long size = size();
        for (int i = 0; i < count; i++) {
            long row = first + stream.nextLong(size);
            layout.unpack(piece(row), place(row), batch, i);
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

    private void check(long from, long to) {
        if (from < oldest() || to > added) {
            throw new IllegalArgumentException("rows %d to %d of %d to %d".formatted(from, to, oldest(), added));
        }
    }

    /** Copies the rows {@code from} to {@code to}, which are all still there. */
    void copy(long from, long to, float[] into) {
        check(from, to);
        for (long i = from; i < to; i++) {
            System.arraycopy(piece(i), place(i), into, (int) (i - from) * width, width);
        }
    }

    /** Writes the rows {@code from} to {@code to}, which are all still there. */
    public void write(long from, long to, OutputStream out) throws IOException {
        check(from, to);
        for (long i = from; i < to; i++) {
            layout.write(piece(i), place(i), out);
        }
    }

    /** Continues with the rows {@code from} to {@code to}, as they were written; blocks come in order. */
    public void read(long from, long to, InputStream in) throws IOException {
        if (size() > 0 && from != added) {
            throw new IllegalArgumentException("row %d after row %d".formatted(from, added));
        }
        for (long i = from; i < to; i++) {
            layout.read(in, i, piece(i), place(i));
        }
        added = to;
    }
}

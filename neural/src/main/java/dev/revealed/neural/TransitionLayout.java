package dev.revealed.neural;

import dev.revealed.mdp.Simulator;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * How a transition lies in memory and in files: a row of state, action, reward, live and next state, in single precision. Live
 * is 0 where the step terminated the episode, 1 elsewhere.
 *
 * @param observations how many numbers a state is
 * @param actions how many numbers an action is
 */
public record TransitionLayout(int observations, int actions) {

    public static TransitionLayout of(Simulator.Space space) {
        return new TransitionLayout(space.observations(), space.actions().size());
    }

    /** Numbers of a row. */
    public int width() {
        return nextState() + observations;
    }

    /** Where the reward stands in a row; states come first, then actions. */
    public int reward() {
        return observations + actions;
    }

    public int live() {
        return reward() + 1;
    }

    public int nextState() {
        return reward() + 2;
    }

    /** Bytes that so many rows take. */
    public long bytes(long rows) {
        return rows * width() * Float.BYTES;
    }

    /** Copies the row at {@code rows[at ...]} into row {@code i} of a batch. */
    void unpack(float[] rows, int at, Batch batch, int i) {
        System.arraycopy(rows, at, batch.states(), i * observations, observations);
        System.arraycopy(rows, at + observations, batch.actions(), i * actions, actions);
        batch.rewards()[i] = rows[at + reward()];
        batch.live()[i] = rows[at + live()];
        System.arraycopy(rows, at + nextState(), batch.nextStates(), i * observations, observations);
    }

    /** Writes the row at {@code rows[at ...]}, little-endian. */
    public void write(float[] rows, int at, OutputStream out) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(width() * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(rows, at, width());
        out.write(bytes.array());
    }

    /** Reads row {@code number} to {@code rows[at ...]}. */
    public void read(InputStream in, long number, float[] rows, int at) throws IOException {
        byte[] bytes = in.readNBytes(width() * Float.BYTES);
        if (bytes.length < width() * Float.BYTES) {
            throw new EOFException("the transitions end before row " + number);
        }
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(rows, at, width());
    }
}

package dev.revealed.imitate;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Training;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The last episodes of an agent in training, read off its replay: transitions lie there in the order they were made, and an
 * episode goes on as long as each begins where the one before ended.
 */
final class Recent {
    private final Simulator.Space space;
    private final int simulators;
    private final int states;
    private final int actions;
    private final int width;

    /** @param simulators that take turns in the replay */
    Recent(Simulator.Space space, int simulators) {
        this.space = space;
        this.simulators = simulators;
        states = space.observations();
        actions = space.actions().size();
        width = 2 * states + actions + 2;
    }

    /** The most steps that {@link #episodes} can look back on. */
    long most() {
        return Integer.MAX_VALUE / ((long) Float.BYTES * width) - 1 - (long) space.horizon() * simulators;
    }

    /** Episodes that ended within the last {@code steps} transitions, with all their steps; none where none ended. */
    List<Episode> episodes(Training training, long steps) {
        long to = training.remembered();
        long first = Math.max(training.oldest(), to - steps - (long) space.horizon() * simulators);
        first += Math.floorMod(-first, (long) simulators); // so that turns are told by the place
        int rows = (int) (to - first);
        float[] all = new float[rows * width];
        read(training, first, to).get(all);
        List<Episode> found = new ArrayList<>();
        for (int which = 0; which < simulators; which++) {
            find(all, rows, which, rows - steps, first == 0, found);
        }
        return found;
    }

    private FloatBuffer read(Training training, long from, long to) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream((int) (to - from) * width * Float.BYTES);
        try {
            training.writeRows(from, to, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ByteBuffer.wrap(bytes.toByteArray())
                .order(ByteOrder.LITTLE_ENDIAN)
                .asFloatBuffer();
    }

    /** Those of one simulator that end at or after row {@code since}. */
    private void find(float[] all, int rows, int which, long since, boolean begun, List<Episode> found) {
        int start = begun ? which : -1; // an episode that began before the first row is not whole
        int length = 0;
        for (int row = which; row < rows; row += simulators) {
            length++;
            boolean terminated = all[row * width + states + actions + 1] == 0;
            int next = row + simulators;
            boolean over = terminated || (next < rows && !continues(all, row, next)) || length == space.horizon();
            if (over) {
                if (start >= 0 && row >= since) {
                    found.add(episode(all, start, length, terminated));
                }
                start = next;
                length = 0;
            }
        }
    }

    private boolean continues(float[] all, int row, int next) {
        int after = row * width + states + actions + 2;
        return Arrays.equals(all, after, after + states, all, next * width, next * width + states);
    }

    private Episode episode(float[] all, int start, int length, boolean terminated) {
        float[] observations = new float[(length + 1) * states];
        float[] acts = new float[length * actions];
        for (int t = 0; t < length; t++) {
            int at = (start + t * simulators) * width;
            System.arraycopy(all, at, observations, t * states, states);
            System.arraycopy(all, at + states, acts, t * actions, actions);
            if (t == length - 1) {
                System.arraycopy(all, at + states + actions + 2, observations, length * states, states);
            }
        }
        return new Episode(length, observations, acts, null, terminated ? Ending.TERMINATED : Ending.TRUNCATED);
    }
}

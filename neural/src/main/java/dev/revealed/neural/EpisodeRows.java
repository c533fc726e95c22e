package dev.revealed.neural;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;

/**
 * Where an episode that ended lies in the replay. Rows of one environment are as far apart as there are environments, since
 * these take turns.
 *
 * @param last number of its last row
 * @param length steps
 * @param terminated whether its last step terminated it; otherwise it was truncated
 */
record EpisodeRows(long last, int length, boolean terminated) {

    /** Number of its first row, with rows so far apart. */
    long first(int apart) {
        return last - (length - 1L) * apart;
    }

    /** Its return by the task's own reward, from rows of the replay, of which {@code from} is the first. */
    double total(float[] rows, long from, int apart, TransitionLayout layout) {
        double sum = 0;
        for (int t = 0; t < length; t++) {
            long row = first(apart) + (long) t * apart - from;
            sum += rows[(int) row * layout.width() + layout.reward()];
        }
        return sum;
    }

    /** Reads the episode from rows of the replay, of which {@code from} is the first. */
    Episode read(float[] rows, long from, int apart, TransitionLayout layout) {
        int states = layout.observations();
        int actions = layout.actions();
        float[] observations = new float[(length + 1) * states];
        float[] taken = new float[length * actions];
        for (int t = 0; t < length; t++) {
            int at = (int) (first(apart) + (long) t * apart - from) * layout.width();
            System.arraycopy(rows, at, observations, t * states, states);
            System.arraycopy(rows, at + states, taken, t * actions, actions);
        }
        int end = (int) (last - from) * layout.width() + layout.nextState();
        System.arraycopy(rows, end, observations, length * states, states);
        return new Episode(length, observations, taken, null, terminated ? Ending.TERMINATED : Ending.TRUNCATED);
    }
}

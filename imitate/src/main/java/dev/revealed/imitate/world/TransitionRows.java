package dev.revealed.imitate.world;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.numeric.BadInput;
import java.util.List;
import java.util.Objects;

/**
 * The transitions of a log, row after row in flat arrays. Rewards are not among them.
 *
 * @param pairs rows of state and action
 * @param next rows of next states
 * @param ended whether the row terminated its episode
 * @param left rows that follow in the same episode
 * @param demonstrations how many of the last rows are demonstrations
 */
public record TransitionRows(
        int count,
        int observations,
        int actions,
        float[] pairs,
        float[] next,
        boolean[] ended,
        int[] left,
        int demonstrations) {

    /** All steps of a log, then those of demonstrations. */
    public static TransitionRows of(Episodes log, Episodes demonstrations) {
        return of(List.of(log, demonstrations), Math.toIntExact(demonstrations.steps()));
    }

    /** All steps of a log. */
    public static TransitionRows of(Episodes log) {
        return of(List.of(log), 0);
    }

    private static TransitionRows of(List<Episodes> logs, int demonstrations) {
        Episodes first = logs.getFirst();
        int wide = first.observationSize();
        int acts = first.actionSize();
        long rows = 0;
        for (Episodes log : logs) {
            BadInput.when(
                    !log.hasActions(),
                    "the log has no actions, and a world is learnt from states, actions and next states",
                    "Give a log with actions.");
            BadInput.when(
                    log.observationSize() != wide || log.actionSize() != acts,
                    "logs differ: observations of %d and %d numbers, actions of %d and %d"
                            .formatted(wide, log.observationSize(), acts, log.actionSize()),
                    "Give logs of one task.");
            rows += log.steps();
        }
        int count = Math.toIntExact(rows);
        float[] pairs = new float[Math.multiplyExact(count, wide + acts)];
        float[] next = new float[count * wide];
        boolean[] ended = new boolean[count];
        int[] left = new int[count];
        int row = 0;
        for (Episodes log : logs) {
            for (Episode one : log.all()) {
                float[] taken = Objects.requireNonNull(one.actions(), "checked before");
                for (int t = 0; t < one.length(); t++, row++) {
                    System.arraycopy(one.observations(), t * wide, pairs, row * (wide + acts), wide);
                    System.arraycopy(taken, t * acts, pairs, row * (wide + acts) + wide, acts);
                    System.arraycopy(one.observations(), (t + 1) * wide, next, row * wide, wide);
                    left[row] = one.length() - 1 - t;
                }
                ended[row - 1] = one.ending() == Ending.TERMINATED;
            }
        }
        return new TransitionRows(count, wide, acts, pairs, next, ended, left, demonstrations);
    }

    /** Numbers of state and action together. */
    public int width() {
        return observations + actions;
    }

    /** Writes the state of a row. */
    public void state(int row, float[] into, int at) {
        System.arraycopy(pairs, row * width(), into, at, observations);
    }

    /** A checksum, by which a changed log is noticed. */
    public long checksum() {
        long sum = 17;
        for (float[] part : new float[][] {pairs, next}) {
            for (float value : part) {
                sum = 31 * sum + Float.floatToIntBits(value);
            }
        }
        for (boolean end : ended) {
            sum = 31 * sum + (end ? 1 : 2);
        }
        return sum;
    }
}

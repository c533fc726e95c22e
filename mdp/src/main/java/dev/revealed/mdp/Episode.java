package dev.revealed.mdp;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Vec;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What was seen of one episode on a {@link Simulator}: observations o_0 ... o_T and, where they are known, actions a_0 ...
 * a_{T-1} and the task's own rewards. Rows follow each other in flat arrays; all numbers are finite.
 *
 * @param length number of steps T, at least one
 * @param observations T+1 rows
 * @param actions T rows, or null where only observations were recorded
 * @param rewards T numbers, for scoring only; or null where they are not known
 */
public record Episode(
        int length, float[] observations, float @Nullable [] actions, double @Nullable [] rewards, Ending ending) {

    /** What the last step was. */
    public enum Ending {
        /** The end for good: nothing is worth anything afterwards. */
        TERMINATED,
        /** Only the end of the recording. */
        TRUNCATED,
        UNKNOWN
    }

    // Written out, since the nullness of arrays in compact constructors does not reach the class file.
    public Episode(
            int length, float[] observations, float @Nullable [] actions, double @Nullable [] rewards, Ending ending) {
        if (length < 1) {
            throw new BadInput("there are no steps", "Give at least one.");
        }
        this.length = length;
        this.observations = rows("observations", observations, length + 1).clone();
        this.actions = actions == null ? null : rows("actions", actions, length).clone();
        this.rewards = rewards == null ? null : rewards.clone();
        this.ending = ending;
        if (rewards != null) {
            if (rewards.length != length) {
                throw new IllegalArgumentException("%d rewards for %d steps".formatted(rewards.length, length));
            }
            for (int t = 0; t < length; t++) {
                finite("rewards", t, 0, rewards[t]);
            }
        }
    }

    private static float[] rows(String name, float[] values, int rows) {
        int columns = values.length / rows;
        if (columns < 1 || columns * rows != values.length) {
            throw new IllegalArgumentException("%s: %d numbers in %d rows".formatted(name, values.length, rows));
        }
        for (int i = 0; i < values.length; i++) {
            finite(name, i / columns, i % columns, values[i]);
        }
        return values;
    }

    private static void finite(String name, int step, int column, double value) {
        if (!Double.isFinite(value)) {
            throw new BadInput(
                    "%s are %s at step %d, column %d".formatted(name, value, step, column),
                    "Give finite numbers; a trajectory that is shorter than the others needs its length.");
        }
    }

    public int observationSize() {
        return observations.length / (length + 1);
    }

    /** How many numbers an action is; 0 where there are none. */
    public int actionSize() {
        return actions == null ? 0 : actions.length / length;
    }

    /** The sum of the rewards; NaN where they are not known. */
    public double total() {
        return rewards == null ? Double.NaN : Vec.sum(rewards);
    }

    /** Sizes, ending and return; the numbers themselves would fill a page. */
    @Override
    public String toString() {
        return "Episode of %d steps, %s: observations of %d numbers, %s, %s"
                .formatted(
                        length,
                        ending.name().toLowerCase(Locale.ROOT),
                        observationSize(),
                        actions == null ? "no actions" : "actions of " + actionSize(),
                        rewards == null ? "no rewards" : "return " + total());
    }
}

package dev.revealed.mdp;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One observed path s_0, a_0, s_1, a_1, ..., s_T.
 *
 * @param states T+1 states; or only T, where actions are known and the final state was not recorded
 * @param actions T actions, or null where only states were observed
 */
public record Trajectory(int[] states, int @Nullable [] actions) {
    public Trajectory {
        states = states.clone();
        actions = actions == null ? null : actions.clone();
        int decisions = actions == null ? states.length - 1 : actions.length;
        if (decisions < 1 || (states.length != decisions && states.length != decisions + 1)) {
            throw new IllegalArgumentException("%d states do not fit %d decisions".formatted(states.length, decisions));
        }
    }

    /** A path of which only the states were seen, the last one included. */
    public static Trajectory ofStates(int[] states) {
        return new Trajectory(states, null);
    }

    /** What happened until one of some states was reached, that state included. */
    public Trajectory until(int[] ends) {
        int t = 0;
        while (t < length() && Arrays.binarySearch(ends, states[t]) < 0) {
            t++;
        }
        return t == length()
                ? this
                : new Trajectory(Arrays.copyOf(states, t + 1), actions == null ? null : Arrays.copyOf(actions, t));
    }

    /** Number of decisions T. */
    public int length() {
        return actions == null ? states.length - 1 : actions.length;
    }

    /** Whether s_T, where the last decision led, was recorded. */
    public boolean hasFinalState() {
        return states.length == length() + 1;
    }
}

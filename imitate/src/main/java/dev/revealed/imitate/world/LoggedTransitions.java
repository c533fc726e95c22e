package dev.revealed.imitate.world;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;

/**
 * A log instead of a simulator, for learners that need only transitions: a round is rows of the log, resampled, with
 * the actions that were taken in them. What the agent would do changes nothing. It has no whole episodes.
 */
public final class LoggedTransitions implements Simulator.Batched, Simulator.Recorded {
    private static final int ROUND = 1000;

    private final TransitionRows log;
    private final Space space;
    private final int[] drawn = new int[ROUND];

    public LoggedTransitions(TransitionRows log, Space space) {
        this.log = log;
        this.space = space;
    }

    @Override
    public Space space() {
        return space;
    }

    @Override
    public int rollouts() {
        return ROUND;
    }

    @Override
    public int length() {
        return 1;
    }

    @Override
    public void begin(RandomStream stream, float[] states) {
        for (int row = 0; row < ROUND; row++) {
            drawn[row] = stream.nextInt(log.count());
            log.state(drawn[row], states, row * log.observations());
        }
    }

    @Override
    public void step(
            int rows,
            float[] states,
            float[] actions,
            RandomStream stream,
            float[] next,
            double[] stored,
            boolean[] terminated) {
        int wide = log.observations();
        for (int row = 0; row < rows; row++) {
            int at = drawn[row];
            System.arraycopy(log.pairs(), at * log.width() + wide, actions, row * log.actions(), log.actions());
            System.arraycopy(log.next(), at * wide, next, row * wide, wide);
            stored[row] = 0; // rewards of a log are not read
            terminated[row] = log.ended()[at];
        }
    }
}

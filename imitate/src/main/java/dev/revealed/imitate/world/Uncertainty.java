package dev.revealed.imitate.world;

import java.util.Arrays;

/**
 * How much surer the log's typical pair of state and action is than this one: the penalty's measure divided by its median over
 * the log, less 1, between 0 and {@link #MOST}. It has no units. Half of the log costs nothing, so that the penalty does not
 * make every step cost something, which would reward terminating early.
 *
 * @param typical the median over the log
 */
public record Uncertainty(Penalty penalty, double typical) {
    /** More than this counts as this: a few rows must not decide what values are. */
    static final double MOST = 10;

    private static final int ROWS = 5000; // of the log, whose median is taken

    /** Of a world, relative to what it says of a log. */
    public static Uncertainty of(Penalty penalty, WorldModel world, TransitionRows log) {
        int n = Math.min(ROWS, log.count());
        int wide = log.observations();
        int acts = log.actions();
        float[] states = new float[n * wide];
        float[] actions = new float[n * acts];
        for (int i = 0; i < n; i++) {
            int row = (int) ((long) i * log.count() / n);
            log.state(row, states, i * wide);
            System.arraycopy(log.pairs(), row * log.width() + wide, actions, i * acts, acts);
        }
        float[][] said = world.worker(n).all(n, states, 0, actions, 0);
        int width = WorldModel.outputs(wide, world.learntEnds());
        double[] found = new double[n];
        Arrays.setAll(found, i -> penalty.of(said, i * width, wide));
        Arrays.sort(found);
        return new Uncertainty(penalty, found[n / 2]);
    }

    /** Of a row of what members said. */
    double of(float[][] said, int at, int wide) {
        return Math.clamp(penalty.of(said, at, wide) / typical - 1, 0, MOST);
    }
}

package dev.revealed.imitate.rivals;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.List;

/**
 * A walk on five places in a row, from the middle: an action a steps to the right with probability (1 + a) / 2, else to the
 * left; a step off the row stays. Places are observed as unit vectors, and visits follow from a policy by recursion.
 */
final class Walk implements Simulator {
    static final int PLACES = 5;
    static final int HORIZON = 20;
    static final Space SPACE = new Space("walk", PLACES, new Actions.Box(1, 1), HORIZON);

    private RandomStream random = RandomStream.of(0);
    private int place;
    private int steps;

    private static int moved(int place, boolean right) {
        return Math.clamp(place + (right ? 1 : -1), 0, PLACES - 1);
    }

    /** The share of steps at each place where every place has one action. */
    static double[] visits(float[] actions) {
        double[] shares = new double[PLACES];
        double[] now = new double[PLACES];
        now[PLACES / 2] = 1;
        for (int t = 0; t < HORIZON; t++) {
            double[] next = new double[PLACES];
            for (int s = 0; s < PLACES; s++) {
                shares[s] += now[s] / HORIZON;
                next[moved(s, true)] += now[s] * (1 + actions[s]) / 2;
                next[moved(s, false)] += now[s] * (1 - actions[s]) / 2;
            }
            now = next;
        }
        return shares;
    }

    /** The same, counted in episodes of equal length. */
    static double[] visits(List<Episode> episodes) {
        double[] shares = new double[PLACES];
        for (Episode one : episodes) {
            for (int row = 0; row < HORIZON * PLACES; row++) {
                shares[row % PLACES] += one.observations()[row] / (double) (HORIZON * episodes.size());
            }
        }
        return shares;
    }

    /** Episodes of an expert that takes one action at each place. */
    static Episodes expert(float[] actions, int count, RandomStream stream) {
        List<Episode> all = new ArrayList<>();
        Walk walk = new Walk();
        for (int i = 0; i < count; i++) {
            float[] observations = new float[PLACES * (HORIZON + 1)];
            float[] taken = new float[HORIZON];
            walk.reset(stream);
            walk.observe(observations, 0);
            for (int t = 0; t < HORIZON; t++) {
                taken[t] = actions[walk.place];
                walk.step(taken, t);
                walk.observe(observations, (t + 1) * PLACES);
            }
            all.add(new Episode(HORIZON, observations, taken, null, Ending.TRUNCATED));
        }
        return new Episodes(all);
    }

    @Override
    public Space space() {
        return SPACE;
    }

    @Override
    public void reset(RandomStream stream) {
        random = RandomStream.of(stream.nextLong());
        place = PLACES / 2;
        steps = 0;
    }

    @Override
    public void step(float[] actions, int offset) {
        place = moved(place, random.nextDouble() < (1 + actions[offset]) / 2);
        steps++;
    }

    @Override
    public void observe(float[] into, int offset) {
        for (int s = 0; s < PLACES; s++) {
            into[offset + s] = s == place ? 1 : 0;
        }
    }

    @Override
    public double reward() {
        return 0;
    }

    @Override
    public boolean terminated() {
        return false;
    }

    @Override
    public boolean truncated() {
        return steps >= HORIZON;
    }

    @Override
    public double[] state() {
        throw new UnsupportedOperationException("no checkpoints here");
    }

    @Override
    public void restore(double[] state) {
        throw new UnsupportedOperationException("no checkpoints here");
    }

    @Override
    public void close() {}
}

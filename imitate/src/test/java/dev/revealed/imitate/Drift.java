package dev.revealed.imitate;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;

/** A point on a line that the action pushes; it ends where it leaves [-1, 1], or after so many steps. */
public final class Drift implements Simulator {
    private final int horizon;
    private final double reward;
    private double x;
    private int steps;

    public Drift(int horizon) {
        this(horizon, 0);
    }

    /** @param reward of every step */
    public Drift(int horizon, double reward) {
        this.horizon = horizon;
        this.reward = reward;
    }

    @Override
    public Space space() {
        return new Space("drift", 1, new Actions.Box(1, 1), horizon);
    }

    @Override
    public void reset(RandomStream stream) {
        x = stream.nextDouble(-0.5, 0.5);
        steps = 0;
    }

    @Override
    public void step(float[] actions, int offset) {
        x += 0.2 * actions[offset];
        steps++;
    }

    @Override
    public void observe(float[] into, int offset) {
        into[offset] = (float) x;
    }

    @Override
    public double reward() {
        return reward;
    }

    @Override
    public boolean terminated() {
        return Math.abs(x) > 1;
    }

    @Override
    public boolean truncated() {
        return steps >= horizon;
    }

    @Override
    public double[] state() {
        return new double[] {x, steps};
    }

    @Override
    public void restore(double[] state) {
        x = state[0];
        steps = (int) state[1];
    }

    @Override
    public void close() {}
}

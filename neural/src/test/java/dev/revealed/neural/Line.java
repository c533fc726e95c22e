package dev.revealed.neural;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;

/**
 * A point on a line: the action moves it, it pays for being far from 0, and beyond 3 the episode ends.
 */
public final class Line implements Simulator {
    private final int horizon;
    private double x;
    private double reward;
    private int steps;

    public Line(int horizon) {
        this.horizon = horizon;
    }

    @Override
    public Space space() {
        return new Space("line", 2, new Actions.Box(1, 1), horizon);
    }

    @Override
    public void reset(RandomStream stream) {
        x = stream.nextDouble(-1, 1);
        reward = 0;
        steps = 0;
    }

    @Override
    public void step(float[] actions, int offset) {
        reward = -x * x - 0.1 * actions[offset] * actions[offset];
        x += Math.max(-1, Math.min(1, actions[offset]));
        steps++;
    }

    @Override
    public void observe(float[] into, int offset) {
        into[offset] = (float) x;
        into[offset + 1] = 1;
    }

    @Override
    public double reward() {
        return reward;
    }

    @Override
    public boolean terminated() {
        return Math.abs(x) > 3;
    }

    @Override
    public boolean truncated() {
        return steps >= horizon;
    }

    @Override
    public double[] state() {
        return new double[] {x, reward, steps};
    }

    @Override
    public void restore(double[] state) {
        x = state[0];
        reward = state[1];
        steps = (int) state[2];
    }

    @Override
    public void close() {}
}

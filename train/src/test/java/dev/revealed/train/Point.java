package dev.revealed.train;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;

/** A point that the action moves, and that should stay near 0. */
class Point implements Simulator {
    private double x;
    private int steps;

    @Override
    public Space space() {
        return new Space("point", 1, new Actions.Box(1, 1), 20);
    }

    @Override
    public void reset(RandomStream stream) {
        x = stream.nextDouble(-1, 1);
        steps = 0;
    }

    @Override
    public void step(float[] actions, int offset) {
        x += 0.1 * actions[offset];
        steps++;
    }

    @Override
    public void observe(float[] into, int offset) {
        into[offset] = (float) x;
    }

    @Override
    public double reward() {
        return -x * x;
    }

    @Override
    public boolean terminated() {
        return false;
    }

    @Override
    public boolean truncated() {
        return steps >= 20;
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

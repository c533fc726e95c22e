package dev.revealed.neural;

import dev.revealed.mdp.PushedPoint;

/**
 * A point on a line: the action moves it, it pays for being far from 0, and beyond 3 the episode ends.
 */
public final class Line extends PushedPoint {
    public Line(int horizon) {
        super(new Space("line", 2, new Actions.Box(1, 1), horizon), 1, 1);
    }

    @Override
    protected double pay(double from, double action, double to) {
        return -from * from - 0.1 * action * action;
    }

    @Override
    public void observe(float[] into, int offset) {
        super.observe(into, offset);
        into[offset + 1] = 1;
    }

    @Override
    public boolean terminated() {
        return Math.abs(x()) > 3;
    }
}

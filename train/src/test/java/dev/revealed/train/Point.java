package dev.revealed.train;

import dev.revealed.mdp.PushedPoint;

/** A point that the action moves, and that should stay near 0. */
class Point extends PushedPoint {
    Point() {
        super("point", 20, 1, 0.1);
    }

    @Override
    protected double pay(double from, double action, double to) {
        return -to * to;
    }

    /** One whose episode terminates where it comes too far. */
    static class Falling extends Point {
        @Override
        public boolean terminated() {
            return Math.abs((float) x()) > 1.2;
        }
    }
}

package dev.revealed.imitate;

import dev.revealed.mdp.PushedPoint;

/** A point on a line that the action pushes; it ends where it leaves [-1, 1], or after so many steps. */
public final class Drift extends PushedPoint {
    private final double reward;

    public Drift(int horizon) {
        this(horizon, 0);
    }

    /** @param reward of every step */
    public Drift(int horizon, double reward) {
        super("drift", horizon, 0.5, 0.2);
        this.reward = reward;
    }

    @Override
    protected double pay(double from, double action, double to) {
        return reward;
    }

    @Override
    public boolean terminated() {
        return Math.abs(x()) > 1;
    }
}

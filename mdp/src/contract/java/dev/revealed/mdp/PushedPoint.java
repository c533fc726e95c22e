package dev.revealed.mdp;

import dev.revealed.numeric.RandomStream;

/** A task for tests: a point on a line that actions of one number push. What it pays and where it ends is up to each kind. */
public abstract class PushedPoint implements Simulator {
    private final Space space;
    private final double start;
    private final double push;
    private double x;
    private double paid;
    private int steps;

    /** An observation of the point alone. */
    protected PushedPoint(String name, int horizon, double start, double push) {
        this(new Space(name, 1, new Actions.Box(1, 1), horizon), start, push);
    }

    /** @param start episodes begin up to so far from 0; {@code push} how far an action of 1 moves the point */
    protected PushedPoint(Space space, double start, double push) {
        this.space = space;
        this.start = start;
        this.push = push;
    }

    /** What a step pays. */
    protected abstract double pay(double from, double action, double to);

    protected final double x() {
        return x;
    }

    @Override
    public Space space() {
        return space;
    }

    @Override
    public void reset(RandomStream stream) {
        x = stream.nextDouble(-start, start);
        paid = 0;
        steps = 0;
    }

    @Override
    public void step(float[] actions, int offset) {
        double from = x;
        x += push * actions[offset];
        paid = pay(from, actions[offset], x);
        steps++;
    }

    @Override
    public void observe(float[] into, int offset) {
        into[offset] = (float) x;
    }

    @Override
    public final double reward() {
        return paid;
    }

    @Override
    public boolean terminated() {
        return false;
    }

    @Override
    public final boolean truncated() {
        return steps >= space.horizon();
    }

    @Override
    public final double[] state() {
        return new double[] {x, paid, steps};
    }

    @Override
    public final void restore(double[] state) {
        x = state[0];
        paid = state[1];
        steps = (int) state[2];
    }

    @Override
    public void close() {}
}

package dev.revealed.cuda;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;

/** Wants actions of half the number it shows. */
final class HalfOf implements Simulator {
    static final Space SPACE = new Space("half-of", 1, new Actions.Box(1, 1), 10);
    private RandomStream chance = RandomStream.of(0);
    private double shown;
    private double reward;
    private int steps;

    @Override
    public Space space() {
        return SPACE;
    }

    @Override
    public void reset(RandomStream stream) {
        chance = stream;
        steps = 0;
        shown = chance.nextDouble(-1, 1);
    }

    @Override
    public void step(float[] actions, int offset) {
        reward = -10 * Math.pow(actions[offset] - 0.5 * shown, 2);
        shown = chance.nextDouble(-1, 1);
        steps++;
    }

    @Override
    public void observe(float[] into, int offset) {
        into[offset] = (float) shown;
    }

    @Override
    public double reward() {
        return reward;
    }

    @Override
    public boolean terminated() {
        return steps == SPACE.horizon();
    }

    @Override
    public boolean truncated() {
        return false;
    }

    @Override
    public double[] state() {
        return new double[] {shown, reward, steps};
    }

    @Override
    public void restore(double[] state) {
        throw new UnsupportedOperationException("nobody restores this one");
    }

    @Override
    public void close() {}
}

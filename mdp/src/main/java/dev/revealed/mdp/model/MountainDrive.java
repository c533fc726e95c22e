package dev.revealed.mdp.model;

import dev.revealed.mdp.Simulator;
import dev.revealed.mdp.model.MountainCar.Point;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;

/**
 * The mountain car without a grid: position and velocity are numbers, seen as shares of their ranges between -1 and 1. A step
 * costs 1, and the goal is the end.
 */
public final class MountainDrive implements Simulator {
    private final int horizon;
    private Point at = new Point(0, 0);
    private int steps;

    /** @param horizon steps after which the car is called back */
    public MountainDrive(int horizon) {
        this.horizon = horizon;
    }

    @Override
    public Space space() {
        return new Space("mountain-car", 2, new Actions.Choices(MountainCar.ACTIONS), horizon);
    }

    /** At rest near the bottom. */
    @Override
    public void reset(RandomStream stream) {
        at = new Point(stream.nextDouble(MountainCar.START_LEFT, MountainCar.START_RIGHT), 0);
        steps = 0;
    }

    @Override
    public void step(float[] actions, int offset) {
        at = at.after(BadInput.index("choice", (long) actions[offset], MountainCar.ACTIONS));
        steps++;
    }

    @Override
    public void observe(float[] into, int offset) {
        double middle = (MountainCar.LEFT + MountainCar.GOAL) / 2;
        into[offset] = (float) ((at.position() - middle) / (MountainCar.GOAL - middle));
        into[offset + 1] = (float) (at.velocity() / MountainCar.FASTEST);
    }

    /** Where a car is that was seen so. */
    public static Point seen(float[] observations, int offset) {
        double middle = (MountainCar.LEFT + MountainCar.GOAL) / 2;
        return new Point(
                middle + observations[offset] * (MountainCar.GOAL - middle),
                observations[offset + 1] * MountainCar.FASTEST);
    }

    @Override
    public double reward() {
        return -1;
    }

    @Override
    public boolean terminated() {
        return at.atGoal();
    }

    @Override
    public boolean truncated() {
        return steps >= horizon;
    }

    @Override
    public double[] state() {
        return new double[] {at.position(), at.velocity(), steps};
    }

    @Override
    public void restore(double[] state) {
        at = new Point(state[0], state[1]);
        steps = (int) state[2];
    }

    @Override
    public void close() {}
}

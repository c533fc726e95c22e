package dev.revealed.mdp.model;

import dev.revealed.mdp.Dynamics;
import dev.revealed.mdp.Simulator;
import dev.revealed.mdp.model.MountainCar.Point;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;

/**
 * The mountain car without a grid: position and velocity are numbers, seen as shares of their ranges between -1 and 1. A step
 * costs 1, and the goal is the end.
 */
public final class MountainDrive implements Dynamics {
    private static final double MIDDLE = (MountainCar.LEFT + MountainCar.GOAL) / 2;

    private MountainDrive() {}

    /** @param horizon steps after which the car is called back */
    public static Simulator simulator(int horizon) {
        return new MountainDrive()
                .simulator("mountain-car", new Simulator.Actions.Choices(MountainCar.ACTIONS), horizon);
    }

    /** At rest near the bottom. */
    @Override
    public double[] start(RandomStream stream) {
        return new double[] {stream.nextDouble(MountainCar.START_LEFT, MountainCar.START_RIGHT), 0};
    }

    @Override
    public void step(double[] state, float[] action) {
        Point next = at(state).after(BadInput.index("choice", (long) action[0], MountainCar.ACTIONS));
        state[0] = next.position();
        state[1] = next.velocity();
    }

    private static Point at(double[] state) {
        return new Point(state[0], state[1]);
    }

    @Override
    public void observe(double[] state, float[] into, int offset) {
        into[offset] = (float) ((state[0] - MIDDLE) / (MountainCar.GOAL - MIDDLE));
        into[offset + 1] = (float) (state[1] / MountainCar.FASTEST);
    }

    /** Where a car is that was seen so. */
    public static Point seen(float[] observations, int offset) {
        return new Point(
                MIDDLE + observations[offset] * (MountainCar.GOAL - MIDDLE),
                observations[offset + 1] * MountainCar.FASTEST);
    }

    @Override
    public double reward(double[] state, float[] action) {
        return -1;
    }

    @Override
    public boolean ended(double[] state) {
        return at(state).atGoal();
    }
}

package dev.revealed.mdp;

import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;

/**
 * A simulator in its simplest form: a state, which is an array of numbers, the initial state of an episode, and the
 * step that an action causes. {@link #simulator} makes of it what learners take.
 */
public interface Dynamics {
    /** Where an episode begins: always as many numbers. */
    double[] start(RandomStream chance);

    /** One step: moves the state in place. */
    void step(double[] state, float[] action);

    /** How many numbers an observation is; unless told otherwise the state itself is seen. */
    default int observations() {
        return start(RandomStream.of(0)).length;
    }

    /** Writes what is seen of a state to {@code into[offset ...]}. */
    default void observe(double[] state, float[] into, int offset) {
        for (int i = 0; i < state.length; i++) {
            into[offset + i] = (float) state[i];
        }
    }

    /** Whether an episode ends for good in that state: a fall, say. */
    default boolean ended(double[] state) {
        return false;
    }

    /** The task's own reward of a step that led to that state, where it has one; nothing is imitated by it. */
    default double reward(double[] state, float[] action) {
        return 0;
    }

    /**
     * A simulator that moves so; make one for every thread.
     *
     * @param name lower-case
     * @param horizon steps after which an episode is cut off
     */
    default Simulator simulator(String name, Simulator.Actions actions, int horizon) {
        return new Simulated(this, new Simulator.Space(name, observations(), actions, horizon));
    }

    /** The state, and how many steps ago it began. */
    final class Simulated implements Simulator {
        private final Dynamics dynamics;
        private final Space space;
        private final float[] action;
        private double[] state;
        private int steps;
        private double reward;

        private Simulated(Dynamics dynamics, Space space) {
            this.dynamics = dynamics;
            this.space = space;
            action = new float[space.actions().size()];
            state = dynamics.start(RandomStream.of(0));
        }

        @Override
        public Space space() {
            return space;
        }

        @Override
        public void reset(RandomStream stream) {
            state = dynamics.start(stream);
            steps = 0;
            reward = 0;
        }

        @Override
        public void step(float[] actions, int offset) {
            System.arraycopy(actions, offset, action, 0, action.length);
            dynamics.step(state, action);
            reward = dynamics.reward(state, action);
            steps++;
        }

        @Override
        public void observe(float[] into, int offset) {
            dynamics.observe(state, into, offset);
        }

        @Override
        public double reward() {
            return reward;
        }

        @Override
        public boolean terminated() {
            return dynamics.ended(state);
        }

        @Override
        public boolean truncated() {
            return steps >= space.horizon();
        }

        @Override
        public double[] state() {
            return Vec.joined(state, new double[] {steps, reward});
        }

        @Override
        public void restore(double[] saved) {
            System.arraycopy(saved, 0, state, 0, state.length);
            steps = (int) saved[state.length];
            reward = saved[state.length + 1];
        }
    }
}

package dev.revealed.train;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;

/** A system that is known from recordings alone: it has sizes, and cannot be stepped. */
record RecordedSystem(Simulator.Space space) implements Simulator {
    @Override
    public void reset(RandomStream stream) {
        throw notHere();
    }

    @Override
    public void step(float[] actions, int offset) {
        throw notHere();
    }

    @Override
    public void observe(float[] into, int offset) {
        throw notHere();
    }

    @Override
    public double reward() {
        throw notHere();
    }

    @Override
    public boolean terminated() {
        throw notHere();
    }

    @Override
    public boolean truncated() {
        throw notHere();
    }

    @Override
    public double[] state() {
        throw notHere();
    }

    @Override
    public void restore(double[] state) {
        throw notHere();
    }

    private static UnsupportedOperationException notHere() {
        return new UnsupportedOperationException("a recorded system cannot be stepped");
    }
}

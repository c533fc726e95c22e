package dev.revealed.cuda;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;

/** Wants actions of half the number it shows. */
final class HalvingTask implements Simulator {
    static final Space SPACE = new Space("half-of", 1, new Actions.Box(1, 1), 10);
    private final double cost;
    private RandomStream random = RandomStream.of(0);
    private double shown;
    private double reward;
    private int steps;

    HalvingTask() {
        this(10);
    }

    /** @param cost of the squared distance from what it wants */
    HalvingTask(double cost) {
        this.cost = cost;
    }

    @Override
    public Space space() {
        return SPACE;
    }

    @Override
    public void reset(RandomStream stream) {
        random = stream;
        steps = 0;
        reward = 0;
        shown = random.nextDouble(-1, 1);
    }

    @Override
    public void step(float[] actions, int offset) {
        reward = -cost * Math.pow(actions[offset] - 0.5 * shown, 2);
        shown = random.nextDouble(-1, 1);
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
        long[] stream = random.checkpoint();
        double[] state = new double[3 + stream.length];
        state[0] = shown;
        state[1] = reward;
        state[2] = steps;
        for (int i = 0; i < stream.length; i++) {
            state[3 + i] = Double.longBitsToDouble(stream[i]);
        }
        return state;
    }

    @Override
    public void restore(double[] state) {
        shown = state[0];
        reward = state[1];
        steps = (int) state[2];
        long[] stream = new long[state.length - 3];
        for (int i = 0; i < stream.length; i++) {
            stream[i] = Double.doubleToRawLongBits(state[3 + i]);
        }
        random = RandomStream.resume(stream);
    }

    @Override
    public void close() {}
}

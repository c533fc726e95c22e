package dev.revealed.imitate.world;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A learnt world as a simulator: in rounds of short rollouts for training, and one episode at a time for whole trajectories. A
 * row's next state comes from an elite that is resampled for each step. It has no reward: transitions are stored with their
 * {@link Uncertainty}.
 */
final class WorldSimulator implements Simulator.Batched {
    private static final int CHUNK = 256; // rows that one thread predicts at a time

    /** Where rollouts begin. */
    @FunctionalInterface
    interface Starts {
        /** Draws a state. */
        void draw(RandomStream stream, float[] into, int at);
    }

    private final WorldModel world;
    private final Optional<Termination> rule;
    private final Starts starts;
    private final Uncertainty uncertainty;
    private final Space space;
    private final int rollouts;
    private final int length;
    private final List<WorldModel.Worker> workers = new ArrayList<>();
    private final float[] state;
    private final float[] next;
    private RandomStream random = RandomStream.of(0);
    private int steps;
    private boolean terminated;

    /**
     * @param rule by which episodes terminate; where there is none, as the world has learnt it
     * @param space whose horizon cuts episodes off
     */
    WorldSimulator(
            WorldModel world,
            Optional<Termination> rule,
            Starts starts,
            Uncertainty uncertainty,
            Space space,
            int rollouts,
            int length) {
        this.world = world;
        this.rule = rule;
        this.starts = starts;
        this.uncertainty = uncertainty;
        this.space = space;
        this.rollouts = rollouts;
        this.length = length;
        state = new float[world.observations()];
        next = new float[world.observations()];
        for (int i = 0; i < Math.ceilDiv(rollouts, CHUNK); i++) {
            workers.add(world.worker(Math.min(CHUNK, rollouts)));
        }
    }

    @Override
    public Space space() {
        return space;
    }

    @Override
    public Optional<Termination> termination() {
        return rule;
    }

    @Override
    public int rollouts() {
        return rollouts;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public void begin(RandomStream stream, float[] states) {
        for (int row = 0; row < rollouts; row++) {
            starts.draw(stream, states, row * world.observations());
        }
    }

    @Override
    public void step(
            int rows,
            float[] states,
            float[] actions,
            RandomStream stream,
            float[] then,
            double[] stored,
            boolean[] ended) {
        int wide = world.observations();
        int acts = world.actions();
        int width = WorldModel.outputs(wide, world.learntEnds());
        Parallel.tasks(Math.ceilDiv(rows, CHUNK), chunk -> {
            int from = chunk * CHUNK;
            int count = Math.min(CHUNK, rows - from);
            RandomStream own = stream.at(chunk);
            WorldModel.Worker worker = workers.get(chunk);
            float[][] said = worker.all(count, states, from * wide, actions, from * acts);
            for (int i = 0; i < count; i++) {
                int row = from + i;
                float[] elite = said[world.elites()[own.nextInt(world.elites().length)]];
                worker.draw(elite, i, states, row * wide, own, then, row * wide);
                ended[row] = ends(worker, elite, i, own, then, row * wide);
                stored[row] = uncertainty.of(said, i * width, wide);
            }
        });
    }

    private boolean ends(WorldModel.Worker worker, float[] said, int row, RandomStream stream, float[] then, int at) {
        return rule.isPresent() ? rule.get().at(then, at) : world.learntEnds() && worker.ends(said, row, stream);
    }

    @Override
    public void reset(RandomStream stream) {
        random = stream.named("world");
        starts.draw(random, state, 0);
        steps = 0;
        terminated = false;
    }

    @Override
    public void step(float[] actions, int offset) {
        WorldModel.Worker worker = workers.getFirst();
        int elite = world.elites()[random.nextInt(world.elites().length)];
        float[] said = worker.one(elite, 1, state, 0, actions, offset);
        worker.draw(said, 0, state, 0, random, next, 0);
        terminated = ends(worker, said, 0, random, next, 0);
        System.arraycopy(next, 0, state, 0, state.length);
        steps++;
    }

    @Override
    public void observe(float[] into, int offset) {
        System.arraycopy(state, 0, into, offset, state.length);
    }

    /** None is known. */
    @Override
    public double reward() {
        return 0;
    }

    @Override
    public boolean terminated() {
        return terminated;
    }

    @Override
    public boolean truncated() {
        return steps >= space.horizon();
    }

    @Override
    public double[] state() {
        long[] numbers = random.checkpoint();
        double[] all = new double[state.length + 2 + numbers.length];
        for (int i = 0; i < state.length; i++) {
            all[i] = state[i];
        }
        all[state.length] = steps;
        all[state.length + 1] = terminated ? 1 : 0;
        for (int i = 0; i < numbers.length; i++) {
            all[state.length + 2 + i] = Double.longBitsToDouble(numbers[i]);
        }
        return all;
    }

    @Override
    public void restore(double[] saved) {
        for (int i = 0; i < state.length; i++) {
            state[i] = (float) saved[i];
        }
        steps = (int) saved[state.length];
        terminated = saved[state.length + 1] != 0;
        long[] numbers = new long[saved.length - state.length - 2];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = Double.doubleToRawLongBits(saved[state.length + 2 + i]);
        }
        random = RandomStream.resume(numbers);
    }
}

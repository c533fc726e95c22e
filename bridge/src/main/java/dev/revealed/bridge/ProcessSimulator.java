package dev.revealed.bridge;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * A simulator in another world. Each episode has a seed of its own and is a function of it and of the actions, as long as
 * the environment is deterministic. So a state is either what the environment offers (its own numbers) or seed and actions
 * of the episode, by which it is played again.
 *
 * <p>A terminated episode that is stepped on stays where it is, without reward: environments need not support more.
 */
public final class ProcessSimulator implements Simulator {
    private static final int HEADER = 7;

    private final WorldMemory world;
    private final Consumer<String> caution;
    private boolean begun;
    private long seed;
    private int steps;
    private double reward;
    private boolean terminated;
    private boolean cut; // by the environment itself
    private boolean lost; // the episode could not be resumed, and ends with the next step
    private float[] seen = new float[0];
    private float[] given = new float[0]; // actions of the episode

    ProcessSimulator(WorldMemory world, Consumer<String> caution) {
        this.world = world;
        this.caution = caution;
    }

    @Override
    public Space space() {
        return world.hello().space();
    }

    /** What it said of itself: versions, by name. */
    public Map<String, String> about() {
        return world.hello().about();
    }

    /** Number of the process that it is in, by the operating system. */
    long process() {
        return world.process();
    }

    /** Whether its state can be saved as such; else an episode is resumed by playing it again. */
    public boolean offersState() {
        return world.hello().state() > 0;
    }

    @Override
    public void reset(RandomStream stream) {
        reset(stream.nextInt(Integer.MAX_VALUE));
    }

    private void reset(long to) {
        Space space = space();
        if (!begun) {
            seen = new float[space.observations()];
            given = new float[space.horizon() * space.actions().size()];
            begun = true;
        }
        seed = to;
        steps = 0;
        reward = 0;
        terminated = false;
        cut = false;
        lost = false;
        world.reset(to);
        look();
    }

    private void look() {
        world.observation(seen);
        for (int i = 0; i < seen.length; i++) {
            if (!Float.isFinite(seen[i])) {
                throw new BadInput(
                        "%s: observation %d is %s after step %d of the episode with seed %d"
                                .formatted(world.program().name(), i, seen[i], steps, seed),
                        "Mend the environment: observations are finite numbers.");
            }
        }
    }

    @Override
    public void step(float[] actions, int offset) {
        if (!begun) {
            reset(0);
        }
        int size = space().actions().size();
        steps++;
        if (terminated || lost) {
            reward = 0;
            return;
        }
        for (int i = 0; i < size; i++) {
            if (!Float.isFinite(actions[offset + i])) {
                throw new BadInput(
                        "action %d is %s in step %d of %s"
                                .formatted(
                                        i,
                                        actions[offset + i],
                                        steps,
                                        world.program().name()),
                        "The policy diverged: lower the learning rate.");
            }
        }
        int at = (steps - 1) * size;
        if (at + size <= given.length) {
            System.arraycopy(actions, offset, given, at, size);
        }
        world.step(actions, offset, size);
        look();
        reward = world.reward();
        terminated = world.terminated();
        cut = world.truncated();
        if (!Double.isFinite(reward)) {
            throw new BadInput(
                    "%s: the reward is %s in step %d of the episode with seed %d"
                            .formatted(world.program().name(), reward, steps, seed),
                    "Mend the environment: rewards are finite numbers.");
        }
    }

    @Override
    public void observe(float[] into, int offset) {
        System.arraycopy(seen, 0, into, offset, seen.length);
    }

    @Override
    public double reward() {
        return reward;
    }

    @Override
    public boolean terminated() {
        return terminated;
    }

    @Override
    public boolean truncated() {
        return cut || lost || (begun && steps >= space().horizon());
    }

    @Override
    public double[] state() {
        if (!begun) {
            reset(0);
        }
        int own = world.hello().state();
        double[] state = new double[HEADER + seen.length + (own > 0 ? own : given.length)];
        state[0] = seed;
        state[1] = steps;
        state[2] = reward;
        state[3] = terminated ? 1 : 0;
        state[4] = cut ? 1 : 0;
        state[5] = lost ? 1 : 0;
        state[6] = own;
        for (int i = 0; i < seen.length; i++) {
            state[HEADER + i] = seen[i];
        }
        int at = HEADER + seen.length;
        if (own > 0) {
            double[] numbers = new double[own];
            world.state(numbers);
            System.arraycopy(numbers, 0, state, at, own);
        } else {
            int taken = Math.min(given.length, steps * space().actions().size());
            for (int i = 0; i < taken; i++) {
                state[at + i] = given[i];
            }
        }
        return state;
    }

    @Override
    public void restore(double[] state) {
        int own = world.hello().state();
        int size = space().actions().size();
        int width = space().observations();
        int expected = HEADER + width + (own > 0 ? own : space().horizon() * size);
        BadInput.when(
                state.length != expected || state[6] != own,
                "a state of %d numbers for %s"
                        .formatted(state.length, world.program().name()),
                "It has %d: the environment or its arguments changed since.".formatted(expected));
        reset((long) state[0]);
        int wanted = (int) state[1];
        int at = HEADER + width;
        if (own > 0) {
            world.putState(state, at, own);
        } else {
            float[] action = new float[size];
            for (int t = 0; t < wanted && !terminated && !cut; t++) {
                for (int i = 0; i < size; i++) {
                    action[i] = (float) state[at + t * size + i];
                }
                step(action, 0);
            }
        }
        float[] then = new float[width];
        for (int i = 0; i < width; i++) {
            then[i] = (float) state[HEADER + i];
        }
        boolean same = own > 0 || (Arrays.equals(then, seen) && terminated == (state[3] != 0));
        steps = wanted;
        reward = state[2];
        terminated = state[3] != 0;
        cut = state[4] != 0;
        lost = state[5] != 0 || !same;
        System.arraycopy(then, 0, seen, 0, width);
        if (!same) {
            caution.accept(
                    "%s did not come to the same state with the same seed and actions, so the interrupted episode is cut off there and the next one begins"
                            .formatted(world.program().name()));
        }
    }

    /** The picture of the state it is in, by the environment's own {@code render}. */
    public Frame render() {
        if (!begun) {
            reset(0);
        }
        return world.render();
    }

    /**
     * A picture.
     *
     * @param rgb rows of red, green and blue
     * @param perSecond steps that make a second, where the environment says so
     */
    public record Frame(int width, int height, byte[] rgb, OptionalDouble perSecond) {}

    @Override
    public void close() {
        world.close();
    }
}

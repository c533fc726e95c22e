package dev.revealed.neural;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Elementary;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.Arrays;

/**
 * A squashed Gaussian policy: a = bound tanh(u), u normal with the mean and log standard deviation that a network gives for
 * the observation. Its parameters are those of the network it was made with: an actor that learns acts as it is now.
 */
public final class GaussianActor implements Actor {
    public static final double LOG_STD_MIN = -20;
    public static final double LOG_STD_MAX = 2;
    private static final double HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI);
    static final double LOG_2 = Math.log(2);
    private static final String PREFIX = "actor";

    private final Network network;
    private final float bound;
    private final int actions;
    private final Tape tape;

    /** @param network gives means, then log standard deviations, so it has two outputs for each number of an action */
    public GaussianActor(Network network, float bound) {
        this(network, bound, 1);
    }

    private GaussianActor(Network network, float bound, int rows) {
        this.network = network;
        this.bound = bound;
        actions = network.shape().outputs() / 2;
        tape = network.tape(rows);
    }

    /** An actor for a task, with weights as PyTorch draws them. */
    public static GaussianActor random(Simulator.Space space, int[] hidden, boolean layerNorm, RandomStream stream) {
        Mlp shape = Mlp.relu(
                        sizes(space.observations(), hidden, 2 * space.actions().size()))
                .withLayerNorm(layerNorm);
        float bound = space.actions() instanceof Simulator.Actions.Box box ? box.bound() : 1;
        return new GaussianActor(Network.random(shape, stream), bound);
    }

    /** Sizes of layers from the first to the last. */
    public static int[] sizes(int in, int[] hidden, int out) {
        int[] sizes = new int[hidden.length + 2];
        sizes[0] = in;
        System.arraycopy(hidden, 0, sizes, 1, hidden.length);
        sizes[hidden.length + 1] = out;
        return sizes;
    }

    public Network network() {
        return network;
    }

    public int observations() {
        return network.shape().inputs();
    }

    public int actions() {
        return actions;
    }

    public float bound() {
        return bound;
    }

    /**
     * The same policy for a robot whose motors come in another order.
     *
     * @param from for each number of the new actions its place among those of this policy
     */
    public GaussianActor reordered(int[] from) {
        BadInput.when(
                from.length != actions,
                "the order has %d entries for %d actions".formatted(from.length, actions),
                "Give the place of each.");
        Mlp shape = network.shape();
        int last = shape.layers() - 1;
        int columns = 2 * actions;
        Network other = network.copy();
        for (int at = shape.weights(last); at < shape.biases(last) + columns; at += columns) { // biases are a last row
            for (int j = 0; j < columns; j++) {
                other.parameters()[at + j] = network.parameters()[at + j / actions * actions + from[j % actions]];
            }
        }
        other.changed();
        return new GaussianActor(other, bound);
    }

    @Override
    public GaussianActor worker() {
        return worker(1);
    }

    /** A worker for up to {@code rows} observations at a time. */
    public GaussianActor worker(int rows) {
        return new GaussianActor(network, bound, rows);
    }

    @Override
    public GaussianActor snapshot() {
        return new GaussianActor(network.copy(), bound);
    }

    @Override
    public void act(float[] observations, int offset, RandomStream noise, float[] into, int to) {
        act(1, observations, offset, noise, into, to);
    }

    /** Draws actions for {@code rows} observations in a row, one normal number after the other. */
    public void act(int rows, float[] observations, int offset, RandomStream noise, float[] into, int to) {
        tape.forward(observations, offset, 0, rows);
        float[] out = tape.output();
        for (int row = 0; row < rows; row++) {
            for (int j = 0; j < actions; j++) {
                int at = row * 2 * actions + j;
                double u = out[at] + Elementary.exp(logStd(out[at + actions])) * (float) noise.nextGaussian();
                into[to + row * actions + j] = bound * Tape.tanh((float) u);
            }
        }
    }

    /**
     * Actions for {@code rows} observations with given normal numbers.
     *
     * @param logDensity becomes that of each action within its bounds, as a density over (-1, 1), which learners use
     */
    public void act(int rows, float[] observations, float[] noise, float[] into, double[] logDensity) {
        tape.forward(observations, 0, 0, rows);
        float[] out = tape.output();
        for (int row = 0; row < rows; row++) {
            logDensity[row] = 0;
            for (int j = 0; j < actions; j++) {
                int at = row * 2 * actions + j;
                double logStd = logStd(out[at + actions]);
                float z = noise[row * actions + j];
                double u = out[at] + Elementary.exp(logStd) * z;
                into[row * actions + j] = bound * Tape.tanh((float) u);
                logDensity[row] += logNormal(z, logStd) - logSlope(u);
            }
        }
    }

    /** The action at the mean. */
    @Override
    public void actDeterministic(float[] observations, int offset, float[] into, int to) {
        actDeterministic(1, observations, offset, into, to);
    }

    /** The same for {@code rows} observations in a row. */
    public void actDeterministic(int rows, float[] observations, int offset, float[] into, int to) {
        tape.forward(observations, offset, 0, rows);
        float[] out = tape.output();
        for (int row = 0; row < rows; row++) {
            for (int j = 0; j < actions; j++) {
                into[to + row * actions + j] = bound * Tape.tanh(out[row * 2 * actions + j]);
            }
        }
    }

    /**
     * Log density of an action, as a density over actions between -bound and bound. An action on the bound, where single
     * precision rounds the last ones to, counts as the one half a step inside.
     */
    public double logDensity(float[] observations, int offset, float[] action, int actionAt) {
        return logDensity(1, observations, offset, action, actionAt);
    }

    /** The sum over {@code rows} observations in a row, as many as this is a worker for at most. */
    public double logDensity(int rows, float[] observations, int offset, float[] action, int actionAt) {
        tape.forward(observations, offset, 0, rows);
        float[] out = tape.output();
        double sum = 0;
        for (int row = 0; row < rows; row++) {
            for (int j = 0; j < actions; j++) {
                int at = row * 2 * actions + j;
                double u = unsquashed(action[actionAt + row * actions + j]);
                double logStd = logStd(out[at + actions]);
                double z = (u - out[at]) * Math.exp(-logStd);
                sum += logNormal(z, logStd) - logSlope(u) - Math.log(bound);
            }
        }
        return sum;
    }

    private double unsquashed(float action) {
        double squashed = Math.clamp((double) action / bound, -1 + 0x1p-25, 1 - 0x1p-25);
        return 0.5 * (Math.log1p(squashed) - Math.log1p(-squashed));
    }

    /**
     * The sum of the log densities of {@code rows} given actions, as many as this is a worker for.
     *
     * @param leastLogStd lower bound of the log standard deviation: with deterministic actions it would fall without end, and
     *     gradients of the few actions that are missed would be unbounded
     * @param gradient becomes that of the sum, a number for each parameter of the network
     */
    public double logLikelihood(int rows, float[] observations, float[] given, double leastLogStd, float[] gradient) {
        tape.forward(observations, rows);
        float[] out = tape.output();
        float[] delta = tape.outputGradient();
        double sum = 0;
        for (int row = 0; row < rows; row++) {
            for (int j = 0; j < actions; j++) {
                int at = row * 2 * actions + j;
                double u = unsquashed(given[row * actions + j]);
                float raw = out[at + actions];
                double logStd = Math.max(leastLogStd, logStd(raw));
                double inverse = Elementary.exp(-logStd);
                double z = (u - out[at]) * inverse;
                sum += logNormal(z, logStd) - logSlope(u) - Math.log(bound);
                delta[at] = (float) (z * inverse);
                double wider = z * z - 1;
                boolean outward = raw <= leastLogStd ? wider < 0 : raw >= LOG_STD_MAX && wider > 0;
                delta[at + actions] = outward ? 0 : (float) wider; // beyond a bound the way back stays open
            }
        }
        tape.propagate(rows);
        tape.gradient(rows, gradient, false);
        return sum;
    }

    static double logStd(float raw) {
        return Math.clamp((double) raw, LOG_STD_MIN, LOG_STD_MAX);
    }

    /** Log density of mean + exp(logStd) z under the normal distribution it was drawn from. */
    static double logNormal(double z, double logStd) {
        return -0.5 * z * z - logStd - HALF_LOG_TWO_PI;
    }

    /** log(1 - tanh(u)^2), which stays exact where tanh rounds to 1. */
    static double logSlope(double u) {
        return 2 * (LOG_2 - Math.abs(u) - Elementary.log(1 + Elementary.exp(-2 * Math.abs(u))));
    }

    @Override
    public void save(Tensors into) {
        network.save(PREFIX, into);
        into.put(PREFIX + ".bound", new float[] {bound});
    }

    /** An actor with the sizes and parameters of the tensors; those of learning that diverged are refused. */
    public static GaussianActor load(Tensors from) {
        for (String name : from.names()) {
            if (name.startsWith(PREFIX + ".") && from.get(name) instanceof Tensors.Tensor.Floats tensor) {
                checkFinite(name, tensor.values());
            }
        }
        float[] bound = from.floats(PREFIX + ".bound");
        BadInput.when(
                bound.length != 1 || !(bound[0] > 0),
                "tensor '%s.bound' is %s, and actions need one positive bound"
                        .formatted(PREFIX, Arrays.toString(bound)),
                "The file is damaged, or was written by another program: use another one.");
        return new GaussianActor(Network.load(PREFIX, from), bound[0]);
    }

    private static void checkFinite(String name, float[] values) {
        for (int i = 0; i < values.length; i++) {
            if (!Float.isFinite(values[i])) {
                throw new BadInput(
                        "tensor '%s' holds %s at place %d".formatted(name, values[i], i),
                        "The file is damaged, or the learning that wrote it diverged: use another policy.");
            }
        }
    }

    /** Takes over parameters of an actor of the same sizes. */
    void restore(Tensors from) {
        network.restore(PREFIX, from);
    }
}

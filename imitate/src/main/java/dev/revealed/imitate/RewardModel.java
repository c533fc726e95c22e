package dev.revealed.imitate;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Mlp.Activation;
import dev.revealed.neural.Network;
import dev.revealed.neural.RewardNetwork;
import dev.revealed.neural.Tape;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.Arrays;
import java.util.List;

/**
 * The reward that is estimated: a perceptron of the state, or of state and action, each number less a shift and times a
 * scale. Learning moves {@link #learnt}; whoever evaluates it takes {@link #plain}, the same function of the numbers as they
 * are, into whose first layer shift and scale are folded.
 */
public final class RewardModel {
    /** By their numbers in a file. */
    private static final List<Activation> ACTIVATIONS = List.of(Activation.NONE, Activation.RELU, Activation.TANH);

    private static final int CHUNK = 1024; // rows at a time

    private final Network learnt;
    private final Network plain;
    private final float[] shift;
    private final float[] scale;
    private final RewardNetwork labels;

    private RewardModel(Network learnt, float[] shift, float[] scale, Simulator.Space space, double forEver) {
        this.learnt = learnt;
        this.shift = shift;
        this.scale = scale;
        plain = learnt.copy();
        labels = new RewardNetwork(plain, space, forEver);
        changed();
    }

    /**
     * Drawn at random.
     *
     * @param shape with as many inputs as the state has, or state and action together
     * @param forEver as for {@link RewardNetwork}
     * @param standard whose inputs come to mean 0 and deviation 1; none where inputs are taken as they are
     */
    public static RewardModel random(
            Mlp shape, Simulator.Space space, double forEver, Visits standard, RandomStream stream) {
        int inputs = shape.inputs();
        float[] shift = new float[inputs];
        float[] scale = new float[inputs];
        standard.standardise(shift, scale);
        return new RewardModel(Network.random(shape, stream), shift, scale, space, forEver);
    }

    /** What learning moves; {@link #changed} says that it did. */
    Network learnt() {
        return learnt;
    }

    /** The reward of numbers as they are. */
    public Network plain() {
        return plain;
    }

    /** Labels batches with it. */
    public RewardNetwork labels() {
        return labels;
    }

    public boolean stateOnly() {
        return labels.stateOnly();
    }

    /** Writes rows as {@link #learnt} wants them. */
    void standardise(float[] rows, int count) {
        standardise(rows, count, shift, scale);
    }

    /** Each number of each row less its shift, times its scale. */
    static void standardise(float[] rows, int count, float[] shift, float[] scale) {
        int inputs = shift.length;
        for (int row = 0; row < count; row++) {
            for (int i = 0; i < inputs; i++) {
                rows[row * inputs + i] = (rows[row * inputs + i] - shift[i]) * scale[i];
            }
        }
    }

    /** What it pays for each row. */
    float[] pay(Visits visits) {
        int width = visits.width();
        Tape tape = plain.tape(CHUNK);
        float[] rows = new float[CHUNK * width];
        float[] rewards = new float[visits.count()];
        for (int from = 0; from < rewards.length; from += CHUNK) {
            int n = Math.min(CHUNK, rewards.length - from);
            System.arraycopy(visits.inputs(), from * width, rows, 0, n * width);
            tape.forward(rows, n);
            System.arraycopy(tape.output(), 0, rewards, from, n);
        }
        return rewards;
    }

    /** Pays that much more for everything. */
    void raise(double constant) {
        int layer = learnt.shape().layers() - 1;
        learnt.parameters()[learnt.shape().biases(layer)] += (float) constant;
        changed();
    }

    void changed() {
        learnt.changed();
        learnt.fold(shift, scale, plain);
    }

    public void save(Tensors into) {
        Mlp shape = learnt.shape();
        long[] activations = new long[shape.layers()];
        Arrays.setAll(activations, layer -> ACTIVATIONS.indexOf(shape.activation(layer)));
        learnt.save("reward", into);
        into.put("reward.shift", shift);
        into.put("reward.scale", scale);
        into.put("reward.activations", activations);
        into.put("reward.clamp", new float[] {shape.clamp()});
    }

    public void restore(Tensors from) {
        learnt.restore("reward", from);
        from.into("reward.shift", shift);
        from.into("reward.scale", scale);
        changed();
    }

    /** A reward that was saved, for a task of these sizes. */
    public static RewardModel load(Tensors from, Simulator.Space space, double forEver) {
        long[] kinds = from.longs("reward.activations");
        int[] sizes = new int[kinds.length + 1];
        Activation[] activations = new Activation[kinds.length];
        for (int layer = 0; layer < kinds.length; layer++) {
            int[] shape = from.get("reward.weight" + layer).shape();
            sizes[layer] = shape[0];
            sizes[layer + 1] = shape[1];
            activations[layer] = ACTIVATIONS.get((int) kinds[layer]);
        }
        Mlp shape = Mlp.of(sizes, activations).withClamp(from.floats("reward.clamp")[0]);
        Network network = new Network(shape, new float[shape.parameters()]);
        RewardModel model = new RewardModel(network, new float[sizes[0]], new float[sizes[0]], space, forEver);
        model.restore(from);
        return model;
    }
}

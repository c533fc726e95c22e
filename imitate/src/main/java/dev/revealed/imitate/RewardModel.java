package dev.revealed.imitate;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Mlp.Activation;
import dev.revealed.neural.Mlp.Output;
import dev.revealed.neural.Network;
import dev.revealed.neural.RewardNetwork;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.settings.Setting;
import java.util.Arrays;
import java.util.List;

/**
 * The reward that is estimated: a perceptron of the state, or of state and action, with shifted and scaled inputs.
 * Learning changes {@link #learnt}; evaluation uses {@link #plain}, the same function of unscaled inputs, into whose
 * first layer shift and scale are folded.
 */
public final class RewardModel {
    /** How numbers come to the network. */
    public enum Inputs {
        /** As they are. */
        PLAIN,
        /** To the expert's mean 0 and deviation 1. */
        STANDARDISED,
        /** What varies by more than one to deviation 1, the rest in its units; see {@link #scale(Features, Features)}. */
        SCALED
    }

    /** What a reward is a function of. */
    public enum Of {
        STATE,
        STATE_ACTION
    }

    /** What the network looks like. */
    public record Settings(
            @Setting(name = "reward", label = "OF", about = "Inputs of the reward: state or state-action.")
            Of of,

            @Setting(
                    name = "reward-hidden",
                    about = "Widths of the reward's hidden layers.",
                    atLeast = 1,
                    atMost = Mlp.WIDEST,
                    example = "64,64")
            int[] hidden,

            @Setting(
                    name = "first-activation",
                    label = "WHAT",
                    about = "Activation after the reward's first layer: none, as in the reference code, relu or tanh.")
            Activation firstLayer,

            @Setting(name = "reward-clamp", about = "Bound of the absolute reward.", above = 0)
            float clamp,

            @Setting(
                    name = "reward-inputs",
                    label = "WHAT",
                    about = "plain: unchanged; standardised: by the expert's means and standard deviations; scaled: "
                            + "minus the mean, and divided by the standard deviation over expert and first agent where "
                            + "that is above 1.")
            Inputs inputs) {
        public Settings {
            hidden = hidden.clone();
            dev.revealed.settings.Settings.check(Settings.class, of, hidden, firstLayer, clamp, inputs);
        }

        public boolean stateOnly() {
            return of == Of.STATE;
        }

        /** What the network looks like for a task of these sizes. */
        public Mlp shape(Simulator.Space space) {
            int inputs =
                    space.observations() + (stateOnly() ? 0 : space.actions().size());
            Activation[] activations = new Activation[hidden.length + 1];
            Arrays.fill(activations, Activation.RELU);
            activations[0] = firstLayer;
            activations[hidden.length] = Activation.NONE;
            return Mlp.of(GaussianActor.sizes(inputs, hidden, 1), activations).withClamp(clamp);
        }
    }

    /** By their numbers in a file. */
    private static final List<Activation> ACTIVATIONS = List.of(Activation.NONE, Activation.RELU, Activation.TANH);

    private static final List<Output> OUTPUTS = List.of(Output.PLAIN, Output.SOFTPLUS, Output.LOG_SIGMOID);

    private static final String OUTPUT = "reward.output"; // in files; left out where it is plain

    private final Network learnt;
    private final Network plain;
    private final float[] shift;
    private final float[] scale;
    private final Simulator.Space space;
    private final double forEver;
    private final RewardNetwork labels;

    private RewardModel(
            Network learnt, Output output, float[] shift, float[] scale, Simulator.Space space, double forEver) {
        this.learnt = learnt;
        this.shift = shift;
        this.scale = scale;
        this.space = space;
        this.forEver = forEver;
        plain = new Network(
                learnt.shape().withOutput(output), learnt.parameters().clone());
        labels = new RewardNetwork(plain, space, forEver);
        changed();
    }

    /**
     * Drawn at random.
     *
     * @param shape with as many inputs as the state has, or state and action together; what it makes of its outputs is not
     *     learnt through
     * @param forEver as for {@link RewardNetwork}
     * @param standard whose inputs come to mean 0 and deviation 1; none where inputs are taken as they are
     */
    public static RewardModel random(
            Mlp shape, Simulator.Space space, double forEver, Visits standard, RandomStream stream) {
        int inputs = shape.inputs();
        float[] shift = new float[inputs];
        float[] scale = new float[inputs];
        standard.standardise(shift, scale);
        Network learnt = Network.random(shape.withOutput(Output.PLAIN), stream);
        return new RewardModel(learnt, shape.output(), shift, scale, space, forEver);
    }

    /** The same with other parameters. */
    public RewardModel with(float[] parameters) {
        Network other = new Network(learnt.shape(), parameters);
        return new RewardModel(other, plain.shape().output(), shift.clone(), scale.clone(), space, forEver);
    }

    /** What learning moves; {@link #changed} says that it did. */
    public Network learnt() {
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

    /**
     * From now on inputs are less the mean of expert and agent as they are now, and those that vary by more than one among
     * both have a deviation of 1. Small ones stay small: divided by the expert's own deviations, what it holds nearly still
     * would count for more than all it does, and an agent that falls would be a hundred of them away.
     */
    public void scale(Features expert, Features agent) {
        for (int i = 0; i < shift.length; i++) {
            double apart = (expert.means()[i] - agent.means()[i]) / 2;
            double one = expert.deviations()[i];
            double other = agent.deviations()[i];
            shift[i] = (float) (agent.means()[i] + apart);
            scale[i] = (float) (1 / Math.max(1, Math.sqrt((one * one + other * other) / 2 + apart * apart)));
        }
        changed();
    }

    /** Writes rows as {@link #learnt} wants them. */
    public void standardise(float[] rows, int count) {
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

    /** Adds a constant to the reward. */
    public void raise(double constant) {
        constant(constant() + (float) constant);
    }

    /** The constant in the reward: the bias of the last layer. */
    public float constant() {
        return learnt.parameters()[constantPlace()];
    }

    void constant(float value) {
        learnt.parameters()[constantPlace()] = value;
        changed();
    }

    private int constantPlace() {
        return learnt.shape().biases(learnt.shape().layers() - 1);
    }

    public void changed() {
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
        if (plain.shape().output() != Output.PLAIN) {
            into.put(OUTPUT, OUTPUTS.indexOf(plain.shape().output()));
        }
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
        Output output = from.has(OUTPUT) ? OUTPUTS.get((int) from.longs(OUTPUT)[0]) : Output.PLAIN;
        RewardModel model = new RewardModel(network, output, new float[sizes[0]], new float[sizes[0]], space, forEver);
        model.restore(from);
        return model;
    }
}

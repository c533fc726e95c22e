package dev.revealed.neural;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Elementary;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.Arrays;

/**
 * The soft-optimal policy of action values: choice a with probability proportional to exp(Q(s, a) / temperature), where Q is
 * the smallest of some networks. An action is the index of the choice.
 */
public final class SoftmaxActor implements Actor {
    private final Network[] networks;
    private final double temperature;
    private final int choices;
    private final Tape[] tapes;
    private final double[] values;
    private final double[] probabilities;

    /** @param networks all of one shape, an output for each choice */
    public SoftmaxActor(Network[] networks, double temperature) {
        this(networks, temperature, 1);
    }

    private SoftmaxActor(Network[] networks, double temperature, int rows) {
        this.networks = networks;
        this.temperature = temperature;
        choices = networks[0].shape().outputs();
        tapes = new Tape[networks.length];
        Arrays.setAll(tapes, k -> networks[k].tape(rows));
        values = new double[choices];
        probabilities = new double[choices];
    }

    /** One network at temperature 1 for a task, with weights as PyTorch draws them. */
    public static SoftmaxActor random(Simulator.Space space, int[] hidden, RandomStream stream) {
        if (!(space.actions() instanceof Simulator.Actions.Choices(int count))) {
            throw new IllegalArgumentException(space.name() + " has no finite set of actions");
        }
        Mlp shape = Mlp.relu(GaussianActor.sizes(space.observations(), hidden, count));
        return new SoftmaxActor(new Network[] {Network.random(shape, stream)}, 1);
    }

    /** The first of its networks. */
    public Network network() {
        return networks[0];
    }

    @Override
    public SoftmaxActor worker() {
        return worker(1);
    }

    /** A worker for up to {@code rows} observations at a time. */
    public SoftmaxActor worker(int rows) {
        return new SoftmaxActor(networks, temperature, rows);
    }

    @Override
    public SoftmaxActor snapshot() {
        Network[] copies = new Network[networks.length];
        Arrays.setAll(copies, k -> networks[k].copy());
        return new SoftmaxActor(copies, temperature);
    }

    /** Q of every choice for the observation at {@code observations[offset ...]}, valid until the next call. */
    public double[] values(float[] observations, int offset) {
        for (int k = 0; k < tapes.length; k++) {
            tapes[k].forward(observations, offset, 0, 1);
            for (int a = 0; a < choices; a++) {
                double q = tapes[k].output()[a];
                values[a] = k == 0 ? q : Math.min(values[a], q);
            }
        }
        return values;
    }

    /** Probability of every choice, valid until the next call. */
    public double[] probabilities(float[] observations, int offset) {
        double soft = softMaximum(values(observations, offset), temperature);
        for (int a = 0; a < choices; a++) {
            probabilities[a] = Elementary.exp((values[a] - soft) / temperature);
        }
        return probabilities;
    }

    /** temperature log sum exp(values / temperature). */
    public static double softMaximum(double[] values, double temperature) {
        double top = Double.NEGATIVE_INFINITY;
        for (double value : values) {
            top = Math.max(top, value);
        }
        double sum = 0;
        for (double value : values) {
            sum += Elementary.exp((value - top) / temperature);
        }
        return top + temperature * Elementary.log(sum);
    }

    @Override
    public void act(float[] observations, int offset, RandomStream noise, float[] actions, int to) {
        actions[to] = noise.nextIndex(probabilities(observations, offset), 0, choices);
    }

    @Override
    public void actDeterministic(float[] observations, int offset, float[] actions, int to) {
        double[] q = values(observations, offset);
        int best = 0;
        for (int a = 1; a < choices; a++) {
            best = q[a] > q[best] ? a : best;
        }
        actions[to] = best;
    }

    /** Log probability of a choice. */
    public double logProbability(float[] observations, int offset, int choice) {
        double[] q = values(observations, offset);
        return (q[choice] - softMaximum(q, temperature)) / temperature;
    }

    /** The sum over {@code rows} observations in a row of the log probabilities of given choices. */
    public double logProbability(int rows, float[] observations, int offset, float[] given, int givenAt) {
        int width = networks[0].shape().inputs();
        double sum = 0;
        for (int row = 0; row < rows; row++) {
            sum += logProbability(observations, offset + row * width, (int) given[givenAt + row]);
        }
        return sum;
    }

    /**
     * The sum of the log probabilities of {@code rows} given choices, as many as this is a worker for. It has one network.
     *
     * @param gradient becomes that of the sum, a number for each parameter of the network
     */
    public double logLikelihood(int rows, float[] observations, float[] given, float[] gradient) {
        if (networks.length != 1) {
            throw new IllegalStateException("the smallest of %d networks".formatted(networks.length));
        }
        Tape tape = tapes[0];
        tape.forward(observations, rows);
        float[] delta = tape.outputGradient();
        double sum = 0;
        for (int row = 0; row < rows; row++) {
            for (int a = 0; a < choices; a++) {
                values[a] = tape.output()[row * choices + a];
            }
            int taken = (int) given[row];
            double soft = softMaximum(values, temperature);
            sum += (values[taken] - soft) / temperature;
            for (int a = 0; a < choices; a++) {
                double probability = Elementary.exp((values[a] - soft) / temperature);
                delta[row * choices + a] = (float) (((a == taken ? 1 : 0) - probability) / temperature);
            }
        }
        tape.propagate(rows);
        tape.gradient(rows, gradient, false);
        return sum;
    }

    @Override
    public void save(Tensors into) {
        for (int k = 0; k < networks.length; k++) {
            networks[k].save("choices" + k, into);
        }
        into.put("choices.temperature", new double[] {temperature});
    }

    /** An actor with the sizes and parameters of the tensors. */
    public static SoftmaxActor load(Tensors from) {
        int count = 0;
        while (from.has("choices" + count + ".weight0")) {
            count++;
        }
        BadInput.when(
                count == 0, "there is no network 'choices0'", "Give the policy of a task with finitely many actions.");
        Network[] networks = new Network[count];
        Arrays.setAll(networks, k -> Network.load("choices" + k, from));
        return new SoftmaxActor(networks, from.doubles("choices.temperature")[0]);
    }
}

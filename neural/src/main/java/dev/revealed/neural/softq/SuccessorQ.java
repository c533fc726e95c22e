package dev.revealed.neural.softq;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Adam;
import dev.revealed.neural.Critic;
import dev.revealed.neural.DivergenceFailure;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Network;
import dev.revealed.neural.softq.Successors.Features;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;

/**
 * Soft Q-learning for finitely many choices and a reward that is linear in known features, at temperature 1, with the
 * gradient of Q learnt by a second network: one for the values that follow a choice, another for the features expected after it
 * ({@link Successors}). It needs a simulator that can be restored, to try every choice ({@link Branches}).
 *
 * <p>Choices depend on differences of Q alone. Networks therefore give the mean over choices and how far each is from it
 * apart, so that the noise of the one does not spoil the other; and the mean over states is taken off what they are to learn,
 * as in relative value iteration, and with it the error that would die out slowest. Processes must go on for ever, since
 * where some end a constant matters.
 */
public final class SuccessorQ {

    /**
     * @param hidden widths of the hidden layers, of both networks
     * @param polyak share of themselves that slow copies keep at an update; they bootstrap and act
     * @param stepsPerUpdate of the simulator
     * @param memory states to remember
     */
    public record Settings(
            int[] hidden,
            double learningRate,
            double discount,
            double polyak,
            int batch,
            int stepsPerUpdate,
            int memory) {
        public Settings {
            BadInput.discount(discount);
            BadInput.when(
                    batch < 1 || stepsPerUpdate < 1 || memory < 1,
                    "a batch of %d, %d steps per update, a memory of %d".formatted(batch, stepsPerUpdate, memory),
                    "Use at least one of each.");
            hidden = hidden.clone();
        }
    }

    private static final double CENTRE_PULL = 0.01;

    private final Settings settings;
    private final int observations;
    private final int choices;
    private final double[] theta;
    private final Branches branches;
    private final RandomStream rows;
    private final Successors next;
    private final Critic values;
    private final Critic gradients;
    private final SuccessorActor actor;
    private final float[] states;
    private final float[] nextStates;
    private final float[] inputs;
    private final float[] nextInputs;
    private final double[] valueTargets;
    private final double[] gradientTargets;
    private final double[] valueCentre = new double[1];
    private final double[] gradientCentre;
    private long updates;

    /**
     * Its streams are {@code networks}, {@code explore}, {@code reset} and {@code replay}.
     *
     * @param parameters how many features there are
     */
    public SuccessorQ(Simulator simulator, Features features, int parameters, Settings settings, RandomStream stream) {
        this.settings = settings;
        Simulator.Space space = simulator.space();
        observations = space.observations();
        choices = Successors.choices(space);
        theta = new double[parameters];
        branches = new Branches(simulator, settings.memory, stream);
        rows = stream.named("replay");
        next = new Successors(features, parameters, space, settings.discount);
        values = critic(1, stream.named("networks").named("values"));
        gradients = critic(parameters, stream.named("networks").named("gradients"));
        actor = new SuccessorActor(values.target(), gradients.target(), features, theta, space, settings.discount, 1);
        states = new float[settings.batch * observations];
        nextStates = new float[settings.batch * choices * observations];
        inputs = new float[settings.batch * next.inputs()];
        nextInputs = new float[settings.batch * choices * next.inputs()];
        valueTargets = new double[settings.batch * choices];
        gradientTargets = new double[settings.batch * choices * parameters];
        gradientCentre = new double[parameters];
    }

    private Critic critic(int width, RandomStream stream) {
        Mlp shape = Mlp.relu(GaussianActor.sizes(next.inputs(), settings.hidden, (1 + choices) * width));
        return Critic.of(
                Network.random(shape, stream),
                Adam.Settings.of(settings.learningRate),
                settings.batch,
                settings.batch * choices);
    }

    /** The reward from now on. */
    public void reward(double[] parameters) {
        System.arraycopy(parameters, 0, theta, 0, theta.length);
    }

    /** How it acts now, and after every update. */
    public SuccessorActor actor() {
        return actor;
    }

    public long updates() {
        return updates;
    }

    /** Steps of its life; the simulator made as many for each choice. */
    public long steps() {
        return branches.steps();
    }

    /** Lives on, without learning, by choices drawn from all there are. */
    public void wander(int steps) {
        for (int i = 0; i < steps; i++) {
            branches.step(actor, true);
        }
    }

    /**
     * Lives and learns for a number of updates.
     *
     * @param share of the learning rate
     */
    public void advance(int count, double share) {
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < settings.stepsPerUpdate; k++) {
                branches.step(actor, false);
            }
            update(share);
        }
    }

    private void update(double share) {
        int n = settings.batch;
        branches.sample(rows, n, states, nextStates);
        next.inputs(states, 0, n, theta, inputs);
        next.inputs(nextStates, 0, n * choices, theta, nextInputs);
        values.targetTape().forward(nextInputs, n * choices);
        gradients.targetTape().forward(nextInputs, n * choices);
        for (int row = 0; row < n * choices; row++) {
            next.lookAtValues(
                    nextStates, row * observations, theta, values.targetTape().output(), row);
            next.lookAtGradients(gradients.targetTape().output(), row);
            valueTargets[row] = next.soft();
            next.softGradient(gradientTargets, row * theta.length);
        }
        descend(values, valueTargets, valueCentre, share);
        descend(gradients, gradientTargets, gradientCentre, share);
        updates++;
    }

    /** One step of a network towards targets, a row for each state and choice with as many columns as the centre has. */
    private void descend(Critic critic, double[] targets, double[] centre, double share) {
        int n = settings.batch;
        int width = centre.length;
        critic.tape().forward(inputs, n);
        float[] out = critic.tape().output();
        float[] gradient = critic.tape().outputGradient();
        double squares = 0;
        for (int j = 0; j < width; j++) {
            double all = 0;
            for (int row = 0; row < n; row++) {
                int to = row * (1 + choices) * width + j;
                double mean = 0;
                for (int a = 0; a < choices; a++) {
                    mean += targets[(row * choices + a) * width + j] / choices;
                }
                all += mean / n;
                double error = out[to] - (mean - centre[j]);
                gradient[to] = (float) (2 * error / n);
                squares += error * error;
                for (int a = 0; a < choices; a++) {
                    double apart = targets[(row * choices + a) * width + j] - mean;
                    gradient[to + (1 + a) * width] = (float) (2 * (out[to + (1 + a) * width] - apart) / n);
                }
            }
            centre[j] += (updates == 0 ? 1 : CENTRE_PULL) * (all - centre[j]);
        }
        if (!Double.isFinite(squares)) {
            throw new DivergenceFailure(updates + 1, "loss", squares);
        }
        critic.improve(n, (float) (1 - settings.polyak), share);
    }
}

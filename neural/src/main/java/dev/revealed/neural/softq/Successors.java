package dev.revealed.neural.softq;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.SoftmaxActor;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Elementary;
import java.util.Arrays;

/**
 * Soft values of one state at a time, at temperature 1, under a reward theta' phi(s, a), with their gradient: dQ/dtheta is
 * what is expected of each feature from here on, discounted (successor features, Barreto et al. 2017), since
 *
 * <p>Q(s, a) = theta' phi(s, a) + discount E V(s'), dQ(s, a) = phi(s, a) + discount E sum_b pi(b|s') dQ(s', b).
 *
 * <p>Networks give what comes after the choice; the reward of the choice itself is known.
 */
public final class Successors {

    /** Writes phi(s, a) for the observation at {@code states[at ...]} to {@code into[to ...]}. */
    @FunctionalInterface
    public interface Features {
        void of(float[] states, int at, int choice, float[] into, int to);
    }

    private final Features features;
    private final int observations;
    private final int choices;
    private final int parameters;
    private final double discount;
    private final float[] phi;
    private final double[] gradients;
    private final double[] values;
    private final double[] probabilities;
    private double soft;

    Successors(Features features, int parameters, Simulator.Space space, double discount) {
        this.features = features;
        this.parameters = parameters;
        this.discount = discount;
        observations = space.observations();
        choices = choices(space);
        phi = new float[choices * parameters];
        gradients = new double[choices * parameters];
        values = new double[choices];
        probabilities = new double[choices];
    }

    static int choices(Simulator.Space space) {
        if (space.actions() instanceof Simulator.Actions.Choices finite) {
            return finite.count();
        }
        throw new BadInput(
                "the actions of the task '%s' are numbers".formatted(space.name()),
                "Successor features need finitely many; use Soft Actor-Critic.");
    }

    public int choices() {
        return choices;
    }

    /** How many numbers a network sees. */
    int inputs() {
        return observations + choices;
    }

    /**
     * Writes what a network sees of rows of states: the state, and the reward of each choice there. Values depend on a state
     * first of all through that, and a reward that moves is answered at once where it moves what is seen.
     */
    void inputs(float[] states, int at, int rows, double[] theta, float[] into) {
        for (int row = 0; row < rows; row++) {
            int from = at + row * observations;
            int to = row * inputs();
            System.arraycopy(states, from, into, to, observations);
            features(states, from);
            for (int a = 0; a < choices; a++) {
                into[to + observations + a] = (float) reward(a, theta);
            }
        }
    }

    private void features(float[] states, int at) {
        for (int a = 0; a < choices; a++) {
            features.of(states, at, a, phi, a * parameters);
        }
    }

    private double reward(int choice, double[] theta) {
        double sum = 0;
        for (int j = 0; j < parameters; j++) {
            sum += theta[j] * phi[choice * parameters + j];
        }
        return sum;
    }

    /**
     * Looks at the values of the state whose observation begins at {@code states[at]}.
     *
     * @param later what a network expects of the values that follow, row by row: their mean over choices, then how far each
     *     choice is from it
     */
    void lookAtValues(float[] states, int at, double[] theta, float[] later, int row) {
        features(states, at);
        int from = row * (1 + choices);
        for (int a = 0; a < choices; a++) {
            values[a] = reward(a, theta) + discount * (later[from] + later[from + 1 + a]);
        }
        soft = SoftmaxActor.softMaximum(values, 1);
        for (int a = 0; a < choices; a++) {
            probabilities[a] = Elementary.exp(values[a] - soft);
        }
    }

    /** Looks at the gradients of the same state; {@code later} is laid out likewise, with a number for each parameter. */
    void lookAtGradients(float[] later, int row) {
        int from = row * (1 + choices) * parameters;
        for (int a = 0; a < choices; a++) {
            for (int j = 0; j < parameters; j++) {
                int i = a * parameters + j;
                gradients[i] = phi[i] + discount * (later[from + j] + later[from + parameters + i]);
            }
        }
    }

    /** dQ(s, a)/dtheta_j, up to a constant that is the same for all states and choices. */
    public double gradient(int choice, int j) {
        return gradients[choice * parameters + j];
    }

    public double probability(int choice) {
        return probabilities[choice];
    }

    public double logProbability(int choice) {
        return values[choice] - soft;
    }

    double[] probabilities() {
        return probabilities;
    }

    /** V(s), up to a constant. */
    double soft() {
        return soft;
    }

    /** Writes dV(s)/dtheta, the mean of the gradients. */
    void softGradient(double[] into, int to) {
        Arrays.fill(into, to, to + parameters, 0);
        for (int a = 0; a < choices; a++) {
            for (int j = 0; j < parameters; j++) {
                into[to + j] += probabilities[a] * gradients[a * parameters + j];
            }
        }
    }
}

package dev.revealed.mdp.model;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A machine that wears out, under conditions that come and go. In each period it is kept, repaired (half its wear is gone)
 * or replaced (all of it); then it wears on by a random amount. What is left of the wear costs, repair and replacement cost,
 * and many continuous covariates (prices, seasons, orders) make both of them more or less attractive. The covariates follow
 * autoregressions with a common factor; no choice moves them.
 *
 * <p>With twenty covariates no grid is possible. But all of them forget at the same pace, so that their weighted sum is an
 * autoregression too, and index and wear are all that an agent with those weights needs to know: {@link MaintenanceTruth}
 * solves its problem on two dimensions. An estimator knows neither weights nor index.
 *
 * <p>An observation is the covariates, then the wear. Parameters are the costs of wear, repair and replacement, then the
 * weights of the covariates.
 *
 * @param covariates how many
 * @param horizon periods of an episode
 */
public record Maintenance(int covariates, int horizon) {
    public static final int KEEP = 0;
    public static final int REPAIR = 1;
    public static final int REPLACE = 2;
    public static final int CHOICES = 3;

    /** Share of itself that a covariate keeps from one period to the next. */
    static final double PERSISTENCE = 0.7;

    /** Correlation of any two covariates. */
    static final double COMMON = 0.3;

    /** The most a machine wears in a period, and at all. */
    static final double MOST_A_PERIOD = 0.4;

    static final double WORN_OUT = 4;
    private static final int COSTS = 3;

    public Maintenance {
        if (covariates < 1 || horizon < 1) {
            throw new BadInput(
                    "%d covariates over %d periods".formatted(covariates, horizon), "Give at least one of each.");
        }
    }

    public int parameters() {
        return COSTS + covariates;
    }

    public List<String> names() {
        Stream<String> weights = IntStream.rangeClosed(1, covariates).mapToObj(j -> "x" + j);
        return Stream.concat(Stream.of("wear", "repair", "replacement"), weights)
                .toList();
    }

    /** Costs 1, 2 and 3.5; weights from -0.4 to 0.4, a fifth of them zero. */
    public double[] example() {
        double[] theta = Arrays.copyOf(new double[] {1, 2, 3.5}, parameters());
        for (int j = 0; j < covariates; j++) {
            theta[COSTS + j] = 0.2 * (j % 5 - 2); // -0.4, -0.2, 0, 0.2, 0.4 and so on
        }
        return theta;
    }

    static double after(double wear, int choice) {
        return choice == KEEP ? wear : choice == REPAIR ? wear / 2 : 0;
    }

    /** phi(s, a) of the observation at {@code states[at ...]}: what each parameter is multiplied with. */
    public void features(float[] states, int at, int choice, float[] into, int to) {
        into[to] = (float) -after(states[at + covariates], choice);
        into[to + 1] = choice == REPAIR ? -1 : 0;
        into[to + 2] = choice == REPLACE ? -1 : 0;
        for (int j = 0; j < covariates; j++) {
            into[to + COSTS + j] = choice == KEEP ? 0 : states[at + j];
        }
    }

    /** The weighted sum of the covariates. */
    public double index(double[] theta, float[] states, int at) {
        double sum = 0;
        for (int j = 0; j < covariates; j++) {
            sum += theta[COSTS + j] * states[at + j];
        }
        return sum;
    }

    /** Variance of that sum in the long run. */
    public double indexVariance(double[] theta) {
        double squares = 0;
        double sum = 0;
        for (int j = COSTS; j < theta.length; j++) {
            squares += theta[j] * theta[j];
            sum += theta[j];
        }
        return (1 - COMMON) * squares + COMMON * sum * sum;
    }

    /** Its derivative by each parameter. */
    public double[] indexVarianceGradient(double[] theta) {
        double sum = 0;
        for (int j = COSTS; j < theta.length; j++) {
            sum += theta[j];
        }
        double[] gradient = new double[theta.length];
        for (int j = COSTS; j < theta.length; j++) {
            gradient[j] = 2 * (1 - COMMON) * theta[j] + 2 * COMMON * sum;
        }
        return gradient;
    }

    /** A machine to run; its own reward is that of {@code theta}. */
    public Simulator simulator(double[] theta) {
        return new Machine(theta.clone());
    }

    private final class Machine implements Simulator {
        private final double[] theta;
        private final float[] observation = new float[covariates + 1];
        private final float[] features = new float[parameters()];
        private final double[] x = new double[covariates];
        private double wear;
        private double reward;
        private int steps;
        private RandomStream chance = RandomStream.of(0);

        Machine(double[] theta) {
            this.theta = theta;
        }

        @Override
        public Space space() {
            return new Space("maintenance", covariates + 1, new Actions.Choices(CHOICES), horizon);
        }

        /** Covariates as they are in the long run, a wear between none and half of all. */
        @Override
        public void reset(RandomStream stream) {
            chance = stream.named("machine");
            shake(0);
            wear = WORN_OUT / 2 * chance.nextDouble();
            reward = 0;
            steps = 0;
        }

        private void shake(double kept) {
            double scale = Math.sqrt(1 - kept * kept);
            double factor = Math.sqrt(COMMON) * chance.nextGaussian();
            for (int j = 0; j < x.length; j++) {
                x[j] = kept * x[j] + scale * (factor + Math.sqrt(1 - COMMON) * chance.nextGaussian());
            }
        }

        @Override
        public void step(float[] actions, int offset) {
            int choice = BadInput.index("choice", (long) actions[offset], CHOICES);
            observe(observation, 0);
            features(observation, 0, choice, features, 0);
            reward = 0;
            for (int j = 0; j < theta.length; j++) {
                reward += theta[j] * features[j];
            }
            wear = Math.min(WORN_OUT, after(wear, choice) + MOST_A_PERIOD * chance.nextDouble());
            shake(PERSISTENCE);
            steps++;
        }

        @Override
        public void observe(float[] into, int offset) {
            for (int j = 0; j < x.length; j++) {
                into[offset + j] = (float) x[j];
            }
            into[offset + x.length] = (float) wear;
        }

        @Override
        public double reward() {
            return reward;
        }

        @Override
        public boolean terminated() {
            return false;
        }

        @Override
        public boolean truncated() {
            return steps >= horizon;
        }

        @Override
        public double[] state() {
            double[] state = new double[x.length + 7];
            System.arraycopy(x, 0, state, 0, x.length);
            state[x.length] = wear;
            state[x.length + 1] = reward;
            state[x.length + 2] = steps;
            long[] stream = chance.checkpoint();
            for (int i = 0; i < 4; i++) { // halves, since a double cannot hold every long
                state[x.length + 3 + i] = (int) (stream[i / 2] >>> (32 * (i % 2)));
            }
            return state;
        }

        @Override
        public void restore(double[] state) {
            System.arraycopy(state, 0, x, 0, x.length);
            wear = state[x.length];
            reward = state[x.length + 1];
            steps = (int) state[x.length + 2];
            long[] stream = new long[2];
            for (int i = 0; i < 4; i++) {
                stream[i / 2] |= ((long) state[x.length + 3 + i] & 0xffffffffL) << (32 * (i % 2));
            }
            chance = RandomStream.resume(stream);
        }
    }
}

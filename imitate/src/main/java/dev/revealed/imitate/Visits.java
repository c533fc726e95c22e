package dev.revealed.imitate;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Resample;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;

/**
 * Rows of inputs to a reward (states, or states and actions) from trajectories, with a weight each. Rows of the same time
 * step have the same weight in all trajectories. Weights sum to one, for expert and agent alike, so a constant in the reward
 * cancels in their difference.
 *
 * @param inputs {@code count} rows of {@code width}
 */
public record Visits(int count, int width, float[] inputs, float[] weights) {

    /** Nothing, of that width. */
    public static Visits none(int width) {
        return new Visits(0, width, new float[0], new float[0]);
    }

    /**
     * @param stateOnly whether inputs are states alone
     * @param discount weight of a step relative to the one before
     * @param horizon steps of a whole trajectory; what is longer is cut
     * @param absorb whether the last state of a terminated episode repeats until the horizon, with zero actions
     * @param shift pairs the action of step t with the state of t + 1 rather than t, as the reference code does for the
     *     agent; states alone are then those after each step
     */
    public static Visits of(
            Episodes episodes, boolean stateOnly, double discount, int horizon, boolean absorb, boolean shift) {
        int states = episodes.observationSize();
        int actions = stateOnly ? 0 : episodes.actionSize();
        BadInput.when(
                !stateOnly && !episodes.hasActions(),
                "the demonstrations have no actions, and the reward is of states and actions",
                "Estimate a reward of states alone, with `reward` state.");
        int width = states + actions;
        int count = 0;
        for (Episode episode : episodes.all()) {
            count += seen(episode, horizon, absorb);
        }
        float[] inputs = new float[count * width];
        float[] weights = new float[count];
        double whole = 0;
        for (Episode episode : episodes.all()) {
            whole += sum(seen(episode, horizon, absorb), discount);
        }
        int row = 0;
        for (Episode episode : episodes.all()) {
            double weight = 1 / whole;
            for (int t = 0; t < seen(episode, horizon, absorb); t++, row++, weight *= discount) {
                int state = Math.min(shift ? t + 1 : t, episode.length());
                System.arraycopy(episode.observations(), state * states, inputs, row * width, states);
                if (actions > 0 && t < episode.length()) {
                    System.arraycopy(episode.actions(), t * actions, inputs, row * width + states, actions);
                }
                weights[row] = (float) weight;
            }
        }
        return new Visits(count, width, inputs, weights);
    }

    /** Weighed as in a bootstrap sample of the trajectories that these are of, by {@link #of} with the same arguments. */
    Visits drawn(Resample resample, Episodes episodes, int horizon, boolean absorb, RandomStream stream) {
        double[][] drawn = new double[episodes.size()][];
        int[] steps = new int[drawn.length];
        int first = 0;
        for (int i = 0; i < drawn.length; i++) {
            Episode episode = episodes.all().get(i);
            int from = first;
            drawn[i] = new double[seen(episode, horizon, absorb)];
            Arrays.setAll(drawn[i], t -> weights[from + t]);
            steps[i] = Math.min(horizon, episode.length());
            first += drawn[i].length;
        }
        resample.draw(drawn, steps, stream);
        double whole = 0;
        for (double[] each : drawn) {
            whole += Arrays.stream(each).sum();
        }
        float[] all = new float[count];
        int row = 0;
        for (double[] each : drawn) {
            for (double weight : each) {
                all[row++] = (float) (weight / whole);
            }
        }
        return new Visits(count, width, inputs, all);
    }

    /** What so many steps weigh together, the first of them 1. */
    private static double sum(int steps, double discount) {
        double sum = 0;
        double weight = 1;
        for (int t = 0; t < steps; t++, weight *= discount) {
            sum += weight;
        }
        return sum;
    }

    /** Rows of an episode. */
    static int seen(Episode episode, int horizon, boolean absorb) {
        return absorb && episode.ending() == Episode.Ending.TERMINATED ? horizon : Math.min(horizon, episode.length());
    }

    /** Shift and scale that bring inputs to mean 0 and deviation 1, rows counting alike; 0 and 1 where there are none. */
    void standardise(float[] shift, float[] scale) {
        for (int i = 0; i < shift.length; i++) {
            double mean = 0;
            double square = 0;
            for (int row = 0; row < count; row++) {
                double x = inputs[row * width + i];
                mean += x / count;
                square += x * x / count;
            }
            double deviation = Math.sqrt(Math.max(0, square - mean * mean));
            shift[i] = (float) mean;
            scale[i] = count == 0 || deviation < 1e-3 ? 1 : (float) (1 / deviation);
        }
    }

    /** Draws rows with replacement, by their weights: rows of weight zero never. */
    public static final class Sampler {
        private final Visits visits;
        private final double[] sums;

        public Sampler(Visits visits) {
            this.visits = visits;
            sums = new double[visits.count];
            double sum = 0;
            for (int row = 0; row < sums.length; row++) {
                sum += visits.weights[row];
                sums[row] = sum;
            }
        }

        /** The first row whose sum is above what was drawn. */
        int draw(RandomStream stream) {
            double drawn = stream.nextDouble() * sums[sums.length - 1];
            int low = 0;
            int high = sums.length - 1;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (sums[middle] > drawn) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            return low;
        }

        /** Writes {@code count} drawn rows, from row {@code to} of {@code into} on. */
        public void draw(RandomStream stream, int count, float[] into, int to) {
            int width = visits.width;
            for (int i = 0; i < count; i++) {
                System.arraycopy(visits.inputs, draw(stream) * width, into, (to + i) * width, width);
            }
        }
    }
}

package dev.revealed.neural.saved;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Network;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Tape;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Gemm;
import dev.revealed.numeric.Gemm.Matrix;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Measures a learner of Soft Actor-Critic on the same transitions again and again, with the same noise, so that what changes
 * from one measurement to the next is the learner.
 */
public final class LearnerProbe {
    /** A unit is dormant whose mean output is at most this share of its layer's (Sokar et al. 2023). */
    private static final double DORMANT = 0.025;

    /** The rank is how many singular values of the features make up all but this share of their sum (Kumar et al. 2021). */
    private static final double RANK_REST = 0.01;

    private static final double SATURATED = 0.99; // of the bound of an action

    private final Sac.Settings settings;
    private final Batch rows;
    private final float[] noise;
    private final float[] nextNoise;
    private float @Nullable [] actorBefore;
    private float @Nullable [] criticsBefore;

    /** @param rows that it is measured on */
    public LearnerProbe(Simulator.Space space, Sac.Settings settings, Batch rows, RandomStream stream) {
        this.settings = settings;
        this.rows = rows;
        int count = rows.size() * space.actions().size();
        noise = normal(count, stream.named("now"));
        nextNoise = normal(count, stream.named("next"));
    }

    private static float[] normal(int count, RandomStream stream) {
        float[] numbers = new float[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = (float) stream.nextGaussian();
        }
        return numbers;
    }

    /**
     * What is found, by name. Steps are distances of parameters from those of the measurement before, not a number at the
     * first.
     *
     * @param saved what the training saved
     * @param rewards label the rows
     */
    public Map<String, Double> measure(Tensors saved, Batch.Rewards rewards) {
        rewards.relabel(rows);
        Map<String, Double> found = new LinkedHashMap<>();
        double temperature = new SavedTraining(saved).temperature(settings.temperature());
        Draw now = new Draw(saved, rows.states(), noise);
        Draw next = new Draw(saved, rows.nextStates(), nextNoise);
        values(saved, next, temperature, found);
        rewards(found);
        List<Network> critics = networks(saved, "critic");
        float[] actor = Network.load("actor", saved).parameters();
        float[] all = together(critics);
        found.put("actorNorm", distance(actor, null));
        found.put("criticNorm", distance(all, null));
        found.put("targetDistance", distance(all, together(networks(saved, "target"))));
        found.put("actorStep", actorBefore == null ? Double.NaN : distance(actor, actorBefore));
        found.put("criticStep", criticsBefore == null ? Double.NaN : distance(all, criticsBefore));
        actorBefore = actor;
        criticsBefore = all;
        features(critics, found);
        found.put("saturated", now.saturated());
        found.put("entropy", -Arrays.stream(now.logDensity).average().orElseThrow());
        found.put("temperature", temperature);
        return found;
    }

    /** Actions of the saved policy. */
    private final class Draw {
        private final float[] actions;
        private final double[] logDensity = new double[rows.size()];
        private final float bound;

        Draw(Tensors saved, float[] states, float[] with) {
            GaussianActor actor = GaussianActor.load(saved).worker(rows.size());
            actions = new float[with.length];
            bound = actor.bound();
            actor.act(rows.size(), states, with, actions, logDensity);
        }

        double saturated() {
            int count = 0;
            for (float action : actions) {
                count += Math.abs(action) > SATURATED * bound ? 1 : 0;
            }
            return (double) count / actions.length;
        }
    }

    private static List<Network> networks(Tensors saved, String kind) {
        List<Network> networks = new ArrayList<>();
        while (saved.has(kind + networks.size() + ".weight0")) {
            networks.add(Network.load(kind + networks.size(), saved));
        }
        return networks;
    }

    /** Values that critics give to the actions of the rows; of the lowest critic where they differ. */
    private void values(Tensors saved, Draw next, double temperature, Map<String, Double> found) {
        int n = rows.size();
        double[] ahead = least(networks(saved, "target"), rows.nextStates(), next.actions);
        double[][] each = networks(saved, "critic").stream()
                .map(critic -> values(critic, rows.states(), rows.actions()))
                .toArray(double[][]::new);
        double[] low = new double[n];
        double gap = 0;
        double[] errors = new double[n];
        for (int row = 0; row < n; row++) {
            double least = Double.POSITIVE_INFINITY;
            double most = Double.NEGATIVE_INFINITY;
            for (double[] one : each) {
                least = Math.min(least, one[row]);
                most = Math.max(most, one[row]);
            }
            low[row] = least;
            gap += (most - least) / n;
            double later = ahead[row] - temperature * next.logDensity[row];
            double target = rows.rewards()[row] + settings.discount() * rows.live()[row] * later;
            errors[row] = Math.abs(each[0][row] - target);
        }
        found.put("valueMean", Arrays.stream(low).average().orElseThrow());
        found.put("valueMax", Arrays.stream(low).max().orElseThrow());
        found.put("criticGap", gap);
        found.put("bellmanMean", Arrays.stream(errors).average().orElseThrow());
        found.put("bellman99", quantile(errors, 0.99));
    }

    private static double[] least(List<Network> networks, float[] states, float[] actions) {
        double[] least = values(networks.getFirst(), states, actions);
        for (Network network : networks.subList(1, networks.size())) {
            double[] other = values(network, states, actions);
            Arrays.setAll(least, row -> Math.min(least[row], other[row]));
        }
        return least;
    }

    /** What a critic thinks of actions in states, row after row. */
    static double[] values(Network critic, float[] states, float[] actions) {
        Tape tape = forward(critic, states, actions);
        double[] values = new double[tape.capacity()];
        Arrays.setAll(values, row -> tape.output()[row]);
        return values;
    }

    private static Tape forward(Network critic, float[] states, float[] actions) {
        int width = critic.shape().inputs();
        int count = (states.length + actions.length) / width;
        int observations = states.length / count;
        float[] pairs = new float[count * width];
        for (int row = 0; row < count; row++) {
            System.arraycopy(states, row * observations, pairs, row * width, observations);
            int acted = width - observations;
            System.arraycopy(actions, row * acted, pairs, row * width + observations, acted);
        }
        Tape tape = critic.tape(count);
        tape.forward(pairs, count);
        return tape;
    }

    /** The mean value of other rows, such as those of the expert. */
    public double meanValue(Tensors saved, float[] states, float[] actions) {
        return Arrays.stream(least(networks(saved, "critic"), states, actions))
                .average()
                .orElse(Double.NaN);
    }

    private void rewards(Map<String, Double> found) {
        double[] rewards = new double[rows.size()];
        Arrays.setAll(rewards, row -> rows.rewards()[row]);
        double mean = Arrays.stream(rewards).average().orElseThrow();
        double squares =
                Arrays.stream(rewards).map(r -> (r - mean) * (r - mean)).sum();
        found.put("rewardMean", mean);
        found.put("rewardDeviation", Math.sqrt(squares / (rewards.length - 1.0)));
        found.put("reward01", quantile(rewards, 0.01));
    }

    private static double quantile(double[] numbers, double share) {
        double[] sorted = numbers.clone();
        Arrays.sort(sorted);
        return sorted[(int) Math.min(sorted.length - 1L, Math.round(share * (sorted.length - 1)))];
    }

    private static float[] together(List<Network> networks) {
        int length = networks.getFirst().parameters().length;
        float[] all = new float[networks.size() * length];
        for (int k = 0; k < networks.size(); k++) {
            System.arraycopy(networks.get(k).parameters(), 0, all, k * length, length);
        }
        return all;
    }

    /** Euclidean, from zero where there is no other. */
    private static double distance(float[] one, float @Nullable [] other) {
        double sum = 0;
        for (int i = 0; i < one.length; i++) {
            double apart = one[i] - (other == null ? 0 : other[i]);
            sum += apart * apart;
        }
        return Math.sqrt(sum);
    }

    /** Of the critics' hidden layers: rank of the last one, a mean over critics, and the share of dormant units in all. */
    private void features(List<Network> critics, Map<String, Double> found) {
        double rank = 0;
        int dormant = 0;
        int units = 0;
        for (Network critic : critics) {
            Tape tape = forward(critic, rows.states(), rows.actions());
            int hidden = critic.shape().layers() - 1;
            for (int layer = 0; layer < hidden; layer++) {
                int width = critic.shape().out(layer);
                dormant += dormant(tape.output(layer), width);
                units += width;
            }
            int width = critic.shape().out(hidden - 1);
            rank += (double) rank(tape.output(hidden - 1), width) / critics.size();
        }
        found.put("featureRank", rank);
        found.put("dormant", (double) dormant / units);
    }

    private int dormant(float[] outputs, int width) {
        double[] means = new double[width];
        for (int i = 0; i < rows.size() * width; i++) {
            means[i % width] += Math.abs(outputs[i]);
        }
        double usual = Arrays.stream(means).average().orElseThrow();
        return (int)
                Arrays.stream(means).filter(mean -> mean <= DORMANT * usual).count();
    }

    private int rank(float[] outputs, int width) {
        float[] products = new float[width * width];
        Matrix features = Matrix.of(outputs, 0, width);
        Gemm.transposedProduct(width, width, rows.size(), features, features, Matrix.of(products, 0, width), false);
        double[][] gram = new double[width][width];
        for (int i = 0; i < width; i++) {
            for (int j = 0; j < width; j++) {
                gram[i][j] = products[Math.max(i, j) * width + Math.min(i, j)];
            }
        }
        double[] singular = Arrays.stream(Dense.symmetricEigenvalues(gram))
                .map(value -> Math.sqrt(Math.max(0, value)))
                .toArray(); // ascending
        double left = RANK_REST * Arrays.stream(singular).sum();
        int small = 0;
        for (double value : singular) {
            left -= value;
            if (left < 0) {
                break;
            }
            small++;
        }
        return width - small;
    }
}

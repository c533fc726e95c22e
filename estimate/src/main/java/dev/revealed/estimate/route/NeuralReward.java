package dev.revealed.estimate.route;

import dev.revealed.mdp.route.PairFeatures;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Perceptron;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * The reward of entering a link as a small network of features, v = -softplus(net). Once it is known, the model is recursive
 * logit with the reward as its one feature and 1 as its parameter.
 *
 * @param hidden units of the one hidden layer
 * @param centre by feature, what is subtracted from it
 * @param spread by feature, what it is then divided by
 * @param weights of the network
 */
public record NeuralReward(int hidden, double[] centre, double[] spread, double[] weights) {
    /** The name of the one feature. */
    public static final String FEATURE = "reward";

    private static final double DIFFERENCE = 1e-4;

    /** The one parameter. */
    public static double[] theta() {
        return new double[] {1};
    }

    public NeuralReward {
        BadInput.count("`hidden`", hidden);
        BadInput.when(
                centre.length == 0
                        || centre.length != spread.length
                        || weights.length != new Perceptron(centre.length, hidden, 1).parameters(),
                "a neural reward of %d features with %d hidden units has %d weights"
                        .formatted(centre.length, hidden, weights.length),
                "Estimate it again with this version.");
        for (double[] numbers : List.of(centre, spread, weights)) {
            BadInput.when(
                    !Vec.isFinite(numbers), "a weight of the neural reward is NaN or infinite", "Estimate it again.");
        }
        BadInput.when(
                Arrays.stream(spread).anyMatch(own -> own <= 0),
                "a spread of the neural reward is not positive",
                "Estimate it again.");
    }

    /** A reward that has not been fitted: features of ordinary size, and no weights but zero. */
    static NeuralReward blank(int hidden, PairFeatures features) {
        double[] centre = new double[features.size()];
        double[] spread = new double[features.size()];
        Arrays.fill(spread, 1);
        for (int j = 0; j < centre.length; j++) {
            double[] values = features.values()[j];
            if (!yesOrNo(values)) {
                centre[j] = Vec.mean(values);
                double deviation = Vec.deviation(values);
                spread[j] = deviation > 1e-9 * Math.abs(centre[j]) ? deviation : 1; // or all the same
            }
        }
        return new NeuralReward(
                hidden, centre, spread, new double[new Perceptron(centre.length, hidden, 1).parameters()]);
    }

    NeuralReward with(double[] other) {
        return new NeuralReward(hidden, centre, spread, other);
    }

    /** What the network sees: by feature, then by pair. */
    double[][] inputs(PairFeatures features) {
        BadInput.when(
                features.size() != centre.length,
                "%d features are given to a reward of %d".formatted(features.size(), centre.length),
                "Give those it was fitted to.");
        double[][] inputs = new double[centre.length][];
        for (int j = 0; j < inputs.length; j++) {
            double c = centre[j];
            double s = spread[j];
            inputs[j] = Arrays.stream(features.values()[j])
                    .map(value -> (value - c) / s)
                    .toArray();
        }
        return inputs;
    }

    /** The reward of every pair as the one feature of recursive logit. */
    public PairFeatures of(PairFeatures features) {
        return new PairFeatures(
                List.of(FEATURE), new double[][] {new NeuralRoutes.Net(hidden, inputs(features)).rewards(weights)});
    }

    /**
     * What one more of each feature does to the reward, on the mean over the steps of trips: what coefficients of a linear
     * reward compare with. Of a feature that is 0 or 1, the difference between the two; of others, the derivative. NaN of a
     * feature that is the same everywhere.
     */
    public double[] meanEffects(RouteGraph graph) {
        double[] used = graph.used();
        double[] effects = new double[centre.length];
        double[][] inputs = graph.byPair(inputs(graph.features));
        for (int j = 0; j < effects.length; j++) {
            boolean same = Arrays.stream(inputs[j]).distinct().count() == 1;
            boolean yesOrNo = yesOrNo(graph.features.values()[j]);
            double[] high = rewards(inputs, j, value -> yesOrNo ? 1 : value + DIFFERENCE);
            double[] low = rewards(inputs, j, value -> yesOrNo ? 0 : value - DIFFERENCE);
            double step = yesOrNo ? 1 : 2 * DIFFERENCE * spread[j];
            effects[j] = same ? Double.NaN : Vec.dot(used, Vec.plus(high, -1, low)) / (step * Vec.sum(used));
        }
        return effects;
    }

    private double[] rewards(double[][] inputs, int changed, DoubleUnaryOperator change) {
        double[][] other = inputs.clone();
        other[changed] = Arrays.stream(inputs[changed]).map(change).toArray();
        return new NeuralRoutes.Net(hidden, other).rewards(weights);
    }

    private static boolean yesOrNo(double[] values) {
        return Arrays.stream(values).allMatch(value -> value == 0 || value == 1);
    }
}

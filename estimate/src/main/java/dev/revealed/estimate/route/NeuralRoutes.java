package dev.revealed.estimate.route;

import dev.revealed.estimate.route.RecursiveLogit.Solution;
import dev.revealed.estimate.route.RouteLikelihood.Depth;
import dev.revealed.mdp.Gradient;
import dev.revealed.mdp.SingleLoop;
import dev.revealed.mdp.Steps;
import dev.revealed.mdp.route.PairFeatures;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Perceptron;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;

/**
 * Recursive logit whose reward is a small network of what is known of a pair of links, v = -softplus(net), by Algorithm 1:
 * for every reward one exact policy step, then one step of Adam along observed less expected uses of pairs. Rewards are
 * negative by construction, but not always negative enough: steps are halved until values exist.
 *
 * @param hidden units of the one hidden layer
 * @param rate of Adam
 * @param iterations of the single loop
 */
public record NeuralRoutes(int hidden, double rate, int iterations) {

    /** -softplus of this is -2: with at most seven links to choose from, values exist. */
    private static final double FIRST_BIAS = Math.log(Math.expm1(2));

    /** What the published comparison uses. */
    public static final NeuralRoutes STANDARD = new NeuralRoutes(16, 0.03, 200);

    public NeuralRoutes {
        BadInput.count("`hidden`", hidden);
        BadInput.positive("`rate`", rate);
        BadInput.count("`iterations`", iterations);
    }

    /**
     * A reward that was fitted.
     *
     * @param parameters of the network
     * @param logLikelihood sum over the trips it was fitted to
     */
    public record Fit(NeuralRoutes form, double[] parameters, double logLikelihood) {

        /** The log-probability of each trip of another or the same network. */
        public double[] logProbabilities(RecursiveLogit logit, double[][] inputs) {
            RouteGraph graph = logit.graph();
            double[] rewards = new Net(form.hidden, graph.byPair(inputs)).rewards(parameters);
            Solution solution = logit.solved(rewards, Depth.VALUE)
                    .orElseThrow(() -> new BadInput(
                            "values do not exist under this reward on these links",
                            "Fit it to trips on the same network."));
            double[] all = new double[graph.origin.length];
            for (int i = 0; i < all.length; i++) {
                all[i] = -logit.ofTrip(i, solution);
                for (int pair : graph.pairsOf(i)) {
                    all[i] += rewards[pair];
                }
            }
            return all;
        }
    }

    /** Fits the reward to the trips of a likelihood as a function of its features, which are brought to ordinary size. */
    public NeuralReward fit(RecursiveLogit logit, RandomStream stream, ProgressListener listener) {
        PairFeatures features = logit.graph().features;
        NeuralReward blank = NeuralReward.blank(hidden, features);
        return blank.with(fit(logit, blank.inputs(features), stream, listener).parameters);
    }

    /**
     * Fits the reward to the trips of a likelihood.
     *
     * @param inputs by input, then by pair of the network; of ordinary size
     */
    public Fit fit(RecursiveLogit logit, double[][] inputs, RandomStream stream, ProgressListener listener) {
        RouteGraph graph = logit.graph();
        Net net = new Net(hidden, graph.byPair(inputs));
        double[] start = start(net, graph, stream);
        double[] used = graph.used();
        SingleLoop.Step<double[], Gradient> adam = Steps.adam(rate, start.length);
        SingleLoop<double[], Solution, Gradient> loop = new SingleLoop<>(
                (policy, theta) ->
                        logit.solved(net.rewards(theta), Depth.GRADIENT).orElseThrow(),
                (theta, policy, random) -> new Gradient(net.gradient(theta, Vec.plus(used, -1, policy.uses())), null),
                (theta, gradient, k) -> {
                    double[] next = adam.next(theta, gradient, k);
                    while (!graph.allows(net.rewards(next))) {
                        next = Vec.plus(theta, 0.5, Vec.plus(next, -1, theta));
                    }
                    return next;
                });
        Solution any = logit.solved(net.rewards(start), Depth.VALUE).orElseThrow();
        var end = loop.run(new SingleLoop.Iterate<>(0, start, any, stream), (k, theta, policy, gradient) -> {
            listener.searching("neural reward", k, iterations);
            return k < iterations;
        });
        double reward = Vec.dot(used, net.rewards(end.reward()));
        return new Fit(this, end.reward(), reward - end.policy().value());
    }

    /** Random weights, and a bias that makes rewards low enough for values to exist. */
    private static double[] start(Net net, RouteGraph graph, RandomStream stream) {
        double[] start = net.perceptron.initial(stream);
        start[start.length - 1] = FIRST_BIAS;
        while (!graph.allows(net.rewards(start))) {
            start[start.length - 1]++;
        }
        return start;
    }

    /** The network on pairs, in whatever order their inputs have. */
    static final class Net {
        private final Perceptron perceptron;
        private final double[] inputs; // pair by pair
        private final int width;
        private final int pairs;
        private double[] last = new double[0]; // parameters of the rewards found last
        private double[] found = new double[0];

        /** @param byInput by input, then by pair */
        Net(int hidden, double[][] byInput) {
            width = byInput.length;
            pairs = byInput[0].length;
            perceptron = new Perceptron(width, hidden, 1);
            inputs = new double[pairs * width];
            for (int i = 0; i < width; i++) {
                for (int e = 0; e < pairs; e++) {
                    inputs[e * width + i] = byInput[i][e];
                }
            }
        }

        double[] rewards(double[] theta) {
            if (!Arrays.equals(theta, last)) {
                Perceptron.Tape tape = perceptron.new Tape();
                double[] v = new double[pairs];
                Arrays.setAll(v, e -> -softplus(tape.forward(theta, inputs, e * width)));
                last = theta.clone();
                found = v;
            }
            return found;
        }

        double[] gradient(double[] theta, double[] weight) {
            Perceptron.Tape tape = perceptron.new Tape();
            double[] gradient = new double[theta.length];
            for (int e = 0; e < weight.length; e++) {
                double net = tape.forward(theta, inputs, e * width);
                tape.backward(theta, -weight[e] / (1 + Math.exp(-net)), gradient);
            }
            return gradient;
        }

        private static double softplus(double x) {
            return x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x));
        }
    }
}

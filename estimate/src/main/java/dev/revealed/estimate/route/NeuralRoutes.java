package dev.revealed.estimate.route;

import dev.revealed.estimate.route.RecursiveLogit.Solution;
import dev.revealed.estimate.route.RouteLikelihood.Depth;
import dev.revealed.mdp.Gradient;
import dev.revealed.mdp.SingleLoop;
import dev.revealed.mdp.Steps;
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
            Net net = new Net(form, logit.graph(), inputs);
            double[] rewards = net.rewards(parameters);
            Solution solution = logit.solved(rewards, Depth.VALUE)
                    .orElseThrow(() -> new BadInput(
                            "values do not exist under this reward on these links",
                            "Fit it to trips on the same network."));
            double[] all = new double[logit.graph().origin.length];
            for (int i = 0; i < all.length; i++) {
                all[i] = -logit.ofTrip(i, solution);
                for (int pair : logit.graph().pairsOf(i)) {
                    all[i] += rewards[pair];
                }
            }
            return all;
        }
    }

    /**
     * Fits the reward to the trips of a likelihood.
     *
     * @param inputs by input, then by pair of the network; of ordinary size
     */
    public Fit fit(RecursiveLogit logit, double[][] inputs, RandomStream stream, ProgressListener listener) {
        Net net = new Net(this, logit.graph(), inputs);
        double[] start = net.perceptron.initial(stream);
        start[start.length - 1] = FIRST_BIAS;
        double[] used = net.used();
        SingleLoop.Step<double[], Gradient> adam = Steps.adam(rate, start.length);
        SingleLoop<double[], Solution, Gradient> loop = new SingleLoop<>(
                (policy, theta) ->
                        logit.solved(net.rewards(theta), Depth.GRADIENT).orElseThrow(),
                (theta, policy, random) -> new Gradient(net.gradient(theta, Vec.plus(used, -1, policy.uses())), null),
                (theta, gradient, k) -> {
                    double[] next = adam.next(theta, gradient, k);
                    while (!logit.graph().allows(net.rewards(next))) {
                        next = Vec.plus(theta, 0.5, Vec.plus(next, -1, theta));
                    }
                    return next;
                });
        Solution any = logit.solved(net.rewards(start), Depth.VALUE)
                .orElseThrow(() -> new BadInput(
                        "values do not exist where the search starts",
                        "Use a network with fewer links to choose from."));
        var end = loop.run(new SingleLoop.Iterate<>(0, start, any, stream), (k, theta, policy, gradient) -> {
            listener.searching("neural reward", k, iterations);
            return k < iterations;
        });
        double reward = Vec.dot(used, net.rewards(end.reward()));
        return new Fit(this, end.reward(), reward - end.policy().value());
    }

    /** The network on the pairs of a graph. */
    private static final class Net {
        private final RouteGraph graph;
        private final Perceptron perceptron;
        private final double[] inputs; // pair by pair
        private final int width;
        private double[] last = new double[0]; // parameters of the rewards found last
        private double[] found = new double[0];

        Net(NeuralRoutes form, RouteGraph graph, double[][] byInput) {
            this.graph = graph;
            width = byInput.length;
            perceptron = new Perceptron(width, form.hidden, 1);
            inputs = new double[graph.to.length * width];
            for (int i = 0; i < width; i++) {
                double[] own = graph.byPair(byInput[i]);
                for (int e = 0; e < own.length; e++) {
                    inputs[e * width + i] = own[e];
                }
            }
        }

        double[] rewards(double[] theta) {
            if (!Arrays.equals(theta, last)) {
                Perceptron.Tape tape = perceptron.new Tape();
                double[] v = new double[graph.to.length];
                Arrays.setAll(v, e -> -softplus(tape.forward(theta, inputs, e * width)));
                last = theta.clone();
                found = v;
            }
            return found;
        }

        /** How often the trips use each pair. */
        double[] used() {
            double[] used = new double[graph.to.length];
            for (int trip = 0; trip < graph.origin.length; trip++) {
                for (int pair : graph.pairsOf(trip)) {
                    used[pair]++;
                }
            }
            return used;
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

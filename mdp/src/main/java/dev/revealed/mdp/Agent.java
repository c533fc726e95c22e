package dev.revealed.mdp;

import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.List;

/** How the agent's half of the gradient is found: what Algorithm 1 calls data sampling II. */
public sealed interface Agent {

    /** The discounted occupancy of the current policy, exactly. */
    record Exact() implements Agent {}

    /**
     * Occupancy sweeps from the occupancy carried along, until nothing changes by more than the tolerance. One sweep is
     * the single loop's cheapest; many to a small tolerance are the forward pass of the nested rivals.
     */
    record Swept(double tolerance, int most) implements Agent {}

    /** The paper's: trajectories drawn from the current policy, as many from the demonstrations. */
    record Sampled(int trajectories) implements Agent {}

    /**
     * Derivatives of the soft values with respect to each parameter, solved for in one go with the values themselves (see
     * {@link Tangent}). They give the gradient and the Fisher information at once, for a system per parameter.
     */
    record Derivatives() implements Agent {}

    /** The score of Algorithm 1 on a finite process: gradient of the likelihood less that of the ridge. */
    static SingleLoop.Score<double[], SoftPolicy, Gradient> score(
            SoftProcess process, Reward reward, Likelihood likelihood, Demonstrations data, double ridge, Agent agent) {
        SingleLoop.Score<double[], SoftPolicy, Gradient> score = switch (agent) {
            case Exact() -> new OccupancyScore(process, reward, likelihood, 0, 0);
            case Swept(double tolerance, int most) -> new OccupancyScore(process, reward, likelihood, tolerance, most);
            case Sampled(int count) -> new SampledScore(process, reward, data, count);
            case Derivatives() ->
                throw new IllegalArgumentException("derivatives are tracked together with the values");
        };
        return ridge == 0
                ? score
                : (theta, policy, stream) -> {
                    Gradient gradient = score.at(theta, policy, stream);
                    Vec.axpy(-ridge, theta, gradient.vector());
                    return gradient;
                };
    }

    /** Row weights base - pi d from an occupancy that is solved for or swept. */
    final class OccupancyScore implements SingleLoop.Score<double[], SoftPolicy, Gradient> {
        private final SoftProcess process;
        private final Reward reward;
        private final Likelihood likelihood;
        private final double tolerance;
        private final int sweeps;
        private final double[] weight;
        private final double[] start;
        private final double[] next;

        OccupancyScore(SoftProcess process, Reward reward, Likelihood likelihood, double tolerance, int sweeps) {
            this.process = process;
            this.reward = reward;
            this.likelihood = likelihood;
            this.tolerance = tolerance;
            this.sweeps = sweeps;
            weight = new double[process.mdp().rows()];
            start = new double[process.mdp().states()];
            next = new double[start.length];
        }

        @Override
        public Gradient at(double[] theta, SoftPolicy policy, RandomStream stream) {
            likelihood.adjoint(policy.logPolicy(), weight, start);
            double change = Double.POSITIVE_INFINITY;
            if (sweeps == 0) {
                process.solver().under(policy.policy()).occupancy(start, policy.occupancy());
            } else {
                for (int i = 0; i < sweeps && change > tolerance; i++) {
                    change = process.occupancy(start, policy.policy(), policy.occupancy(), next);
                    System.arraycopy(next, 0, policy.occupancy(), 0, next.length);
                }
            }
            int actions = process.mdp().actions();
            for (int s = 0; s < start.length; s++) {
                for (int row = s * actions; row < (s + 1) * actions; row++) {
                    weight[row] -= policy.occupancy()[s] * policy.policy()[row];
                }
            }
            double[] gradient = new double[theta.length];
            reward.accumulate(theta, weight, gradient);
            return new Gradient(gradient, null);
        }
    }

    /** Expert and agent trajectories drawn at random, both completed to the same horizon by the agent's policy. */
    final class SampledScore implements SingleLoop.Score<double[], SoftPolicy, Gradient> {
        /** Discounted weight at which a trajectory is cut: its tail is then lost in the noise of sampling. */
        private static final double CUT = 1e-8;

        private final SoftProcess process;
        private final Reward reward;
        private final List<Trajectory> trajectories;
        private final int count;
        private final double[] weight;
        private final double[] start;

        SampledScore(SoftProcess process, Reward reward, Demonstrations data, int count) {
            this.process = process;
            this.reward = reward;
            trajectories = data.trajectories();
            this.count = count;
            weight = new double[process.mdp().rows()];
            start = new double[process.mdp().states()];
        }

        @Override
        public Gradient at(double[] theta, SoftPolicy policy, RandomStream stream) {
            Mdp mdp = process.mdp();
            double scale = 1 / (count * process.cost().temperature());
            Arrays.fill(weight, 0);
            for (int i = 0; i < count; i++) {
                Trajectory expert = trajectories.get(stream.nextInt(trajectories.size()));
                Arrays.fill(start, 0);
                Likelihood.Surrogate.count(mdp, process.cost(), expert, scale, weight, start);
                for (int s = 0; s < start.length; s++) { // the expert's tail, taken over by the agent
                    if (start[s] != 0) {
                        visit(s, -start[s], policy, stream);
                    }
                }
                visit(stream.nextIndex(mdp.start(), 0, mdp.states()), -scale, policy, stream);
            }
            double[] gradient = new double[theta.length];
            reward.accumulate(theta, weight, gradient);
            return new Gradient(gradient, null);
        }

        private void visit(int state, double mass, SoftPolicy policy, RandomStream stream) {
            Mdp mdp = process.mdp();
            Kernel kernel = mdp.kernel();
            int actions = mdp.actions();
            int s = state;
            double discounted = mass;
            while (Math.abs(discounted) > CUT) {
                int row = s * actions + stream.nextIndex(policy.policy(), s * actions, (s + 1) * actions);
                weight[row] += discounted;
                int from = kernel.rowStart()[row];
                s = kernel.successor()[from + stream.nextIndex(kernel.probability(), from, kernel.rowStart()[row + 1])];
                discounted *= mdp.discount();
            }
        }
    }
}

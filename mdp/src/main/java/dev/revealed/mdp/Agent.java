package dev.revealed.mdp;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.List;

/** Computes the agent's half of the gradient (data sampling II of Algorithm 1). */
public sealed interface Agent {
    /** Discounted weight at which a sampled trajectory is cut: its tail is then lost in the noise of sampling. */
    double CUT = 1e-8;

    /** The discounted occupancy of the current policy, exactly. */
    record Exact() implements Agent {}

    /**
     * Occupancy sweeps from the occupancy carried along, until nothing changes by more than the tolerance. One sweep is
     * the single loop's cheapest; many to a small tolerance are the forward pass of the nested rivals.
     */
    record Swept(double tolerance, int most) implements Agent {
        public Swept {
            BadInput.notNegative("the tolerance", tolerance);
            BadInput.count("the number of sweeps", most);
        }
    }

    /** The paper's: trajectories drawn from the current policy, as many from the demonstrations. */
    record Sampled(int trajectories) implements Agent {
        public Sampled {
            BadInput.count("the number of trajectories", trajectories);
        }
    }

    /**
     * Derivatives of the soft values with respect to each parameter, solved for in one go with the values themselves (see
     * {@link Tangent}). They give the gradient and the Fisher information at once, for a system per parameter.
     */
    record Derivatives() implements Agent {}

    /** The score of Algorithm 1 on a finite process: gradient of the likelihood less that of the ridge. */
    static SingleLoop.Score<double[], SoftPolicy, Gradient> score(
            SoftProcess process, Reward reward, Likelihood likelihood, Demonstrations data, double ridge, Agent agent) {
        Weigher weigher = switch (agent) {
            case Exact() -> occupancy(process, likelihood, 0, 0);
            case Swept(double tolerance, int most) -> occupancy(process, likelihood, tolerance, most);
            case Sampled(int count) -> sampled(process, data.trajectories(), count);
            case Derivatives() ->
                throw new IllegalArgumentException("derivatives are tracked together with the values");
        };
        double[] weight = new double[process.mdp().rows()];
        return (theta, policy, stream) -> {
            weigher.weigh(policy, stream, weight);
            double[] gradient = new double[theta.length];
            reward.accumulate(theta, weight, gradient);
            if (ridge != 0) {
                Vec.axpy(-ridge, theta, gradient);
            }
            return new Gradient(gradient, null);
        };
    }

    /** Writes how much the reward of each row counts: expert less agent. */
    @FunctionalInterface
    interface Weigher {
        void weigh(SoftPolicy policy, RandomStream stream, double[] weight);
    }

    /** Row weights base - pi d from an occupancy that is solved for or, with a limit to the sweeps, swept. */
    private static Weigher occupancy(SoftProcess process, Likelihood likelihood, double tolerance, int sweeps) {
        int actions = process.mdp().actions();
        double[] start = new double[process.mdp().states()];
        double[] next = new double[start.length];
        return (policy, stream, weight) -> {
            likelihood.adjoint(policy.logPolicy(), weight, start);
            if (sweeps == 0) {
                process.solver().under(policy.policy()).occupancy(start, policy.occupancy());
            } else {
                process.occupancy(start, policy, next, tolerance, sweeps);
            }
            for (int row = 0; row < weight.length; row++) {
                weight[row] -= policy.occupancy()[row / actions] * policy.policy()[row];
            }
        };
    }

    /** Expert and agent trajectories drawn at random, both completed to the same horizon by the agent's policy. */
    private static Weigher sampled(SoftProcess process, List<Trajectory> trajectories, int count) {
        Mdp mdp = process.mdp();
        double scale = 1 / (count * process.cost().temperature());
        double[] start = new double[mdp.states()];
        return (policy, stream, weight) -> {
            Arrays.fill(weight, 0);
            for (int i = 0; i < count; i++) {
                Trajectory expert = trajectories.get(stream.nextInt(trajectories.size()));
                Arrays.fill(start, 0);
                Likelihood.Surrogate.count(mdp, process.cost(), expert, scale, weight, start);
                for (int s = 0; s < start.length; s++) { // the expert's tail, taken over by the agent
                    if (start[s] != 0) {
                        visit(mdp, s, -start[s], policy, stream, weight);
                    }
                }
                visit(mdp, stream.nextIndex(mdp.start(), 0, mdp.states()), -scale, policy, stream, weight);
            }
        };
    }

    private static void visit(
            Mdp mdp, int state, double mass, SoftPolicy policy, RandomStream stream, double[] weight) {
        int actions = mdp.actions();
        int s = state;
        int[] ends = mdp.ends();
        for (double discounted = mass; Math.abs(discounted) > CUT; discounted *= mdp.discount()) {
            if (Arrays.binarySearch(ends, s) >= 0) {
                return;
            }
            int row = s * actions + stream.nextIndex(policy.policy(), s * actions, (s + 1) * actions);
            weight[row] += discounted;
            s = mdp.kernel().draw(row, stream);
        }
    }
}

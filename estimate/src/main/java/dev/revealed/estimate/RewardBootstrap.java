package dev.revealed.estimate;

import dev.revealed.mdp.Agent;
import dev.revealed.mdp.Gradient;
import dev.revealed.mdp.Likelihood;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Resample;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.SingleLoop;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.Trajectory;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Lbfgs;
import dev.revealed.numeric.Objective;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How a maximum-likelihood reward varies over demonstrations that might have been seen instead. Each draw weighs the steps
 * anew and looks for the maximum again, from the estimate and in coordinates in which the likelihood is round, so that a
 * handful of steps are enough. The start distribution is taken as known; the transition law too, unless each sample comes
 * with a world of its own.
 */
public final class RewardBootstrap {
    private static final Lbfgs SEARCH = new Lbfgs(10, 100, 1e-6);

    /** Estimates further from the first than this many standard errors have no maximum to speak of. */
    private static final double RUNAWAY = 1e3;

    private final Problem problem;
    private final Resample resample;
    private final Worlds worlds;
    private final double[] theta;
    private final SoftPolicy policy;
    private final double[][] root;

    /** Where the demonstrations of a sample are thought to have been made. */
    public record World(SoftProcess process, Reward reward) {}

    /** Draws the world that belongs to a sample, where the world itself was estimated from data. */
    @FunctionalInterface
    public interface Worlds {
        /** @param times how often each trajectory is in the sample */
        World draw(double[] times, RandomStream stream);
    }

    private RewardBootstrap(Problem problem, double[] theta, Resample resample, Worlds worlds, double[][] inverse) {
        this.problem = problem;
        this.resample = resample;
        this.worlds = worlds;
        this.theta = theta.clone();
        ExactLikelihood exact = new ExactLikelihood(problem, problem.process());
        exact.value(theta);
        policy = exact.policy();
        Dense.Eigen eigen = Dense.symmetricEigen(inverse);
        root = new double[theta.length][theta.length];
        for (int k = 0; k < theta.length; k++) {
            for (int j = 0; j < theta.length; j++) {
                root[j][k] = Math.sqrt(eigen.values()[k]) * eigen.vectors()[k][j];
            }
        }
    }

    /**
     * @param theta the maximiser on the demonstrations themselves
     * @return nothing where the information is singular
     */
    public static Optional<RewardBootstrap> of(Problem problem, double[] theta, Resample resample) {
        World known = new World(problem.process(), problem.reward());
        return of(problem, theta, resample, (times, stream) -> known);
    }

    /** The same where each sample has a world of its own; draws may then be made by several threads. */
    public static Optional<RewardBootstrap> of(Problem problem, double[] theta, Resample resample, Worlds worlds) {
        if (problem.objective() == Problem.Objective.SURROGATE
                && !problem.demonstrations().trajectories().stream().allMatch(Trajectory::hasFinalState)) {
            throw new BadInput(
                    "a trajectory does not say where its last decision led",
                    "Record the final state, or leave out the last decision.");
        }
        return Inference.Influence.of(problem, theta)
                .map(influence -> new RewardBootstrap(problem, theta, resample, worlds, influence.inverse()));
    }

    /** A draw of the maximiser; nothing where the likelihood of the sample has no maximum. */
    public Optional<double[]> draw(RandomStream stream) {
        double[] start = new double[theta.length];
        try {
            Lbfgs.Result found = SEARCH.maximise(objective(sample(stream)), start, (k, x, value, gradient) -> {
                if (Vec.maxAbs(x) > RUNAWAY) {
                    throw new ArithmeticException("the likelihood of a sample grows without bound");
                }
            });
            return found.converged() ? Optional.of(parameters(found.x())) : Optional.empty();
        } catch (ArithmeticException | BadInput e) {
            return Optional.empty();
        }
    }

    /** One Newton step towards the maximiser of a sample instead: for the price of a gradient, and always there. */
    public double[] step(RandomStream stream) {
        double[] gradient = new double[theta.length];
        objective(sample(stream)).at(new double[theta.length], gradient);
        return parameters(gradient); // the information is the identity in these coordinates
    }

    private double[] parameters(double[] x) {
        return Vec.plus(theta, 1, Dense.multiply(root, x));
    }

    /** A likelihood and the world it belongs to. */
    private record Sample(World world, Likelihood likelihood) {}

    private Sample sample(RandomStream stream) {
        Mdp mdp = problem.mdp();
        int actions = mdp.actions();
        boolean surrogate = problem.objective() == Problem.Objective.SURROGATE;
        List<Trajectory> seen = problem.demonstrations().trajectories();
        int n = seen.size();
        double discount = surrogate ? mdp.discount() : 1;
        double[][] weights = new double[n][];
        int[] steps = new int[n];
        for (int i = 0; i < n; i++) {
            int length = seen.get(i).length();
            steps[i] = length;
            weights[i] = new double[length + 1];
            Arrays.setAll(weights[i], t -> t == length ? 1 : Math.pow(discount, t)); // the last is the trajectory's own
        }
        resample.draw(weights, steps, stream);
        double[] times = new double[n];
        Arrays.setAll(times, i -> weights[i][steps[i]]);
        World world = worlds.draw(times, stream);
        double[] expert = new double[mdp.rows()];
        double[] start = problem.observedStarts()
                ? new double[mdp.states()]
                : mdp.start().clone();
        double share = surrogate ? 1.0 / n : 1;
        for (int i = 0; i < n; i++) {
            int[] states = seen.get(i).states();
            int[] chosen = seen.get(i).actions();
            for (int t = 0; t < steps[i]; t++) {
                for (int a = 0; a < actions; a++) {
                    double chance = chosen == null ? 1.0 / actions : chosen[t] == a ? 1 : 0;
                    expert[states[t] * actions + a] += share * weights[i][t] * chance;
                }
            }
            if (surrogate) {
                double own = share * weights[i][steps[i]];
                start[states[0]] += problem.observedStarts() ? own : 0;
                start[states[steps[i]]] -= own * Math.pow(discount, steps[i]);
            }
        }
        return new Sample(
                world,
                surrogate
                        ? new Likelihood.Surrogate(world.process, expert, start)
                        : new Likelihood.Panel(world.process, expert));
    }

    /** As a function of round coordinates about the estimate. */
    private Objective objective(Sample sample) {
        SoftPolicy current = policy.copy();
        SoftProcess process = sample.world.process;
        Reward reward = sample.world.reward;
        Likelihood likelihood = sample.likelihood;
        double[] rows = new double[problem.mdp().rows()];
        SingleLoop.Score<double[], SoftPolicy, Gradient> score =
                Agent.score(process, reward, likelihood, problem.demonstrations(), problem.ridge(), new Agent.Exact());
        RandomStream unused = RandomStream.of(0);
        return (x, gradient) -> {
            double[] at = parameters(x);
            reward.values(at, rows);
            process.solver().solve(rows, current, ExactLikelihood.TOLERANCE).orThrow();
            double[] plain = score.at(at, current, unused).vector();
            Arrays.fill(gradient, 0);
            for (int j = 0; j < x.length; j++) {
                Vec.axpy(plain[j], root[j], gradient);
            }
            return likelihood.value(rows, current.values(), current.logPolicy())
                    - 0.5 * problem.ridge() * Vec.dot(at, at);
        };
    }
}

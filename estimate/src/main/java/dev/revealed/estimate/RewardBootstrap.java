package dev.revealed.estimate;

import dev.revealed.mdp.Agent;
import dev.revealed.mdp.Gradient;
import dev.revealed.mdp.Likelihood;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Resample;
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
 * handful of steps are enough. The start distribution is taken as known.
 */
public final class RewardBootstrap {
    private static final Lbfgs SEARCH = new Lbfgs(10, 100, 1e-6);

    /** Estimates further from the first than this many standard errors have no maximum to speak of. */
    private static final double RUNAWAY = 1e3;

    private final Problem problem;
    private final Resample resample;
    private final double[] theta;
    private final SoftProcess process;
    private final SoftPolicy policy;
    private final double[] rows;
    private final double[][] root;

    private RewardBootstrap(Problem problem, double[] theta, Resample resample, double[][] inverse) {
        this.problem = problem;
        this.resample = resample;
        this.theta = theta.clone();
        ExactLikelihood exact = new ExactLikelihood(problem, problem.process());
        exact.value(theta);
        process = exact.process();
        policy = exact.policy();
        rows = new double[problem.mdp().rows()];
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
        if (problem.objective() == Problem.Objective.SURROGATE
                && !problem.demonstrations().trajectories().stream().allMatch(Trajectory::hasFinalState)) {
            throw new BadInput(
                    "a trajectory does not say where its last decision led",
                    "Record the final state, or leave out the last decision.");
        }
        return Inference.Influence.of(problem, theta)
                .map(influence -> new RewardBootstrap(problem, theta, resample, influence.inverse()));
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

    private Likelihood sample(RandomStream stream) {
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
        return surrogate ? new Likelihood.Surrogate(process, expert, start) : new Likelihood.Panel(process, expert);
    }

    /** As a function of round coordinates about the estimate. */
    private Objective objective(Likelihood likelihood) {
        SoftPolicy current = policy.copy();
        SingleLoop.Score<double[], SoftPolicy, Gradient> score = Agent.score(
                process, problem.reward(), likelihood, problem.demonstrations(), problem.ridge(), new Agent.Exact());
        RandomStream unused = RandomStream.of(0);
        return (x, gradient) -> {
            double[] at = parameters(x);
            problem.reward().values(at, rows);
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

package dev.revealed.estimate;

import dev.revealed.mdp.Agent;
import dev.revealed.mdp.Likelihood;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.SoftSolver;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;

/**
 * The penalised likelihood of a problem and its exact gradient, by solving for the soft-optimal policy. What nested methods
 * maximise, what checkpoints of the single loop look at, and what every result is finally scored by. Warm-started from
 * call to call.
 */
public final class ExactLikelihood implements dev.revealed.numeric.Objective {
    /** Accuracy of soft values: well below anything a likelihood is printed to. */
    static final double TOLERANCE = 1e-11;

    private final Problem problem;
    private final SoftProcess process;
    private final Likelihood likelihood;
    private final SoftPolicy policy;
    private final double[] rows;
    private final dev.revealed.mdp.SingleLoop.Score<double[], SoftPolicy, dev.revealed.mdp.Gradient> score;
    private final RandomStream unused = RandomStream.of(0);

    /** Counts its passes on the given process. */
    public ExactLikelihood(Problem problem, SoftProcess process) {
        this.problem = problem;
        this.process = process;
        likelihood = problem.likelihood(process);
        policy = SoftPolicy.start(process);
        rows = new double[problem.mdp().rows()];
        score = Agent.score(
                process, problem.reward(), likelihood, problem.demonstrations(), problem.ridge(), new Agent.Exact());
    }

    @Override
    public double at(double[] theta, double[] gradient) {
        double value = value(theta);
        if (value == Double.NEGATIVE_INFINITY) {
            return value;
        }
        System.arraycopy(score.at(theta, policy, unused).vector(), 0, gradient, 0, gradient.length);
        if (!Double.isFinite(Vec.norm(gradient))) {
            throw new BadInput(
                    "the gradient of the likelihood is NaN or infinite at parameters of size " + Vec.maxAbs(theta),
                    "Scale the features down: they should be of ordinary size.");
        }
        return value;
    }

    /** The penalised likelihood alone. */
    public double value(double[] theta) {
        return logLikelihood(theta) - 0.5 * problem.ridge() * Vec.dot(theta, theta);
    }

    /** The likelihood without the penalty; minus infinity where a process without discount has no values. */
    public double logLikelihood(double[] theta) {
        problem.reward().values(theta, rows);
        if (!Vec.isFinite(rows)) {
            throw new BadInput(
                    "the reward became NaN or infinite at parameters of size " + Vec.maxAbs(theta),
                    "Scale the features down, take smaller steps, or add a ridge.");
        }
        if (!solve()) {
            return Double.NEGATIVE_INFINITY;
        }
        return likelihood.value(rows, policy.values(), policy.logPolicy());
    }

    /** Values at the rewards of the rows; false where there are none, which only happens without discount. */
    private boolean solve() {
        SoftSolver.Solution solution = process.solver().solve(rows, policy, TOLERANCE);
        if (!solution.converged() && problem.mdp().undiscounted() && !SoftSolver.ends(process.spectralRadius(rows))) {
            return false;
        }
        solution.orThrow();
        return true;
    }

    /** Whether the process has values at these parameters. With a discount it does where rewards are finite. */
    boolean exists(double[] theta) {
        problem.reward().values(theta, rows);
        return Vec.isFinite(rows) && (!problem.mdp().undiscounted() || solve());
    }

    /** The soft-optimal policy at the last parameters asked for; overwritten by the next call. */
    public SoftPolicy policy() {
        return policy;
    }

    public SoftProcess process() {
        return process;
    }

    public Likelihood likelihood() {
        return likelihood;
    }
}

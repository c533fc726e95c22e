package dev.revealed.estimate;

import dev.revealed.mdp.Agent;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.Evaluation;
import dev.revealed.mdp.Gradient;
import dev.revealed.mdp.Likelihood;
import dev.revealed.mdp.SingleLoop;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.Steps;
import dev.revealed.mdp.Tangent;
import dev.revealed.mdp.Trajectory;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Algorithm 1 on finite processes, and the nested rivals that differ from it in one collaborator.
 *
 * @param iterations the most iterations K
 * @param tolerance stop when the exact gradient is no longer than this, or the maximum no further in standard errors where
 *     the form tracks them: that does not depend on how parameters are scaled
 * @param heldOut share of the trajectories kept aside to choose a stopping point by their likelihood
 * @param tracePoints how many points of the run to record with exact quantities, outside its own clock and count
 * @param start where to start; where nothing is given, where the reward suggests, which is zero for linear ones
 */
public record MlIrl(
        String method,
        Evaluation evaluation,
        Agent agent,
        StepRule step,
        int iterations,
        double tolerance,
        double heldOut,
        int tracePoints,
        Optional<double[]> start)
        implements Estimator {

    public MlIrl {
        BadInput.count("`iterations`", iterations);
        BadInput.notNegative("the tolerance", tolerance);
        BadInput.when(
                !(heldOut >= 0 && heldOut < 1), "`held-out` is " + heldOut, "Give a share from 0 up to but not 1.");
        BadInput.when(tracePoints < 0, "`trace` is " + tracePoints, "Give 0 or more.");
    }

    /** From where the reward suggests, on all trajectories and without a record of the run. */
    public MlIrl(String method, Evaluation evaluation, Agent agent, StepRule step, int iterations, double tolerance) {
        this(method, evaluation, agent, step, iterations, tolerance, 0, 0, Optional.empty());
    }

    /**
     * How often along the run a sampled method looks at the exact gradient, since a sampled norm says nothing; the estimate
     * is the checkpoint where it was smallest (Corollary 2).
     */
    private static final int CHECKPOINTS = 50;

    /** Up to this many parameters derivatives are tracked and steps preconditioned; beyond, their passes cost more. */
    private static final int FISHER_LIMIT = 16;

    /** The paper's form: exact evaluation, sampled trajectories, step alpha0 / K^sigma. */
    public static MlIrl paper(double alpha0, double sigma, int iterations) {
        StepRule decaying = new StepRule.Decaying(alpha0, sigma);
        return new MlIrl("ml-irl", new Evaluation.Exact(), new Agent.Sampled(1), decaying, iterations, 0);
    }

    /** One backup and one occupancy sweep per reward step: the cheapest single loop. */
    public static MlIrl tracked(StepRule step, int iterations, double tolerance) {
        return new MlIrl("ml-irl", new Evaluation.Backups(1), new Agent.Swept(0, 1), step, iterations, tolerance);
    }

    /** Tracked values and derivatives, Fisher-preconditioned steps, backups adapted to the step. */
    public static MlIrl preconditioned() {
        Evaluation tracked = new Evaluation.Tracked(0.03);
        return new MlIrl("ml-irl", tracked, new Agent.Derivatives(), new StepRule.Fisher(1), 500, 1e-6);
    }

    /** The form that suits a problem: preconditioned for few parameters, plain tracking for many. */
    public static MlIrl suited(Problem problem) {
        return problem.reward().parameters() <= FISHER_LIMIT && Inference.fits(problem)
                ? preconditioned()
                : tracked(new StepRule.Automatic(), 200_000, 1e-4);
    }

    /** For perceptrons: values and occupancies follow the reward closely, and Adam sets the step. */
    public static MlIrl deep(double rate, int iterations, double tolerance) {
        Agent swept = new Agent.Swept(1e-5, 50);
        StepRule adam = new StepRule.Adam(rate);
        return new MlIrl("ml-irl", new Evaluation.Adapted(0.01, 50), swept, adam, iterations, tolerance);
    }

    /** Nested MaxEnt-IRL (Ziebart): soft values and visitations to convergence for every reward, warm-started. */
    public static MlIrl maxEnt(StepRule step, int iterations, double tolerance) {
        return maxEnt("maxent-irl", step, iterations, tolerance);
    }

    /** The same on a perceptron reward (Wulfmeier), with Adam. */
    public static MlIrl deepMaxEnt(double rate, int iterations, double tolerance) {
        return maxEnt("deep-maxent-irl", new StepRule.Adam(rate), iterations, tolerance);
    }

    private static MlIrl maxEnt(String method, StepRule step, int iterations, double tolerance) {
        Agent swept = new Agent.Swept(1e-6, 1_000_000);
        return new MlIrl(method, new Evaluation.Solved(1e-6, true), swept, step, iterations, tolerance);
    }

    public MlIrl holdingOut(double share) {
        return new MlIrl(method, evaluation, agent, step, iterations, tolerance, share, tracePoints, start);
    }

    public MlIrl limitedTo(int most) {
        return new MlIrl(method, evaluation, agent, step, most, tolerance, heldOut, tracePoints, start);
    }

    public MlIrl tracing(int points) {
        return new MlIrl(method, evaluation, agent, step, iterations, tolerance, heldOut, points, start);
    }

    public MlIrl startingAt(double[] theta) {
        Optional<double[]> from = Optional.of(theta.clone());
        return new MlIrl(method, evaluation, agent, step, iterations, tolerance, heldOut, tracePoints, from);
    }

    @Override
    public Estimate fit(Problem whole, RandomStream stream, ProgressListener listener) {
        Run run = new Run(whole, stream, listener);
        Solution found = run.search();
        return new Report(run.problem, method, whole.demonstrations().hash())
                .estimate(found.theta, found.search, run.clock, run.stopped);
    }

    /** The parameters alone, without what a report adds to them: for those who fit often, or add their own. */
    public record Solution(double[] theta, Search search) implements Search.Found {}

    public Solution search(Problem problem, RandomStream stream, ProgressListener listener) {
        return new Run(problem, stream, listener).search();
    }

    /**
     * Algorithm 1 with the collaborators of this form.
     *
     * @param exact whose process the passes are counted on
     */
    public SingleLoop<double[], SoftPolicy, Gradient> loop(
            Problem problem, ExactLikelihood exact, double[] from, RandomStream stream) {
        SoftProcess process = exact.process();
        SingleLoop.Step<double[], Gradient> rule =
                allowed(problem, step.step(iterations, from, exact, stream.named("curvature")));
        if (evaluation instanceof Evaluation.Tracked(double accuracy)) {
            Tangent both = new Tangent(process, problem.reward(), exact.likelihood(), problem.ridge(), accuracy);
            return new SingleLoop<>(both, both, rule);
        }
        return new SingleLoop<>(
                Evaluation.lower(process, problem.reward(), evaluation),
                Agent.score(
                        process,
                        problem.reward(),
                        exact.likelihood(),
                        problem.demonstrations(),
                        problem.ridge(),
                        agent),
                rule);
    }

    /** The step, kept to where values exist; on utilities that are not linear it also climbs. */
    private SingleLoop.Step<double[], Gradient> allowed(Problem problem, SingleLoop.Step<double[], Gradient> rule) {
        boolean curved =
                evaluation instanceof Evaluation.Tracked && !problem.reward().linear();
        if (!curved && !problem.mdp().undiscounted()) {
            return rule;
        }
        ExactLikelihood values = new ExactLikelihood(problem, problem.process());
        return curved
                ? Steps.climbing(rule, values::exists)
                : (theta, gradient, k) -> Steps.existing(theta, rule.next(theta, gradient, k), values::exists);
    }

    /** The state of one fit. */
    private final class Run {
        private final Problem problem;
        private final ProgressListener listener;
        private final SoftProcess process;
        private final ExactLikelihood exact;
        private final SingleLoop<double[], SoftPolicy, Gradient> loop;
        private final SingleLoop.Iterate<double[], SoftPolicy> first;
        private final Optional<double[]> heldOutCounts;
        private final Optional<ExactLikelihood> instrument;
        private final List<Estimate.TracePoint> trace = new ArrayList<>();
        private final Clock clock = new Clock();

        private double[] best;
        private double bestNorm = Double.POSITIVE_INFINITY;
        private Optional<double[]> stopped = Optional.empty();
        private double bestHeldOut = Double.NEGATIVE_INFINITY;
        private int nextCheck;
        private int nextTrace;
        private boolean converged;

        Run(Problem whole, RandomStream stream, ProgressListener listener) {
            this.listener = listener;
            if (agent instanceof Agent.Sampled && whole.objective() == Problem.Objective.PANEL) {
                throw new BadInput(
                        "the paper's form samples trajectories of the surrogate, not of the panel likelihood",
                        "Use the surrogate objective, or another form.");
            }
            int aside = heldOut == 0
                    ? 0
                    : (int) Math.max(
                            1, Math.round(heldOut * whole.demonstrations().size()));
            Demonstrations all =
                    aside == 0 ? whole.demonstrations() : shuffled(whole.demonstrations(), stream.named("held-out"));
            if (aside >= all.size()) {
                throw new BadInput(
                        "%d trajectories cannot be split into training and held-out parts".formatted(all.size()),
                        "Give more trajectories, or no held-out share.");
            }
            problem = aside == 0 ? whole : whole.withDemonstrations(all.slice(0, all.size() - aside));
            heldOutCounts = aside == 0
                    ? Optional.empty()
                    : Optional.of(Likelihood.choiceCounts(whole.mdp(), all.slice(all.size() - aside, all.size())));
            process = problem.process();
            exact = new ExactLikelihood(problem, process);
            instrument =
                    tracePoints == 0 ? Optional.empty() : Optional.of(new ExactLikelihood(problem, problem.process()));
            best = start.orElseGet(() -> problem.feasibleStart(problem.reward().initial(stream.named("initial"))));
            if (best.length != problem.reward().parameters()) {
                throw new BadInput(
                        "the start has %d parameters, the reward %d"
                                .formatted(best.length, problem.reward().parameters()),
                        "Give a number for each parameter: "
                                + String.join(", ", problem.reward().names()) + ".");
            }
            start.ifPresent(problem::checkFeasible);
            loop = loop(problem, exact, best, stream);
            first = new SingleLoop.Iterate<>(0, best, SoftPolicy.start(process), stream.named("agent"));
        }

        Solution search() {
            SingleLoop.Iterate<double[], SoftPolicy> last = loop.run(first, this::watch);
            if (!converged) {
                check(last.reward(), last.policy(), new Gradient(new double[0], null));
            }
            String status = Report.status(converged, last.k(), bestNorm);
            return new Solution(
                    best,
                    new Search(last.k(), converged, status, process.passes().count(), trace));
        }

        private boolean watch(int k, double[] theta, SoftPolicy policy, Gradient gradient) {
            listener.searching(method, k, iterations);
            double held = heldOutCounts.isEmpty()
                    ? Double.NaN
                    : Likelihood.weightedSum(heldOutCounts.get(), policy.logPolicy());
            if (held > bestHeldOut) {
                bestHeldOut = held;
                stopped = Optional.of(theta);
            }
            if (k == nextTrace && instrument.isPresent()) {
                look(instrument.get(), k, theta, policy, held);
            }
            double norm = Vec.norm(gradient.vector());
            if (!Double.isFinite(norm)) {
                throw new ArithmeticException("the gradient of " + method + " became NaN at iteration " + k);
            }
            boolean sampled = agent instanceof Agent.Sampled;
            if (k >= nextCheck && (sampled || small(gradient))) {
                check(theta, policy, gradient);
                // A tracked gradient may run ahead of its policy: look again only after it had time to catch up.
                nextCheck = sampled ? k + Math.max(1, iterations / CHECKPOINTS) : k + 1 + k / 20;
            }
            return !converged && k < iterations;
        }

        private boolean small(Gradient gradient) {
            return Vec.norm(gradient.vector()) <= tolerance || gradient.decrement() <= tolerance;
        }

        /** The exact gradient here; the smallest one wins. */
        private void check(double[] theta, SoftPolicy policy, Gradient tracked) {
            double[] gradient = new double[theta.length];
            System.arraycopy(policy.values(), 0, exact.policy().values(), 0, policy.values().length);
            exact.at(theta, gradient);
            double norm = Vec.norm(gradient);
            if (norm < bestNorm) {
                bestNorm = norm;
                best = theta;
            }
            converged = small(new Gradient(gradient, tracked.information()));
        }

        private void look(ExactLikelihood exactly, int k, double[] theta, SoftPolicy policy, double held) {
            long passes = process.passes().count();
            double seconds = clock.cpuSeconds();
            clock.pause();
            double[] gradient = new double[theta.length];
            exactly.at(theta, gradient);
            double logLikelihood = exactly.logLikelihood(theta);
            trace.add(new Estimate.TracePoint(
                    k,
                    passes,
                    seconds,
                    logLikelihood,
                    Vec.norm(gradient),
                    policyError(policy.logPolicy(), exactly.policy().logPolicy()),
                    Double.isNaN(held) ? OptionalDouble.empty() : OptionalDouble.of(held)));
            nextTrace = Math.max(k + 1, (int) Math.round((k + 1) * Math.pow(iterations + 1.0, 1.0 / tracePoints)) - 1);
            clock.resume();
        }
    }

    /** In random order, so that the last may be held out: files are often sorted. */
    static Demonstrations shuffled(Demonstrations all, RandomStream stream) {
        List<Trajectory> order = new ArrayList<>(all.trajectories());
        Collections.shuffle(order, stream);
        return new Demonstrations(order);
    }

    /** Largest |log pi - log pi'| over available actions. */
    public static double policyError(double[] logPolicy, double[] optimal) {
        double largest = 0;
        for (int row = 0; row < optimal.length; row++) {
            if (optimal[row] > Double.NEGATIVE_INFINITY) {
                largest = Math.max(largest, Math.abs(logPolicy[row] - optimal[row]));
            }
        }
        return largest;
    }
}

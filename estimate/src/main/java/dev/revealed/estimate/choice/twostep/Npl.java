package dev.revealed.estimate.choice.twostep;

import dev.revealed.estimate.Clock;
import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.MlIrl;
import dev.revealed.estimate.Search;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.ConditionalLogit;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.RowScores;
import dev.revealed.estimate.choice.Visits;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Nested pseudo-likelihood (Aguirregabiria and Mira 2002): Hotz and Miller's estimator, then choice probabilities improved
 * by one step of policy iteration at its theta, and so on. Where nothing changes any more the probabilities are optimal for
 * theta, and theta is the maximum-likelihood estimate.
 *
 * <p>A step after which the choices are clearly less likely than before it is halved. Where that does not help, values rest on
 * states nobody was seen in and one step of policy iteration does not show what theta does there: then it begins again from
 * zero with the model solved for every theta, which makes the steps those of a nested fixed point.
 *
 * @param start choice probabilities to begin with, unless the problem has starting values: then those they imply
 * @param tolerance largest last change of theta in standard errors, and of any log choice probability
 * @param trace whether to record the log-likelihood of each iterate's theta, which takes solving the model; that work is
 *     left out of the passes and the time, and the gradient is not looked at
 */
public record Npl(ChoiceProbabilities.Method start, int iterations, double tolerance, boolean trace)
        implements PanelMethod {
    private static final double ROUNDING = 1e-10;

    /**
     * By how much of itself the log-likelihood may fall in the first step, and in each later one by a quarter of that: first
     * choice probabilities more flexible than the model flatter what is computed under them.
     */
    private static final double SLACK = 0.1;

    /** How well the model is solved where it has to be. */
    private static final double SOLVED = 1e-11;

    /** So often a step is halved before what it is measured against is doubted. */
    private static final int HALVINGS = 10;

    private static final int HALVINGS_SOLVED = 40;

    /** So often in a row the pseudo-likelihood may have no maximum: bad choice probabilities can be outgrown. */
    private static final int PATIENCE = 3;

    public static Npl standard() {
        return new Npl(ChoiceProbabilities.STANDARD, 500, 1e-8, false);
    }

    /** From every action alike rather than from the data. */
    public Npl fromZero() {
        return new Npl(new ChoiceProbabilities.Uniform(), iterations, tolerance, trace);
    }

    public Npl traced() {
        return new Npl(start, iterations, tolerance, true);
    }

    public Npl limitedTo(int most) {
        return new Npl(start, most, tolerance, trace);
    }

    @Override
    public String name() {
        return "npl";
    }

    @Override
    public boolean maximisesLikelihood() {
        return true;
    }

    @Override
    public Fit fit(ChoiceProblem problem, FirstStage first, RandomStream stream, ProgressListener listener) {
        return new Run(problem, first).fit(listener);
    }

    /** One fit: where it stands, and where it stood before the last step. */
    private final class Run {
        private final Clock clock = new Clock();
        private final ChoiceProblem problem;
        private final FirstStage first;
        private final ChoiceModel model;
        private final SoftProcess process;
        private final Valuation valuation;
        private final List<Estimate.TracePoint> points = new ArrayList<>();
        private final SoftPolicy policy;
        private final SoftPolicy kept;
        private double[] theta;
        private double[] keptTheta;
        private double keptValue = Double.NEGATIVE_INFINITY;
        private double moved = Double.POSITIVE_INFINITY;
        private double changed = Double.POSITIVE_INFINITY;
        private int halvings;
        private int withoutMaximum;
        private boolean solving;
        private double slack = SLACK;

        Run(ChoiceProblem problem, FirstStage first) {
            this.problem = problem;
            this.first = first;
            model = problem.model();
            model.needLogit("npl");
            process = new SoftProcess(model.mdp(first.phi()), model.cost());
            valuation = new Valuation(model, process, Visits.of(problem));
            theta = problem.start();
            keptTheta = theta;
            if (problem.startGiven()) {
                policy = SoftPolicy.start(process);
                solve();
            } else {
                policy = start.of(problem).policy(process);
            }
            kept = policy.copy();
        }

        Fit fit(ProgressListener listener) {
            RowScores exact = trace ? new RowScores(model, problem.choiceCounts(), first.phi(), false) : null;
            int k = 0;
            while (k < iterations && !converged() && !(solving && inTrouble())) {
                listener.progress("npl", k, 0);
                if (inTrouble()) {
                    solveFromZero();
                }
                step();
                k++;
                if (exact != null) {
                    record(k, exact);
                }
            }
            return Fit.likelihood(
                    theta,
                    first.phi(),
                    new Search(k, converged(), status(k), process.passes().count(), points));
        }

        private boolean converged() {
            return withoutMaximum == 0 && halvings == 0 && moved <= tolerance && changed <= tolerance;
        }

        private boolean inTrouble() {
            return halvings >= (solving ? HALVINGS_SOLVED : HALVINGS) || withoutMaximum >= PATIENCE;
        }

        private void step() {
            valuation.under(policy);
            ConditionalLogit logit = valuation.logit();
            double value = logit.value(theta);
            if (value < keptValue - slack * Math.abs(keptValue)) {
                halvings++;
                theta = Vec.plus(keptTheta, 0.5, Vec.plus(theta, -1, keptTheta));
                copy(kept, policy);
                valuation.under(policy);
            } else {
                halvings = 0;
                slack = Math.max(ROUNDING, slack / 4);
                ConditionalLogit.Maximum found = logit.maximise(theta);
                withoutMaximum = found.converged() ? 0 : withoutMaximum + 1;
                double[] step = Vec.plus(found.theta(), -1, theta);
                moved = Math.sqrt(Vec.dot(step, Dense.multiply(found.information(), step)));
                copy(policy, kept);
                keptTheta = theta;
                keptValue = value;
                theta = found.theta();
            }
            valuation.improve(theta, policy);
            if (solving) {
                solve();
            }
            changed = MlIrl.policyError(kept.logPolicy(), policy.logPolicy());
        }

        private void solve() {
            double[] rows = new double[model.utility().rows()];
            model.utility().values(theta, rows);
            process.solver().solve(rows, policy, SOLVED).orThrow();
        }

        private void solveFromZero() {
            solving = true;
            slack = ROUNDING;
            halvings = 0;
            withoutMaximum = 0;
            theta = new double[theta.length];
            keptTheta = theta;
            keptValue = Double.NEGATIVE_INFINITY;
            Arrays.fill(policy.values(), 0);
            solve();
        }

        private void record(int k, RowScores exact) {
            clock.pause();
            double likelihood = exact.solve(theta);
            double error = MlIrl.policyError(policy.logPolicy(), exact.policy().logPolicy());
            clock.resume();
            points.add(new Estimate.TracePoint(
                    k,
                    process.passes().count(),
                    clock.cpuSeconds(),
                    likelihood,
                    Double.NaN,
                    error,
                    OptionalDouble.empty()));
        }

        private String status(int k) {
            String how = "%s %s%s: theta last moved by %.2g standard errors, choices by %.2g"
                    .formatted(
                            converged() ? "converged" : "not converged",
                            Search.after(k),
                            solving ? ", the model solved in each" : "",
                            moved,
                            changed);
            if (converged()) {
                return how;
            }
            return how + "; "
                    + (withoutMaximum == 0
                            ? "try more `iterations`, other starting values (`start`), or nfxp"
                            : ConditionalLogit.NO_MAXIMUM);
        }
    }

    private static void copy(SoftPolicy from, SoftPolicy to) {
        System.arraycopy(from.policy(), 0, to.policy(), 0, from.policy().length);
        System.arraycopy(from.logPolicy(), 0, to.logPolicy(), 0, from.policy().length);
    }
}

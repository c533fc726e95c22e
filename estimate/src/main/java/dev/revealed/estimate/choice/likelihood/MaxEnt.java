package dev.revealed.estimate.choice.likelihood;

import dev.revealed.estimate.ExactLikelihood;
import dev.revealed.estimate.Inference;
import dev.revealed.estimate.Problem;
import dev.revealed.estimate.Search;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Lbfgs;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Maximum causal entropy (Ziebart): the most random policy whose discounted feature counts, from the observed first
 * states on, equal the observed ones. Its dual is the paper's surrogate likelihood (Theorem 2), which is maximised here by
 * L-BFGS over solved models. The realised moves enter the counts, so it is less precise than maximum likelihood.
 */
public record MaxEnt(int iterations, double tolerance) implements PanelMethod {

    private static final double STEP = 1e-5;

    /** In standard errors. */
    private static final double NEAR = 0.01;

    /** A mean log-likelihood this close to zero is a fit without error. */
    private static final double FITTED = 1e-4;

    public static MaxEnt standard() {
        return new MaxEnt(2000, 1e-7);
    }

    @Override
    public String name() {
        return "maxent";
    }

    @Override
    public boolean heedsWeights() {
        return false;
    }

    @Override
    public boolean heedsGaps() {
        return false;
    }

    @Override
    public Fit fit(ChoiceProblem problem, FirstStage first, RandomStream stream, ProgressListener listener) {
        Problem surrogate = surrogate(problem, first.phi());
        ExactLikelihood exact = new ExactLikelihood(surrogate, surrogate.process());
        double[] start = problem.startGiven()
                ? problem.start()
                : problem.model().utility().initial(stream.named("initial"));
        Lbfgs.Result result = new Lbfgs(20, iterations, tolerance)
                .maximise(exact, start, (k, x, value, gradient) -> listener.searching("maxent", k, iterations));
        boolean converged = result.converged()
                && Inference.stationarity(surrogate, result.x()).within(NEAR);
        String status = "%s %s: largest mismatch of features %.2g"
                .formatted(
                        converged ? "converged" : "not converged",
                        Search.after(result.iterations()),
                        Vec.maxAbs(result.gradient()));
        Optional<double[][]> influence = influence(problem, first, result.x());
        List<String> warnings = new ArrayList<>();
        if (influence.isEmpty()) {
            warnings.add("no standard errors: the surrogate is flat in some direction");
        }
        if (result.value() > -FITTED) {
            warnings.add(
                    ("the decisions that count are fitted perfectly, so the estimate only shows where the search ended:"
                                    + " with discount %s little but the first periods counts, and there decisions hardly vary")
                            .formatted(problem.model().discount()));
        }
        Search search = new Search(
                result.iterations(),
                converged,
                converged ? status : status + "; allow more iterations, or take nfxp",
                exact.process().passes().count());
        return Fit.other(result.x(), first.phi(), search, influence, warnings);
    }

    /** How much each individual moves the maximiser of the surrogate, its moves included; empty where it is flat. */
    static Optional<double[][]> influence(ChoiceProblem problem, FirstStage first, double[] theta) {
        return Inference.Influence.of(surrogate(problem, first.phi()), theta)
                .map(own -> withLaw(problem, first, theta, own));
    }

    static Problem surrogate(ChoiceProblem problem, double[] phi) {
        return problem.problem(phi).withObservedStarts().withObjective(Problem.Objective.SURROGATE);
    }

    /** Adds what each individual's moves do to theta through the law: H^-1 dg/dphi times their influence on phi. */
    private static double[][] withLaw(
            ChoiceProblem problem, FirstStage first, double[] theta, Inference.Influence influence) {
        double[][] law = first.influence(problem);
        double[][] moved = problem.byUnit(influence.ofTrajectory());
        for (int k = 0; k < first.phi().length; k++) {
            double[] slope = Dense.multiply(influence.inverse(), slope(problem, first.phi(), k, theta));
            for (int i = 0; i < moved.length; i++) {
                Vec.axpy(law[i][k], slope, moved[i]);
            }
        }
        return moved;
    }

    /** How the gradient moves with phi_k; from one side where the other is no law, as for a probability of zero. */
    private static double[] slope(ChoiceProblem problem, double[] phi, int k, double[] theta) {
        TransitionLaw law = problem.model().law();
        double[] up = FirstStage.lawful(law, moved(phi, k, STEP)) ? moved(phi, k, STEP) : phi;
        double[] down = FirstStage.lawful(law, moved(phi, k, -STEP)) ? moved(phi, k, -STEP) : phi;
        if (up == phi && down == phi) {
            return new double[theta.length]; // held fast by the others: no room to move
        }
        double width = STEP * ((up == phi ? 0 : 1) + (down == phi ? 0 : 1));
        double[] rise = Vec.plus(gradient(problem, up, theta), -1, gradient(problem, down, theta));
        return Arrays.stream(rise).map(x -> x / width).toArray();
    }

    private static double[] moved(double[] x, int k, double step) {
        double[] moved = x.clone();
        moved[k] += step;
        return moved;
    }

    private static double[] gradient(ChoiceProblem problem, double[] phi, double[] theta) {
        Problem surrogate = surrogate(problem, phi);
        double[] gradient = new double[theta.length];
        new ExactLikelihood(surrogate, surrogate.process()).at(theta, gradient);
        return gradient;
    }
}

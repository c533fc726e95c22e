package dev.revealed.estimate.choice.constrained;

import dev.revealed.estimate.Search;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.nlp.Ipopt;
import dev.revealed.numeric.nlp.NlpSolver;
import dev.revealed.numeric.nlp.Sqp;
import java.util.Locale;

/**
 * Mathematical programming with equilibrium constraints (Su and Judd 2012): the likelihood is maximised over parameters and
 * values at once, subject to the Bellman equation, which need not hold before the end. The maximum is that of the nested
 * fixed point.
 */
public record Mpec(Solver solver, int iterations) implements PanelMethod {

    /** Who solves the constrained problem. */
    public enum Solver {
        /** Ipopt where it is installed, and ours where it is not or did not succeed. */
        AUTOMATIC,
        IPOPT,
        /** Sequential quadratic programming, in Java. */
        JAVA;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Of the Bellman equations, and of the gradient of the likelihood of a hundred decisions. */
    private static final double TOLERANCE = 1e-10;

    /** What the equations may have: with more, solving them takes hours. */
    private static final double MOST_ENTRIES = 5e6;

    /** With a horizon the equations of a period hold the values of the next alone, and are solved as they stand. */
    private static final double MOST_BY_PERIOD = 5e7;

    public static Mpec standard() {
        return new Mpec(Solver.AUTOMATIC, 500);
    }

    public Mpec by(Solver other) {
        return new Mpec(other, iterations);
    }

    public Mpec limitedTo(int most) {
        return new Mpec(solver, most);
    }

    @Override
    public String name() {
        return "mpec";
    }

    @Override
    public boolean maximisesLikelihood() {
        return true;
    }

    @Override
    public Fit fit(ChoiceProblem problem, FirstStage first, RandomStream stream, ProgressListener listener) {
        problem.model().needLogit(name());
        double entries = problem.model().law().kernel(first.phi()).size();
        double most = problem.model().law().horizon() ? MOST_BY_PERIOD : MOST_ENTRIES;
        BadInput.when(
                entries > most,
                "mpec writes down every equation, and the transition matrix in them has %.2g entries"
                        .formatted(entries),
                "Use nfxp, which finds the same maximum, or coarser grids; up to %.2g entries will do."
                        .formatted(most));
        MpecProblem nlp = new MpecProblem(problem.model(), first.phi(), problem.choiceCounts(), problem.start());
        Ipopt.Availability ipopt = Ipopt.available();
        return switch (solver) {
            case IPOPT -> fit(nlp, first, ipopt(nlp, listener), "");
            case JAVA -> fit(nlp, first, java(nlp, listener), "");
            case AUTOMATIC -> {
                if (problem.model().law().horizon()) { // one period after the other: nothing for a general solver
                    yield fit(nlp, first, java(nlp, listener), "");
                }
                if (!ipopt.installed()) {
                    yield fit(nlp, first, java(nlp, listener), "Ipopt is not installed; ");
                }
                Outcome outcome = ipopt(nlp, listener);
                yield outcome.result.converged()
                        ? fit(nlp, first, outcome, "")
                        : fit(nlp, first, java(nlp, listener), "Ipopt: " + outcome.result.status() + "; ");
            }
        };
    }

    private record Outcome(String by, NlpSolver.Result result) {}

    private Outcome ipopt(MpecProblem nlp, ProgressListener listener) {
        return new Outcome("Ipopt", new Ipopt(iterations, TOLERANCE).solve(nlp, listener));
    }

    private Outcome java(MpecProblem nlp, ProgressListener listener) {
        return new Outcome("sequential quadratic programming", new Sqp(iterations, TOLERANCE).solve(nlp, listener));
    }

    private static Fit fit(MpecProblem nlp, FirstStage first, Outcome outcome, String before) {
        NlpSolver.Result result = outcome.result;
        String status = "%s%s: %s %s, Bellman equations met to %.1g"
                .formatted(before, outcome.by, result.status(), Search.after(result.iterations()), result.violation());
        String advice =
                result.converged() ? "" : "; try other starting values, more iterations, the other solver, or nfxp";
        Search search = new Search(result.iterations(), result.converged(), status + advice, nlp.passes());
        return Fit.likelihood(nlp.theta(result.x()), first.phi(), search);
    }
}

package dev.revealed.estimate.choice.likelihood;

import dev.revealed.estimate.Stationarity;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.Observations;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.RowScores;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.mdp.rules.ParameterRules;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Lbfgs;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Maximum likelihood by nested fixed point (Rust 1987): the model is solved for every trial of the parameters, by
 * contraction and then Newton-Kantorovich from the last solution, inside a search over them.
 *
 * @param full whether the transition law is estimated from the same likelihood, theta and phi together, rather than from
 *     the moves alone beforehand
 */
public record NestedFixedPoint(Search search, boolean full, int iterations, double tolerance) implements PanelMethod {

    /** How the parameters are sought. */
    public enum Search {
        /** Fisher scoring: the information expected at the visited states stands for the curvature. */
        SCORING("Fisher scoring"),
        /** Berndt, Hall, Hall and Hausman: outer products of the scores stand for the curvature. */
        BHHH("BHHH"),
        LBFGS("L-BFGS");

        private final String words;

        Search(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    private static final int HALVINGS = 40;

    public static NestedFixedPoint standard() {
        return new NestedFixedPoint(Search.SCORING, false, 500, 1e-12);
    }

    public NestedFixedPoint full(boolean other) {
        return new NestedFixedPoint(search, other, iterations, tolerance);
    }

    public NestedFixedPoint by(Search other) {
        return new NestedFixedPoint(other, full, iterations, tolerance);
    }

    public NestedFixedPoint limitedTo(int most) {
        return new NestedFixedPoint(search, full, most, tolerance);
    }

    @Override
    public String name() {
        return "nfxp";
    }

    @Override
    public boolean maximisesLikelihood() {
        return true;
    }

    @Override
    public boolean heedsNonlinear() {
        return true;
    }

    @Override
    public boolean heedsShocks() {
        return true;
    }

    @Override
    public boolean heedsMissing() {
        return true;
    }

    @Override
    public boolean heedsRules() {
        return search != Search.LBFGS;
    }

    @Override
    public Fit fit(ChoiceProblem problem, FirstStage first, RandomStream stream, ProgressListener listener) {
        return new Run(problem, first, listener).fit();
    }

    /** The likelihood of one problem, and the search for its maximum. */
    private final class Run implements dev.revealed.numeric.Objective {
        private final ChoiceProblem problem;
        private final ProgressListener listener;
        private final Reward utility;
        private final ParameterRules rules;
        private final TransitionLaw law;
        private final FirstStage first;
        private final boolean joint;
        private final Observations observations;
        private final RowScores model;
        private double[][] scores = {};

        Run(ChoiceProblem problem, FirstStage first, ProgressListener listener) {
            this.problem = problem;
            this.listener = listener;
            this.first = first;
            utility = problem.model().utility();
            rules = utility.rules();
            law = problem.model().law();
            // Moves after missing actions tell of theta and phi together.
            joint = (full || problem.panel().unseen() > 0) && law.parameters() > 0;
            observations = Observations.of(law, problem.panel());
            model = new RowScores(problem.model(), problem.choiceCounts(), first.phi(), joint);
        }

        Fit fit() {
            double[] theta = rules.clipped(problem.start());
            double[] x = joint ? Vec.joined(theta, first.phi()) : theta;
            return switch (search) {
                case SCORING, BHHH -> newton(x);
                case LBFGS -> {
                    Lbfgs.Result result = new Lbfgs(20, iterations, Math.sqrt(tolerance) / 10)
                            .maximise(this, x, (k, at, value, gradient) -> watch(k));
                    yield outcome(result.x(), result.iterations(), result.converged(), Vec.maxAbs(result.gradient()));
                }
            };
        }

        private Fit newton(double[] begin) {
            double[] x = begin;
            double value = value(x);
            double[] gradient = gradient(x);
            double decrement = Double.POSITIVE_INFINITY;
            int k = 0;
            boolean stuck = false;
            while (k < iterations && !stuck) {
                double[] direction = direction(x, gradient);
                decrement = Vec.dot(direction, gradient);
                if (decrement <= tolerance) {
                    break;
                }
                stuck = true;
                double length = 1;
                for (int trial = 0; trial < HALVINGS && stuck; trial++, length *= 0.5) {
                    double[] next = rules.clipped(Vec.plus(x, length, direction));
                    double there = lawful(next) ? tried(next) : Double.NEGATIVE_INFINITY;
                    // At the maximum gains drown in rounding; what is left to gain is then below any tolerance.
                    if (there >= value + 1e-4 * length * decrement - 1e-12 * Math.abs(value)) {
                        x = next;
                        value = there;
                        gradient = gradient(x);
                        stuck = false;
                    }
                }
                watch(++k);
            }
            int[] free = rules.free(x, gradient);
            boolean stationary = Stationarity.of(
                            ParameterRules.part(curvature(), free), ParameterRules.part(gradient, free))
                    .reached();
            return outcome(x, k, decrement <= Math.max(tolerance, 1e-10) && stationary, Vec.norm(gradient));
        }

        private void watch(int k) {
            listener.searching("nfxp", k, iterations);
        }

        private boolean lawful(double[] x) {
            return utility.admits(Arrays.copyOf(x, utility.parameters()))
                    && (!joint || FirstStage.lawful(law, Arrays.copyOfRange(x, utility.parameters(), x.length)));
        }

        /** Parameters that the gradient pushes against their bounds stay there. */
        private double[] direction(double[] x, double[] gradient) {
            int[] free = rules.free(x, gradient);
            if (free.length == x.length) {
                return Dense.solvePositive(curvature(), gradient);
            }
            double[] own =
                    Dense.solvePositive(ParameterRules.part(curvature(), free), ParameterRules.part(gradient, free));
            double[] direction = new double[x.length];
            for (int k = 0; k < free.length; k++) {
                direction[free[k]] = own[k];
            }
            return direction;
        }

        private double[][] curvature() {
            double[][] information = search == Search.BHHH ? observations.outerProducts(scores) : expected();
            rules.addInformation(information);
            return information;
        }

        /** The information of the choices expected in the states visited, and that of the moves. */
        private double[][] expected() {
            double[][] information = model.information();
            observations.addUnseen(scores, information);
            for (int v = 0; joint && v < law.parts().size(); v++) {
                double[][] own = law.parts().get(v).family().information(law.of(v, model.phi()), first.moves()[v]);
                int at = utility.parameters() + law.first(v);
                for (int k = 0; k < own.length; k++) {
                    for (int l = 0; l < own.length; l++) {
                        information[at + k][at + l] += own[k][l];
                    }
                }
            }
            return information;
        }

        /** The value of a trial; utilities that are not linear may have none. */
        private double tried(double[] x) {
            if (utility.linear()) {
                return value(x);
            }
            try {
                double value = value(x);
                return Double.isFinite(value) ? value : Double.NEGATIVE_INFINITY;
            } catch (ArithmeticException | BadInput unsolved) {
                return Double.NEGATIVE_INFINITY;
            }
        }

        private double value(double[] x) {
            double choices = model.solve(x) + rules.logPrior(x) + observations.unseenLogLikelihood(law, model);
            return joint ? choices + FirstStage.logLikelihood(law, first.moves(), model.phi()) : choices;
        }

        /** Also leaves the scores of all observations behind. */
        private double[] gradient(double[] x) {
            scores = observations.scores(law, model, model.scores(x), joint);
            double[] gradient = observations.sum(scores);
            rules.addGradient(x, gradient);
            return gradient;
        }

        @Override
        public double at(double[] x, double[] gradient) {
            if (!lawful(x)) {
                return Double.NEGATIVE_INFINITY;
            }
            double value = value(x);
            double[] found = gradient(x);
            System.arraycopy(found, 0, gradient, 0, found.length);
            return value;
        }

        private Fit outcome(double[] x, int k, boolean converged, double norm) {
            String status = "%s %s of %s: gradient norm %.2g"
                    .formatted(
                            converged ? "converged" : "not converged",
                            dev.revealed.estimate.Search.after(k),
                            search.words,
                            norm);
            String advice = converged ? "" : "; try `search` lbfgs, other starting values or more iterations";
            return new Fit(
                    joint ? Fit.Kind.FULL_LIKELIHOOD : Fit.Kind.LIKELIHOOD,
                    Arrays.copyOf(x, utility.parameters()),
                    joint ? Arrays.copyOfRange(x, utility.parameters(), x.length) : first.phi(),
                    new dev.revealed.estimate.Search(k, converged, status + advice, model.passes()),
                    Optional.empty(),
                    Optional.empty(),
                    List.of());
        }
    }
}

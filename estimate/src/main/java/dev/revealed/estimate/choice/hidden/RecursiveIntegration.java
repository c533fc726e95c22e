package dev.revealed.estimate.choice.hidden;

import dev.revealed.estimate.Search;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.ScoreSearch;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.HiddenProcess;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * Maximum likelihood where the agent sees a persistent state that the data do not show (Reich 2018). The likelihood of an
 * individual is an integral over the whole path of that state. It factors: with f_1 the density at the beginning,
 *
 * <pre>  f_(t+1)(z') = integral of f_t(z) P(a_t | x_t, z) g(x_(t+1) | x_t, a_t) p(z' | z) dz,</pre>
 *
 * and the likelihood is the integral of the last: as many integrals of one dimension as there are periods, on the nodes of the
 * hidden variable, instead of one of that many dimensions. The decision problem is solved on (x, z). All parameters, those
 * of the law included, are sought together ({@link PathFilter}).
 *
 * @param tolerance of the decrement at which the search ends
 * @param begin all parameters, where only one search is to begin; else empty
 */
public record RecursiveIntegration(int iterations, double tolerance, double[] begin) implements PanelMethod {
    /** Sizes of the hidden variable that searches begin with; the shocks' standard deviation is 1.3. */
    private static final double[] SIZES = {0.4, 1.2, 3};

    public static RecursiveIntegration standard() {
        return new RecursiveIntegration(100, 1e-10, new double[0]);
    }

    /** One search, from all parameters: those of an estimate with fewer nodes, or on another panel. */
    public RecursiveIntegration beginningAt(double[] parameters) {
        return new RecursiveIntegration(iterations, tolerance, parameters.clone());
    }

    /** The hidden variable of a model, which is its last one; empty where there is none. */
    public static Optional<HiddenProcess> hidden(ChoiceModel model) {
        return model.law().parts().getLast().family() instanceof HiddenProcess process
                ? Optional.of(process)
                : Optional.empty();
    }

    /** Log-likelihood of choices and moves at parameters theta, phi. */
    public static double logLikelihood(ChoiceProblem problem, double[] parameters) {
        return likelihood(problem, parameters).at(parameters, false);
    }

    /** The part of the choices in it. */
    public static double choiceLogLikelihood(ChoiceProblem problem, double[] parameters) {
        PathLikelihood likelihood = likelihood(problem, parameters);
        return likelihood.at(parameters, false) - likelihood.moves();
    }

    /** Smoothed probabilities of the hidden variable, given all choices, summed over the panel. */
    public static HiddenPosterior smoothed(ChoiceProblem problem, double[] parameters) {
        return likelihood(problem, parameters).smoothed(parameters);
    }

    /** Predicted probabilities of the nodes at each decision, given those before: {@code [individual][t * nodes + node]}. */
    public static double[][] predicted(ChoiceProblem problem, double[] parameters) {
        return likelihood(problem, parameters).predicted(parameters);
    }

    /** The likelihood at parameters theta, phi that are known: nothing of the law is estimated from the panel. */
    static PathLikelihood likelihood(ChoiceProblem problem, double[] parameters) {
        int p = problem.model().utility().parameters();
        return new PathLikelihood(
                problem.model(), problem.panel(), Arrays.copyOfRange(parameters, p, parameters.length));
    }

    @Override
    public String name() {
        return "recursive";
    }

    @Override
    public boolean heedsHidden() {
        return true;
    }

    @Override
    public boolean heedsNonlinear() {
        return true;
    }

    @Override
    public boolean heedsGaps() {
        return false;
    }

    @Override
    public Fit fit(ChoiceProblem problem, FirstStage first, RandomStream stream, ProgressListener listener) {
        double[] phi = first.phi();
        PathLikelihood likelihood = new PathLikelihood(problem.model(), problem.panel(), phi);
        if (begin.length > 0) {
            return best(likelihood, List.of(begin), listener);
        }
        List<double[]> begins = new ArrayList<>(begins(likelihood, phi));
        if (problem.startGiven()) {
            begins.add(Vec.joined(problem.start(), phi));
        }
        return best(likelihood, begins, listener);
    }

    private Fit best(PathLikelihood likelihood, List<double[]> begins, ProgressListener listener) {
        IntConsumer watch = k -> listener.searching(name(), k, iterations);
        ScoreSearch.End best = null;
        for (double[] begin : begins) {
            ScoreSearch.End end = climbed(likelihood, begin, watch).orElse(null);
            best = best == null || (end != null && end.betterThan(best)) ? end : best;
        }
        BadInput.when(
                best == null,
                "the model could not be solved at any of %d starts".formatted(begins.size()),
                "Give other starting values.");
        ScoreSearch.End found = Objects.requireNonNull(best);
        double[] x = Symmetry.of(likelihood.model()).positive(found.x());
        int p = likelihood.model().utility().parameters();
        String status = "%s %s of BHHH, best of %d starts"
                .formatted(
                        found.converged() ? "converged" : "not converged", Search.after(found.steps()), begins.size());
        return Fit.other(
                Arrays.copyOf(x, p),
                Arrays.copyOfRange(x, p, x.length),
                new Search(found.steps(), found.converged(), status, likelihood.passes()),
                Optional.empty(),
                List.of());
    }

    /** Where a search ends; empty where the model cannot be solved at its beginning. */
    private Optional<ScoreSearch.End> climbed(PathLikelihood likelihood, double[] begin, IntConsumer watch) {
        try {
            return Optional.of(new ScoreSearch(iterations, tolerance).climb(likelihood, begin, watch));
        } catch (ArithmeticException unsolved) {
            return Optional.empty();
        }
    }

    /**
     * The estimate without the hidden variable, with it small, as large as the shocks and larger: at a size of zero its
     * persistence has no effect, so that no search could begin there.
     */
    private List<double[]> begins(PathLikelihood likelihood, double[] phi) {
        int[] odd = Symmetry.of(likelihood.model()).odd();
        int p = likelihood.model().utility().parameters();
        if (odd.length == 0) {
            return List.of(filled(p, 0.5, phi), filled(p, 1, phi));
        }
        likelihood.holding(odd);
        double[] nothing = filled(p, 0, phi);
        double[] without =
                climbed(likelihood, nothing, k -> {}).map(ScoreSearch.End::x).orElse(nothing);
        likelihood.holding();
        List<double[]> begins = new ArrayList<>();
        for (double size : SIZES) {
            double[] begin = without.clone();
            for (int j : odd) {
                begin[j] = size;
            }
            begins.add(begin);
        }
        return begins;
    }

    private static double[] filled(int p, double value, double[] phi) {
        double[] theta = new double[p];
        Arrays.fill(theta, value);
        return Vec.joined(theta, phi);
    }

    /**
     * The hidden variable may be turned round: what each of these parameters adds to the utility changes its sign with the
     * variable, and what all others add does not. So the likelihood does not change where all their signs do.
     */
    private record Symmetry(int[] odd) {
        static Symmetry of(ChoiceModel model) {
            int nodes = hidden(model).map(HiddenProcess::cells).orElse(1);
            int width = model.actions().size();
            double[][] slopes =
                    model.utility().derivatives(new double[model.utility().parameters()]);
            List<Integer> odd = new ArrayList<>();
            for (int j = 0; j < slopes.length; j++) {
                boolean same = true;
                boolean turned = true;
                for (int row = 0; row < slopes[j].length; row++) {
                    int state = row / width;
                    int mirror = state - state % nodes + nodes - 1 - state % nodes;
                    double other = slopes[j][mirror * width + row % width];
                    same &= Math.abs(slopes[j][row] - other) <= 1e-12;
                    turned &= Math.abs(slopes[j][row] + other) <= 1e-12;
                }
                if (!model.utility().linear() || !(same || turned)) {
                    return new Symmetry(new int[0]);
                } else if (!same) {
                    odd.add(j);
                }
            }
            return new Symmetry(odd.stream().mapToInt(j -> j).toArray());
        }

        /** The parameters with the sign for which the first of these is positive. */
        double[] positive(double[] x) {
            double[] turned = x.clone();
            if (odd.length > 0 && x[odd[0]] < 0) {
                for (int j : odd) {
                    turned[j] = -x[j];
                }
            }
            return turned;
        }
    }
}

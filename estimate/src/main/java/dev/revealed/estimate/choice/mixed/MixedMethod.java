package dev.revealed.estimate.choice.mixed;

import dev.revealed.estimate.Search;
import dev.revealed.estimate.Stationarity;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.Observations;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.RowScores;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.inference.StandardErrors;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.rules.ParameterRules;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Maximum likelihood where individuals differ, or where the discount is estimated: quasi-Newton steps from the outer
 * products of the individuals' scores (Berndt, Hall, Hall and Hausman), from several starts. What it reports as theta are
 * the parameters of the {@link Population}.
 *
 * @param start reported parameters to begin at, in place of all other starts; empty for these
 * @param starts how many are tried; the best maximum is taken
 */
record MixedMethod(Population population, double[] start, int starts, int iterations, double tolerance)
        implements PanelMethod {
    private static final int HALVINGS = 40;

    /** After so many steps by outer products the Hessian itself is tried. */
    private static final int PATIENCE = 25;

    /** Standard deviations below this share of their scale are zero: the likelihood is flat in them there. */
    private static final double NO_SPREAD = 1e-3;

    @Override
    public String name() {
        return population.types() > 1 ? "mixture" : population.random().isEmpty() ? "nfxp" : "mixed";
    }

    @Override
    public boolean heedsNonlinear() {
        return true;
    }

    @Override
    public List<String> names(ChoiceModel model) {
        return population.names();
    }

    /** Where a search ended. */
    private record End(double[] search, MixedLikelihood.Value value, int steps, boolean converged) {}

    @Override
    public Fit fit(ChoiceProblem problem, FirstStage first, RandomStream stream, ProgressListener listener) {
        MixedLikelihood likelihood = new MixedLikelihood(problem, first, population);
        List<double[]> begins =
                start.length > 0 ? List.of(population.search(start)) : begins(problem, first, stream, listener);
        End best = null;
        int failures = 0;
        for (double[] begin : begins) {
            try {
                End end = climb(likelihood, begin, listener);
                if (best == null
                        || (end.converged && !best.converged)
                        || (end.converged == best.converged
                                && end.value.logLikelihood() > best.value.logLikelihood() + 1e-9)) {
                    best = end;
                }
            } catch (ArithmeticException unsolved) {
                failures++;
            }
        }
        if (best == null) {
            throw new BadInput(
                    "the model could not be solved at any of %d starts".formatted(failures),
                    "Give other starting values, or look at the estimate without differences between individuals.");
        }
        double[] search = population.ordered(best.search);
        String status = "%s %s of BHHH over individuals, best of %d starts"
                .formatted(best.converged ? "converged" : "not converged", Search.after(best.steps), begins.size());
        return new Fit(
                Fit.Kind.OTHER,
                population.reported(search),
                first.phi(),
                new Search(best.steps, best.converged, status, likelihood.passes()),
                Optional.empty(),
                Optional.empty(),
                List.of());
    }

    /** The estimate without differences, with small and large ones; discounts below and above the model's. */
    private List<double[]> begins(
            ChoiceProblem problem, FirstStage first, RandomStream stream, ProgressListener listener) {
        double[] theta = new ChoiceEstimator(NestedFixedPoint.standard(), StandardErrors.SANDWICH)
                .fit(problem, stream.named("alike"), listener)
                .fit()
                .theta();
        RowScores solved = new RowScores(problem.model(), problem.choiceCounts(), first.phi(), false);
        solved.solve(theta);
        solved.scores(theta);
        double[][] information = solved.information();
        double[] scale = new double[theta.length];
        int n = problem.panel().size();
        Arrays.setAll(
                scale, j -> (Math.abs(theta[j]) + (information[j][j] > 0 ? Math.sqrt(n / information[j][j]) : 0)) / 3);
        List<double[]> begins = new ArrayList<>();
        boolean differ = population.types() > 1 || !population.random().isEmpty();
        double[] sizes = differ ? new double[] {1, 0.3, 2} : new double[] {1};
        double known = problem.model().discount();
        double[] discounts = population.discount() ? new double[] {known, 0.5, 0.9} : new double[] {known};
        for (int s = 0; s < starts && (s < sizes.length || s < discounts.length); s++) {
            double size = sizes[Math.min(s, sizes.length - 1)];
            double[] deviations = Arrays.stream(scale).map(x -> size * x).toArray();
            begins.add(population.start(theta, deviations, discounts[Math.min(s, discounts.length - 1)]));
        }
        return begins;
    }

    private End climb(MixedLikelihood likelihood, double[] begin, ProgressListener listener) {
        double[] x = begin;
        MixedLikelihood.Value value = likelihood.at(x, true, false);
        boolean converged = false;
        boolean stuck = false;
        int k = 0;
        while (k < iterations && !converged && !stuck) {
            double[] gradient = gradient(likelihood, value);
            double[][] curvature = k < PATIENCE ? information(likelihood, value) : curvature(likelihood, x, value);
            double[] direction = direction(curvature, gradient, free(x)); // what has stopped to spread stays so
            double gain = Vec.dot(direction, gradient);
            converged = gain <= tolerance;
            if (converged) {
                break;
            }
            stuck = true;
            double length = 1;
            for (int trial = 0; trial < HALVINGS && stuck; trial++, length *= 0.5) {
                double[] next = Vec.plus(x, length, direction);
                double there = tried(likelihood, next);
                if (there >= value.logLikelihood() + 1e-4 * length * gain - 1e-12 * Math.abs(value.logLikelihood())) {
                    x = next;
                    stuck = false;
                }
            }
            if (!stuck) {
                value = likelihood.at(x, true, false);
            }
            converged = stuck && gain <= 1e-6; // what is left to gain drowns in rounding
            listener.searching(name(), ++k, iterations);
        }
        int[] free = free(x);
        boolean stationary = Stationarity.of(
                        ParameterRules.part(information(likelihood, value), free),
                        ParameterRules.part(gradient(likelihood, value), free))
                .reached();
        return new End(x, value, k, converged && stationary);
    }

    /** Minus the Hessian, where outer products have been poor guides for long and it is positive; else these. */
    private static double[][] curvature(MixedLikelihood likelihood, double[] x, MixedLikelihood.Value value) {
        double[][] opg = information(likelihood, value);
        double[][] hessian = new double[x.length][x.length];
        try {
            for (int j = 0; j < x.length; j++) {
                double step = 1e-4 / Math.sqrt(Math.max(opg[j][j], 1e-8));
                double[] up = x.clone();
                double[] down = x.clone();
                up[j] += step;
                down[j] -= step;
                double[] rise = Vec.plus(
                        gradient(likelihood, likelihood.at(up, true, false)),
                        -1,
                        gradient(likelihood, likelihood.at(down, true, false)));
                for (int k = 0; k < x.length; k++) {
                    hessian[j][k] -= rise[k] / (4 * step);
                    hessian[k][j] -= rise[k] / (4 * step);
                }
            }
        } catch (ArithmeticException unsolved) {
            return opg;
        }
        return Dense.symmetricEigenvalues(hessian)[0] > 0 ? hessian : opg;
    }

    private static double[] direction(double[][] curvature, double[] gradient, int[] free) {
        double[] own = Dense.solvePositive(ParameterRules.part(curvature, free), ParameterRules.part(gradient, free));
        double[] direction = new double[gradient.length];
        for (int k = 0; k < free.length; k++) {
            direction[free[k]] = own[k];
        }
        return direction;
    }

    private double tried(MixedLikelihood likelihood, double[] x) {
        if (population.atTheEdge(x)) {
            return Double.NEGATIVE_INFINITY;
        }
        try {
            double value = likelihood.at(x, false, false).logLikelihood();
            return Double.isFinite(value) ? value : Double.NEGATIVE_INFINITY;
        } catch (ArithmeticException | BadInput unsolved) {
            return Double.NEGATIVE_INFINITY;
        }
    }

    static double[] gradient(MixedLikelihood likelihood, MixedLikelihood.Value value) {
        double[] gradient = new double[value.scores()[0].length];
        for (int i = 0; i < value.scores().length; i++) {
            Vec.axpy(likelihood.weights()[i], value.scores()[i], gradient);
        }
        return gradient;
    }

    static double[][] information(MixedLikelihood likelihood, MixedLikelihood.Value value) {
        int n = value.scores()[0].length;
        double[][] information = new double[n][n];
        for (int i = 0; i < value.scores().length; i++) {
            Observations.addOuter(likelihood.weights()[i], value.scores()[i], information);
        }
        return information;
    }

    /** The parameters about which there is information: not the spread of what does not spread. */
    int[] free(double[] search) {
        int[] deviations = population.deviations();
        return IntStream.range(0, search.length)
                .filter(j -> {
                    int r = j - (deviations.length == 0 ? search.length : deviations[0]);
                    if (r < 0 || r >= deviations.length) {
                        return true;
                    }
                    int mean = population.names().indexOf(population.random().get(r));
                    return Math.abs(search[j]) > NO_SPREAD * Math.max(Math.abs(search[mean]), 1e-3);
                })
                .toArray();
    }
}

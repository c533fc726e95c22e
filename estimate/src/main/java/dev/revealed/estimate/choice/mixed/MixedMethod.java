package dev.revealed.estimate.choice.mixed;

import dev.revealed.estimate.Search;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.Observations;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.RowScores;
import dev.revealed.estimate.choice.ScoreSearch;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.inference.StandardErrors;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.BadInput;
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
    public boolean heedsShocks() {
        return true;
    }

    @Override
    public List<String> names(ChoiceModel model) {
        return population.names();
    }

    @Override
    public Fit fit(ChoiceProblem problem, FirstStage first, RandomStream stream, ProgressListener listener) {
        MixedLikelihood likelihood = new MixedLikelihood(problem, first, population);
        Optional<ScoreSearch.End> given =
                start.length > 0 ? best(likelihood, List.of(population.search(start)), listener) : Optional.empty();
        List<double[]> others = given.isPresent() ? List.of() : begins(problem, first, stream, listener);
        ScoreSearch.End best = given.or(() -> best(likelihood, others, listener))
                .orElseThrow(() -> new BadInput(
                        "the model could not be solved at any of %d starts".formatted(others.size()),
                        "Give other starting values, or look at the estimate without differences between"
                                + " individuals."));
        double[] search = population.ordered(best.x());
        String status = "%s %s of BHHH over individuals, best of %d starts"
                .formatted(
                        best.converged() ? "converged" : "not converged",
                        Search.after(best.steps()),
                        Math.max(1, others.size()));
        return new Fit(
                Fit.Kind.OTHER,
                population.reported(search),
                first.phi(),
                new Search(best.steps(), best.converged(), status, likelihood.passes()),
                Optional.empty(),
                Optional.empty(),
                List.of());
    }

    /** The best end of searches from several starts; empty where there is no slope at any, as with a type of nobody. */
    private Optional<ScoreSearch.End> best(
            MixedLikelihood likelihood, List<double[]> begins, ProgressListener listener) {
        ScoreSearch.End best = null;
        for (double[] begin : begins) {
            try {
                ScoreSearch.End end = new ScoreSearch(iterations, tolerance)
                        .climb(new Climbed(likelihood), begin, k -> listener.searching(name(), k, iterations));
                best = best == null || end.betterThan(best) ? end : best;
            } catch (ArithmeticException unsolved) {
                // the next one may do
            }
        }
        return Optional.ofNullable(best);
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

    /** The likelihood as a search climbs it. */
    private final class Climbed implements ScoreSearch.Likelihood {
        private final MixedLikelihood likelihood;

        Climbed(MixedLikelihood likelihood) {
            this.likelihood = likelihood;
        }

        @Override
        public double at(double[] x) {
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

        @Override
        public ScoreSearch.Slopes slopes(double[] x) {
            MixedLikelihood.Value value = likelihood.at(x, true, false);
            return new ScoreSearch.Slopes(
                    value.logLikelihood(), gradient(likelihood, value), information(likelihood, value));
        }

        /** What has stopped to spread stays so. */
        @Override
        public int[] free(double[] x) {
            return MixedMethod.this.free(x);
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

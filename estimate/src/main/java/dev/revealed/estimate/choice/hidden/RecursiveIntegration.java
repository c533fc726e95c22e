package dev.revealed.estimate.choice.hidden;

import dev.revealed.estimate.Clock;
import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.Search;
import dev.revealed.estimate.Stationarity;
import dev.revealed.estimate.choice.Clusters;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Identification;
import dev.revealed.estimate.choice.Observations;
import dev.revealed.estimate.choice.RowScores;
import dev.revealed.estimate.choice.ScoreSearch;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.HiddenProcess;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Maximum likelihood where the agent sees a persistent state that the data do not show (Reich 2018). The likelihood of an
 * individual is an integral over the whole path of that state. It factors: with f_1 the density at the beginning,
 *
 * <pre>  f_(t+1)(z') = integral of f_t(z) P(a_t | x_t, z) g(x_(t+1) | x_t, a_t) p(z' | z) dz,</pre>
 *
 * and the likelihood is the integral of the last: as many integrals of one dimension as there are periods, on the nodes of the
 * hidden variable, instead of one of that many dimensions. The decision problem is solved on (x, z). All parameters, those
 * of the law included, are sought together; derivatives follow the same recursion.
 *
 * @param tolerance of the decrement at which the search ends
 */
public record RecursiveIntegration(int iterations, double tolerance) {
    /** Sizes of the hidden variable that searches begin with; the shocks' standard deviation is 1.3. */
    private static final double[] SIZES = {0.4, 1.2, 3};

    /** So much of its distance to 1 the persistence may lose in one step: at 1 nothing is left to learn from. */
    private static final double NEARER = 0.5;

    public static RecursiveIntegration standard() {
        return new RecursiveIntegration(100, 1e-10);
    }

    /** The hidden variable of a model, which is its last one; empty where there is none. */
    public static Optional<HiddenProcess> hidden(ChoiceModel model) {
        return model.law().parts().getLast().family() instanceof HiddenProcess process
                ? Optional.of(process)
                : Optional.empty();
    }

    /** Log-likelihood of choices and moves at parameters theta, phi. */
    public static double logLikelihood(ChoiceModel model, Panel panel, double[] parameters) {
        return new Likelihood(model, panel).at(parameters, false);
    }

    /** @param start theta to begin with; empty to try several sizes of the hidden variable and take the best maximum */
    public Estimate fit(ChoiceModel model, Panel panel, double[] start, ProgressListener listener) {
        check(panel);
        Clock clock = new Clock();
        Likelihood likelihood = new Likelihood(model, panel);
        double[] phi = FirstStage.of(model.law(), panel).phi();
        Symmetry symmetry = Symmetry.of(model);
        ScoreSearch search = new ScoreSearch(iterations, tolerance);
        List<double[]> begins = start.length > 0
                ? List.of(Vec.joined(start, phi))
                : begins(likelihood, search, symmetry, phi, model.utility().parameters());
        ScoreSearch.End best = null;
        for (double[] begin : begins) {
            ScoreSearch.End end =
                    search.climb(likelihood, begin, k -> listener.searching("recursive integration", k, iterations));
            best = best == null || end.betterThan(best) ? end : best;
        }
        ScoreSearch.End found = Objects.requireNonNull(best);
        double[] x = symmetry.positive(found.x());
        likelihood.at(x, true);
        return estimate(model, panel, likelihood, x, found, begins.size(), clock);
    }

    private static void check(Panel panel) {
        BadInput.when(
                panel.weighted() || panel.hasGaps() || Clusters.of(panel).named(),
                "recursive does not know weights, gaps and clusters, and the panel has some",
                "Leave weight and cluster out of the model's data, and give stretches after a gap names of their own.");
        BadInput.when(
                !panel.common().isEmpty(),
                "recursive does not know aggregate variables, and the panel has some",
                "Leave aggregate out of the model's data: every individual's moves then count as its own.");
    }

    /**
     * The estimate without the hidden variable, with it small, as large as the shocks and larger: at a size of zero its
     * persistence has no effect, so that no search could begin there.
     */
    private static List<double[]> begins(
            Likelihood likelihood, ScoreSearch search, Symmetry symmetry, double[] phi, int p) {
        if (symmetry.odd().length == 0) {
            return List.of(filled(p, 0.5, phi), filled(p, 1, phi));
        }
        likelihood.holding(symmetry.odd());
        double[] without = search.climb(likelihood, filled(p, 0, phi), k -> {}).x();
        likelihood.holding();
        List<double[]> begins = new ArrayList<>();
        for (double size : SIZES) {
            double[] begin = without.clone();
            for (int j : symmetry.odd()) {
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

    private Estimate estimate(
            ChoiceModel model,
            Panel panel,
            Likelihood likelihood,
            double[] x,
            ScoreSearch.End found,
            int starts,
            Clock clock) {
        double[][] outer = Observations.sumOfOuter(likelihood.scores);
        Identification identification = Identification.of(outer, model.parameters());
        boolean stationary = Stationarity.of(outer, likelihood.gradient()).reached(panel.decisions());
        boolean converged = found.converged() && stationary && identification.complete();
        List<String> warnings = new ArrayList<>();
        Optional<double[][]> covariance = converged ? Dense.inverse(outer) : Optional.empty();
        String status = "%s %s of BHHH, best of %d starts"
                .formatted(converged ? "converged" : "not converged", Search.after(found.steps()), starts);
        if (!identification.complete()) {
            warnings.add("the data do not tell apart " + identification.describe()
                    + ": where the hidden variable has no effect its persistence has none either");
        } else if (!converged) {
            warnings.add(status + "; try other starting values");
        }
        if (covariance.isEmpty()) {
            warnings.add("no standard errors");
        }
        double[][] errors = covariance.orElse(new double[0][]);
        return new Estimate(
                "recursive",
                Estimate.parameters(model.parameters(), x, errors),
                errors,
                likelihood.value,
                OptionalDouble.of(likelihood.value - likelihood.moves),
                OptionalDouble.of(likelihood.moves),
                "outer product of the individuals' scores",
                identification.spectrum(),
                Vec.norm(likelihood.gradient()),
                new Search(found.steps(), converged, status, likelihood.model.passes()),
                clock.cpuSeconds(),
                clock.wallSeconds(),
                warnings,
                Optional.empty(),
                panel.hash());
    }

    /** The likelihood, with the score of each individual. */
    private static final class Likelihood implements ScoreSearch.Likelihood {
        private final ChoiceModel of;
        private final Panel panel;
        private final HiddenProcess process;
        private final TransitionLaw law;
        private final RowScores model;
        private final int p;
        private double[][] scores = {};
        private double value;
        private double moves;
        private double persistence; // where slopes were asked for last
        private int[] held = {};

        Likelihood(ChoiceModel of, Panel panel) {
            panel.needActions("recursive");
            this.of = of;
            this.panel = panel;
            process = hidden(of)
                    .orElseThrow(() -> new BadInput(
                            "the model has no hidden variable", "Use nfxp, or say hidden: {shock: rho} in the model."));
            law = of.law();
            p = of.utility().parameters();
            model = new RowScores(
                    of,
                    new double[of.utility().rows()],
                    FirstStage.of(law, panel).phi(),
                    true);
        }

        double[] gradient() {
            return Observations.sum(1, scores);
        }

        /** Holds these parameters of the utility, and the persistence, where they are. */
        void holding(int... parameters) {
            held = parameters;
        }

        @Override
        public int[] free(double[] x) {
            int last = process.names().isEmpty() || held.length == 0 ? -1 : x.length - 1;
            return IntStream.range(0, x.length)
                    .filter(j -> j != last && Arrays.stream(held).noneMatch(h -> h == j))
                    .toArray();
        }

        private double persistence(double[] x) {
            return process.names().isEmpty() ? 0 : x[x.length - 1];
        }

        @Override
        public double at(double[] x) {
            boolean far = 1 - Math.abs(persistence(x)) < NEARER * (1 - Math.abs(persistence));
            double there = far ? Double.NEGATIVE_INFINITY : at(x, false);
            return Double.isFinite(there) ? there : Double.NEGATIVE_INFINITY;
        }

        @Override
        public ScoreSearch.Slopes slopes(double[] x) {
            persistence = persistence(x);
            double here = at(x, true);
            return new ScoreSearch.Slopes(here, gradient(), Observations.sumOfOuter(scores));
        }

        /** Minus infinity where there is no law. */
        double at(double[] x, boolean derivatives) {
            double[] phi = Arrays.copyOfRange(x, p, x.length);
            if (!FirstStage.lawful(law, phi) || !of.utility().admits(Arrays.copyOf(x, p))) {
                return Double.NEGATIVE_INFINITY;
            }
            model.solve(x);
            double[][] rows = derivatives ? model.scores(x) : new double[0][];
            int n = panel.size();
            double[][] own = new double[n][derivatives ? x.length : 0];
            double[] choices = new double[n];
            double[] moved = new double[n];
            double[][] move = new double[process.cells()][];
            double[][] slope = new double[process.cells()][process.cells()];
            double[] rho = law.of(law.parts().size() - 1, phi);
            for (int i = 0; i < move.length; i++) {
                move[i] = process.probabilities(rho, i);
                if (derivatives && rho.length > 0) {
                    process.derivative(rho, i, 0, slope[i]);
                }
            }
            int hiddenAt = rho.length > 0 ? p + law.first(law.parts().size() - 1) : -1;
            Parallel.tasks(n, i -> {
                Panel.Individual one = panel.individuals().get(i);
                choices[i] = filter(one, rows, move, slope, hiddenAt, own[i]);
                moved[i] = moves(one, phi, own[i]);
            });
            moves = Vec.sum(moved);
            value = Vec.sum(choices) + moves;
            scores = derivatives ? own : scores;
            return value;
        }

        /** The recursion of one individual; adds its score. */
        private double filter(
                Panel.Individual one,
                double[][] rows,
                double[][] move,
                double[][] slope,
                int hiddenAt,
                double[] score) {
            int[] states = one.choices().states();
            int[] actions = Objects.requireNonNull(one.choices().actions());
            int nodes = move.length;
            int width = of.actions().size();
            double[] f = process.weights().clone();
            double[][] df = new double[rows.length][nodes];
            double log = 0;
            for (int t = 0; t < actions.length; t++) {
                if (t > 0) {
                    for (int k = 0; k < df.length; k++) {
                        df[k] = times(df[k], move);
                        if (k == hiddenAt) {
                            Vec.axpy(1, times(f, slope), df[k]);
                        }
                    }
                    f = times(f, move);
                }
                double sum = 0;
                int first = states[t] / nodes * nodes;
                for (int j = 0; j < nodes; j++) {
                    int row = (first + j) * width + actions[t];
                    double chance = model.policy().policy()[row];
                    for (int k = 0; k < df.length; k++) {
                        df[k][j] = chance == 0 ? 0 : chance * (df[k][j] + f[j] * rows[k][row]);
                    }
                    f[j] *= chance;
                    sum += f[j];
                }
                log += Math.log(sum);
                for (int j = 0; j < nodes; j++) {
                    f[j] /= sum;
                    for (double[] column : df) {
                        column[j] /= sum;
                    }
                }
            }
            for (int k = 0; k < df.length; k++) {
                score[k] += Vec.sum(df[k]);
            }
            return log;
        }

        private static double[] times(double[] f, double[][] matrix) {
            double[] next = new double[f.length];
            for (int i = 0; i < f.length; i++) {
                Vec.axpy(f[i], matrix[i], next);
            }
            return next;
        }

        /** Log-probability of the moves of what is seen; adds its score. */
        private double moves(Panel.Individual one, double[] phi, double[] score) {
            double log = 0;
            for (int v = 0; v + 1 < law.parts().size(); v++) {
                double[] own = law.of(v, phi);
                for (int t = 0; t < one.cells()[v].length; t++) {
                    int cell = one.cells()[v][t];
                    if (cell >= 0 && own.length > 0) {
                        int outcome = one.outcomes()[v][t];
                        log += Math.log(law.parts().get(v).family().probabilities(own, cell)[outcome]);
                        if (score.length > 0) {
                            double[] slope = law.parts().get(v).family().score(own, cell, outcome);
                            for (int k = 0; k < slope.length; k++) {
                                score[p + law.first(v) + k] += slope[k];
                            }
                        }
                    }
                }
            }
            return log;
        }
    }
}

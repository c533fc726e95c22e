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
import dev.revealed.mdp.choice.TransitionFamily;
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
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

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

    /** @param start theta to begin with besides several sizes of the hidden variable; may be empty */
    public Estimate fit(ChoiceModel model, Panel panel, double[] start, ProgressListener listener) {
        Likelihood likelihood = new Likelihood(model, panel);
        List<double[]> begins = new ArrayList<>(begins(likelihood));
        if (start.length > 0) {
            begins.add(Vec.joined(start, likelihood.firstPhi));
        }
        return best(likelihood, begins, listener);
    }

    /** The same for a model with more nodes than one that was estimated before, whose parameters are given. */
    public Estimate refined(ChoiceModel model, Panel panel, double[] parameters, ProgressListener listener) {
        return best(new Likelihood(model, panel), List.of(parameters), listener);
    }

    private Estimate best(Likelihood likelihood, List<double[]> begins, ProgressListener listener) {
        Clock clock = new Clock();
        IntConsumer watch = k -> listener.searching("recursive integration", k, iterations);
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
        double[] x = Symmetry.of(likelihood.of).positive(found.x());
        likelihood.at(x, true);
        return estimate(likelihood, x, found, begins.size(), clock);
    }

    /** Where a search ends; empty where the model cannot be solved at its beginning. */
    private Optional<ScoreSearch.End> climbed(Likelihood likelihood, double[] begin, IntConsumer watch) {
        try {
            return Optional.of(new ScoreSearch(iterations, tolerance).climb(likelihood, begin, watch));
        } catch (ArithmeticException unsolved) {
            return Optional.empty();
        }
    }

    private static void check(Panel panel) {
        BadInput.when(
                panel.weighted() || panel.hasGaps() || Clusters.named(panel),
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
    private List<double[]> begins(Likelihood likelihood) {
        int[] odd = Symmetry.of(likelihood.of).odd();
        double[] phi = likelihood.firstPhi;
        if (odd.length == 0) {
            return List.of(filled(likelihood.p, 0.5, phi), filled(likelihood.p, 1, phi));
        }
        likelihood.holding(odd);
        double[] nothing = filled(likelihood.p, 0, phi);
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

    private Estimate estimate(Likelihood likelihood, double[] x, ScoreSearch.End found, int starts, Clock clock) {
        ChoiceModel model = likelihood.of;
        Panel panel = likelihood.panel;
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
        private final double[] firstPhi; // of the law as the moves alone tell it
        private final int[][] chosen;
        private double[][] scores = {};
        private double value;
        private double moves;
        private double persistence; // where slopes were asked for last
        private int[] held = {};

        Likelihood(ChoiceModel of, Panel panel) {
            check(panel);
            panel.needActions("recursive");
            this.of = of;
            this.panel = panel;
            process = hidden(of)
                    .orElseThrow(() -> new BadInput(
                            "the model has no hidden variable", "Use nfxp, or say hidden: {shock: rho} in the model."));
            law = of.law();
            p = of.utility().parameters();
            chosen = panel.individuals().stream().map(this::chosen).toArray(int[][]::new);
            firstPhi = FirstStage.of(law, panel).phi();
            model = new RowScores(of, new double[of.utility().rows()], firstPhi, true);
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
            double[] rho = law.of(law.parts().size() - 1, phi);
            int persists = rho.length > 0 ? p + law.first(law.parts().size() - 1) : -1;
            PathFilter filter = new PathFilter(process, rho, persists);
            double[] policy = model.policy().policy();
            MoveScores seen = new MoveScores(phi, derivatives);
            Parallel.tasks(n, i -> {
                Panel.Individual one = panel.individuals().get(i);
                choices[i] = filter.add(chosen[i], of.actions().size(), policy, rows, own[i]);
                moved[i] = seen.add(one, own[i]);
            });
            moves = Vec.sum(moved);
            value = Vec.sum(choices) + moves;
            scores = derivatives ? own : scores;
            return value;
        }

        /** For each decision the row of the chosen action at the first node of the hidden variable. */
        private int[] chosen(Panel.Individual one) {
            int[] states = one.choices().states();
            int[] row = Objects.requireNonNull(one.choices().actions()).clone();
            int nodes = process.cells();
            Arrays.setAll(row, t -> states[t] / nodes * nodes * of.actions().size() + row[t]);
            return row;
        }

        /** Log-probabilities of the moves of what is seen, and their scores, by part, cell and outcome. */
        private final class MoveScores {
            private final double[][][] logs;
            private final double[][][][] slopes;

            MoveScores(double[] phi, boolean derivatives) {
                int parts = law.parts().size() - 1; // the last is the hidden variable's
                logs = new double[parts][][];
                slopes = new double[parts][][][];
                for (int v = 0; v < parts; v++) {
                    TransitionFamily family = law.parts().get(v).family();
                    double[] own = law.of(v, phi);
                    logs[v] = new double[own.length > 0 ? family.cells() : 0][];
                    slopes[v] = new double[logs[v].length][][];
                    for (int cell = 0; cell < logs[v].length; cell++) {
                        logs[v][cell] = Arrays.stream(family.probabilities(own, cell))
                                .map(Math::log)
                                .toArray();
                        slopes[v][cell] = new double[derivatives ? logs[v][cell].length : 0][];
                        for (int o = 0; o < slopes[v][cell].length; o++) {
                            boolean possible = logs[v][cell][o] > Double.NEGATIVE_INFINITY;
                            slopes[v][cell][o] = possible ? family.score(own, cell, o) : new double[own.length];
                        }
                    }
                }
            }

            /** The log-probability of the moves of an individual; adds its score. */
            double add(Panel.Individual one, double[] score) {
                double log = 0;
                for (int v = 0; v < logs.length; v++) {
                    for (int t = 0; logs[v].length > 0 && t < one.cells()[v].length; t++) {
                        int cell = one.cells()[v][t];
                        if (cell >= 0) {
                            int outcome = one.outcomes()[v][t];
                            log += logs[v][cell][outcome];
                            double[] slope = score.length > 0 ? slopes[v][cell][outcome] : new double[0];
                            for (int k = 0; k < slope.length; k++) {
                                score[p + law.first(v) + k] += slope[k];
                            }
                        }
                    }
                }
                return log;
            }
        }
    }
}

package dev.revealed.estimate.choice.hidden;

import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Observations;
import dev.revealed.estimate.choice.RowScores;
import dev.revealed.estimate.choice.ScoreSearch;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.HiddenProcess;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.TransitionFamily;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;

/** The likelihood of choices and moves under a hidden variable, with the score of each individual. */
final class PathLikelihood implements ScoreSearch.Likelihood {
    /** So much of its distance to 1 the persistence may lose in one step: at 1 nothing is left to learn from. */
    private static final double NEARER = 0.5;

    private final ChoiceModel of;
    private final Panel panel;
    private final double[] weights;
    private final HiddenProcess process;
    private final TransitionLaw law;
    private final RowScores model;
    private final int p;
    private final int[][] chosen;
    private double[][] scores = {};
    private double value;
    private double moves;
    private double persistence; // where slopes were asked for last
    private int[] held = {};

    /** @param phi parameters of the law to begin with */
    PathLikelihood(ChoiceModel of, Panel panel, double[] phi) {
        check(panel);
        this.of = of;
        this.panel = panel;
        process = RecursiveIntegration.hidden(of)
                .orElseThrow(() -> new BadInput(
                        "the model has no hidden variable", "Use nfxp, or say hidden: {shock: rho} in the model."));
        law = of.law();
        p = of.utility().parameters();
        weights = panel.individuals().stream()
                .mapToDouble(Panel.Individual::weight)
                .toArray();
        chosen = panel.individuals().stream().map(this::chosen).toArray(int[][]::new);
        model = new RowScores(of, new double[of.utility().rows()], phi, true);
    }

    private static void check(Panel panel) {
        panel.needActions("recursive");
        BadInput.when(
                panel.hasGaps(),
                "recursive does not know gaps, and the panel has some: how far the hidden variable moved in them is not known",
                "Give stretches after a gap names of their own.");
        BadInput.when(
                !panel.common().isEmpty(),
                "recursive does not know aggregate variables, and the panel has some",
                "Leave aggregate out of the model's data: every individual's moves then count as its own.");
    }

    ChoiceModel model() {
        return of;
    }

    long passes() {
        return model.passes();
    }

    double value() {
        return value;
    }

    /** The part of the moves in the value. */
    double moves() {
        return moves;
    }

    /** {@code [individual][parameter]}, without weights, where derivatives were asked for last. */
    double[][] scores() {
        return scores;
    }

    double[] gradient() {
        double[] gradient = new double[scores[0].length];
        for (int i = 0; i < scores.length; i++) {
            Vec.axpy(weights[i], scores[i], gradient);
        }
        return gradient;
    }

    double[][] outer() {
        double[][] outer = new double[scores[0].length][scores[0].length];
        for (int i = 0; i < scores.length; i++) {
            Observations.addOuter(weights[i], scores[i], outer);
        }
        return outer;
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
        if (!Double.isFinite(here)) {
            throw new ArithmeticException("no law or utility has these parameters");
        }
        return new ScoreSearch.Slopes(here, gradient(), outer());
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
        PathFilter filter = filter(phi);
        double[] policy = model.policy().policy();
        MoveScores seen = new MoveScores(phi, derivatives);
        Parallel.tasks(n, i -> {
            Panel.Individual one = panel.individuals().get(i);
            choices[i] = weights[i] * filter.add(chosen[i], of.actions().size(), policy, rows, own[i]);
            moved[i] = weights[i] * seen.add(one, own[i]);
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

    private PathFilter filter(double[] phi) {
        int last = law.parts().size() - 1;
        double[] rho = law.of(last, phi);
        return new PathFilter(process, rho, rho.length > 0 ? p + law.first(last) : -1);
    }

    /** Predicted probabilities of the nodes, given the choices before each: {@code [individual][t * nodes + node]}. */
    double[][] predicted(double[] x) {
        return each(x, PathFilter::predicted);
    }

    /** Probabilities of the nodes from the choices of one individual: {@code [t * nodes + node]}. */
    private interface NodeProbabilities {
        double[] of(PathFilter filter, int[] row, int width, double[] policy);
    }

    private double[][] each(double[] x, NodeProbabilities probabilities) {
        at(x, false);
        PathFilter filter = filter(Arrays.copyOfRange(x, p, x.length));
        double[] policy = model.policy().policy();
        double[][] all = new double[chosen.length][];
        Parallel.tasks(
                chosen.length,
                i -> all[i] = probabilities.of(filter, chosen[i], of.actions().size(), policy));
        return all;
    }

    /** Smoothed probabilities, given all choices, of all individuals together, at the rows of the states that panels name. */
    HiddenPosterior smoothed(double[] x) {
        double[][] smoothed = each(x, PathFilter::smoothed);
        int nodes = process.cells();
        int width = of.actions().size();
        double[] policy = model.policy().policy();
        double[] visits = new double[of.states()];
        double[] expected = new double[policy.length];
        for (int i = 0; i < smoothed.length; i++) {
            int[] states = panel.individuals().get(i).choices().states();
            for (int t = 0; t < chosen[i].length; t++) {
                int first = states[t] / nodes * nodes;
                for (int j = 0; j < nodes; j++) {
                    double weight = weights[i] * smoothed[i][t * nodes + j];
                    visits[first + j] += weight;
                    for (int a = 0; a < width; a++) {
                        expected[states[t] * width + a] += weight * policy[(first + j) * width + a];
                    }
                }
            }
        }
        return new HiddenPosterior(visits, expected);
    }
}

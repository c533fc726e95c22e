package dev.revealed.estimate.choice;

import dev.revealed.mdp.choice.KeptIndividuals;
import dev.revealed.mdp.choice.ObservationCounts;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.TransitionFamily;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A panel as its different observations and how often each occurs: a choice, together with the moves that led to it. Sums
 * over millions of observations become sums over the few hundred that differ, in the order in which they first appear.
 *
 * @param row the row s*A + a that was chosen; -1 for a move after the last decision
 * @param cell {@code [observation][part]}, -1 where no move was seen
 * @param outcome {@code [observation][part]}
 * @param squares sums of squared weights, or of weights where these are frequencies: how much chance counts
 * @param paths which observations each individual has
 */
public record Observations(int[] row, int[][] cell, int[][] outcome, double[] count, double[] squares, Paths paths) {

    /** Goes through the individuals. */
    @FunctionalInterface
    public interface Paths {
        void forEach(KeptIndividuals.PathVisitor visitor);
    }

    public static Observations of(TransitionLaw law, Panel panel) {
        return panel.individuals() instanceof KeptIndividuals kept
                ? of(kept.counts(), kept::forEachPath)
                : inMemory(law, panel);
    }

    private static Observations of(ObservationCounts counts, Paths paths) {
        return new Observations(counts.row(), counts.cell(), counts.outcome(), counts.count(), counts.squares(), paths);
    }

    private static Observations inMemory(TransitionLaw law, Panel panel) {
        Map<List<Integer>, Integer> known = new LinkedHashMap<>();
        List<Double> counts = new ArrayList<>();
        List<Double> squares = new ArrayList<>();
        boolean sampled = panel.weights() == Panel.Weights.SAMPLING;
        int parts = law.parts().size();
        int[][] of = new int[panel.size()][];
        for (int n = 0; n < of.length; n++) {
            Panel.Individual individual = panel.individuals().get(n);
            of[n] = new int[individual.choices().states().length];
            int[] actions = individual.choices().actions();
            int decisions = individual.choices().length();
            for (int t = 0; t < of[n].length; t++) {
                Integer[] key = new Integer[1 + 2 * parts];
                key[0] = actions == null || t >= decisions
                        ? -1
                        : individual.choices().states()[t] * law.actions() + actions[t];
                for (int v = 0; v < parts; v++) {
                    key[1 + 2 * v] = individual.cells()[v][t];
                    key[2 + 2 * v] =
                            individual.cells()[v][t] < 0 ? -1 : individual.outcomes()[v][t];
                }
                int at = known.computeIfAbsent(Arrays.asList(key), k -> {
                    counts.add(0.0);
                    squares.add(0.0);
                    return counts.size() - 1;
                });
                double weight = individual.weight();
                counts.set(at, counts.get(at) + weight);
                squares.set(at, squares.get(at) + (sampled ? weight * weight : weight));
                of[n][t] = at;
            }
        }
        int n = counts.size();
        Observations made = new Observations(
                new int[n], new int[n][parts], new int[n][parts], new double[n], new double[n], visitor -> {
                    for (int i = 0; i < of.length; i++) {
                        visitor.see(i, panel.individuals().get(i).weight(), of[i], of[i].length);
                    }
                });
        int i = 0;
        for (List<Integer> key : known.keySet()) {
            made.row[i] = key.getFirst();
            for (int v = 0; v < parts; v++) {
                made.cell[i][v] = key.get(1 + 2 * v);
                made.outcome[i][v] = key.get(2 + 2 * v);
            }
            made.squares[i] = squares.get(i);
            made.count[i] = counts.get(i++);
        }
        return made;
    }

    public int size() {
        return row.length;
    }

    /** The score of each observed choice with respect to the parameters that rows have scores of. */
    public double[][] choiceScores(double[][] rowScores) {
        double[][] scores = new double[size()][rowScores.length];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = row[i] >= 0 ? at(rowScores, row[i]) : scores[i];
        }
        return scores;
    }

    /** The score of each observation, choice and moves together, with respect to (theta, phi). */
    public double[][] jointScores(TransitionLaw law, double[] phi, double[][] rowScores) {
        double[][] scores = choiceScores(rowScores);
        int thetas = rowScores.length - phi.length;
        double[][][][] known = new double[law.parts().size()][][][];
        Arrays.setAll(known, v -> new double[law.parts().get(v).family().cells()][][]);
        for (int i = 0; i < scores.length; i++) {
            for (int v = 0; v < known.length; v++) {
                if (cell[i][v] >= 0) {
                    double[] own = score(law, phi, v, cell[i][v], outcome[i][v], known);
                    for (int k = 0; k < own.length; k++) {
                        scores[i][thetas + law.first(v) + k] += own[k];
                    }
                }
            }
        }
        return scores;
    }

    private static double[] score(TransitionLaw law, double[] phi, int v, int cell, int o, double[][][][] known) {
        TransitionFamily family = law.parts().get(v).family();
        double[][] row = known[v][cell];
        if (row == null) {
            row = new double[family.outcomes(cell)][];
            known[v][cell] = row;
        }
        if (row[o] == null) {
            row[o] = family.score(law.of(v, phi), cell, o);
        }
        return row[o];
    }

    /** Sum of count * score score'. */
    public double[][] outerProducts(double[][] scores) {
        int p = scores[0].length;
        double[][] sum = new double[p][p];
        for (int i = 0; i < scores.length; i++) {
            addOuter(count[i], scores[i], sum);
        }
        return sum;
    }

    /** Covariance of a sum over observations, each with its weight and independent of the others. */
    public double[][] covariance(double[][] influence) {
        int p = influence[0].length;
        double[][] sum = new double[p][p];
        for (int i = 0; i < influence.length; i++) {
            addOuter(squares[i], influence[i], sum);
        }
        return sum;
    }

    /** What each column has at a row. */
    public static double[] at(double[][] columns, int row) {
        double[] own = new double[columns.length];
        for (int j = 0; j < own.length; j++) {
            own[j] = columns[j][row];
        }
        return own;
    }

    /** Sum of weight times each vector. */
    public static double[] sum(double weight, double[][] vectors) {
        double[] sum = new double[vectors[0].length];
        for (double[] x : vectors) {
            Vec.axpy(weight, x, sum);
        }
        return sum;
    }

    /** Sum of x x' over vectors. */
    public static double[][] sumOfOuter(double[][] vectors) {
        double[][] sum = new double[vectors[0].length][vectors[0].length];
        for (double[] x : vectors) {
            addOuter(1, x, sum);
        }
        return sum;
    }

    public double[] sum(double[][] scores) {
        double[] sum = new double[scores[0].length];
        for (int i = 0; i < scores.length; i++) {
            Vec.axpy(count[i], scores[i], sum);
        }
        return sum;
    }

    public static void addOuter(double weight, double[] x, double[][] sum) {
        for (int j = 0; j < x.length; j++) {
            Vec.axpy(weight * x[j], x, sum[j]);
        }
    }
}

package dev.revealed.estimate.choice;

import dev.revealed.mdp.choice.KeptIndividuals;
import dev.revealed.mdp.choice.ObservationCounts;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.Paths;
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
 * @param unseen {@code [observation]}: the states before and after a decision whose action is missing, else empty
 * @param squares sums of squared weights, or of weights where these are frequencies: how much chance counts
 * @param common the observation of each period with common moves
 * @param paths which observations each individual has
 */
public record Observations(
        int[] row,
        int[][] cell,
        int[][] outcome,
        int[][] unseen,
        double[] count,
        double[] squares,
        int[] common,
        Paths paths) {
    /** In the place of a row, where the action is missing. */
    private static final int UNSEEN = -2;

    public static Observations of(TransitionLaw law, Panel panel) {
        return panel.individuals() instanceof KeptIndividuals kept
                ? of(kept.counts(), kept::forEachPath)
                : inMemory(law, panel);
    }

    private static Observations of(ObservationCounts counts, Paths paths) {
        return new Observations(
                counts.row(),
                counts.cell(),
                counts.outcome(),
                new int[counts.row().length][0],
                counts.count(),
                counts.squares(),
                new int[0],
                paths);
    }

    private static Observations inMemory(TransitionLaw law, Panel panel) {
        Tally tally = new Tally(new LinkedHashMap<>(), new ArrayList<>(), new ArrayList<>());
        boolean sampled = panel.weights() == Panel.Weights.SAMPLING;
        int parts = law.parts().size();
        int[][] of = new int[panel.size()][];
        for (int n = 0; n < of.length; n++) {
            Panel.Individual individual = panel.individuals().get(n);
            int seen = individual.choices().states().length;
            of[n] = new int[seen + individual.unseen().length];
            int[] actions = individual.choices().actions();
            int decisions = individual.choices().length();
            for (int t = 0; t < of[n].length; t++) {
                List<Integer> key = t < seen
                        ? key(
                                individual,
                                t,
                                actions == null || t >= decisions
                                        ? -1
                                        : individual.choices().states()[t] * law.actions() + actions[t])
                        : unseen(individual.unseen()[t - seen]);
                double weight = individual.weight();
                of[n][t] = tally.add(key, weight, sampled ? weight * weight : weight);
            }
        }
        int[] common = panel.common().stream()
                .mapToInt(period -> tally.add(key(period), 1, 1))
                .toArray();
        int n = tally.counts.size();
        Observations made = new Observations(
                new int[n],
                new int[n][parts],
                new int[n][parts],
                new int[n][0],
                new double[n],
                new double[n],
                common,
                visitor -> {
                    for (int i = 0; i < of.length; i++) {
                        visitor.see(i, panel.individuals().get(i).weight(), of[i], of[i].length);
                    }
                });
        int i = 0;
        for (List<Integer> key : tally.known.keySet()) {
            boolean seen = key.getFirst() != UNSEEN;
            made.row[i] = seen ? key.getFirst() : -1;
            made.unseen[i] = seen ? new int[0] : new int[] {key.get(1), key.get(2)};
            int moves = seen ? 1 : 3;
            for (int v = 0; v < parts; v++) {
                boolean moved = key.size() > moves;
                made.cell[i][v] = moved ? key.get(moves + 2 * v) : -1;
                made.outcome[i][v] = moved ? key.get(moves + 1 + 2 * v) : -1;
            }
            made.squares[i] = tally.squares.get(i);
            made.count[i] = tally.counts.get(i++);
        }
        return made;
    }

    /** Different observations in the order in which they first appear. */
    private record Tally(Map<List<Integer>, Integer> known, List<Double> counts, List<Double> squares) {
        int add(List<Integer> key, double weight, double square) {
            int at = known.computeIfAbsent(key, k -> {
                counts.add(0.0);
                squares.add(0.0);
                return counts.size() - 1;
            });
            counts.set(at, counts.get(at) + weight);
            squares.set(at, squares.get(at) + square);
            return at;
        }
    }

    /** The key of a period's common moves, which are nobody's choice. */
    private static List<Integer> key(Panel.CommonMoves period) {
        List<Integer> key = new ArrayList<>(List.of(-1));
        for (int v = 0; v < period.cells().length; v++) {
            key.add(period.cells()[v]);
            key.add(period.cells()[v] < 0 ? -1 : period.outcomes()[v]);
        }
        return key;
    }

    /** The key of a decision whose action is missing: its states, and the moves that led to it. */
    private static List<Integer> unseen(int[] decision) {
        List<Integer> key = new ArrayList<>(List.of(UNSEEN));
        Arrays.stream(decision).forEach(key::add);
        return key;
    }

    private static List<Integer> key(Panel.Individual individual, int t, int row) {
        int parts = individual.cells().length;
        Integer[] key = new Integer[1 + 2 * parts];
        key[0] = row;
        for (int v = 0; v < parts; v++) {
            key[1 + 2 * v] = Math.max(individual.cells()[v][t], -1);
            key[2 + 2 * v] = individual.cells()[v][t] < 0 ? -1 : individual.outcomes()[v][t];
        }
        return Arrays.asList(key);
    }

    public int size() {
        return row.length;
    }

    /**
     * The score of each observation with respect to the parameters that rows have scores of.
     *
     * @param rowScores by parameter and row: of theta, or of theta and then phi
     */
    public double[][] scores(TransitionLaw law, RowScores solved, double[][] rowScores, boolean joint) {
        double[][] scores = new double[size()][rowScores.length];
        int thetas = rowScores.length - law.parameters();
        double[][][][] known = new double[law.parts().size()][][][];
        Arrays.setAll(known, v -> new double[law.parts().get(v).family().cells()][][]);
        MissingActions missing = new MissingActions(law, solved.phi(), solved.policy());
        for (int i = 0; i < scores.length; i++) {
            scores[i] = row[i] >= 0 ? at(rowScores, row[i]) : scores[i];
            for (int v = 0; joint && v < known.length; v++) {
                if (cell[i][v] >= 0) {
                    double[] own = score(law, solved.phi(), v, cell[i][v], outcome[i][v], known);
                    add(1, own, scores[i], thetas + law.first(v));
                }
            }
            if (unseen[i].length > 0) {
                double[] probability = missing.given(unseen[i][0], unseen[i][1]);
                for (int a = 0; a < probability.length; a++) {
                    if (probability[a] > 0) {
                        add(probability[a], at(rowScores, unseen[i][0] * probability.length + a), scores[i], 0);
                        for (int v = 0; joint && v < known.length; v++) {
                            int of = law.parts().get(v).cell().of(unseen[i][0], a);
                            int to = law.outcome(v, unseen[i][0], a, unseen[i][1]);
                            double[] own = score(law, solved.phi(), v, of, to, known);
                            add(probability[a], own, scores[i], thetas + law.first(v));
                        }
                    }
                }
            }
        }
        return scores;
    }

    private static void add(double weight, double[] x, double[] into, int from) {
        for (int k = 0; k < x.length; k++) {
            into[from + k] += weight * x[k];
        }
    }

    /** Log-likelihood of the moves after decisions whose action is missing, whatever the action was. */
    public double unseenLogLikelihood(TransitionLaw law, RowScores solved) {
        MissingActions missing = new MissingActions(law, solved.phi(), solved.policy());
        double sum = 0;
        for (int i = 0; i < row.length; i++) {
            sum += unseen[i].length == 0 ? 0 : count[i] * missing.logProbability(unseen[i][0], unseen[i][1]);
        }
        return sum;
    }

    /** Whether some action is missing and summed over. */
    public boolean missing() {
        return Arrays.stream(unseen).anyMatch(pair -> pair.length > 0);
    }

    /** sum += outer products of the scores of missing actions, with their counts. */
    public void addUnseen(double[][] scores, double[][] sum) {
        for (int i = 0; i < row.length; i++) {
            if (unseen[i].length > 0) {
                addOuter(count[i], scores[i], sum);
            }
        }
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

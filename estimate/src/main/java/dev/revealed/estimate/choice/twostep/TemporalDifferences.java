package dev.revealed.estimate.choice.twostep;

import dev.revealed.estimate.choice.ConditionalLogit;
import dev.revealed.estimate.choice.Visits;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;
import java.util.Arrays;

/**
 * What actions are worth in the long run, h' theta + g, by least-squares temporal differences from the decisions of some
 * individuals, and the estimate of theta that follows: all first steps of {@link TdCcp}.
 */
final class TemporalDifferences {
    private final TdPanel panel;
    private final int parameters;
    private final double tau;
    private final double[] shock; // e by row
    private final double[][] functions; // the basis, centred and orthonormal over the moves, [row][k]
    private final double[][] values; // h_1..h_p and g, [.][row]
    private final double[] level; // what h_c - gamma h_c' misses since h_c is known up to a constant
    private final ConditionalLogit logit;
    private final ConditionalLogit.Maximum maximum;
    private final double[][] backward; // lambda_1..lambda_p, [.][row]
    private final double[] unexplained; // what is left of choices at the estimate, in the same way, by row

    /**
     * @param basis {@code [row][function]}
     * @param shock the expected shock at each row, by {@link #shock}
     * @param moves the decisions that are used
     */
    TemporalDifferences(TdPanel panel, double[][] basis, double[] shock, TdMoves moves) {
        this.panel = panel;
        this.shock = shock;
        parameters = panel.parameters();
        tau = panel.temperature();
        int rows = shock.length;
        double[] counts = moves.counts();
        double[] departures = moves.departures();
        functions = OrthonormalBasis.of(basis, departures);
        double[][] inverse = Dense.inverse(matrix(moves, departures))
                .orElseThrow(() -> new BadInput(
                        "the temporal differences of the basis are linearly dependent",
                        "Choose a lower degree, or a method that takes a transition law, such as ccp."));
        double[][] target = target(moves);
        values = new double[parameters + 1][rows];
        for (int c = 0; c <= parameters; c++) {
            double[] weight = Dense.multiply(inverse, target[c]);
            Arrays.setAll(values[c], row -> Vec.dot(functions[row], weight));
        }
        level = level(moves);
        logit = PseudoLikelihood.logit(panel.visits(), panel.problem().model().cost(), values, counts);
        maximum = logit.maximise(panel.problem().start());
        double[] probabilities = probabilities(maximum.theta());
        double[][] scores = scores(probabilities);
        double[] visits = new double[rows];
        Arrays.setAll(visits, row -> total(counts, row, panel.visits().actions()));
        backward = new double[parameters][];
        for (int j = 0; j < parameters; j++) {
            double[] score = scores[j];
            double[] weight = new double[rows];
            Arrays.setAll(weight, row -> visits[row] * probabilities[row] * score[row] / tau);
            backward[j] = spread(inverse, weight);
        }
        double[] surplus = new double[rows];
        Arrays.setAll(surplus, row -> (counts[row] - visits[row] * probabilities[row]) / tau);
        unexplained = spread(inverse, surplus);
    }

    /** The expected shock e = -tau (log P - w) at each row, with P from the choices of some individuals. */
    static double[] shock(TdPanel panel, ChoiceProbabilities.Method probabilities, TdMoves moves) {
        ChoiceModel model = panel.problem().model();
        double[] counts = panel.visits().scatter(moves.counts(), model.utility().rows());
        double[] log = panel.visits()
                .gather(probabilities.of(model, Visits.of(model, counts)).logarithms());
        double[] shock = new double[log.length];
        Arrays.setAll(
                shock,
                row -> log[row] == Double.NEGATIVE_INFINITY
                        ? 0
                        : -panel.temperature() * (log[row] - panel.logWeight()[row]));
        return shock;
    }

    /** What arriving at each row is worth at theta, up to a constant: the shock and the value. */
    double[] arrival(double[] theta) {
        double[] arrival = Vec.plus(shock, 1, values[parameters]);
        for (int c = 0; c < parameters; c++) {
            Vec.axpy(theta[c], values[c], arrival);
        }
        return arrival;
    }

    /**
     * Sum over the moves of phi (phi - gamma phi')'. The functions are centred over the moves, so the constant, whose
     * coefficient grows like 1/(1 - gamma) and which no choice depends on, drops out, and what is left stays regular as
     * gamma tends to 1.
     */
    private double[][] matrix(TdMoves moves, double[] departures) {
        int k = functions[0].length;
        double[][] next = new double[departures.length][k];
        for (int m = 0; m < moves.from().length; m++) {
            Vec.axpy(moves.times()[m], functions[moves.to()[m]], next[moves.from()[m]]);
        }
        double[][] matrix = new double[k][k];
        for (int row = 0; row < departures.length; row++) {
            double[] phi = functions[row];
            for (int l = 0; l < k && departures[row] > 0; l++) {
                Vec.axpy(phi[l] * departures[row], phi, matrix[l]);
                Vec.axpy(-panel.discount() * phi[l], next[row], matrix[l]);
            }
        }
        return matrix;
    }

    /** Sum over the moves of phi times what is earned: z_c, and for g the utility without theta and the next shock. */
    private double[][] target(TdMoves moves) {
        double[][] earned = new double[parameters + 1][functions.length];
        for (int m = 0; m < moves.from().length; m++) {
            int from = moves.from()[m];
            for (int c = 0; c <= parameters; c++) {
                earned[c][from] += moves.times()[m] * panel.payoffs()[c][from];
            }
            earned[parameters][from] += moves.times()[m] * (panel.discount() * shock[moves.to()[m]]);
        }
        double[][] target = new double[parameters + 1][functions[0].length];
        for (int c = 0; c <= parameters; c++) {
            for (int row = 0; row < functions.length; row++) {
                Vec.axpy(earned[c][row], functions[row], target[c]);
            }
        }
        return target;
    }

    /** The backward solution for given weights of rows: phi' A'^-1 sum of weight phi. */
    private double[] spread(double[][] inverse, double[] weight) {
        double[] sum = new double[inverse.length];
        for (int row = 0; row < weight.length; row++) {
            Vec.axpy(weight[row], functions[row], sum);
        }
        double[] solved = new double[sum.length];
        for (int i = 0; i < sum.length; i++) {
            Vec.axpy(sum[i], inverse[i], solved);
        }
        double[] rows = new double[weight.length];
        Arrays.setAll(rows, row -> Vec.dot(functions[row], solved));
        return rows;
    }

    private double[] level(TdMoves moves) {
        double[] sum = new double[parameters + 1];
        for (int m = 0; m < moves.from().length; m++) {
            for (int c = 0; c <= parameters; c++) {
                sum[c] += moves.times()[m] * raw(c, moves.from()[m], moves.to()[m]);
            }
        }
        double total = moves.total();
        Arrays.setAll(sum, c -> sum[c] / total);
        return sum;
    }

    private double raw(int c, int from, int to) {
        double later = values[c][to] + (c == parameters ? shock[to] : 0);
        return panel.payoffs()[c][from] + panel.discount() * later - values[c][from];
    }

    /** The temporal difference of h_c (of g for the last) at a move; on average zero over the moves used. */
    double difference(int c, int from, int to) {
        return raw(c, from, to) - level[c];
    }

    /** lambda_j at a row: what an error of the temporal difference there does to the j-th score, spread over the past. */
    double backward(int j, int row) {
        return backward[j][row];
    }

    /** The same for what choices at the estimate leave unexplained; zero but for the sampling error. */
    double unexplained(int row) {
        return unexplained[row];
    }

    /** The plain estimate. */
    ConditionalLogit.Maximum maximum() {
        return maximum;
    }

    /** Choice probabilities by row. */
    double[] probabilities(double[] theta) {
        return logit.probabilities(theta);
    }

    /** The score of each choice given the probabilities of all, {@code [parameter][row]}. */
    double[][] scores(double[] probabilities) {
        int actions = panel.visits().actions();
        double[][] scores = new double[parameters][probabilities.length];
        for (int j = 0; j < parameters; j++) {
            for (int first = 0; first < probabilities.length; first += actions) {
                double mean = 0;
                for (int row = first; row < first + actions; row++) {
                    mean += probabilities[row] * logit.columns()[j][row];
                }
                for (int row = first; row < first + actions; row++) {
                    scores[j][row] = logit.columns()[j][row] - mean;
                }
            }
        }
        return scores;
    }

    /** How often the state of a row was visited. */
    static double total(double[] counts, int row, int actions) {
        double sum = 0;
        for (int other = row - row % actions; other < row - row % actions + actions; other++) {
            sum += counts[other];
        }
        return sum;
    }
}

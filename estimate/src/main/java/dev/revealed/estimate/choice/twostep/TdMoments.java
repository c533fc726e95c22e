package dev.revealed.estimate.choice.twostep;

import dev.revealed.estimate.choice.Observations;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;
import java.util.Arrays;

/** Each individual's moment at theta, score and corrections, and minus the expected derivative of their sum. */
final class TdMoments {
    private final TdPanel panel;
    private final double[] theta;
    private final double[][] moment;
    private final double[][] slope;

    TdMoments(TdPanel panel, double[] theta) {
        this.panel = panel;
        this.theta = theta;
        moment = new double[panel.size()][theta.length];
        slope = new double[theta.length][theta.length];
    }

    /**
     * @param own whether the first steps are the individuals' own: then the moments sum to zero with the corrections
     *     or without, and together are how much each individual moves the estimate
     */
    void add(TemporalDifferences step, int[] individuals, boolean own) {
        double[] chances = step.chances(theta);
        double[][] scores = step.scores(chances);
        double[] counts = new double[chances.length];
        for (int i : individuals) {
            int[] path = panel.paths()[i];
            for (int t = 0; t < path.length; t++) {
                counts[path[t]]++;
                for (int j = 0; j < theta.length; j++) {
                    moment[i][j] += scores[j][path[t]];
                }
                if (t + 1 < path.length) {
                    correct(step, path[t], path[t + 1], own, moment[i]);
                }
            }
        }
        double[] score = new double[theta.length];
        for (int row = 0; row < chances.length; row++) {
            if (chances[row] > 0) {
                for (int j = 0; j < score.length; j++) {
                    score[j] = scores[j][row];
                }
                double visits =
                        TemporalDifferences.total(counts, row, panel.visits().actions());
                Observations.addOuter(visits * chances[row], score, slope);
            }
        }
    }

    private void correct(TemporalDifferences step, int from, int to, boolean own, double[] moment) {
        double together = step.difference(theta.length, from, to);
        for (int c = 0; c < theta.length; c++) {
            double difference = step.difference(c, from, to);
            together += theta[c] * difference;
            if (own) {
                moment[c] += step.unexplained(from) * difference;
            }
        }
        for (int j = 0; j < theta.length; j++) {
            moment[j] -= step.backward(j, from) * together;
        }
    }

    double[][] slope() {
        return slope;
    }

    double[] sum() {
        double[] sum = new double[theta.length];
        for (double[] own : moment) {
            Vec.axpy(1, own, sum);
        }
        return sum;
    }

    /** How much each individual moves the estimate; not a number where the information is singular. */
    double[][] influence() {
        double[][] inverse = Dense.inverse(slope).orElse(unknown(theta.length, theta.length));
        double[][] influence = new double[moment.length][];
        Arrays.setAll(influence, i -> Dense.multiply(inverse, moment[i]));
        return influence;
    }

    static double[][] unknown(int rows, int columns) {
        double[][] unknown = new double[rows][columns];
        for (double[] row : unknown) {
            Arrays.fill(row, Double.NaN);
        }
        return unknown;
    }
}

package dev.revealed.estimate.choice.twostep;

import dev.revealed.estimate.choice.Observations;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;
import java.util.Arrays;

/** Each individual's moment at theta, score and corrections, and minus the expected derivative of their sum. */
record TdMoments(TdPanel panel, double[] theta, double[][] moment, double[][] slope) {
    TdMoments(TdPanel panel, double[] theta) {
        this(panel, theta, new double[panel.size()][theta.length], new double[theta.length][theta.length]);
    }

    /**
     * @param own whether the first steps are the individuals' own: then the moments sum to zero with the corrections
     *     or without, and together are how much each individual moves the estimate
     */
    void add(TemporalDifferences step, int[] individuals, boolean own) {
        double[] probabilities = step.probabilities(theta);
        double[][] scores = step.scores(probabilities);
        double[] counts = new double[probabilities.length];
        for (int i : individuals) {
            int[] path = panel.paths()[i];
            for (int t = 0; t < path.length; t++) {
                counts[path[t]]++;
                Vec.axpy(1, Observations.at(scores, path[t]), moment[i]);
                if (t + 1 < path.length) {
                    correct(step, path[t], path[t + 1], own, moment[i]);
                }
            }
        }
        for (int row = 0; row < probabilities.length; row++) {
            if (probabilities[row] > 0) {
                double visits =
                        TemporalDifferences.total(counts, row, panel.visits().actions());
                Observations.addOuter(visits * probabilities[row], Observations.at(scores, row), slope);
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

    double[] sum() {
        return Observations.sum(1, moment);
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

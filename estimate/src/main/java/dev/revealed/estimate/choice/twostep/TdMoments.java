package dev.revealed.estimate.choice.twostep;

import dev.revealed.estimate.choice.Observations;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.List;

/**
 * What decisions and moves add to the moments at theta, score and corrections, by the first steps of each part of the
 * individuals.
 *
 * @param dealing how individuals are dealt into parts
 */
record TdMoments(TdPanel panel, double[] theta, TdIndividuals.Dealing dealing, List<Part> parts) {

    /**
     * The moments of individuals of one part.
     *
     * @param step the first steps, by others or by all
     * @param moves theirs
     * @param scores {@code [parameter][row]}
     * @param own whether the first steps are the individuals' own: then the moments sum to zero with the corrections
     *     or without, and together are how much each individual moves the estimate
     */
    record Part(TemporalDifferences step, TdMoves moves, double[] probabilities, double[][] scores, boolean own) {
        static Part of(TemporalDifferences step, TdMoves moves, double[] theta, boolean own) {
            double[] probabilities = step.probabilities(theta);
            return new Part(step, moves, probabilities, step.scores(probabilities), own);
        }

        /** moment += what a move adds besides the scores of its decisions. */
        void correct(double[] theta, int from, int to, double[] moment) {
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

        void addSlope(int actions, double[][] slope) {
            for (int row = 0; row < probabilities.length; row++) {
                if (probabilities[row] > 0) {
                    double visits = TemporalDifferences.total(moves.counts(), row, actions);
                    Observations.addOuter(visits * probabilities[row], Observations.at(scores, row), slope);
                }
            }
        }

        void addSum(double[] theta, double[] sum) {
            for (int row = 0; row < probabilities.length; row++) {
                if (moves.counts()[row] > 0) {
                    Vec.axpy(moves.counts()[row], Observations.at(scores, row), sum);
                }
            }
            for (int m = 0; m < moves.from().length; m++) {
                double[] correction = new double[theta.length];
                correct(theta, moves.from()[m], moves.to()[m], correction);
                Vec.axpy(moves.times()[m], correction, sum);
            }
        }
    }

    /** Minus the expected derivative of the sum of the moments. */
    double[][] slope() {
        double[][] slope = new double[theta.length][theta.length];
        parts.forEach(part -> part.addSlope(panel.visits().actions(), slope));
        return slope;
    }

    /** Of all individuals. */
    double[] sum() {
        if (panel.individuals() instanceof InMemoryIndividuals held) {
            return Observations.sum(1, byIndividual(held));
        }
        double[] sum = new double[theta.length];
        parts.forEach(part -> part.addSum(theta, sum));
        return sum;
    }

    /** The inverse of the slope; not a number where the information is singular. */
    double[][] inverse() {
        return Dense.inverse(slope()).orElse(unknown(theta.length, theta.length));
    }

    private double[][] byIndividual(InMemoryIndividuals held) {
        int[] dealt = held.dealt(dealing, parts.size());
        double[][] moment = new double[dealt.length][theta.length];
        for (int i = 0; i < moment.length; i++) {
            Part part = parts.get(dealt[i]);
            int[] path = held.paths()[i];
            for (int t = 0; t < path.length; t++) {
                Vec.axpy(1, Observations.at(part.scores, path[t]), moment[i]);
                if (t + 1 < path.length) {
                    part.correct(theta, path[t], path[t + 1], moment[i]);
                }
            }
        }
        return moment;
    }

    /** How much each individual moves the estimate. */
    double[][] influence(InMemoryIndividuals held) {
        double[][] inverse = inverse();
        double[][] moment = byIndividual(held);
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

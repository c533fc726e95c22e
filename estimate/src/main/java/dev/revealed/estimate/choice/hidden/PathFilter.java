package dev.revealed.estimate.choice.hidden;

import dev.revealed.mdp.choice.HiddenProcess;
import java.util.Arrays;

/**
 * The likelihood of one individual's choices, whatever path its hidden variable took: a sum over the nodes, carried from
 * period to period. The score follows from the probability of every node given all choices, which a pass backwards gives
 * (Fisher's identity).
 */
final class PathFilter {
    private final int nodes;
    private final double[] weights;
    private final double[] move; // [from * nodes + to]
    private final double[] slope; // of the moves with respect to the persistence
    private final int persistence;

    /**
     * @param rho parameters of the hidden variable
     * @param persistence the place of the persistence among all parameters, -1 where it is known
     */
    PathFilter(HiddenProcess process, double[] rho, int persistence) {
        this.persistence = persistence;
        nodes = process.cells();
        weights = process.weights().clone();
        move = new double[nodes * nodes];
        slope = new double[nodes * nodes];
        double[] own = new double[nodes];
        for (int i = 0; i < nodes; i++) {
            System.arraycopy(process.probabilities(rho, i), 0, move, i * nodes, nodes);
            if (persistence >= 0) {
                process.derivative(rho, i, 0, own);
                System.arraycopy(own, 0, slope, i * nodes, nodes);
            }
        }
    }

    /**
     * The log-probability of all choices.
     *
     * @param row of each choice at the first node; rows of the other nodes follow, {@code width} apart
     * @param policy probability of each row
     * @param rows score of each row, by parameter; without any, none is added
     * @param score of the individual, to which its own is added
     */
    double add(int[] row, int width, double[] policy, double[][] rows, double[] score) {
        double[] filtered = new double[row.length * nodes];
        double[] sums = new double[row.length];
        double log = filter(row, width, policy, filtered, sums, new double[0]);
        if (rows.length > 0) {
            addScore(row, width, policy, rows, filtered, sums, score);
        }
        return log;
    }

    /**
     * Filtered probabilities: of the nodes, given the choices so far. Sums are probabilities of each choice given those
     * before, whose logarithms are summed in what is returned.
     */
    private double filter(int[] row, int width, double[] policy, double[] filtered, double[] sums, double[] predicted) {
        int periods = row.length;
        double log = 0;
        for (int t = 0; t < periods; t++) {
            int at = t * nodes;
            if (t == 0) {
                System.arraycopy(weights, 0, filtered, 0, nodes);
            } else {
                for (int i = 0; i < nodes; i++) {
                    double f = filtered[at - nodes + i];
                    for (int j = 0; j < nodes; j++) {
                        filtered[at + j] += f * move[i * nodes + j];
                    }
                }
            }
            if (predicted.length > 0) {
                System.arraycopy(filtered, at, predicted, at, nodes);
            }
            double sum = 0;
            for (int j = 0; j < nodes; j++) {
                filtered[at + j] *= policy[row[t] + j * width];
                sum += filtered[at + j];
            }
            for (int j = 0; j < nodes; j++) {
                filtered[at + j] /= sum;
            }
            sums[t] = sum;
            log += Math.log(sum);
        }
        return log;
    }

    /** Predicted probabilities: of each node at each choice, given the choices before: {@code [t * nodes + node]}. */
    double[] predicted(int[] row, int width, double[] policy) {
        double[] predicted = new double[row.length * nodes];
        filter(row, width, policy, new double[predicted.length], new double[row.length], predicted);
        return predicted;
    }

    /** Smoothed probabilities: of each node at each choice, given all choices: {@code [t * nodes + node]}. */
    double[] smoothed(int[] row, int width, double[] policy) {
        double[] filtered = new double[row.length * nodes];
        double[] sums = new double[row.length];
        filter(row, width, policy, filtered, sums, new double[0]);
        double[] later = new double[nodes];
        double[] here = new double[nodes];
        Arrays.fill(later, 1);
        for (int t = row.length - 1; t >= 0; t--) {
            int at = t * nodes;
            for (int j = 0; j < nodes; j++) {
                here[j] = policy[row[t] + j * width] * later[j] / sums[t];
                filtered[at + j] *= later[j];
            }
            for (int i = 0; i < nodes; i++) {
                later[i] = 0;
                for (int j = 0; j < nodes; j++) {
                    later[i] += move[i * nodes + j] * here[j];
                }
            }
        }
        return filtered;
    }

    private void addScore(
            int[] row, int width, double[] policy, double[][] rows, double[] filtered, double[] sums, double[] score) {
        double[] later = new double[nodes]; // probability of the later choices given each node, relative to that so far
        double[] here = new double[nodes]; // the same with this period's choice
        Arrays.fill(later, 1);
        for (int t = row.length - 1; t >= 0; t--) {
            int at = t * nodes;
            for (int j = 0; j < nodes; j++) {
                double given = filtered[at + j] * later[j];
                int own = row[t] + j * width;
                for (int k = 0; given > 0 && k < rows.length; k++) {
                    score[k] += given * rows[k][own];
                }
                here[j] = policy[own] * later[j] / sums[t];
            }
            for (int i = 0; t > 0 && i < nodes; i++) {
                double next = 0;
                double moved = 0;
                for (int j = 0; j < nodes; j++) {
                    next += move[i * nodes + j] * here[j];
                    moved += slope[i * nodes + j] * here[j];
                }
                later[i] = next;
                if (persistence >= 0) {
                    score[persistence] += filtered[at - nodes + i] * moved;
                }
            }
        }
    }
}

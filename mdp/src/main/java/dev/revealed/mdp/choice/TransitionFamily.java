package dev.revealed.mdp.choice;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;
import java.util.List;

/**
 * A family of distributions that moves one state variable: for each cell (what the move may depend on) the probabilities
 * of a few outcomes, as a function of parameters phi the data decide.
 */
public interface TransitionFamily {
    /** Names of the free parameters. */
    List<String> names();

    int cells();

    int outcomes(int cell);

    /** Whether an outcome can come about in a cell, at some parameters. */
    default boolean possible(int cell, int outcome) {
        return true;
    }

    /** p[0..outcomes) = probabilities of the outcomes in a cell. */
    void at(double[] phi, int cell, double[] p);

    /** The same as a new array. */
    default double[] probabilities(double[] phi, int cell) {
        double[] p = new double[outcomes(cell)];
        at(phi, cell, p);
        return p;
    }

    /** dp[0..outcomes) = their derivatives with respect to phi_k. */
    void derivative(double[] phi, int cell, int k, double[] dp);

    /** Maximum likelihood from {@code counts[cell][outcome]}. */
    double[] fit(double[][] counts);

    default int parameters() {
        return names().size();
    }

    default double logLikelihood(double[] phi, double[][] counts) {
        double sum = 0;
        for (int cell = 0; cell < cells(); cell++) {
            if (Vec.sum(counts[cell]) == 0) {
                continue; // a fine grid has many cells in which nothing was seen
            }
            double[] p = probabilities(phi, cell);
            for (int o = 0; o < p.length; o++) {
                sum += counts[cell][o] == 0 ? 0 : counts[cell][o] * Math.log(p[o]);
            }
        }
        return sum;
    }

    /** gradient[first + k] += weight * sum over outcomes of dp/dphi_k given[outcome], for every k. */
    default void accumulate(double[] phi, int cell, double weight, double[] given, double[] gradient, int first) {
        double[] dp = new double[outcomes(cell)];
        for (int k = 0; k < parameters(); k++) {
            derivative(phi, cell, k, dp);
            gradient[first + k] += weight * Vec.dot(dp, given);
        }
    }

    /** Derivative of the log-probability of an outcome. */
    default double[] score(double[] phi, int cell, int outcome) {
        double[] p = probabilities(phi, cell);
        double[] score = new double[parameters()];
        double[] dp = new double[p.length];
        for (int k = 0; k < score.length; k++) {
            derivative(phi, cell, k, dp);
            score[k] = dp[outcome] / p[outcome];
        }
        return score;
    }

    /** Expected information of that many observations per cell. */
    default double[][] information(double[] phi, double[][] counts) {
        int q = parameters();
        double[][] information = new double[q][q];
        for (int cell = 0; cell < cells(); cell++) {
            double n = Vec.sum(counts[cell]);
            if (n == 0) {
                continue;
            }
            double[] p = probabilities(phi, cell);
            double[][] dp = new double[q][p.length];
            for (int k = 0; k < q; k++) {
                derivative(phi, cell, k, dp[k]);
            }
            for (int k = 0; k < q; k++) {
                for (int l = 0; l < q; l++) {
                    for (int o = 0; o < p.length; o++) {
                        information[k][l] += p[o] == 0 ? 0 : n * dp[k][o] * dp[l][o] / p[o];
                    }
                }
            }
        }
        return information;
    }

    /**
     * How much each observed outcome moves direction' phi: direction' I^-1 score, by cell and outcome. What two-step
     * standard errors need of the first step; families with many parameters override it, since I is then block-diagonal.
     */
    default double[][] influence(double[] phi, double[][] counts, double[] direction) {
        double[][] table = new double[cells()][];
        double[] solved = direction.length == 0 ? direction : Dense.solvePositive(information(phi, counts), direction);
        for (int cell = 0; cell < table.length; cell++) {
            table[cell] = new double[outcomes(cell)];
            double[] p = probabilities(phi, cell);
            for (int o = 0; o < p.length; o++) {
                table[cell][o] = p[o] == 0 || direction.length == 0 ? 0 : Vec.dot(solved, score(phi, cell, o));
            }
        }
        return table;
    }

    /** The error where no move was observed whose probability depends on the parameters. */
    static BadInput unobserved(List<String> names) {
        return new BadInput(
                "no move was observed from which to estimate %s".formatted(String.join(", ", names)),
                "Give at least two consecutive periods of some individual. If the law is that of one action alone,"
                        + " somebody must take it; else write numbers for these parameters.");
    }
}

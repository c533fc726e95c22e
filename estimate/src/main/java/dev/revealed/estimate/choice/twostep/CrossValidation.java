package dev.revealed.estimate.choice.twostep;

import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.List;

/** How well a basis predicts given values of the next row from the present one, on individuals it was not fitted to. */
final class CrossValidation {
    private final int folds;
    private final double[] departures;
    private final double[][] weight; // moves from each row, [fold][row]
    private final double[][][] sum; // of the next values, [value][fold][row]
    private final double[] variation; // of the next values around their mean, [value]

    /** @param next the values by row; each is predicted by itself */
    CrossValidation(TdPanel panel, List<double[]> next, int folds) {
        this.folds = folds;
        int rows = panel.visits().rows();
        TdMoves all = panel.all();
        departures = all.departures();
        weight = new double[folds][];
        sum = new double[next.size()][folds][rows];
        variation = new double[next.size()];
        double[] mean = new double[sum.length];
        double moves = Vec.sum(departures);
        for (int v = 0; v < sum.length; v++) {
            for (int m = 0; m < all.to().length; m++) {
                mean[v] += all.times()[m] * (next.get(v)[all.to()[m]] / moves);
            }
            for (int m = 0; m < all.to().length; m++) {
                double centred = next.get(v)[all.to()[m]] - mean[v];
                variation[v] += all.times()[m] * (centred * centred);
            }
        }
        TdMoves[] parts = panel.individuals().parts(TdIndividuals.Dealing.HELD_OUT, folds);
        for (int f = 0; f < folds; f++) {
            weight[f] = parts[f].departures();
            for (int v = 0; v < sum.length; v++) {
                for (int m = 0; m < parts[f].to().length; m++) {
                    sum[v][f][parts[f].from()[m]] += parts[f].times()[m] * (next.get(v)[parts[f].to()[m]] - mean[v]);
                }
            }
        }
    }

    double variation(int v) {
        return variation[v];
    }

    /** The squared error for each of the values. */
    double[] errors(double[][] basis) {
        double[][] functions = OrthonormalBasis.of(basis, departures);
        double[] errors = variation.clone();
        for (int f = 0; f < folds; f++) {
            add(functions, f, errors);
        }
        return errors;
    }

    /**
     * Fits to all folds but one and adds what that changes on it. The functions are orthonormal over all moves, so their
     * products over the others are a multiple of the identity less those held out. One move's worth of shrinkage keeps a
     * function in check that the others say nothing about.
     */
    private void add(double[][] functions, int held, double[] errors) {
        int k = functions[0].length;
        double[][] gram = new double[k][k];
        double[][] target = new double[sum.length][k];
        for (int row = 0; row < functions.length; row++) {
            double[] phi = functions[row];
            if (weight[held][row] > 0) {
                for (int l = 0; l < k; l++) {
                    double by = -weight[held][row] * phi[l];
                    double[] to = gram[l];
                    for (int m = 0; m <= l; m++) {
                        to[m] += by * phi[m];
                    }
                }
            }
            for (int v = 0; v < sum.length && departures[row] > 0; v++) {
                for (int f = 0; f < folds; f++) {
                    if (f != held && sum[v][f][row] != 0) {
                        Vec.axpy(sum[v][f][row], phi, target[v]);
                    }
                }
            }
        }
        for (int l = 0; l < k; l++) {
            gram[l][l] += 1 + Vec.sum(departures);
            for (int m = 0; m < l; m++) {
                gram[m][l] = gram[l][m];
            }
        }
        double[][] coefficients = Dense.solveDefinite(gram, target).orElse(null);
        if (coefficients == null) {
            Arrays.fill(errors, Double.POSITIVE_INFINITY);
            return;
        }
        for (int row = 0; row < functions.length; row++) {
            for (int v = 0; v < sum.length && weight[held][row] > 0; v++) {
                double fit = Vec.dot(functions[row], coefficients[v]);
                errors[v] += weight[held][row] * fit * fit - 2 * fit * sum[v][held][row];
            }
        }
    }
}

package dev.revealed.estimate.choice.twostep;

import dev.revealed.estimate.choice.Observations;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;
import java.util.Arrays;

/** A basis centred, brought to one scale, and without what depends on others. */
final class OrthonormalBasis {
    /** A combination of basis functions with less variance than this share of the largest is not told from zero. */
    private static final double DEPENDENT = 1e-8;

    private OrthonormalBasis() {}

    /**
     * @param basis {@code [row][function]}
     * @param weight of each row
     * @return functions of mean zero, variance one and without correlation under these weights, {@code [row][function]}
     */
    static double[][] of(double[][] basis, double[] weight) {
        int raw = basis[0].length;
        double total = Vec.sum(weight);
        double[] mean = new double[raw];
        double[] variance = new double[raw];
        for (int row = 0; row < weight.length; row++) {
            Vec.axpy(weight[row] / total, basis[row], mean);
        }
        double[][] centred = new double[weight.length][];
        for (int row = 0; row < weight.length; row++) {
            centred[row] = Vec.plus(basis[row], -1, mean);
            for (int m = 0; m < raw; m++) {
                variance[m] += weight[row] / total * centred[row][m] * centred[row][m];
            }
        }
        double[][] gram = new double[raw][raw];
        for (int row = 0; row < weight.length; row++) {
            for (int m = 0; m < raw; m++) {
                boolean varies = variance[m] > 1e-20 * (mean[m] * mean[m] + variance[m]);
                centred[row][m] = varies ? centred[row][m] / Math.sqrt(variance[m]) : 0;
            }
            if (weight[row] > 0) {
                Observations.addOuter(weight[row] / total, centred[row], gram);
            }
        }
        Dense.Eigen eigen = Dense.symmetricEigen(gram);
        double largest = eigen.values()[raw - 1];
        int kept = (int) Arrays.stream(eigen.values())
                .filter(value -> value > DEPENDENT * largest)
                .count();
        if (kept == 0) {
            throw new BadInput(
                    "values do not vary over the states and actions of the panel",
                    "Use nfxp, or find data from more states.");
        }
        double[][] functions = new double[weight.length][kept];
        for (int row = 0; row < weight.length; row++) {
            for (int l = 0; l < kept; l++) {
                int m = raw - kept + l;
                functions[row][l] = Vec.dot(eigen.vectors()[m], centred[row]) / Math.sqrt(eigen.values()[m]);
            }
        }
        return functions;
    }
}

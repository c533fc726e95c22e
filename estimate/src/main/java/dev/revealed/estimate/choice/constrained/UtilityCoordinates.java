package dev.revealed.estimate.choice.constrained;

import dev.revealed.mdp.Reward;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;
import java.util.Arrays;

/**
 * An affine utility in coordinates in which its columns are orthogonal and of mean square one, whatever the units and
 * however alike the columns a modeller chose (x, x^2 and x^3): u = offset + columns' z with z = R theta. Optimisers stop by
 * the size of a gradient, and only in such coordinates does a small one mean a small error.
 *
 * @param r upper triangular
 */
record UtilityCoordinates(double[] offset, double[][] columns, double[][] r) {
    /** Above this many columns they are only scaled: there orthogonality would cost more than it helps. */
    private static final int MOST = 100;

    private static final double DEPENDENT = 1e-10;

    /** @param available the rows that count; columns are zero in the others */
    UtilityCoordinates(Reward utility, boolean[] available) {
        int p = utility.parameters();
        double[] zero = new double[p];
        double[] offset = new double[utility.rows()];
        utility.values(zero, offset);
        double[][] columns = utility.derivatives(zero);
        double[][] r = new double[p][p];
        int rows = 0;
        for (boolean counts : available) {
            rows += counts ? 1 : 0;
        }
        for (double[] column : columns) {
            Arrays.setAll(column, row -> available[row] ? column[row] : 0);
        }
        refuseCurved(utility, available, offset, columns);
        for (int j = 0; j < p; j++) {
            double[] own = columns[j];
            double size = Vec.norm(own) / Math.sqrt(rows);
            for (int i = 0; i < j && p <= MOST; i++) {
                r[i][j] = Vec.dot(columns[i], own) / rows;
                Vec.axpy(-r[i][j], columns[i], own);
            }
            double left = Vec.norm(own) / Math.sqrt(rows);
            boolean dependent = !(left > DEPENDENT * size); // nothing of its own: the parameter stays where it starts
            r[j][j] = dependent ? 1 : left;
            Arrays.setAll(own, row -> dependent ? 0 : own[row] / left);
        }
        this(offset, columns, r);
    }

    /** Compares with the utility itself, at a point where all parameters matter. */
    private static void refuseCurved(Reward utility, boolean[] available, double[] offset, double[][] columns) {
        double[] theta = new double[columns.length];
        double[] found = new double[offset.length];
        Arrays.fill(theta, 1);
        utility.values(theta, found);
        for (int row = 0; row < found.length; row++) {
            double expected = offset[row];
            double size = Math.abs(expected);
            for (double[] column : columns) {
                expected += column[row];
                size = Math.max(size, Math.abs(column[row]));
            }
            if (available[row] && !(Math.abs(found[row] - expected) <= 1e-9 * (1 + size))) {
                throw new BadInput(
                        "mpec needs a utility that is linear in its parameters, and this one is not",
                        "Use `method` nfxp or ml-irl.");
            }
        }
    }

    /** z = R theta. */
    double[] of(double[] theta) {
        return Dense.multiply(r, theta);
    }

    /** theta = R^-1 z. */
    double[] theta(double[] z) {
        double[] theta = z.clone();
        for (int i = z.length - 1; i >= 0; i--) {
            for (int j = i + 1; j < z.length; j++) {
                theta[i] -= r[i][j] * theta[j];
            }
            theta[i] /= r[i][i];
        }
        return theta;
    }
}

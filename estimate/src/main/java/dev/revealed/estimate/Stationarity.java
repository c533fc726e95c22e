package dev.revealed.estimate;

import dev.revealed.numeric.Dense;
import java.util.Arrays;

/**
 * How far the maximum of a likelihood is from where a search stopped, by gradient and information there: g' I^-1 g, the
 * square of the distance in standard errors, which does not depend on how parameters are scaled. A small gradient alone
 * proves nothing, since units decide what is small; nor does a small step, since there is none where the information
 * vanishes, as it does where all choices are certain, be they right or wrong.
 *
 * @param distance in standard errors, along the directions that have information; infinite where the gradient points along
 *     one that has none
 * @param definite whether every direction has information
 */
public record Stationarity(double distance, boolean definite) {
    /** Below this share of what the parameters tell one by one, a direction has no information. */
    private static final double FLAT = 1e-10;

    /** A gradient along a direction without information is rounding up to here, in units of single parameters' scores. */
    private static final double ROUNDING = 1e-6;

    /** In standard errors: nobody can see the difference. */
    private static final double NEAR = 1e-3;

    /** The search must come within this of the maximum for every observation, in squared standard errors. */
    private static final double PER_OBSERVATION = 1e-10;

    public static Stationarity of(double[][] information, double[] gradient) {
        int p = gradient.length;
        if (p == 0) {
            return new Stationarity(0, true);
        }
        double[] unit = new double[p];
        Arrays.setAll(unit, j -> information[j][j] > 0 ? 1 / Math.sqrt(information[j][j]) : 0);
        double[][] scaled = new double[p][p];
        boolean finite = true;
        for (int j = 0; j < p; j++) {
            for (int k = 0; k < p; k++) {
                scaled[j][k] = unit[j] * information[j][k] * unit[k];
                finite &= Double.isFinite(scaled[j][k]);
            }
            finite &= Double.isFinite(gradient[j]);
            if (unit[j] == 0 && gradient[j] != 0) {
                return new Stationarity(Double.POSITIVE_INFINITY, false);
            }
        }
        if (!finite) {
            return new Stationarity(Double.POSITIVE_INFINITY, false);
        }
        Dense.Eigen eigen = Dense.symmetricEigen(scaled);
        double sum = 0;
        boolean definite = true;
        for (int i = 0; i < p; i++) {
            double along = 0;
            for (int j = 0; j < p; j++) {
                along += eigen.vectors()[i][j] * unit[j] * gradient[j];
            }
            if (eigen.values()[i] > FLAT) {
                sum += along * along / eigen.values()[i];
            } else {
                definite = false;
                sum = Math.abs(along) > ROUNDING ? Double.POSITIVE_INFINITY : sum;
            }
        }
        return new Stationarity(Math.sqrt(sum), definite);
    }

    /** Whether no more than rounding is left to climb. */
    public boolean reached() {
        return within(NEAR);
    }

    /** Whether the maximum is no further than so many standard errors. */
    public boolean within(double standardErrors) {
        return distance <= standardErrors;
    }

    /** The same for a likelihood of so many observations, whose rounding errors add up. */
    public boolean reached(long observations) {
        return distance * distance <= Math.max(NEAR * NEAR, PER_OBSERVATION * (double) observations);
    }
}

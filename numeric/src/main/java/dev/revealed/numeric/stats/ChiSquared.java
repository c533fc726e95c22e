package dev.revealed.numeric.stats;

import dev.revealed.numeric.Normal;

/**
 * Upper tail of the chi-squared distribution. For whole degrees of freedom the regularised incomplete gamma function
 * Q(df/2, x/2) is a finite sum of positive terms, so that the tail keeps its relative accuracy however small it is:
 *
 * <pre>
 *   df even:  exp(-y) (1 + y + y^2/2! + ... + y^(df/2-1)/(df/2-1)!),                 y = x/2
 *   df odd:   2 Phi(-sqrt(x)) + exp(-y) (y^(1/2)/Gamma(3/2) + ... + y^(df/2-1)/Gamma(df/2))
 * </pre>
 */
public final class ChiSquared {
    private static final double GAMMA_OF_THREE_HALVES = 0.886226925452758;

    private ChiSquared() {}

    /** The probability that a chi-squared variable exceeds x. */
    public static double upperTail(double x, int df) {
        if (df < 1) {
            throw new IllegalArgumentException("%d degrees of freedom".formatted(df));
        }
        if (Double.isNaN(x)) {
            return Double.NaN;
        }
        if (x <= 0) {
            return 1;
        }
        if (x == Double.POSITIVE_INFINITY) {
            return 0;
        }
        double y = x / 2;
        if (df % 2 == 0) {
            return Math.min(1, sum(1, 1, y, df / 2));
        }
        double first = 2 * Normal.cdf(-Math.sqrt(x));
        return Math.min(1, first + sum(Math.sqrt(y) / GAMMA_OF_THREE_HALVES, 1.5, y, df / 2));
    }

    /** exp(-y) times the sum of so many terms, each y/k, y/(k+1), ... of the one before. */
    private static double sum(double term, double k, double y, int terms) {
        // How much of exp(-y) is still to be applied: all at once it could underflow where the sum overflows.
        double left = y;
        double sum = 0;
        for (int j = 0; j < terms; j++) {
            sum += term;
            term *= y / (k + j);
            if (sum > 1e100) {
                double part = Math.min(left, 200);
                sum *= Math.exp(-part);
                term *= Math.exp(-part);
                left -= part;
            }
        }
        return sum * Math.exp(-left);
    }
}

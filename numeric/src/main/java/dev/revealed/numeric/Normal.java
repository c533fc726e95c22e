package dev.revealed.numeric;

/**
 * The standard normal distribution, exact to rounding and without tables of coefficients.
 *
 * <p>Everything rests on the Mills ratio m(x) = Phi(-x) / phi(x): near zero from the all-positive series
 * Phi(x) - 1/2 = phi(x) (x + x^3/3 + x^5/(3*5) + ...), in the tail from Laplace's continued fraction
 * 1/(x + 1/(x + 2/(x + 3/(x + ...)))). Both tails keep their relative accuracy down to the smallest normal double.
 */
public final class Normal {

    private static final double SQRT_TWO_PI = 2.5066282746310007;
    private static final double LOG_SQRT_TWO_PI = 0.9189385332046728;
    private static final double TAIL = 2;
    /** Enough terms for full precision at {@link #TAIL}, where the fraction converges slowest. */
    private static final int FRACTION_TERMS = 100;

    private static final int MAX_NEWTON_STEPS = 50;

    private Normal() {}

    /** phi(x) = exp(-x^2/2) / sqrt(2 pi). */
    public static double density(double x) {
        double square = x * x;
        double rounding = Double.isFinite(square) ? Math.fma(x, x, -square) : 0;
        return Math.exp(-square / 2) * Math.exp(-rounding / 2) / SQRT_TWO_PI;
    }

    /** Phi(x), the probability below x; the upper tail is {@code cdf(-x)}, which does not cancel. */
    public static double cdf(double x) {
        if (x > 0) {
            return 1 - cdf(-x);
        }
        return x == Double.NEGATIVE_INFINITY ? 0 : density(x) * mills(-x);
    }

    /**
     * The x with Phi(x) = p; infinite at 0 and 1, NaN outside [0, 1].
     *
     * <p>Newton's method on log Phi, which is concave, from a point known to lie below the root (for x below zero
     * Phi(x) is at most exp(-x^2/2)/2): every step climbs towards the root and none passes it.
     */
    public static double quantile(double p) {
        if (!(p >= 0 && p <= 1)) {
            return Double.NaN;
        }
        if (p > 0.5) {
            return -quantile(1 - p);
        }
        if (p == 0) {
            return Double.NEGATIVE_INFINITY;
        }
        double target = Math.log(p);
        double x = -Math.sqrt(Math.max(0, -2 * Math.log(2 * p)));
        for (int step = 0; step < MAX_NEWTON_STEPS; step++) {
            double mills = mills(-x);
            double climb = (target + x * x / 2 + LOG_SQRT_TWO_PI - Math.log(mills)) * mills;
            x += climb;
            if (climb <= 1e-15 * Math.max(1, -x)) {
                break;
            }
        }
        return x;
    }

    /** m(x) = Phi(-x) / phi(x) for x at least zero. */
    private static double mills(double x) {
        if (x >= TAIL) {
            double fraction = x;
            for (int k = FRACTION_TERMS; k > 0; k--) {
                fraction = x + k / fraction;
            }
            return 1 / fraction;
        }
        double sum = x;
        double term = x;
        for (int k = 3; term > 1e-17 * sum; k += 2) {
            term *= x * x / k;
            sum += term;
        }
        return 0.5 / density(x) - sum;
    }
}

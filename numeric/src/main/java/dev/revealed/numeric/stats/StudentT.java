package dev.revealed.numeric.stats;

/** Student's t distribution: how far a normal estimate strays when its standard error is estimated from few draws. */
public final class StudentT {
    private StudentT() {}

    /** Probability of at most {@code t}, by the finite sums for whole degrees of freedom (Abramowitz and Stegun 26.7.3-4). */
    public static double cdf(double t, int degrees) {
        if (degrees < 1) {
            throw new IllegalArgumentException(degrees + " degrees of freedom");
        }
        double angle = Math.atan(t / Math.sqrt(degrees));
        double cosine = Math.cos(angle);
        boolean odd = degrees % 2 == 1;
        double term = odd ? cosine : 1;
        double sum = degrees == 1 ? 0 : term;
        for (int k = odd ? 3 : 2; k <= degrees - 2; k += 2) {
            term *= (k - 1.0) / k * cosine * cosine;
            sum += term;
        }
        double within = odd ? 2 / Math.PI * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum;
        return 0.5 * (1 + within);
    }

    /** Where the distribution function takes the value {@code p}, between 0 and 1. */
    public static double quantile(double p, int degrees) {
        if (!(p > 0 && p < 1)) {
            throw new IllegalArgumentException("a probability of " + p);
        }
        if (p < 0.5) {
            return -quantile(1 - p, degrees);
        }
        double low = 0;
        double high = 1;
        while (cdf(high, degrees) < p && high < 1e300) {
            high *= 2;
        }
        for (double middle = 0.5 * high; low < middle && middle < high; middle = low + 0.5 * (high - low)) {
            if (cdf(middle, degrees) < p) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }
}

package dev.revealed.numeric;

import java.util.Arrays;

/** From {@code low} to {@code high}; both NaN where nothing is known. */
public record Interval(double low, double high) {
    public static final Interval UNKNOWN = new Interval(Double.NaN, Double.NaN);

    public boolean holds(double x) {
        return low <= x && x <= high;
    }

    public double width() {
        return high - low;
    }

    /** The shares (1 - level)/2 of the draws lie below and above it. */
    public static Interval percentile(double[] draws, double level) {
        double tail = tail(level);
        if (draws.length < 2) {
            return UNKNOWN;
        }
        double[] sorted = draws.clone();
        Arrays.sort(sorted);
        return new Interval(quantile(sorted, tail), quantile(sorted, 1 - tail));
    }

    /** The percentile interval mirrored at the estimate: draws lie about the estimate as the estimate lies about the truth. */
    public static Interval basic(double estimate, double[] draws, double level) {
        Interval percentile = percentile(draws, level);
        return new Interval(2 * estimate - percentile.high, 2 * estimate - percentile.low);
    }

    /** The estimate, and as many standard errors on either side as the normal distribution asks for. */
    public static Interval normal(double estimate, double standardError, double level) {
        double reach = -Normal.quantile(tail(level)) * standardError;
        return new Interval(estimate - reach, estimate + reach);
    }

    /**
     * The normal interval of log(x / (1 - x)), mapped back: of a share, it never leaves 0 to 1. A share of 0 or 1 has no other
     * point in it.
     *
     * @param standardError of the share itself
     */
    public static Interval share(double estimate, double standardError, double level) {
        if (!(estimate >= 0 && estimate <= 1)) {
            throw new BadInput("a share is " + estimate, "Shares are between 0 and 1.");
        }
        if (Double.isNaN(standardError)) {
            return UNKNOWN;
        }
        if (estimate == 0 || estimate == 1) {
            return new Interval(estimate, estimate);
        }
        double logit = Math.log(estimate / (1 - estimate));
        Interval odds = normal(logit, standardError / (estimate * (1 - estimate)), level);
        return new Interval(1 / (1 + Math.exp(-odds.low)), 1 / (1 + Math.exp(-odds.high)));
    }

    private static double tail(double level) {
        if (!(level > 0 && level < 1)) {
            throw new BadInput("the level of an interval is " + level, "Give one between 0 and 1, such as 0.95.");
        }
        return (1 - level) / 2;
    }

    /** The (n+1)p-th smallest, between neighbours where that is no whole number (Davison and Hinkley 1997). */
    public static double quantile(double[] sorted, double p) {
        double place = Math.clamp((sorted.length + 1) * p - 1, 0, sorted.length - 1.0);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}

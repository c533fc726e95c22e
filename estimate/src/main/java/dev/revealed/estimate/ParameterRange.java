package dev.revealed.estimate;

import dev.revealed.numeric.Interval;

/** Which values a parameter can have, on which the shape of its interval depends. */
public enum ParameterRange {
    /** Any number. */
    REAL,

    /** From 0 to 1, such as the share of a type or a discount. */
    SHARE;

    /** Normal; for a share on the logit scale, where its estimate allows, so that the interval stays within 0 and 1. */
    public Interval interval(double value, double standardError, double level) {
        return this == SHARE && value >= 0 && value <= 1
                ? Interval.share(value, standardError, level)
                : Interval.normal(value, standardError, level);
    }
}

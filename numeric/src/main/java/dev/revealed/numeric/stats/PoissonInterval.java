package dev.revealed.numeric.stats;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Interval;
import java.util.function.DoubleUnaryOperator;

/** The exact interval of a Poisson mean by the number of events that were counted (Garwood 1936). */
public final class PoissonInterval {
    private PoissonInterval() {}

    /** Means under which as few or as many events have at least half of 1 - level as their probability. */
    public static Interval of(int events, double level) {
        if (events < 0 || !(level > 0 && level < 1)) {
            throw new BadInput(
                    "a Poisson interval of %d events at level %s".formatted(events, level),
                    "Count at least 0 events, at a level between 0 and 1, such as 0.95.");
        }
        double tail = (1 - level) / 2;
        double low = events == 0 ? 0 : crossing(mean -> atMost(events - 1, mean) - (1 - tail), events);
        return new Interval(low, crossing(mean -> atMost(events, mean) - tail, events));
    }

    /** The probability of at most so many events, which is a tail of the chi-squared distribution. */
    private static double atMost(int events, double mean) {
        return ChiSquared.upperTail(2 * mean, 2 * (events + 1));
    }

    /** Where a function that falls crosses zero. */
    private static double crossing(DoubleUnaryOperator falling, int events) {
        double low = 0;
        double high = events + 1.0;
        while (falling.applyAsDouble(high) > 0) {
            high *= 2;
        }
        double middle = high / 2;
        while (low < middle && middle < high) { // until there is no number between them
            if (falling.applyAsDouble(middle) > 0) {
                low = middle;
            } else {
                high = middle;
            }
            middle = low + (high - low) / 2;
        }
        return high;
    }
}

package dev.revealed.numeric.stats;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The median of times at which something happened, where some were only watched until it had not happened yet.
 *
 * @param value the median; only a lower bound of it where it is censored, and NaN of nothing
 * @param censored whether the median is beyond {@code value}
 * @param happened how many of the times are known
 * @param of how many there are
 */
public record CensoredMedian(double value, boolean censored, int happened, int of) {
    /** A time: when it happened, or until when it had not. */
    public record Time(double value, boolean censored) {}

    /**
     * Times that are censored count as beyond the end of their watch. Of an even number it is the mean of the two in the
     * middle. It is known where all times up to the middle are.
     */
    public static CensoredMedian of(List<Time> times) {
        int n = times.size();
        int happened =
                Math.toIntExact(times.stream().filter(time -> !time.censored).count());
        if (n == 0) {
            return new CensoredMedian(Double.NaN, false, 0, 0);
        }
        List<Time> sorted = times.stream()
                .sorted(Comparator.comparingDouble(Time::value).thenComparing(Time::censored))
                .toList();
        Stream<Time> firstHalf = sorted.stream().limit(n / 2 + 1);
        double value = (sorted.get((n - 1) / 2).value + sorted.get(n / 2).value) / 2;
        return new CensoredMedian(value, firstHalf.anyMatch(Time::censored), happened, n);
    }
}

package dev.revealed.app.view;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A series as a word: ▁▂▃▄▅▆▇█. */
public final class Sparkline {

    private static final String BARS = "▁▂▃▄▅▆▇█";

    private Sparkline() {}

    /** One bar a value; a blank where it is not finite; half height where all are the same. */
    public static String of(double... values) {
        double low = Arrays.stream(values).filter(Double::isFinite).min().orElse(0);
        double high = Arrays.stream(values).filter(Double::isFinite).max().orElse(0);
        return Arrays.stream(values)
                .mapToObj(v -> !Double.isFinite(v) ? " " : String.valueOf(BARS.charAt(step(v, low, high))))
                .collect(Collectors.joining());
    }

    /** At most so many bars, each the mean of the finite values it stands for. */
    public static String of(double[] values, int width) {
        Grid row = Grid.of(new double[][] {values}).shrink(1, width);
        return of(
                IntStream.range(0, row.columns()).mapToDouble(j -> row.at(0, j)).toArray());
    }

    private static int step(double value, double low, double high) {
        double fraction = (value / 2 - low / 2) / (high / 2 - low / 2); // halves, lest the range overflow
        return high > low ? (int) Math.min(BARS.length() - 1.0, fraction * BARS.length()) : BARS.length() / 2 - 1;
    }
}

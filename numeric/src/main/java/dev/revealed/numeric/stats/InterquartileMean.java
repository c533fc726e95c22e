package dev.revealed.numeric.stats;

import dev.revealed.numeric.Interval;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * The mean without the lowest and the highest quarter: it shrugs off the one run that failed, and wavers less than the
 * median. Its interval is that of the stratified bootstrap (Agarwal et al. 2021).
 */
public final class InterquartileMean {
    private static final int DRAWS = 10_000;

    private InterquartileMean() {}

    /** A quarter of the number, rounded down, goes at either end; NaN of nothing. */
    public static double of(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int cut = sorted.length / 4;
        double sum = 0;
        for (int i = cut; i < sorted.length - cut; i++) {
            sum += sorted[i];
        }
        return sum / (sorted.length - 2 * cut);
    }

    /** Of the runs of all tasks together. */
    public static double of(List<double[]> tasks) {
        return of(tasks.stream().flatMapToDouble(DoubleStream::of).toArray());
    }

    /** Of the runs of one task; unknown for fewer than two. */
    public static Interval interval(double[] runs, double level, RandomStream stream) {
        return interval(List.of(runs), level, stream);
    }

    /** Of the runs of all tasks together; unknown where no task has two runs. */
    public static Interval interval(List<double[]> tasks, double level, RandomStream stream) {
        return StratifiedBootstrap.interval(tasks, InterquartileMean::of, DRAWS, level, stream);
    }
}

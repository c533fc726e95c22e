package dev.revealed.numeric.stats;

import dev.revealed.numeric.Interval;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.Comparator;
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

    /**
     * Of the runs of all tasks together, tasks weighing alike: of n runs on t tasks, each of the m runs on a task weighs n /
     * (t m). Where all tasks have as many runs, that is 1.
     */
    public static double of(List<double[]> tasks) {
        int all = tasks.stream().mapToInt(runs -> runs.length).sum();
        long used = tasks.stream().filter(runs -> runs.length > 0).count();
        Run[] sorted = tasks.stream()
                .flatMap(runs ->
                        DoubleStream.of(runs).mapToObj(value -> new Run(value, (double) all / (used * runs.length))))
                .sorted(Comparator.comparingDouble(Run::value))
                .toArray(Run[]::new);
        int from = all / 4;
        int to = all - from;
        double below = 0; // weight of the runs before
        double sum = 0;
        for (Run run : sorted) {
            double kept = Math.min(below + run.weight, to) - Math.max(below, from);
            if (kept > 0) {
                sum += kept * run.value;
            }
            below += run.weight;
        }
        return sum / (to - from);
    }

    private record Run(double value, double weight) {}

    /** Of the runs of one task; unknown for fewer than two. */
    public static Interval interval(double[] runs, double level, RandomStream stream) {
        return interval(List.of(runs), level, stream);
    }

    /** Of the runs of all tasks together, tasks weighing alike; unknown where no task has two runs. */
    public static Interval interval(List<double[]> tasks, double level, RandomStream stream) {
        return StratifiedBootstrap.interval(tasks, InterquartileMean::of, DRAWS, level, stream);
    }
}

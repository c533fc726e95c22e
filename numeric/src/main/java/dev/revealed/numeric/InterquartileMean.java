package dev.revealed.numeric;

import java.util.Arrays;
import java.util.List;

/**
 * The mean without the lowest and the highest quarter: it shrugs off the one run that failed, and wavers less than the
 * median. Its interval draws runs with replacement within each task, so that every draw has as many of each task as there
 * are (stratified bootstrap; Agarwal et al. 2021).
 */
public final class InterquartileMean {
    private static final int DRAWS = 10_000;

    private InterquartileMean() {}

    /** A quarter of the number, rounded down, goes at either end; NaN of nothing. */
    public static double of(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return ofSorted(sorted);
    }

    private static double ofSorted(double[] sorted) {
        int cut = sorted.length / 4;
        double sum = 0;
        for (int i = cut; i < sorted.length - cut; i++) {
            sum += sorted[i];
        }
        return sum / (sorted.length - 2 * cut);
    }

    /** Of the runs of one task; unknown for fewer than two. */
    public static Interval interval(double[] runs, double level, RandomStream stream) {
        return interval(List.of(runs), level, stream);
    }

    /** Of the runs of all tasks together; unknown where no task has two runs. */
    public static Interval interval(List<double[]> tasks, double level, RandomStream stream) {
        if (tasks.stream().noneMatch(runs -> runs.length > 1)) {
            return Interval.UNKNOWN;
        }
        double[] drawn = new double[tasks.stream().mapToInt(runs -> runs.length).sum()];
        double[] means = new double[DRAWS];
        for (int k = 0; k < DRAWS; k++) {
            int i = 0;
            for (double[] runs : tasks) {
                for (int n = 0; n < runs.length; n++) {
                    drawn[i++] = runs[stream.nextInt(runs.length)];
                }
            }
            Arrays.sort(drawn);
            means[k] = ofSorted(drawn);
        }
        return Interval.percentile(means, level);
    }
}

package dev.revealed.numeric.stats;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Interval;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * The share of runs whose score is above a threshold, for many thresholds: one picture of all runs of all tasks (Agarwal et
 * al. 2021). A curve above another at every threshold is better whatever one asks for.
 */
public record PerformanceProfile(List<Point> points) {
    private static final int DRAWS = 2000;

    /** @param interval that holds the share, each threshold for itself */
    public record Point(double threshold, double share, Interval interval) {}

    public PerformanceProfile {
        points = List.copyOf(points);
    }

    /** The share above a threshold: of the runs of a task, and the mean over tasks, which count alike. */
    public static double above(List<double[]> tasks, double threshold) {
        return tasks.stream()
                .mapToDouble(runs -> (double)
                                DoubleStream.of(runs).filter(x -> x > threshold).count()
                        / runs.length)
                .average()
                .orElse(Double.NaN);
    }

    /** With intervals by the stratified bootstrap. */
    public static PerformanceProfile of(List<double[]> tasks, double[] thresholds, double level, RandomStream stream) {
        BadInput.when(
                tasks.stream().anyMatch(runs -> runs.length == 0),
                "a performance profile of a task without runs",
                "Leave the task out.");
        int count = StratifiedBootstrap.resamples(tasks) ? DRAWS : 0;
        double[][] draws = new double[thresholds.length][count];
        List<double[]> drawn = StratifiedBootstrap.copy(tasks);
        for (int k = 0; k < count; k++) {
            StratifiedBootstrap.draw(tasks, drawn, stream);
            for (int i = 0; i < thresholds.length; i++) {
                draws[i][k] = above(drawn, thresholds[i]);
            }
        }
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < thresholds.length; i++) {
            points.add(new Point(thresholds[i], above(tasks, thresholds[i]), Interval.percentile(draws[i], level)));
        }
        return new PerformanceProfile(points);
    }
}

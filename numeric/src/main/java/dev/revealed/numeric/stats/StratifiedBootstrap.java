package dev.revealed.numeric.stats;

import dev.revealed.numeric.Interval;
import dev.revealed.numeric.RandomStream;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Intervals of a statistic of the runs of one or several tasks. Runs are drawn with replacement within each task, so that
 * every draw has as many of each task as there are (Agarwal et al. 2021).
 */
final class StratifiedBootstrap {
    private StratifiedBootstrap() {}

    /** Unknown where no task has two runs. */
    static Interval interval(
            List<double[]> tasks,
            ToDoubleFunction<List<double[]>> statistic,
            int draws,
            double level,
            RandomStream stream) {
        if (!resamples(tasks)) {
            return Interval.UNKNOWN;
        }
        List<double[]> drawn = copy(tasks);
        double[] values = new double[draws];
        for (int k = 0; k < draws; k++) {
            draw(tasks, drawn, stream);
            values[k] = statistic.applyAsDouble(drawn);
        }
        return Interval.percentile(values, level);
    }

    static boolean resamples(List<double[]> tasks) {
        return tasks.stream().anyMatch(runs -> runs.length > 1);
    }

    static List<double[]> copy(List<double[]> tasks) {
        return tasks.stream().map(double[]::clone).toList();
    }

    /** Fills arrays of the same lengths with runs drawn from those of their task. */
    static void draw(List<double[]> tasks, List<double[]> into, RandomStream stream) {
        for (int task = 0; task < tasks.size(); task++) {
            double[] runs = tasks.get(task);
            double[] drawn = into.get(task);
            for (int n = 0; n < runs.length; n++) {
                drawn[n] = runs[stream.nextInt(runs.length)];
            }
        }
    }
}

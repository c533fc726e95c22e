package dev.revealed.numeric.stats;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Interval;
import dev.revealed.numeric.RandomStream;
import java.util.List;

/**
 * How probable it is that a run of one kind scores more than a run of another, on a task drawn at random (Agarwal et al.
 * 2021): the Mann-Whitney statistic of each task, averaged over tasks.
 *
 * @param interval by the stratified bootstrap over the runs of both
 */
public record ProbabilityOfImprovement(double value, Interval interval) {
    private static final int DRAWS = 2000;

    /** Of the ones over the others, task by task; equal scores count half. */
    public static ProbabilityOfImprovement of(
            List<double[]> ones, List<double[]> others, double level, RandomStream stream) {
        BadInput.when(
                ones.size() != others.size(),
                "runs on %d tasks are compared with runs on %d".formatted(ones.size(), others.size()),
                "Compare runs on the same tasks.");
        double value = mean(ones, others);
        if (!StratifiedBootstrap.resamples(ones) && !StratifiedBootstrap.resamples(others)) {
            return new ProbabilityOfImprovement(value, Interval.UNKNOWN);
        }
        List<double[]> drawnOnes = StratifiedBootstrap.copy(ones);
        List<double[]> drawnOthers = StratifiedBootstrap.copy(others);
        double[] values = new double[DRAWS];
        for (int k = 0; k < DRAWS; k++) {
            StratifiedBootstrap.draw(ones, drawnOnes, stream);
            StratifiedBootstrap.draw(others, drawnOthers, stream);
            values[k] = mean(drawnOnes, drawnOthers);
        }
        return new ProbabilityOfImprovement(value, Interval.percentile(values, level));
    }

    private static double mean(List<double[]> ones, List<double[]> others) {
        double sum = 0;
        for (int task = 0; task < ones.size(); task++) {
            sum += wins(ones.get(task), others.get(task));
        }
        return sum / ones.size();
    }

    private static double wins(double[] ones, double[] others) {
        double wins = 0;
        for (double one : ones) {
            for (double other : others) {
                wins += one > other ? 1 : one == other ? 0.5 : 0;
            }
        }
        return wins / ((double) ones.length * others.length);
    }
}

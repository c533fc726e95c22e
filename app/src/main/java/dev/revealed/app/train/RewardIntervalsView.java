package dev.revealed.app.train;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Field;
import dev.revealed.imitate.judge.RewardEnsemble;
import dev.revealed.mdp.Episodes;
import dev.revealed.numeric.Interval;
import dev.revealed.train.RewardFile;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Shows how sure a reward is along trajectories. */
final class RewardIntervalsView {
    private RewardIntervalsView() {}

    /**
     * What {@code result.json} says.
     *
     * @param agreement mean correlation of two of the rewards
     * @param meanWidth of the intervals over all steps, in deviations of the reward
     * @param decided share of the steps whose interval does not hold the mean: the reward says that they are better or worse
     *     than the usual one
     */
    record Result(
            List<String> rewards,
            String data,
            String dataHash,
            double level,
            double agreement,
            double meanWidth,
            double decided,
            List<Along> trajectories) {}

    /** Of one trajectory. */
    record Along(int trajectory, int length, double meanWidth, double decided) {}

    static Outcome of(
            List<RewardFile> files,
            Path data,
            Episodes episodes,
            RewardEnsemble ensemble,
            int trajectory,
            double level) {
        StringBuilder csv = new StringBuilder(Table.csvLine(List.of("trajectory", "step", "reward", "low", "high")));
        Along[] each = new Along[episodes.size()];
        for (int i = 0; i < each.length; i++) {
            Interval[] intervals = ensemble.intervals(i, level);
            double[] mean = ensemble.mean(i);
            for (int t = 0; t < mean.length; t++) {
                csv.append(Table.csvLine(List.of(
                        Integer.toString(i),
                        Integer.toString(t),
                        Double.toString(mean[t]),
                        Double.toString(intervals[t].low()),
                        Double.toString(intervals[t].high()))));
            }
            each[i] = new Along(
                    i,
                    mean.length,
                    Arrays.stream(intervals).mapToDouble(Interval::width).sum() / mean.length,
                    (double) Arrays.stream(intervals).filter(x -> !x.holds(0)).count() / mean.length);
        }
        double steps = episodes.steps();
        Result result = new Result(
                files.stream().map(file -> file.file().toString()).toList(),
                data.toString(),
                episodes.hash(),
                level,
                ensemble.agreement(),
                Arrays.stream(each).mapToDouble(a -> a.meanWidth * a.length).sum() / steps,
                Arrays.stream(each).mapToDouble(a -> a.decided * a.length).sum() / steps,
                List.of(each));
        Table table = Table.of(
                        result.trajectories,
                        Field.number("trajectory", 6, Along::trajectory),
                        Field.number("length", 6, Along::length),
                        Field.decimals("mean width", 3, Along::meanWidth),
                        Field.decimals("decided %", 1, along -> 100 * along.decided))
                .titled("%s %% intervals of the reward from %d rewards".formatted(percent(level), ensemble.size()))
                .note("Widths are in deviations of the reward over all steps; the rewards correlate by %.3f."
                        .formatted(result.agreement))
                .note("A step is decided where its interval lies above or below the mean of all steps.");
        return Outcome.of(result, "How sure the reward is")
                .table(table)
                .picture(
                        "intervals",
                        chart(ensemble, trajectory, level, data),
                        "Each interval is for its own step, not for all of them together.")
                .file("intervals.csv", csv.toString());
    }

    private static LineChart chart(RewardEnsemble ensemble, int trajectory, double level, Path data) {
        Interval[] intervals = ensemble.intervals(trajectory, level);
        return LineChart.titled("Reward along trajectory %d of %s".formatted(trajectory, data))
                .x("step", Scale.LINEAR)
                .y("standard deviations from the mean", Scale.LINEAR)
                .with(LineChart.Series.of(
                                "mean and %s %% interval".formatted(percent(level)), ensemble.mean(trajectory))
                        .band(ends(intervals, Interval::low), ends(intervals, Interval::high)));
    }

    private static double[] ends(Interval[] intervals, ToDoubleFunction<Interval> end) {
        return Arrays.stream(intervals).mapToDouble(end).toArray();
    }

    private static String percent(double level) {
        return "%.4g".formatted(100 * level).replaceAll("\\.?0+$", "");
    }
}

package dev.revealed.studies.evaluation;

import dev.revealed.numeric.Interval;
import dev.revealed.numeric.stats.CensoredMedian;
import dev.revealed.train.EvaluationPoint;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What runs that differ in the seed alone are worth, in shares of the expert's return. Means are over runs.
 *
 * @param interquartileMean of the last policies, with its 95 % {@code interval} by the bootstrap over runs
 * @param mean of the last policies
 * @param lastTen mean of the last ten evaluations of a run
 * @param worstOfLastTen least of the last ten evaluations of a run
 * @param stepsTo90 counted steps to the first evaluation at 90 %: the median over runs, those that never reach it counting
 *     as beyond their length; {@code stepsTo95} likewise
 * @param budget steps of the area; 0 where there is none
 * @param areaUnderCurve mean over the steps of the budget, from 0 at step 0; NaN where a run is shorter
 * @param below90 evaluations below 90 % after the first at 90 %
 * @param falls of the acting policies; absent where no run kept its metrics
 */
public record EvaluationSummary(
        double interquartileMean,
        Interval interval,
        double mean,
        double lastTen,
        double worstOfLastTen,
        CensoredMedian stepsTo90,
        CensoredMedian stepsTo95,
        long budget,
        double areaUnderCurve,
        Below below90,
        Optional<Falls> falls) {
    /** Evaluations that are below a level, of so many; {@code share} is NaN where there are none. */
    public record Below(int below, int of, double share) {
        static Below of(List<EvaluationPoint> evaluations, double level) {
            int below = Math.toIntExact(evaluations.stream()
                    .filter(point -> !(point.meanReturn() >= level))
                    .count());
            int of = evaluations.size();
            return new Below(below, of, of == 0 ? Double.NaN : (double) below / of);
        }
    }

    /**
     * Nothing where there are no runs, where no return was measured, as without a simulator, or where the expert's return is
     * not above zero, so that shares of it say nothing.
     *
     * @param budget steps of the area under the curve
     * @param interquartileMean of the last policies' returns, with its 95 % {@code interval}
     */
    public static Optional<EvaluationSummary> of(
            List<RunCurve> runs, double expert, long budget, double interquartileMean, Interval interval) {
        if (!(expert > 0) || runs.stream().noneMatch(run -> Double.isFinite(run.last()))) {
            return Optional.empty();
        }
        List<RunCurve> learnt =
                runs.stream().filter(run -> !run.evaluations().isEmpty()).toList();
        List<List<TrainingLine>> lines = runs.stream()
                .map(RunCurve::training)
                .filter(each -> !each.isEmpty())
                .toList();
        List<EvaluationPoint> after =
                learnt.stream().flatMap(run -> run.after(0.9 * expert).stream()).toList();
        return Optional.of(new EvaluationSummary(
                interquartileMean / expert,
                new Interval(interval.low() / expert, interval.high() / expert),
                mean(runs, RunCurve::last) / expert,
                mean(learnt, run -> mean(run.lastTen(), EvaluationPoint::meanReturn)) / expert,
                mean(learnt, EvaluationSummary::worst) / expert,
                stepsTo(learnt, 0.9 * expert),
                stepsTo(learnt, 0.95 * expert),
                learnt.isEmpty() ? 0 : budget,
                mean(learnt, run -> run.meanUpTo(budget)) / expert,
                Below.of(after, 0.9 * expert),
                lines.isEmpty() ? Optional.empty() : Optional.of(Falls.of(lines, expert))));
    }

    /** The steps that all runs have that learnt in a simulator; 0 where none did. */
    public static long budget(List<RunCurve> runs) {
        return runs.stream()
                .mapToLong(RunCurve::length)
                .filter(steps -> steps > 0)
                .min()
                .orElse(0);
    }

    private static CensoredMedian stepsTo(List<RunCurve> runs, double level) {
        return CensoredMedian.of(runs.stream().map(run -> run.stepsTo(level)).toList());
    }

    private static double worst(RunCurve run) {
        return run.lastTen().stream()
                .mapToDouble(EvaluationPoint::meanReturn)
                .min()
                .orElse(Double.NaN);
    }

    private static <T> double mean(List<T> all, ToDoubleFunction<T> value) {
        return all.stream().mapToDouble(value).average().orElse(Double.NaN);
    }
}

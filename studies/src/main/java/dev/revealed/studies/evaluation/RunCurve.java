package dev.revealed.studies.evaluation;

import dev.revealed.imitate.ImitationMethod;
import dev.revealed.numeric.stats.CensoredMedian;
import dev.revealed.train.EvaluationPoint;
import dev.revealed.train.TrainingResult;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A run as it is judged.
 *
 * @param last mean return of the last policy
 * @param evaluations over counted steps, the last among them; empty where nothing was learnt in a simulator
 * @param training lines of its metrics; empty where these were not kept
 */
public record RunCurve(double last, List<EvaluationPoint> evaluations, List<TrainingLine> training) {
    private static final int LAST = 10;

    /** The run of a folder. */
    public static RunCurve of(TrainingResult result, Path folder) {
        RunCurve evaluated = of(result);
        return evaluated.evaluations.isEmpty()
                ? evaluated
                : new RunCurve(evaluated.last, evaluated.evaluations, TrainingLine.read(folder));
    }

    /** Without its metrics. */
    public static RunCurve of(TrainingResult result) {
        boolean acted = result.details()
                .imitation()
                .map(imitated -> ImitationMethod.named(imitated.method()).acts())
                .orElse(true);
        return new RunCurve(result.meanReturn(), acted ? result.countedCurve() : List.of(), List.of());
    }

    /** Counted steps of its last evaluation. */
    public long length() {
        return evaluations.isEmpty() ? 0 : evaluations.getLast().step();
    }

    /** The last ten evaluations, or all where there are fewer. */
    List<EvaluationPoint> lastTen() {
        return lastTen(evaluations);
    }

    /** The same of any curve. */
    public static List<EvaluationPoint> lastTen(List<EvaluationPoint> curve) {
        return curve.subList(Math.max(0, curve.size() - LAST), curve.size());
    }

    /** Counted steps at the first evaluation with such a return; censored at its length where there is none. */
    CensoredMedian.Time stepsTo(double level) {
        int first = firstAt(level);
        return first < 0
                ? new CensoredMedian.Time((double) length(), true)
                : new CensoredMedian.Time((double) evaluations.get(first).step(), false);
    }

    /** The evaluations after the first one with such a return. */
    List<EvaluationPoint> after(double level) {
        int first = firstAt(level);
        return first < 0 ? List.of() : evaluations.subList(first + 1, evaluations.size());
    }

    private int firstAt(double level) {
        return IntStream.range(0, evaluations.size())
                .filter(i -> evaluations.get(i).meanReturn() >= level)
                .findFirst()
                .orElse(-1);
    }

    /**
     * The mean return over the first steps, on straight lines between evaluations, and from a return of 0 at step 0 to the
     * first one. NaN where the run is shorter.
     */
    double meanUpTo(long budget) {
        if (budget < 1 || length() < budget) {
            return Double.NaN;
        }
        double area = 0;
        double step = 0;
        double height = 0;
        for (EvaluationPoint point : evaluations) {
            double width = point.step() - step;
            double used = Math.min(width, budget - step);
            if (used > 0) {
                double end = height + (point.meanReturn() - height) * used / width;
                area += used * (height + end) / 2;
            }
            step = point.step();
            height = point.meanReturn();
        }
        return area / budget;
    }
}

package dev.revealed.app;

import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Report;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import java.util.List;
import java.util.Map;

/**
 * What {@code result.json} of behaviour cloning says. The curve is over updates.
 *
 * @param steps of a simulator that were learnt from: none
 * @param logLikelihood of an action of the expert, on average over the last updates
 * @param meanReturn of the last policy by the task's own reward, which no learning sees
 * @param expertReturn of the demonstrations, where their rewards are known
 */
record CloningResult(
        String task,
        String method,
        String demos,
        String demosHash,
        int trajectories,
        long seed,
        long updates,
        long steps,
        long evaluationSteps,
        double logLikelihood,
        double meanReturn,
        double standardError,
        double[] returns,
        int[] lengths,
        double bestReturn,
        long bestStep,
        double expertReturn,
        double ratio,
        double seconds,
        int threads,
        String device,
        String version,
        String inertia,
        String contactForces,
        String mujoco,
        List<TrainingRun.Point> curve)
        implements Trained {
    @Override
    public Outcome show() {
        String title = "Behaviour cloning on " + task;
        Table summary = Table.of(Column.text(""), Column.text(""))
                .titled(title)
                .row("trajectories", "%d of %s".formatted(trajectories, demos))
                .row(
                        "true return of the last policy",
                        "%s (standard error %s)"
                                .formatted(Numbers.significant(meanReturn, 5), Numbers.significant(standardError, 2)));
        if (!Double.isNaN(expertReturn)) {
            summary = summary.row(
                    "of the expert's %s".formatted(Numbers.significant(expertReturn, 5)),
                    "%s %%".formatted(Numbers.decimals(100 * ratio, 1)));
        }
        summary = summary.row("log likelihood of an action", Numbers.significant(logLikelihood, 4))
                .row("updates", Numbers.count(updates))
                .row("steps of tests", Numbers.count(evaluationSteps))
                .row("seconds", Numbers.significant(seconds, 4))
                .row("seed", Long.toString(seed));
        Table points = Table.of(
                Column.number("update", 9), Column.decimals("true return", 2), Column.decimals("standard error", 2));
        for (TrainingRun.Point point : curve) {
            points = points.row(point.step(), point.meanReturn(), point.standardError());
        }
        LineChart chart = ExpertView.curve(curve, task).x("updates", Scale.LINEAR);
        return new Outcome(
                this,
                summary.toText(),
                Report.titled(title)
                        .table(summary)
                        .picture(chart, "Mean true return of deterministic test episodes, which nothing is learnt by."),
                Map.of("curve", chart),
                Map.of("curve.csv", points.toCsv()));
    }
}

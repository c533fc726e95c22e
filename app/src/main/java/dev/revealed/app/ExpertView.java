package dev.revealed.app;

import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Report;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import java.util.List;
import java.util.Map;

/** Shows a trained expert: how well it does, what it took, and the learning curve. */
final class ExpertView {
    private ExpertView() {}

    static Outcome of(ExpertResult result) {
        String title = result.reward()
                .map(reward -> "Policy on %s, by the reward %s".formatted(result.task(), reward))
                .orElse("Expert on " + result.task());
        Table summary = Table.of(Column.text(""), Column.text(""))
                .titled(title)
                .row(
                        result.reward().map(reward -> "true ").orElse("") + "return of the last policy",
                        interval(result.meanReturn(), result.standardError()))
                .row(
                        "best on the way",
                        "%s at step %s"
                                .formatted(
                                        Numbers.significant(result.bestReturn(), 5), Numbers.count(result.bestStep())))
                .row("steps", Numbers.count(result.steps()))
                .row("updates", Numbers.count(result.updates()))
                .row("updates per second", Numbers.significant(result.updatesPerSecond(), 3))
                .row("seconds", Numbers.significant(result.seconds(), 4))
                .row("device", result.device())
                .row("seed", Long.toString(result.seed()));
        for (Map.Entry<String, Double> share : result.timeShares().entrySet()) {
            summary = summary.row("share of time: " + share.getKey(), Numbers.significant(share.getValue(), 3));
        }
        Table points =
                Table.of(Column.number("step", 9), Column.decimals("return", 2), Column.decimals("standard error", 2));
        for (TrainingRun.Point point : result.curve()) {
            points = points.row(point.step(), point.meanReturn(), point.standardError());
        }
        LineChart curve = curve(result.curve(), result.task());
        return new Outcome(
                result,
                summary.toText(),
                Report.titled(title)
                        .table(summary)
                        .picture(curve, "Mean return of deterministic test episodes; the band is one standard error."),
                Map.of("curve", curve),
                Map.of("curve.csv", points.toCsv()));
    }

    static LineChart curve(List<TrainingRun.Point> points, String task) {
        double[] low = points.stream()
                .mapToDouble(p -> p.meanReturn() - p.standardError())
                .toArray();
        double[] high = points.stream()
                .mapToDouble(p -> p.meanReturn() + p.standardError())
                .toArray();
        return chart("Learning curve, " + task)
                .with(line("test episodes", points).band(low, high));
    }

    /** Axes for learning curves. */
    static LineChart chart(String title) {
        return LineChart.titled(title).x("steps", Scale.LINEAR).y("return", Scale.LINEAR);
    }

    /** A learning curve alone. */
    static LineChart.Series line(String name, List<TrainingRun.Point> points) {
        return LineChart.Series.of(
                name,
                points.stream().mapToDouble(TrainingRun.Point::step).toArray(),
                points.stream().mapToDouble(TrainingRun.Point::meanReturn).toArray());
    }

    private static String interval(double mean, double standardError) {
        return "%s (standard error %s)".formatted(Numbers.significant(mean, 5), Numbers.significant(standardError, 2));
    }
}

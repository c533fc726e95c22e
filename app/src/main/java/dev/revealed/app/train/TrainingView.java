package dev.revealed.app.train;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.LabelledValue;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Panels;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import dev.revealed.train.EvaluationPoint;
import dev.revealed.train.TrainingResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;

/** Shows a training run: how well its policy does, what it took, and the learning curve. */
final class TrainingView {
    private static final String RETURNS =
            "Mean return of deterministic evaluation episodes; the band is one standard error. Further charts, where there are"
                    + " any, show what can be known without the task's own reward.";

    private TrainingView() {}

    static Outcome of(TrainingResult result) {
        String title = result.details().title(result.task());
        Outcome outcome = Outcome.of(result, title).table(summary(result, title));
        List<LineChart> charts = charts(result);
        if (!charts.isEmpty()) {
            outcome = outcome.picture(
                    "curve",
                    charts.size() == 1 ? charts.getFirst() : Panels.grid(title, 1, charts.toArray(LineChart[]::new)),
                    result.evaluated() ? RETURNS : "What can be known without the task's own reward.");
        }
        return outcome.file("curve.csv", points(result).toCsv());
    }

    private static Table summary(TrainingResult result, String title) {
        Table table = Table.of(Column.text(""), Column.text("")).titled(title);
        if (result.evaluated()) {
            table = returns(table, result);
        }
        for (LabelledValue each : LabelledValue.of((Record) result.details())) {
            boolean measured = !(each.value() instanceof Double number) || !number.isNaN();
            if (measured || result.evaluated()) {
                table = table.row(each.label().value(), each.text());
            }
        }
        table = table.row("steps", Numbers.count(result.work().steps()))
                .row("updates", Numbers.count(result.work().updates()))
                .row("updates per second", Numbers.significant(result.work().updatesPerSecond(), 3))
                .row("seconds", Numbers.significant(result.work().seconds(), 4))
                .row("device", result.work().device())
                .row("seed", Long.toString(result.seed()));
        for (Map.Entry<String, Double> share :
                result.work().timeShares().orElse(Map.of()).entrySet()) {
            table = table.row("share of time: " + share.getKey(), Numbers.significant(share.getValue(), 3));
        }
        return table;
    }

    /** With the returns of a run that was evaluated. */
    private static Table returns(Table empty, TrainingResult result) {
        Table table = empty.row(
                measure(result) + " of the last policy",
                "%s (standard error %s)"
                        .formatted(
                                Numbers.significant(result.meanReturn(), 5),
                                Numbers.significant(result.last().standardError(), 2)));
        String expert = Numbers.significant(result.expertReturn(), 5);
        if (result.expertReturn() > 0) {
            table = table.row(
                    "of the expert's %s, mean of its demonstrations".formatted(expert),
                    "%s %%".formatted(Numbers.decimals(100 * result.meanReturn() / result.expertReturn(), 1)));
        } else if (result.expertReturn() <= 0) { // a share of a loss says nothing
            table = table.row("the expert's, mean of its demonstrations", expert);
        }
        TrainingResult.Best best = result.best();
        String bestReturn = Numbers.significant(best.bestReturn(), 5);
        return table.row("best evaluation", "%s at step %s".formatted(bestReturn, Numbers.count(best.bestStep())));
    }

    private static String measure(TrainingResult result) {
        return result.details().learntTaskReward() ? "return" : "true return";
    }

    /** The curve, with further measurements of each evaluation. */
    private static Table points(TrainingResult result) {
        List<? extends Record> marks = result.details().marks();
        List<Column> columns = new ArrayList<>(List.of(
                Column.number(result.work().steps() == 0 ? "update" : "step", 9),
                Column.decimals(measure(result), 2),
                Column.decimals("standard error", 2)));
        if (!marks.isEmpty()) {
            LabelledValue.of(marks.getFirst()).forEach(each -> columns.add(each.column()));
        }
        Table table = Table.of(columns.toArray(Column[]::new));
        for (int i = 0; i < result.curve().size(); i++) {
            EvaluationPoint point = result.curve().get(i);
            List<Object> row = new ArrayList<>(List.of(point.step(), point.meanReturn(), point.standardError()));
            if (!marks.isEmpty()) {
                LabelledValue.of(marks.get(i)).forEach(each -> row.add(each.value()));
            }
            table = table.row(row.toArray());
        }
        return table;
    }

    /** Of returns, where these were measured, and of what else is drawn. */
    private static List<LineChart> charts(TrainingResult result) {
        List<LineChart> charts = new ArrayList<>();
        if (result.evaluated()) {
            charts.add(returns(result));
        }
        List<List<LabelledValue>> marks =
                result.details().marks().stream().map(LabelledValue::of).toList();
        double[] steps =
                result.curve().stream().mapToDouble(EvaluationPoint::step).toArray();
        for (int j = 0; !marks.isEmpty() && j < marks.getFirst().size(); j++) {
            int at = j;
            LabelledValue first = marks.getFirst().get(j);
            if (first.label().drawn()) {
                String name = first.label().value();
                double[] values = marks.stream()
                        .mapToDouble(mark -> mark.get(at).number())
                        .toArray();
                if (DoubleStream.of(values).noneMatch(Double::isFinite)) {
                    continue; // nothing to draw
                }
                charts.add(LineChart.titled(name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1))
                        .x("steps", Scale.LINEAR)
                        .y(name, Scale.LINEAR)
                        .with(LineChart.Series.of(name, steps, values)));
            }
        }
        return charts;
    }

    /** The learning curve, with the expert's return where that is known. */
    private static LineChart returns(TrainingResult result) {
        List<EvaluationPoint> curve = result.curve();
        LineChart chart = chart("Learning curve, " + result.task())
                .x(result.work().steps() == 0 ? "updates" : "steps", Scale.LINEAR)
                .with(line("evaluation episodes", curve).band(curve, EvaluationPoint::standardError));
        double last = curve.getLast().step();
        return Double.isNaN(result.expertReturn())
                ? chart
                : chart.with(LineChart.Series.level(
                        "expert", (double) curve.getFirst().step(), last, result.expertReturn()));
    }

    /** Axes for learning curves. */
    static LineChart chart(String title) {
        return LineChart.titled(title).x("steps", Scale.LINEAR).y("return", Scale.LINEAR);
    }

    /** A learning curve alone. */
    static LineChart.Series line(String name, List<EvaluationPoint> points) {
        return LineChart.Series.of(name, points, EvaluationPoint::step, EvaluationPoint::meanReturn);
    }
}

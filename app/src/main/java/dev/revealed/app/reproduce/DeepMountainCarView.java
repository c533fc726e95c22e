package dev.revealed.app.reproduce;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Report;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.studies.DeepMountainCarStudy;
import dev.revealed.studies.DeepMountainCarStudy.Row;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Shows steps to the goal on the undiscretised mountain car against demonstrations. */
final class DeepMountainCarView {
    private static final List<String> METHODS = List.of("ml-irl", "cloning");

    private DeepMountainCarView() {}

    static Outcome of(DeepMountainCarStudy.Result result) {
        Table table = Table.of(
                        Table.Column.number("demonstrations", 4),
                        Table.Column.text("method"),
                        Table.Column.decimals("steps", 1),
                        Table.Column.decimals("std err", 1),
                        Table.Column.decimals("worst set", 1),
                        Table.Column.decimals("reached %", 1))
                .titled("Steps to the goal on the undiscretised mountain car")
                .fact("expert", Numbers.decimals(result.expertSteps(), 1))
                .fact("random policy", Numbers.decimals(result.randomSteps(), 1))
                .fact("demonstration sets", result.settings().sets())
                .fact("counted up to", result.settings().cap());
        for (Row row : result.rows()) {
            table = table.row(
                    row.demonstrations(),
                    row.method(),
                    row.meanSteps(),
                    row.standardError(),
                    row.worst(),
                    100 * row.reached());
        }
        LineChart chart = chart(result);
        Report report = Report.titled("Mountain car without a grid")
                .table(table)
                .picture(chart, "Means over demonstration sets; bars are one standard error.");
        for (String note : result.notes()) {
            report = report.paragraph(note);
        }
        return new Outcome(
                result,
                table.toText() + "\n" + String.join("\n", result.notes()) + "\n",
                report.provenance("seed", result.settings().seed()),
                Map.of("demonstrations", chart),
                Map.of("steps.csv", table.toCsv()));
    }

    private static LineChart chart(DeepMountainCarStudy.Result result) {
        LineChart chart = LineChart.titled("Steps to the goal against demonstrations")
                .x("demonstrations", Scale.LOG10)
                .y("steps to the goal", Scale.LINEAR)
                .size(560, 360);
        for (String method : METHODS) {
            List<Row> rows = result.rows().stream()
                    .filter(row -> row.method().equals(method))
                    .toList();
            chart = chart.with(LineChart.Series.of(method, each(rows, Row::demonstrations), each(rows, Row::meanSteps))
                    .as(LineChart.Mark.LINE_AND_POINTS)
                    .bars(
                            each(rows, row -> row.meanSteps() - row.standardError()),
                            each(rows, row -> row.meanSteps() + row.standardError())));
        }
        double[] ends = {
            result.settings().demonstrations().getFirst(),
            result.settings().demonstrations().getLast()
        };
        return chart.with(LineChart.Series.of("expert", ends, new double[] {result.expertSteps(), result.expertSteps()})
                .as(LineChart.Mark.DASHES));
    }

    private static double[] each(List<Row> rows, ToDoubleFunction<Row> of) {
        return rows.stream().mapToDouble(of).toArray();
    }
}

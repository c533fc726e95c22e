package dev.revealed.app.reproduce;

import static dev.revealed.app.view.Table.Field.decimals;
import static dev.revealed.app.view.Table.Field.number;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.studies.DeepMountainCarStudy;
import dev.revealed.studies.DeepMountainCarStudy.Row;
import java.util.List;

/** Shows steps to the goal on the undiscretised mountain car against demonstrations. */
final class DeepMountainCarView {
    private DeepMountainCarView() {}

    static Outcome of(DeepMountainCarStudy.Result result) {
        Table table = Table.of(
                        result.rows(),
                        number("demonstrations", 4, Row::demonstrations),
                        text("method", Row::method),
                        decimals("steps", 1, Row::meanSteps),
                        decimals("std err", 1, Row::standardError),
                        decimals("worst set", 1, Row::worst),
                        decimals("reached %", 1, row -> 100 * row.reached()))
                .titled("Steps to the goal on the undiscretised mountain car")
                .fact("expert", Numbers.decimals(result.expertSteps(), 1))
                .fact("random policy", Numbers.decimals(result.randomSteps(), 1))
                .fact("demonstration sets", result.settings().sets())
                .fact("counted up to", result.settings().cap());
        return Outcome.of(result, "Mountain car without a grid")
                .table(table)
                .picture("demonstrations", chart(result), "Means over demonstration sets; bars are one standard error.")
                .notes(result.notes())
                .report(page -> page.provenance("seed", result.settings().seed()))
                .file("steps.csv", table.toCsv());
    }

    private static LineChart chart(DeepMountainCarStudy.Result result) {
        LineChart chart = LineChart.titled("Steps to the goal against demonstrations")
                .x("demonstrations", Scale.LOG10)
                .y("steps to the goal", Scale.LINEAR)
                .size(560, 360);
        for (String method : List.of("ml-irl", "cloning")) {
            List<Row> rows = result.rows().stream()
                    .filter(row -> row.method().equals(method))
                    .toList();
            chart = chart.with(LineChart.Series.of(method, rows, Row::demonstrations, Row::meanSteps)
                    .as(LineChart.Mark.LINE_AND_POINTS)
                    .bars(rows, Row::standardError));
        }
        List<Integer> counts = result.settings().demonstrations();
        return chart.with(LineChart.Series.level("expert", counts.getFirst(), counts.getLast(), result.expertSteps()));
    }
}

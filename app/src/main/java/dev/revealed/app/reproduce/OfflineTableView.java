package dev.revealed.app.reproduce;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.EvaluationFields;
import dev.revealed.app.view.IntervalChart;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Field;
import dev.revealed.studies.offline.OfflineTable;
import dev.revealed.studies.offline.OfflineTable.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The offline table. */
final class OfflineTableView {
    private OfflineTableView() {}

    static Outcome of(OfflineTable found) {
        List<Field<Row>> which = List.of(
                Field.text("task", Row::task),
                Field.text("log", Row::log),
                Field.text("world", Row::world),
                Field.text("method", Row::method),
                Field.text("settings", Row::settings),
                Field.decimals("seeds", 0, Row::seeds));
        List<Field<Row>> returns = new ArrayList<>(which);
        returns.add(Field.decimals("expert", 0, Row::expertReturn));
        returns.add(Field.decimals("last policy", 0, Row::lastReturn));
        returns.add(Field.decimals("last ten evaluations", 0, Row::lastTen));
        returns.add(Field.decimals("% of the expert", 1, row -> 100 * row.ratio()));
        returns.add(Field.decimals("worst seed, %", 1, row -> 100 * row.lowest()));
        Table table = Table.of(found.rows(), returns)
                .note("% of the expert, worst seed: of the last ten evaluations of a run, or all where it has fewer.");
        Table evaluation = EvaluationFields.table(found.rows(), which, Row::evaluation);
        Outcome outcome = Outcome.of(found, "Imitation without a simulator")
                .table("offline", table)
                .table("evaluation", evaluation);
        Map<String, List<Row>> tasks = found.rows().stream()
                .collect(Collectors.groupingBy(Row::task, LinkedHashMap::new, Collectors.toList()));
        for (Map.Entry<String, List<Row>> task : tasks.entrySet()) {
            outcome = outcome.picture(
                    "returns-" + task.getKey(),
                    returns(task.getKey(), task.getValue()),
                    "Interquartile means of last policies, with their intervals: with two to four seeds the range.");
        }
        String markdown =
                "# Imitation without a simulator\n\n%s\n%s".formatted(table.toMarkdown(), evaluation.toMarkdown());
        return outcome.file("table.md", markdown);
    }

    private static IntervalChart returns(String task, List<Row> rows) {
        List<IntervalChart.Row> lines = new ArrayList<>();
        for (Row row : rows) {
            String place = row.world().isEmpty() ? row.log() : row.log() + ", " + row.world();
            String name = (place.isEmpty() ? "" : place + ": ") + row.method();
            row.evaluation()
                    .ifPresent(found ->
                            lines.add(new IntervalChart.Row(name, found.interquartileMean(), found.interval())));
        }
        return new IntervalChart(
                "Last policies on " + task + ", compared with the expert", "share of the expert's return", 1, lines);
    }
}

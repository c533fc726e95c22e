package dev.revealed.app.reproduce;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.LineChart.Mark;
import dev.revealed.app.view.LineChart.Series;
import dev.revealed.app.view.Report;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import dev.revealed.studies.RewardCoverageStudy;
import dev.revealed.studies.RewardCoverageStudy.Coverage;
import dev.revealed.studies.RewardCoverageStudy.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Shows how often each kind of interval holds a known reward. */
final class RewardCoverageView {
    private RewardCoverageView() {}

    static Outcome of(RewardCoverageStudy.Result result) {
        Table table = table(result);
        Table all = everything(result);
        LineChart chart = chart(result);
        Report report = Report.titled("Coverage of reward intervals")
                .table(table)
                .picture(
                        chart,
                        "Coverage, the mean over parameters, with twice its Monte Carlo error; cases as in the table.");
        for (String note : result.notes()) {
            report = report.paragraph(note);
        }
        return new Outcome(
                result,
                table.toText() + "\n" + String.join("\n", result.notes()) + "\n",
                report,
                Map.of("coverage", chart),
                Map.of("coverage.csv", all.toCsv()));
    }

    private static Table table(RewardCoverageStudy.Result result) {
        List<Column> columns = new ArrayList<>(List.of(
                Column.number("case", 2),
                Column.text("data"),
                Column.text("likelihood"),
                Column.text("drawn"),
                Column.text("interval")));
        result.rows().getFirst().parameters().forEach(p -> columns.add(Column.decimals(p.parameter() + " %", 1)));
        columns.add(Column.decimals("+-", 1));
        columns.add(Column.number("failures", 4));
        Table table = Table.of(columns.toArray(Column[]::new))
                .titled("Coverage of 95 %% intervals over %d simulated sets of demonstrations"
                        .formatted(result.settings().sets()));
        List<String> cases = cases(result);
        for (Row row : result.rows()) {
            List<Object> cells = new ArrayList<>(
                    List.of(cases.indexOf(name(row)) + 1, row.data(), row.likelihood(), row.drawn(), row.interval()));
            row.parameters().forEach(p -> cells.add(100 * p.coverage()));
            cells.add(100
                    * row.parameters().stream()
                            .mapToDouble(Coverage::monteCarloError)
                            .max()
                            .orElse(Double.NaN));
            cells.add(row.failures());
            table = table.row(cells.toArray());
        }
        return table;
    }

    private static Table everything(RewardCoverageStudy.Result result) {
        Table table = Table.of(
                Column.text("data"),
                Column.text("likelihood"),
                Column.text("drawn"),
                Column.text("interval"),
                Column.text("parameter"),
                Column.number("coverage", 4),
                Column.number("Monte Carlo error", 2),
                Column.number("median width", 4),
                Column.number("spread of estimates", 4),
                Column.number("failures", 4));
        for (Row row : result.rows()) {
            for (Coverage p : row.parameters()) {
                table = table.row(
                        row.data(),
                        row.likelihood(),
                        row.drawn(),
                        row.interval(),
                        p.parameter(),
                        p.coverage(),
                        p.monteCarloError(),
                        p.medianWidth(),
                        p.spread(),
                        row.failures());
            }
        }
        return table;
    }

    private static LineChart chart(RewardCoverageStudy.Result result) {
        List<String> cases = cases(result);
        List<String> kinds =
                result.rows().stream().map(Row::interval).distinct().toList();
        LineChart chart = LineChart.titled("Coverage of nominal 95 % intervals")
                .x("case", Scale.LINEAR)
                .y("%", Scale.LINEAR)
                .with(Series.of("nominal", new double[] {0.7, cases.size() + 0.3}, new double[] {95, 95})
                        .as(Mark.DASHES));
        for (int k = 0; k < kinds.size(); k++) {
            String kind = kinds.get(k);
            double aside = 0.12 * (k - 0.5 * (kinds.size() - 1)); // so that bars do not cover each other
            List<Row> rows = result.rows().stream()
                    .filter(row -> row.interval().equals(kind))
                    .toList();
            double[] x = rows.stream()
                    .mapToDouble(row -> cases.indexOf(name(row)) + 1 + aside)
                    .toArray();
            double[] y = rows.stream().mapToDouble(row -> 100 * row.coverage()).toArray();
            double[] low = new double[y.length];
            double[] high = new double[y.length];
            for (int i = 0; i < y.length; i++) {
                double share = y[i] / 100;
                double reach =
                        200 * Math.sqrt(share * (1 - share) / result.settings().sets());
                low[i] = y[i] - reach;
                high[i] = Math.min(100, y[i] + reach);
            }
            chart = chart.with(Series.of(kind, x, y).as(Mark.POINTS).bars(low, high));
        }
        return chart;
    }

    private static List<String> cases(RewardCoverageStudy.Result result) {
        return result.rows().stream().map(RewardCoverageView::name).distinct().toList();
    }

    private static String name(Row row) {
        return row.data() + row.likelihood() + row.drawn();
    }
}

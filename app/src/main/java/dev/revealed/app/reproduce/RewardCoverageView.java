package dev.revealed.app.reproduce;

import static dev.revealed.app.view.Table.Field.decimals;
import static dev.revealed.app.view.Table.Field.number;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.LineChart.Mark;
import dev.revealed.app.view.LineChart.Series;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Field;
import dev.revealed.studies.RewardCoverageStudy;
import dev.revealed.studies.RewardCoverageStudy.Coverage;
import dev.revealed.studies.RewardCoverageStudy.Row;
import java.util.ArrayList;
import java.util.List;

/** Shows how often each kind of interval holds a known reward. */
final class RewardCoverageView {
    private RewardCoverageView() {}

    static Outcome of(RewardCoverageStudy.Result result) {
        return Outcome.of(result, "Coverage of reward intervals")
                .table(table(result))
                .picture(
                        "coverage",
                        chart(result),
                        "Coverage, the mean over parameters, with twice its Monte Carlo error; cases as in the table.")
                .notes(result.notes())
                .file("coverage.csv", everything(result).toCsv());
    }

    private static Table table(RewardCoverageStudy.Result result) {
        List<String> cases = cases(result);
        List<Field<Row>> fields = new ArrayList<>(List.of(
                number("case", 2, row -> cases.indexOf(name(row)) + 1),
                text("data", Row::data),
                text("likelihood", Row::likelihood),
                text("drawn", Row::drawn),
                text("interval", Row::interval)));
        List<Coverage> first = result.rows().getFirst().parameters();
        for (int j = 0; j < first.size(); j++) {
            int own = j;
            String name = first.get(j).parameter() + " %";
            fields.add(decimals(name, 1, row -> 100 * row.parameters().get(own).coverage()));
        }
        fields.add(decimals("+-", 1, row -> 100 * largestError(row)));
        fields.add(number("failures", 4, Row::failures));
        return Table.of(result.rows(), fields)
                .titled("Coverage of 95 %% intervals over %d simulated sets of demonstrations"
                        .formatted(result.settings().sets()));
    }

    private static double largestError(Row row) {
        return row.parameters().stream()
                .mapToDouble(Coverage::monteCarloError)
                .max()
                .orElse(Double.NaN);
    }

    private static Table everything(RewardCoverageStudy.Result result) {
        List<Each> all = result.rows().stream()
                .flatMap(row -> row.parameters().stream().map(p -> new Each(row, p)))
                .toList();
        return Table.of(
                all,
                text("data", each -> each.row.data()),
                text("likelihood", each -> each.row.likelihood()),
                text("drawn", each -> each.row.drawn()),
                text("interval", each -> each.row.interval()),
                text("parameter", each -> each.of.parameter()),
                number("coverage", 4, each -> each.of.coverage()),
                number("Monte Carlo error", 2, each -> each.of.monteCarloError()),
                number("median width", 4, each -> each.of.medianWidth()),
                number("spread of estimates", 4, each -> each.of.spread()),
                number("failures", 4, each -> each.row.failures()));
    }

    /** One parameter of one kind of interval. */
    private record Each(Row row, Coverage of) {}

    private static LineChart chart(RewardCoverageStudy.Result result) {
        List<String> cases = cases(result);
        List<String> kinds =
                result.rows().stream().map(Row::interval).distinct().toList();
        LineChart chart = LineChart.titled("Coverage of nominal 95 % intervals")
                .x("case", Scale.LINEAR)
                .y("%", Scale.LINEAR)
                .with(Series.level("nominal", 0.7, cases.size() + 0.3, 95));
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

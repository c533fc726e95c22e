package dev.revealed.app.reproduce;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Panels;
import dev.revealed.app.view.Picture;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.studies.MountainCarStudy;
import dev.revealed.studies.MountainCarStudy.Row;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** Shows the paper's figure 2: steps to the goal against demonstrations, and against what learning cost. */
final class MountainCarView {
    private static final List<String> METHODS = List.of("ml-irl", "maxent-irl");

    private MountainCarView() {}

    static Outcome of(MountainCarStudy.Result result) {
        Table summary = summary(result);
        List<Integer> budgets = result.settings().budgets();
        int last = budgets.getLast();
        int early = budgets.get(Math.max(0, budgets.size() / 2));
        return Outcome.of(result, "Mountain car: the paper's figure 2")
                .table(summary)
                .picture(
                        "demonstrations",
                        Panels.row(
                                "Steps to the goal against demonstrations",
                                byDemonstrations(result, early),
                                byDemonstrations(result, last)),
                        "After %s and after %s kernel passes; bars are one standard error."
                                .formatted(Numbers.count(early), Numbers.count(last)))
                .picture("budgets", budgets(result), "At each number of demonstrations; bands are one standard error.")
                .heading("Setting")
                .notes(result.notes())
                .report(page -> page.provenance("seed", result.settings().seed()))
                .file("steps.csv", Table.csv(Row.class, result.rows()));
    }

    private static Table summary(MountainCarStudy.Result result) {
        MountainCarStudy.Settings settings = result.settings();
        Table table = Table.of(
                        Table.Column.number("demonstrations", 4),
                        Table.Column.number("kernel passes", 6),
                        Table.Column.text("ml-irl"),
                        Table.Column.text("maxent-irl"),
                        Table.Column.text("difference"),
                        Table.Column.text("no more steps"))
                .titled("Steps to the goal on the mountain car")
                .fact("grid", "%d x %d".formatted(settings.positions(), settings.velocities()))
                .fact("step of ml-irl", settings.step())
                .fact("step of maxent-irl", settings.nestedStep())
                .fact("best policy", Numbers.decimals(result.bestSteps(), 1))
                .fact("expert", Numbers.decimals(result.expertSteps(), 1))
                .fact("random policy", Numbers.decimals(result.randomSteps(), 1))
                .fact("counted up to", settings.cap())
                .fact("demonstration sets", settings.sets());
        List<Integer> budgets = settings.budgets();
        for (MountainCarStudy.Holds holds : result.holds()) {
            String difference = String.format(
                    Locale.ROOT, "%+.1f (%.1f)", holds.mlIrl() - holds.maxEntIrl(), holds.pairedStandardError());
            String where = holds.holdsAtEveryBudget() ? "at every budget" : holds.holds() ? "at the last" : "no";
            int count = holds.demonstrations();
            for (int b = budgets.size() % 2 == 0 ? 1 : 0; b < budgets.size(); b += 2) {
                int budget = budgets.get(b);
                String single = steps(result, count, METHODS.get(0), budget);
                String nested = steps(result, count, METHODS.get(1), budget);
                boolean last = b == budgets.size() - 1;
                table = table.row(count, budget, single, nested, last ? difference : "", last ? where : "");
            }
        }
        return table.note("Means over the sets with their standard errors.")
                .note("No more steps: ML-IRL needs at most MaxEnt-IRL's plus one standard error of MaxEnt-IRL's.")
                .note("Difference: ML-IRL less MaxEnt-IRL on the same sets, with its paired standard error.");
    }

    private static String steps(MountainCarStudy.Result result, int demonstrations, String method, int budget) {
        Row row = rows(result, method, r -> r.demonstrations() == demonstrations && r.kernelPasses() == budget)
                .getFirst();
        return String.format(Locale.ROOT, "%.1f (%.1f)", row.meanSteps(), row.standardError());
    }

    private static LineChart byDemonstrations(MountainCarStudy.Result result, int budget) {
        List<Integer> counts = result.settings().demonstrations();
        return chart(
                        result,
                        Numbers.count(budget) + " kernel passes",
                        "demonstrations",
                        row -> row.kernelPasses() == budget,
                        Row::demonstrations,
                        true)
                .with(LineChart.Series.level("expert", counts.getFirst(), counts.getLast(), result.expertSteps()));
    }

    private static Picture budgets(MountainCarStudy.Result result) {
        Picture[] charts = result.settings().demonstrations().stream()
                .map(n -> chart(
                        result,
                        n == 1 ? "1 demonstration" : n + " demonstrations",
                        "kernel passes",
                        row -> row.demonstrations() == n,
                        Row::kernelPasses,
                        false))
                .toArray(Picture[]::new);
        return Panels.grid("Steps to the goal against kernel passes", 2, charts);
    }

    private static LineChart chart(
            MountainCarStudy.Result result,
            String title,
            String xLabel,
            Predicate<Row> which,
            ToDoubleFunction<Row> x,
            boolean bars) {
        LineChart chart = LineChart.titled(title)
                .x(xLabel, Scale.LOG10)
                .y("steps to the goal", Scale.LINEAR)
                .size(520, 340);
        for (String method : METHODS) {
            List<Row> rows = rows(result, method, which);
            LineChart.Series series =
                    LineChart.Series.of(method, rows, x, Row::meanSteps).as(LineChart.Mark.LINE_AND_POINTS);
            chart = chart.with(bars ? series.bars(rows, Row::standardError) : series.band(rows, Row::standardError));
        }
        return chart;
    }

    private static List<Row> rows(MountainCarStudy.Result result, String method, Predicate<Row> which) {
        return result.rows().stream()
                .filter(row -> row.method().equals(method))
                .filter(which)
                .toList();
    }
}

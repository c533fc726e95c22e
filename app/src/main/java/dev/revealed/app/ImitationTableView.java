package dev.revealed.app;

import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Picture;
import dev.revealed.app.view.Report;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** Shows gathered runs as the table people know, with the paper's numbers beside them and a picture of curves per task. */
public final class ImitationTableView {
    private ImitationTableView() {}

    public static Outcome of(ImitationTable table) {
        Table ours = ours(table);
        Table published = published(table.published());
        List<Table> tables = new ArrayList<>(List.of(ours));
        if (!table.reused().isEmpty()) {
            tables.add(reused(table.reused()));
        }
        if (!table.judged().isEmpty()) {
            tables.add(judged(table.judged()));
        }
        tables.add(published);
        String title = "Imitation on MuJoCo, beside the paper's";
        Report report = Report.titled(title);
        for (Table each : tables) {
            report = report.table(each);
        }
        Map<String, Picture> pictures = new LinkedHashMap<>();
        Map<String, List<ImitationTable.Row>> tasks = table.rows().stream()
                .collect(Collectors.groupingBy(row -> row.key().task(), LinkedHashMap::new, Collectors.toList()));
        for (Map.Entry<String, List<ImitationTable.Row>> task : tasks.entrySet()) {
            LineChart chart = curves(task.getKey(), task.getValue());
            if (!chart.series().isEmpty()) {
                pictures.put("curves-" + task.getKey(), chart);
                report = report.picture(
                        chart,
                        "True return of tests on the way, which nothing is learnt by: means over seeds, with the range.");
            }
        }
        return new Outcome(
                table,
                tables.stream().map(Table::toText).collect(Collectors.joining("\n")),
                report,
                pictures,
                Map.of(
                        "table.md",
                        "# %s\n\n".formatted(title)
                                + tables.stream().map(Table::toMarkdown).collect(Collectors.joining("\n")),
                        "table.csv",
                        ours.toCsv()));
    }

    private static Table ours(ImitationTable gathered) {
        Table table = Table.of(
                        Column.text("task"),
                        Column.text("method"),
                        Column.text("demonstrations"),
                        Column.number("trajectories", 4),
                        Column.text("settings"),
                        Column.number("seeds", 4),
                        Column.decimals("expert", 0),
                        Column.decimals("return", 0),
                        Column.decimals("from", 0),
                        Column.decimals("to", 0),
                        Column.decimals("% of expert", 1),
                        Column.decimals("last % of best", 1),
                        Column.number("steps", 9),
                        Column.decimals("seconds", 0),
                        Column.decimals("paper", 0),
                        Column.decimals("paper's %", 1),
                        Column.text("aim"))
                .titled("Last policies, interquartile means over seeds")
                .note("from, to: 95 % interval of the interquartile mean, by the bootstrap over seeds.")
                .note("last % of best: last test against the best on the way, of the seed where that is least.")
                .note("steps: whose data was learnt from, of the seed that took most. seconds: of a run, on average.")
                .note(
                        "paper, paper's %: the same method there, with five trajectories, and its share of its own expert.");
        for (ImitationTable.Row row : gathered.rows()) {
            table = table.row(
                    row.key().task(),
                    row.key().method().toString(),
                    row.key().demos(),
                    row.key().trajectories(),
                    row.key().settings(),
                    row.runs().size(),
                    row.expertReturn(),
                    row.interquartileMean(),
                    row.interval().low(),
                    row.interval().high(),
                    100 * row.share(),
                    100 * row.lastOfBest(),
                    row.countedSteps(),
                    row.seconds(),
                    row.paperReturn(),
                    100 * row.paperShare(),
                    row.aim()
                            .map(aim -> row.shortfalls().isEmpty() ? "met" : String.join(", ", row.shortfalls()))
                            .orElse("–"));
        }
        for (String aim : gathered.notRun()) {
            table = table.note("No run yet: %s.".formatted(aim));
        }
        for (String folder : gathered.unfinished()) {
            table = table.note("Not at its end, and left out: %s.".formatted(folder));
        }
        return table;
    }

    private static Table reused(List<ImitationTable.Reused> all) {
        Table table = Table.of(
                        Column.text("task"),
                        Column.text("reward"),
                        Column.decimals("learnt with it", 0),
                        Column.decimals("fresh policy", 0),
                        Column.decimals("%", 1),
                        Column.text("aim"))
                .titled("Fresh policies on recovered rewards that stayed as they were")
                .note("The aim is %s %% of the policy that was learnt with the reward."
                        .formatted(Numbers.decimals(100 * ImitationAim.REUSED, 0)));
        for (ImitationTable.Reused each : all) {
            table = table.row(
                    each.task(),
                    each.reward(),
                    each.learntWith(),
                    each.meanReturn(),
                    100 * each.share(),
                    Double.isNaN(each.share()) ? "–" : each.met() ? "met" : "missed");
        }
        return table;
    }

    private static Table judged(List<JudgedRewards> rows) {
        Table table = Table.of(
                        Column.text("task"),
                        Column.text("reward of"),
                        Column.text("along"),
                        Column.number("rewards", 4),
                        Column.decimals("Pearson", 3),
                        Column.decimals("least", 3),
                        Column.decimals("most", 3),
                        Column.decimals("Spearman", 3),
                        Column.decimals("EPIC", 3))
                .titled("Recovered rewards beside the true ones, step by step")
                .note("Means over rewards, of as many runs; least and most are Pearson's. EPIC is a distance, 0 to 1.");
        for (JudgedRewards row : rows) {
            table = table.row(
                    row.task(),
                    row.inputs(),
                    row.along(),
                    row.rewards(),
                    row.pearson(),
                    row.least(),
                    row.most(),
                    row.spearman(),
                    row.epic());
        }
        return table;
    }

    private static Table published(List<PublishedReturns> rows) {
        Table table = Table.of(
                        Column.text("task"),
                        Column.decimals("BC", 2),
                        Column.decimals("GAIL", 2),
                        Column.decimals("IQ-Learn", 2),
                        Column.decimals("f-IRL", 2),
                        Column.decimals("ML-IRL S", 2),
                        Column.decimals("ML-IRL SA", 2),
                        Column.decimals("expert", 2),
                        Column.decimals("SA % of expert", 0))
                .titled(PublishedReturns.TITLE)
                .note("IQ-Learn on Ant and Humanoid: from its own paper, with one trajectory of other experts.");
        for (PublishedReturns row : rows) {
            table = table.row(
                    row.task(),
                    row.bc(),
                    row.gail(),
                    row.iqLearn(),
                    row.fIrl(),
                    row.mlIrlS(),
                    row.mlIrlSa(),
                    row.expert(),
                    100 * row.mlIrlSa() / row.expert());
        }
        return table;
    }

    /** Curves of those who learnt in the simulator; experts and clones, who did not, as levels. */
    private static LineChart curves(String task, List<ImitationTable.Row> rows) {
        LineChart chart = LineChart.titled("Imitation on " + task)
                .x("counted steps", Scale.LINEAR)
                .y("true return", Scale.LINEAR);
        double last = 0;
        for (ImitationTable.Row row : rows) {
            if (row.key().method() != ImitationTable.Method.BC) {
                LineChart.Series line = curve(row);
                chart = chart.with(line);
                last = Math.max(
                        last,
                        line.points().isEmpty() ? 0 : line.points().getLast().x());
            }
        }
        if (chart.series().isEmpty()) {
            return chart;
        }
        Map<String, Double> levels = new LinkedHashMap<>();
        for (ImitationTable.Row row : rows) {
            levels.put("expert of " + row.key().demosName(), row.expertReturn());
            if (row.key().method() == ImitationTable.Method.BC) {
                levels.put(name(row.key()), row.interquartileMean());
            }
        }
        for (Map.Entry<String, Double> level : levels.entrySet()) {
            double[] height = {level.getValue(), level.getValue()};
            chart = chart.with(LineChart.Series.of(level.getKey(), new double[] {0, last}, height)
                    .as(LineChart.Mark.DASHES));
        }
        return chart;
    }

    private static String name(ImitationTable.Key key) {
        String plain = "%s, %d of %s".formatted(key.method(), key.trajectories(), key.demosName());
        return key.settings().isEmpty() || key.settings().equals("revealed") ? plain : plain + ", " + key.settings();
    }

    /** The mean over seeds at the tests of the run that has fewest, with the range where there are several. */
    private static LineChart.Series curve(ImitationTable.Row row) {
        List<List<TrainingRun.Point>> curves =
                row.runs().stream().map(ImitationTable.Run::curve).toList();
        double[] x = curves.stream().min(Comparator.comparingInt(List::size)).orElseThrow().stream()
                .mapToDouble(TrainingRun.Point::step)
                .toArray();
        double[] mean = new double[x.length];
        double[] low = new double[x.length];
        double[] high = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            double step = x[i];
            double[] values =
                    curves.stream().mapToDouble(each -> at(each, step)).toArray();
            mean[i] = DoubleStream.of(values).average().orElse(Double.NaN);
            low[i] = values.length < 2
                    ? Double.NaN
                    : DoubleStream.of(values).min().orElse(Double.NaN);
            high[i] = values.length < 2
                    ? Double.NaN
                    : DoubleStream.of(values).max().orElse(Double.NaN);
        }
        return LineChart.Series.of(name(row.key()), x, mean).band(low, high);
    }

    /** The return at a step, on the line between the tests next to it; beyond the ends that of the end. */
    private static double at(List<TrainingRun.Point> curve, double step) {
        if (curve.isEmpty()) {
            return Double.NaN;
        }
        TrainingRun.Point before = curve.getFirst();
        for (TrainingRun.Point point : curve) {
            if (point.step() >= step) {
                double width = point.step() - before.step();
                double part = width > 0 ? Math.max(0, (step - before.step()) / width) : 1;
                return (1 - part) * before.meanReturn() + part * point.meanReturn();
            }
            before = point;
        }
        return before.meanReturn();
    }
}

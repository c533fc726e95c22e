package dev.revealed.app.reproduce;

import static dev.revealed.app.view.Table.Field.decimals;
import static dev.revealed.app.view.Table.Field.number;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.EvaluationFields;
import dev.revealed.app.view.IntervalChart;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.numeric.Interval;
import dev.revealed.numeric.stats.PerformanceProfile;
import dev.revealed.studies.ImitationAim;
import dev.revealed.studies.ImitationTable;
import dev.revealed.studies.ImitationTable.Reused;
import dev.revealed.studies.ImitationTable.Row;
import dev.revealed.studies.JudgedRewards;
import dev.revealed.studies.PublishedReturns;
import dev.revealed.studies.Standing;
import dev.revealed.studies.evaluation.SettingComparison;
import dev.revealed.train.EvaluationPoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Shows gathered runs as the table people know, with the paper's numbers beside them and a picture of curves per task. */
public final class ImitationTableView {
    private ImitationTableView() {}

    public static Outcome of(ImitationTable table) {
        List<Row> single = table.rows().stream()
                .filter(row -> row.key().trajectories() == 1)
                .toList();
        boolean two = !single.isEmpty() && single.size() < table.rows().size();
        List<Row> main = two
                ? table.rows().stream()
                        .filter(row -> row.key().trajectories() != 1)
                        .toList()
                : table.rows();
        Table ours = ours(table, main);
        Table evaluation = evaluation(table.rows());
        List<Table> tables = new ArrayList<>(List.of(ours));
        if (two) {
            tables.add(fields(single).titled("The same with one demonstration"));
        }
        tables.add(evaluation);
        if (!table.standings().isEmpty()) {
            tables.add(standings(table.standings()));
        }
        if (!table.comparison().pairs().isEmpty()) {
            tables.add(pairs(table.comparison().pairs()));
        }
        if (!table.reused().isEmpty()) {
            tables.add(reused(table.reused()));
        }
        if (!table.judged().isEmpty()) {
            tables.add(judged(table.judged()));
        }
        tables.add(published(table.published()));
        tables.add(commands(table.rows()));
        String title = "Imitation on MuJoCo, compared with the paper";
        Outcome outcome = Outcome.of(table, title);
        for (Table each : tables) {
            outcome = outcome.table(each);
        }
        if (!table.rows().isEmpty()) {
            outcome = outcome.picture(
                    "returns",
                    returns(table.rows()),
                    "The rows with most seeds of each task and method. Points: interquartile means of last policies, with their"
                            + " intervals. Circles: the paper's, as a share of its own expert.");
        }
        Map<String, List<Row>> tasks = table.rows().stream()
                .collect(Collectors.groupingBy(row -> row.key().task(), LinkedHashMap::new, Collectors.toList()));
        for (Map.Entry<String, List<Row>> task : tasks.entrySet()) {
            LineChart chart = curves(task.getKey(), task.getValue());
            if (!chart.series().isEmpty()) {
                outcome = outcome.picture(
                        "curves-" + task.getKey(),
                        chart,
                        "True return of tests on the way, which nothing is learnt by: means over seeds, with the range.");
            }
        }
        outcome = compared(outcome, table.comparison());
        String markdown = tables.stream().map(Table::toMarkdown).collect(Collectors.joining("\n"));
        return outcome.file("table.md", "# %s\n\n%s".formatted(title, markdown))
                .file("table.csv", ours.toCsv())
                .file("evaluation.csv", evaluation.toCsv());
    }

    /** The table as a chart: of each task and method the row with most seeds. */
    private static IntervalChart returns(List<Row> rows) {
        Map<String, Row> chosen = new LinkedHashMap<>();
        for (Row row : rows) {
            chosen.merge(
                    "%s: %s".formatted(row.key().task(), row.key().method()),
                    row,
                    (first, second) -> second.runs().size() > first.runs().size() ? second : first);
        }
        List<IntervalChart.Row> lines = new ArrayList<>();
        chosen.forEach((name, row) -> {
            double expert = row.expertReturn();
            Interval share =
                    new Interval(row.interval().low() / expert, row.interval().high() / expert);
            String seeds = row.runs().size() == 1 ? "1 seed" : row.runs().size() + " seeds";
            lines.add(new IntervalChart.Row(name + ", " + seeds, row.share(), share, row.paperShare()));
        });
        return new IntervalChart(
                "Final policies compared with the expert",
                "share of the expert's return (open circles: the paper)",
                1,
                lines);
    }

    private static Table evaluation(List<Row> rows) {
        List<Table.Field<Row>> which = List.of(
                text("task", row -> row.key().task()),
                text("method", row -> row.key().method()),
                text("demonstrations", row -> row.key().demos()),
                number("trajectories", 4, row -> row.key().trajectories()),
                text("settings", row -> row.key().settings()),
                number("seeds", 4, row -> row.runs().size()));
        return EvaluationFields.table(rows, which, Row::evaluation);
    }

    private static Table pairs(List<SettingComparison.Pair> pairs) {
        return Table.of(
                        pairs,
                        text("settings", pair -> pair.one().setting()),
                        text("compared with", pair -> pair.other().setting()),
                        number("tasks", 4, pair -> pair.tasks().size()),
                        number("runs", 4, pair -> pair.one().runs()),
                        number("its runs", 4, pair -> pair.other().runs()),
                        decimals("IQM %", 1, pair -> 100 * pair.one().interquartileMean()),
                        decimals("its IQM %", 1, pair -> 100 * pair.other().interquartileMean()),
                        decimals("improvement", 2, pair -> pair.improvement().value()),
                        decimals(
                                "from", 2, pair -> pair.improvement().interval().low()),
                        decimals("to", 2, pair -> pair.improvement().interval().high()))
                .titled("Settings on the tasks they have in common")
                .note(
                        "IQM %: interquartile mean over all runs of these tasks, which weigh alike, in % of the expert's return. Runs of all devices together.")
                .note(
                        "improvement: probability that a run of the first has a larger share of the expert's return than one of"
                                + " the other, on one of the tasks; from, to: its 95 % interval, by the bootstrap within tasks.");
    }

    private static Outcome compared(Outcome outcome, SettingComparison comparison) {
        for (int i = 0; i < comparison.profiles().size(); i++) {
            SettingComparison.Profiles profiles = comparison.profiles().get(i);
            outcome = outcome.picture(
                    comparison.profiles().size() == 1 ? "profile" : "profile-" + (i + 1),
                    profile(profiles),
                    "Share of runs whose last policy is above so much of the expert's return, with pointwise 95 % intervals."
                            + " Tasks count alike: %s.".formatted(String.join("; ", profiles.tasks())));
        }
        return comparison.pairs().isEmpty()
                ? outcome
                : outcome.picture(
                        "improvement",
                        new IntervalChart(
                                "Probability of improvement",
                                "probability that a run of the first has the larger share of the expert's return",
                                0.5,
                                comparison.pairs().stream()
                                        .map(pair -> new IntervalChart.Row(
                                                "%s, over %s (%d %s)"
                                                        .formatted(
                                                                pair.one().setting(),
                                                                pair.other().setting(),
                                                                pair.tasks().size(),
                                                                pair.tasks().size() == 1 ? "task" : "tasks"),
                                                pair.improvement().value(),
                                                pair.improvement().interval()))
                                        .toList()),
                        "Settings on the tasks they have in common, with 95 % intervals by the bootstrap within tasks.");
    }

    private static LineChart profile(SettingComparison.Profiles profiles) {
        LineChart chart = LineChart.titled("Performance profile, %d %s"
                        .formatted(profiles.tasks().size(), profiles.tasks().size() == 1 ? "task" : "tasks"))
                .x("share of the expert's return", Scale.LINEAR)
                .y("share of runs above it", Scale.LINEAR);
        for (SettingComparison.Profile each : profiles.settings()) {
            List<PerformanceProfile.Point> points = each.profile().points();
            chart = chart.with(LineChart.Series.of(
                            "%s (%d runs)".formatted(each.setting(), each.runs()),
                            points,
                            PerformanceProfile.Point::threshold,
                            PerformanceProfile.Point::share)
                    .band(
                            points.stream()
                                    .mapToDouble(point -> point.interval().low())
                                    .toArray(),
                            points.stream()
                                    .mapToDouble(point -> point.interval().high())
                                    .toArray()));
        }
        return chart;
    }

    private static Table fields(List<Row> rows) {
        return Table.of(
                rows,
                text("task", row -> row.key().task()),
                text("method", row -> row.key().method()),
                text("demonstrations", row -> row.key().demos()),
                number("trajectories", 4, row -> row.key().trajectories()),
                text("settings", row -> row.key().settings()),
                number("seeds", 4, row -> row.runs().size()),
                decimals("expert", 0, Row::expertReturn),
                text("measured by", Row::expertMeasured),
                decimals("return", 0, Row::interquartileMean),
                decimals("from", 0, row -> row.interval().low()),
                decimals("to", 0, row -> row.interval().high()),
                decimals("% of expert", 1, row -> 100 * row.share()),
                decimals("last % of best", 1, row -> 100 * row.lastOfBest()),
                number("steps", 9, Row::countedSteps),
                decimals("seconds", 0, Row::seconds),
                decimals("paper", 0, Row::paperReturn),
                decimals("paper's %", 1, row -> 100 * row.paperShare()),
                text("our aim", ImitationTableView::aim));
    }

    private static Table ours(ImitationTable gathered, List<Row> rows) {
        Table table = fields(rows)
                .titled("Last policies, interquartile means over seeds")
                .note(
                        "expert, measured by: its policy, played without noise as those that imitate it are, where it is at hand;"
                                + " else the mean of its demonstrations, which may have noise.")
                .note("from, to: 95 % interval of the interquartile mean, by the bootstrap over seeds. "
                        + EvaluationFields.FEW_SEEDS)
                .note("last % of best: last test against the best on the way, of the seed where that is least.")
                .note("steps: whose data was learnt from, of the seed that took most. seconds: of a run, on average.")
                .note(
                        "paper, paper's %: the same method there, with five trajectories, and its share of its own expert.")
                .note(
                        "our aim: what this project set itself for the row, as a share of the expert's return; the paper sets"
                                + " none. – where there is no aim.");
        for (String aim : gathered.notRun()) {
            table = table.note("No run yet: %s.".formatted(aim));
        }
        for (String folder : gathered.unfinished()) {
            table = table.note("Not at its end, and left out: %s.".formatted(folder));
        }
        return table;
    }

    private static Table standings(List<Standing> all) {
        return Table.of(
                        all,
                        text("task", Standing::task),
                        number("trajectories", 4, Standing::trajectories),
                        number("methods", 4, Standing::methods),
                        text("first", Standing::first),
                        decimals("% of expert", 1, each -> 100 * each.firstShare()),
                        decimals("from", 1, each -> 100 * each.firstLow()),
                        decimals("ML-IRL SA %", 1, each -> 100 * each.ours()),
                        text("ML-IRL SA is", Standing::verdict))
                .titled("Where ML-IRL stands")
                .note("Methods by their rows with most seeds; from: lower end of the interval of the first.");
    }

    private static Table commands(List<Row> rows) {
        return Table.of(
                        RunCommands.lines(
                                rows,
                                row -> row.runs().stream()
                                        .map(ImitationTable.Run::command)
                                        .toList()),
                        text("task", line -> line.row().key().task()),
                        text("method", line -> line.row().key().method()),
                        number("trajectories", 4, line -> line.row().key().trajectories()),
                        text("settings", line -> line.row().key().settings()),
                        text("command", RunCommands.Line::command))
                .titled("To make the runs of a row again, to the same bytes on the same kind of device")
                .note("Paths of demonstrations are those of the machine that made the runs.");
    }

    private static String aim(Row row) {
        return row.aim().isEmpty() ? "–" : row.shortfalls().isEmpty() ? "met" : String.join(", ", row.shortfalls());
    }

    private static Table reused(List<Reused> all) {
        return Table.of(
                        all,
                        text("task", Reused::task),
                        text("reward", Reused::reward),
                        decimals("learnt with it", 0, Reused::learntWith),
                        decimals("fresh policy", 0, Reused::meanReturn),
                        decimals("%", 1, each -> 100 * each.share()),
                        text("our aim", each -> Double.isNaN(each.share()) ? "–" : each.met() ? "met" : "missed"))
                .titled("Fresh policies on recovered rewards that stayed as they were")
                .note("our aim, this project's own: %s %% of the policy that was learnt with the reward."
                        .formatted(Numbers.decimals(100 * ImitationAim.REUSED, 0)));
    }

    private static Table judged(List<JudgedRewards> rows) {
        return Table.of(
                        rows,
                        text("task", JudgedRewards::task),
                        text("reward of", JudgedRewards::inputs),
                        text("along", JudgedRewards::along),
                        number("rewards", 4, JudgedRewards::rewards),
                        decimals("Pearson", 3, JudgedRewards::pearson),
                        decimals("least", 3, JudgedRewards::least),
                        decimals("most", 3, JudgedRewards::most),
                        decimals("Spearman", 3, JudgedRewards::spearman),
                        decimals("EPIC", 3, JudgedRewards::epic))
                .titled("Recovered rewards compared with the true ones, step by step")
                .note("Means over rewards, of as many runs; least and most are Pearson's. EPIC is a distance, 0 to 1.");
    }

    private static Table published(List<PublishedReturns> rows) {
        return Table.of(
                        rows,
                        text("task", PublishedReturns::task),
                        decimals("BC", 2, PublishedReturns::bc),
                        decimals("GAIL", 2, PublishedReturns::gail),
                        decimals("IQ-Learn", 2, PublishedReturns::iqLearn),
                        decimals("f-IRL", 2, PublishedReturns::fIrl),
                        decimals("ML-IRL S", 2, PublishedReturns::mlIrlS),
                        decimals("ML-IRL SA", 2, PublishedReturns::mlIrlSa),
                        decimals("expert", 2, PublishedReturns::expert),
                        decimals("SA % of expert", 0, row -> 100 * row.mlIrlSa() / row.expert()))
                .titled(PublishedReturns.TITLE)
                .note("IQ-Learn on Ant and Humanoid: from its own paper, with one trajectory of other experts.");
    }

    /** Curves of those who learnt in the simulator; experts and clones, who did not, as levels. */
    private static LineChart curves(String task, List<Row> rows) {
        LineChart chart = LineChart.titled("Imitation on " + task)
                .x("counted steps", Scale.LINEAR)
                .y("true return", Scale.LINEAR);
        Map<String, Double> levels = new LinkedHashMap<>();
        for (Row row : rows) {
            levels.put("expert of " + row.key().demosName(), row.expertReturn());
            if (row.key().method() == ImitationTable.Method.BC) {
                levels.put(name(row.key()), row.interquartileMean());
            } else {
                chart = chart.with(curve(row));
            }
        }
        if (chart.series().isEmpty()) {
            return chart;
        }
        double last = chart.series().stream()
                .flatMap(series -> series.points().stream())
                .mapToDouble(LineChart.Point::x)
                .max()
                .orElse(0);
        for (Map.Entry<String, Double> level : levels.entrySet()) {
            chart = chart.with(LineChart.Series.level(level.getKey(), 0, last, level.getValue()));
        }
        return chart;
    }

    private static String name(ImitationTable.Key key) {
        String plain = "%s, %d of %s".formatted(key.method(), key.trajectories(), key.demosName());
        return key.settings().isEmpty() || key.settings().equals("revealed") ? plain : plain + ", " + key.settings();
    }

    /** The mean over seeds at the tests of the run that has fewest, with the range where there are several. */
    private static LineChart.Series curve(Row row) {
        List<List<EvaluationPoint>> curves =
                row.runs().stream().map(ImitationTable.Run::curve).toList();
        double[] x = curves.stream().min(Comparator.comparingInt(List::size)).orElseThrow().stream()
                .mapToDouble(EvaluationPoint::step)
                .toArray();
        double[] mean = new double[x.length];
        double[] low = new double[x.length];
        double[] high = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            double step = x[i];
            DoubleSummaryStatistics values =
                    curves.stream().mapToDouble(each -> at(each, step)).summaryStatistics();
            mean[i] = values.getAverage();
            low[i] = curves.size() < 2 ? Double.NaN : values.getMin();
            high[i] = curves.size() < 2 ? Double.NaN : values.getMax();
        }
        return LineChart.Series.of(name(row.key()), x, mean).band(low, high);
    }

    /** The return at a step, on the line between the tests next to it; beyond the ends that of the end. */
    private static double at(List<EvaluationPoint> curve, double step) {
        if (curve.isEmpty()) {
            return Double.NaN;
        }
        EvaluationPoint before = curve.getFirst();
        for (EvaluationPoint point : curve) {
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

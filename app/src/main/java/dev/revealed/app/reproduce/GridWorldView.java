package dev.revealed.app.reproduce;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.HeatMap;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Panels;
import dev.revealed.app.view.Picture;
import dev.revealed.app.view.Report;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.studies.GridWorldStudy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Shows the paper's figure 1: reward maps, and the likelihood against what it cost. */
final class GridWorldView {
    private static final int MAP_WIDTH = 400;
    private static final int MAP_HEIGHT = 370;

    private GridWorldView() {}

    static Outcome of(GridWorldStudy.Result result) {
        Table methods = methods(result);
        Table comparison = comparison(result.comparison());
        Map<String, Picture> pictures = new LinkedHashMap<>();
        pictures.put("rewards", maps(result));
        pictures.put("likelihood", likelihood(result));
        Report report = Report.titled("Grid world: the paper's figure 1")
                .table(methods)
                .table(comparison)
                .picture(
                        pictures.get("rewards"),
                        "True and recovered rewards less their means, which the likelihood does not see.")
                .picture(
                        pictures.get("likelihood"),
                        "Surrogate likelihood without the ridge, on the first demonstration set.")
                .heading("Setting");
        for (String note : result.notes()) {
            report = report.paragraph(note);
        }
        String text = methods.toText() + "\n" + comparison.toText() + "\n" + String.join("\n", result.notes()) + "\n";
        return new Outcome(
                result,
                text,
                report.provenance("seed", result.settings().seed()),
                pictures,
                Map.of(
                        "sets.csv",
                        sets(result).toCsv(),
                        "trace.csv",
                        trace(result).toCsv(),
                        "maps.csv",
                        cells(result)));
    }

    private static Table methods(GridWorldStudy.Result result) {
        GridWorldStudy.Settings s = result.settings();
        Table table = Table.of(
                        Table.Column.text("method"),
                        Table.Column.text("log-likelihood"),
                        Table.Column.text("correlation"),
                        Table.Column.text("at held-out stop"),
                        Table.Column.text("kernel passes"),
                        Table.Column.text("CPU ms"),
                        Table.Column.text("converged"))
                .titled("Reward recovered on a grid world")
                .fact("board", "%d x %d, five moves, slip %s".formatted(s.size(), s.size(), s.slip()))
                .fact("discount", s.discount())
                .fact("true reward", "%s and %s at two goals".formatted(s.goal(), s.secondGoal()))
                .fact("demonstrations", "%d of %d steps".formatted(s.demonstrations(), s.length()))
                .fact("demonstration sets", s.sets())
                .fact("ridge", s.ridge())
                .fact("step of ml-irl", s.step())
                .fact("step of maxent-irl", s.nestedStep())
                .fact("stop: exact gradient", s.tolerance());
        for (GridWorldStudy.Method m : result.methods()) {
            table = table.row(
                    m.method(),
                    withError(m.logLikelihood(), m.logLikelihoodError(), 4),
                    withError(m.rewardCorrelation(), m.rewardCorrelationError(), 3),
                    withError(m.rewardCorrelationAtStop(), m.rewardCorrelationAtStopError(), 3),
                    withError(m.kernelPasses(), m.kernelPassesError(), 0),
                    withError(1e3 * m.cpuSeconds(), 1e3 * m.cpuSecondsError(), 1),
                    m.converged() + " of " + s.sets());
        }
        return table.note(
                        "Means over the demonstration sets with their standard errors; the likelihood without the ridge.")
                .note("Fits that did not converge are in the means as they stood.");
    }

    private static Table comparison(GridWorldStudy.Comparison c) {
        return Table.of(Table.Column.text("ml-irl against maxent-irl"), Table.Column.number("", 3))
                .row("difference in log-likelihood", c.logLikelihoodDifference())
                .row("largest such difference of a set", c.largestLogLikelihoodDifference())
                .row("difference in correlation", c.correlationDifference())
                .row("difference in correlation at the stop", c.correlationAtStopDifference())
                .row("times fewer kernel passes", c.passesRatio())
                .row("times less CPU time", c.cpuRatio());
    }

    private static String withError(double mean, double error, int decimals) {
        return Numbers.decimals(mean, decimals) + " (" + Numbers.decimals(error, decimals) + ")";
    }

    private static Picture maps(GridWorldStudy.Result result) {
        Picture[] maps = result.maps().stream()
                .filter(map -> !map.name().endsWith("stop"))
                .map(map -> HeatMap.of(map.name(), map.reward()).diverging().size(MAP_WIDTH, MAP_HEIGHT))
                .toArray(Picture[]::new);
        return Panels.grid("Rewards, true and recovered", 3, inRows(maps));
    }

    /** The truth before each method's pair, so that every row can be compared with it. */
    private static Picture[] inRows(Picture[] maps) {
        return new Picture[] {maps[0], maps[1], maps[2], maps[0], maps[3], maps[4]};
    }

    private static Picture likelihood(GridWorldStudy.Result result) {
        return Panels.row(
                "Likelihood against cost",
                chart(result, "kernel passes", GridWorldStudy.TracePoint::kernelPasses),
                chart(result, "CPU seconds", GridWorldStudy.TracePoint::cpuSeconds));
    }

    private static LineChart chart(
            GridWorldStudy.Result result, String cost, ToDoubleFunction<GridWorldStudy.TracePoint> of) {
        LineChart chart = LineChart.titled("")
                .x(cost, Scale.LOG10)
                .y("log-likelihood", Scale.LINEAR)
                .size(560, 380);
        for (GridWorldStudy.Method method : result.methods()) {
            List<GridWorldStudy.TracePoint> points = result.trace().stream()
                    .filter(point -> point.method().equals(method.method()))
                    .toList();
            chart = chart.with(LineChart.Series.of(
                    method.method(),
                    points.stream().mapToDouble(of).toArray(),
                    points.stream()
                            .mapToDouble(GridWorldStudy.TracePoint::logLikelihood)
                            .toArray()));
        }
        return chart;
    }

    private static Table sets(GridWorldStudy.Result result) {
        Table table = Table.of(
                Table.Column.number("set", 6),
                Table.Column.text("method"),
                Table.Column.number("logLikelihood", 8),
                Table.Column.number("rewardCorrelation", 6),
                Table.Column.number("rewardCorrelationAtStop", 6),
                Table.Column.number("kernelPasses", 8),
                Table.Column.number("cpuSeconds", 6),
                Table.Column.number("iterations", 6),
                Table.Column.text("converged"),
                Table.Column.number("gradientNorm", 6));
        for (GridWorldStudy.Row r : result.sets()) {
            table = table.row(
                    r.set(),
                    r.method(),
                    r.logLikelihood(),
                    r.rewardCorrelation(),
                    r.rewardCorrelationAtStop(),
                    r.kernelPasses(),
                    r.cpuSeconds(),
                    r.iterations(),
                    r.converged(),
                    r.gradientNorm());
        }
        return table;
    }

    private static Table trace(GridWorldStudy.Result result) {
        Table table = Table.of(
                Table.Column.text("method"),
                Table.Column.number("iteration", 6),
                Table.Column.number("kernelPasses", 8),
                Table.Column.number("cpuSeconds", 6),
                Table.Column.number("logLikelihood", 8),
                Table.Column.number("gradientNorm", 6),
                Table.Column.number("policyError", 6));
        for (GridWorldStudy.TracePoint p : result.trace()) {
            table = table.row(
                    p.method(),
                    p.iteration(),
                    p.kernelPasses(),
                    p.cpuSeconds(),
                    p.logLikelihood(),
                    p.gradientNorm(),
                    p.policyError());
        }
        return table;
    }

    private static String cells(GridWorldStudy.Result result) {
        StringBuilder csv = new StringBuilder("map,row,column,reward\n");
        for (GridWorldStudy.RewardMap map : result.maps()) {
            for (int i = 0; i < map.reward().length; i++) {
                for (int j = 0; j < map.reward()[i].length; j++) {
                    csv.append("\"%s\",%d,%d,%s\n".formatted(map.name(), i, j, map.reward()[i][j]));
                }
            }
        }
        return csv.toString();
    }
}

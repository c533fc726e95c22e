package dev.revealed.app.reproduce;

import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.HeatMap;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Panels;
import dev.revealed.app.view.Picture;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.studies.GridWorldStudy;
import dev.revealed.studies.GridWorldStudy.Method;
import dev.revealed.studies.GridWorldStudy.TracePoint;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Shows the paper's figure 1: reward maps, and the likelihood against what it cost. */
final class GridWorldView {
    private static final int MAP_WIDTH = 400;
    private static final int MAP_HEIGHT = 370;

    private GridWorldView() {}

    static Outcome of(GridWorldStudy.Result result) {
        return Outcome.of(result, "Grid world: the paper's figure 1")
                .table(methods(result))
                .table(comparison(result.comparison()))
                .picture(
                        "rewards",
                        maps(result),
                        "True and recovered rewards less their means, which the likelihood does not see.")
                .picture(
                        "likelihood",
                        likelihood(result),
                        "Surrogate likelihood without the ridge, on the first demonstration set.")
                .heading("Setting")
                .notes(result.notes())
                .report(page -> page.provenance("seed", result.settings().seed()))
                .file("sets.csv", Table.csv(GridWorldStudy.Row.class, result.sets()))
                .file("trace.csv", Table.csv(TracePoint.class, result.trace()))
                .file("maps.csv", cells(result));
    }

    private static Table methods(GridWorldStudy.Result result) {
        GridWorldStudy.Settings s = result.settings();
        GridWorldStudy.Board board = s.board();
        return Table.of(
                        result.methods(),
                        text("method", Method::method),
                        text("log-likelihood", m -> withError(m.logLikelihood(), m.logLikelihoodError(), 4)),
                        text("correlation", m -> withError(m.rewardCorrelation(), m.rewardCorrelationError(), 3)),
                        text(
                                "at held-out stop",
                                m -> withError(m.rewardCorrelationAtStop(), m.rewardCorrelationAtStopError(), 3)),
                        text("kernel passes", m -> withError(m.kernelPasses(), m.kernelPassesError(), 0)),
                        text("CPU ms", m -> withError(1e3 * m.cpuSeconds(), 1e3 * m.cpuSecondsError(), 1)),
                        text("converged", m -> m.converged() + " of " + s.sets()))
                .titled("Reward recovered on a grid world")
                .fact("board", "%d x %d, five moves, slip %s".formatted(board.size(), board.size(), board.slip()))
                .fact("discount", board.discount())
                .fact("true reward", "%s and %s at two goals".formatted(board.goal(), board.secondGoal()))
                .fact("demonstrations", "%d of %d steps".formatted(board.demonstrations(), board.length()))
                .fact("demonstration sets", s.sets())
                .fact("ridge", s.ridge())
                .fact("step of ml-irl", s.step())
                .fact("step of maxent-irl", s.nestedStep().orElseThrow())
                .fact("stop: exact gradient", s.tolerance())
                .note("Means over the demonstration sets with their standard errors; the likelihood without the ridge.")
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
                chart(result, "kernel passes", TracePoint::kernelPasses),
                chart(result, "CPU seconds", TracePoint::cpuSeconds));
    }

    private static LineChart chart(GridWorldStudy.Result result, String cost, ToDoubleFunction<TracePoint> of) {
        LineChart chart = LineChart.titled("")
                .x(cost, Scale.LOG10)
                .y("log-likelihood", Scale.LINEAR)
                .size(560, 380);
        for (Method method : result.methods()) {
            List<TracePoint> points = result.trace().stream()
                    .filter(point -> point.method().equals(method.method()))
                    .toList();
            chart = chart.with(LineChart.Series.of(method.method(), points, of, TracePoint::logLikelihood));
        }
        return chart;
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

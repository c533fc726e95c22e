package dev.revealed.app.reproduce;

import static dev.revealed.app.view.Table.Field.decimals;
import static dev.revealed.app.view.Table.Field.number;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.LineChart.Series;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Picture;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.studies.offline.LogCoverage;
import dev.revealed.studies.offline.LogRates.Point;
import dev.revealed.studies.offline.LogRates.Slope;
import dev.revealed.studies.offline.OfflineTheoryStudy;
import dev.revealed.studies.offline.Penalties;
import java.util.List;

/** Shows what logs are worth: rates, penalties, and coverage of intervals. */
final class OfflineTheoryView {
    private OfflineTheoryView() {}

    static Outcome of(OfflineTheoryStudy.Result result) {
        OfflineTheoryStudy.Settings s = result.settings();
        return Outcome.of(result, "Rewards from a log")
                .heading("How the error falls with the log")
                .paragraph("""
                        A random process with %d states and %d actions whose reward is known. The expert's visits are exact, as \
                        if there were infinitely many demonstrations; only the transition law is estimated, from one path of \
                        moves. Means over %s logs of each length.""".formatted(s.process().states(), s.process().actions(), Numbers.count(s.runs())))
                .picture("rates", rates(result), "Bars are two standard errors.")
                .table(slopes(result))
                .paragraph("""
                        The squared error falls like one over the length of the log, also where whoever made it seldom does \
                        what the expert does; what bad coverage costs is a factor. Where a pair that the expert needs is never \
                        logged, no length helps.""")
                .heading("What the penalty buys")
                .paragraph("""
                        A board of %d by %d cells. A pair that was never logged may lead anywhere, so the estimated world \
                        promises shortcuts. Loss: soft value that the estimated policy loses in the true process by the true \
                        reward. Carried over: the same for the policy that is optimal for the estimated reward in the true \
                        process.""".formatted(s.board().size(), s.board().size()))
                .table(penalties(result))
                .heading("Coverage of intervals")
                .table(coverage(result))
                .file("rates.csv", Table.csv(Point.class, result.rates()))
                .file("penalties.csv", Table.csv(Penalties.Row.class, result.penalties()))
                .file("coverage.csv", Table.csv(LogCoverage.Row.class, result.coverage()));
    }

    private static Table slopes(OfflineTheoryStudy.Result result) {
        List<Integer> moves = result.settings().moves();
        return Table.of(
                        result.slopes(),
                        text("log made by", Slope::logger),
                        number("worst coverage", 3, Slope::concentrability),
                        number(
                                "error at %s".formatted(Numbers.count(moves.getFirst())),
                                3,
                                slope -> at(result, slope, moves.getFirst())),
                        number(
                                "at %s".formatted(Numbers.count(moves.getLast())),
                                3,
                                slope -> at(result, slope, moves.getLast())),
                        decimals("slope", 3, Slope::slope))
                .titled("Squared error of the reward against the number of logged moves")
                .note("Worst coverage: the largest ratio of the expert's share of visits to the log's.");
    }

    private static double at(OfflineTheoryStudy.Result result, Slope slope, int moves) {
        return result.rates().stream()
                .filter(point -> point.logger().equals(slope.logger()) && point.moves() == moves)
                .findFirst()
                .orElseThrow()
                .squaredError();
    }

    private static Picture rates(OfflineTheoryStudy.Result result) {
        LineChart chart = LineChart.titled("Squared error of the reward")
                .x("logged moves", Scale.LOG10)
                .y("mean |theta^ - theta*|^2", Scale.LOG10);
        for (Slope slope : result.slopes()) {
            List<Point> own = result.rates().stream()
                    .filter(point -> point.logger().equals(slope.logger()))
                    .toList();
            chart = chart.with(Series.of(slope.logger(), own, Point::moves, Point::squaredError)
                    .bars(own, point -> Math.min(2 * point.standardError(), 0.9 * point.squaredError())));
        }
        return chart;
    }

    private static Table penalties(OfflineTheoryStudy.Result result) {
        return Table.of(
                        result.penalties(),
                        text("log made by", Penalties.Row::logger),
                        number("moves", 6, Penalties.Row::moves),
                        text("caution", Penalties.Row::caution),
                        number("mean", 3, Penalties.Row::meanCaution),
                        number("squared error", 3, Penalties.Row::squaredError),
                        number("likelihood lost", 3, Penalties.Row::excess),
                        number("loss", 3, Penalties.Row::loss),
                        number("s.e.", 2, Penalties.Row::lossStandardError),
                        number("carried over", 3, Penalties.Row::transferLoss))
                .titled("Penalties on uncertain moves, means over %d data sets"
                        .formatted(result.settings().board().runs()));
    }

    private static Table coverage(OfflineTheoryStudy.Result result) {
        OfflineTheoryStudy.Coverage sizes = result.settings().coverage();
        return Table.of(
                        result.coverage(),
                        text("log made by", LogCoverage.Row::log),
                        text("parameter", LogCoverage.Row::parameter),
                        decimals("with dynamics %", 1, row -> 100 * row.withDynamics()),
                        decimals("+-", 1, row -> 100 * row.monteCarloError()),
                        decimals("given dynamics %", 1, row -> 100 * row.givenDynamics()),
                        number("failures", 4, LogCoverage.Row::failures))
                .titled("Coverage of nominal 95 % intervals")
                .note(
                        "%s data sets: %d demonstrations of %d decisions, %s logged moves; in the last case the demonstrations are the log."
                                .formatted(
                                        Numbers.count(result.settings().replications()),
                                        sizes.demonstrations(),
                                        sizes.length(),
                                        Numbers.count(sizes.moves())));
    }
}

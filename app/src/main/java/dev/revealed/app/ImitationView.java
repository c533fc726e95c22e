package dev.revealed.app;

import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Panels;
import dev.revealed.app.view.Report;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Shows an imitation: how close it came to the demonstrations, and what it earns of the reward it never saw. */
final class ImitationView {
    private ImitationView() {}

    static Outcome of(ImitationResult result) {
        String title = "Imitation on " + result.task();
        Table summary = Table.of(Column.text(""), Column.text(""))
                .titled(title)
                .row("reward of", result.reward())
                .row("trajectories", "%d of %s".formatted(result.trajectories(), result.demos()))
                .row("preset", result.preset())
                .row("true return of the last policy", interval(result.meanReturn(), result.standardError()));
        if (!Double.isNaN(result.expertReturn())) {
            summary = summary.row(
                    "of the expert's %s".formatted(Numbers.significant(result.expertReturn(), 5)),
                    "%s %%".formatted(Numbers.decimals(100 * result.ratio(), 1)));
        }
        summary = summary.row(
                        "chosen without it",
                        "%s, of step %s"
                                .formatted(
                                        interval(result.chosenReturn(), result.chosenStandardError()),
                                        Numbers.count(result.chosenStep())))
                .row(
                        "best on the way",
                        "%s at step %s"
                                .formatted(
                                        Numbers.significant(result.bestReturn(), 5), Numbers.count(result.bestStep())))
                .row("likelihood gap, since the test before", Numbers.significant(result.likelihoodGap(), 3))
                .row("feature distance, likewise", Numbers.significant(result.featureDistance(), 3))
                .row("entropy, likewise", Numbers.significant(result.entropy(), 3))
                .row("iterations", Numbers.count(result.iterations()))
                .row("counted steps", Numbers.count(result.countedSteps()))
                .row("steps of tests, apart", Numbers.count(result.evaluationSteps()))
                .row("seconds", Numbers.significant(result.seconds(), 4))
                .row("seconds per iteration", Numbers.significant(result.secondsPerIteration(), 3))
                .row("device", result.device())
                .row("seed", Long.toString(result.seed()));
        Table points = Table.of(
                Column.number("step", 9),
                Column.number("counted steps", 9),
                Column.decimals("true return", 2),
                Column.decimals("standard error", 2),
                Column.decimals("likelihood gap", 5),
                Column.decimals("feature distance", 4),
                Column.decimals("entropy", 3));
        List<Imitator.Mark> marks = result.marks();
        for (int i = 0; i < marks.size(); i++) {
            Imitator.Mark mark = marks.get(i);
            TrainingRun.Point point = result.curve().get(i);
            points = points.row(
                    mark.step(),
                    mark.countedSteps(),
                    point.meanReturn(),
                    point.standardError(),
                    mark.gap(),
                    mark.distance(),
                    mark.entropy());
        }
        Panels curves = Panels.row(
                title,
                returns(result),
                chart("Likelihood gap", marks, Imitator.Mark::gap),
                chart("Feature distance", marks, Imitator.Mark::distance));
        return new Outcome(
                result,
                summary.toText(),
                Report.titled(title)
                        .table(summary)
                        .picture(
                                curves,
                                "Left: the true return, which nothing is learnt or chosen by. Then what can be known"
                                        + " without it: the reward of the expert less that of the agent, and how far"
                                        + " the agent's inputs are from the expert's, in standard deviations."),
                Map.of("curve", curves),
                Map.of("curve.csv", points.toCsv()));
    }

    /** The true return, beside the expert's where that is known. */
    private static LineChart returns(ImitationResult result) {
        LineChart chart = ExpertView.curve(result.curve(), result.task());
        double[] ends = {result.curve().getFirst().step(), result.steps()};
        double[] level = {result.expertReturn(), result.expertReturn()};
        return Double.isNaN(result.expertReturn())
                ? chart
                : chart.with(LineChart.Series.of("expert", ends, level).as(LineChart.Mark.DASHES));
    }

    private static LineChart chart(String name, List<Imitator.Mark> marks, ToDoubleFunction<Imitator.Mark> value) {
        return LineChart.titled(name)
                .x("steps", Scale.LINEAR)
                .y(name.toLowerCase(Locale.ROOT), Scale.LINEAR)
                .with(LineChart.Series.of(
                        name,
                        marks.stream().mapToDouble(Imitator.Mark::step).toArray(),
                        marks.stream().mapToDouble(value).toArray()));
    }

    private static String interval(double mean, double standardError) {
        return "%s (standard error %s)".formatted(Numbers.significant(mean, 5), Numbers.significant(standardError, 2));
    }
}

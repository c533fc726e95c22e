package dev.revealed.app.reproduce;

import static dev.revealed.app.view.Table.Field.decimals;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.LineChart.Mark;
import dev.revealed.app.view.LineChart.Series;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Panels;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.studies.HighDimStudy;
import dev.revealed.studies.HighDimStudy.Parameter;
import java.util.Arrays;
import java.util.List;

/** Shows a reward of many covariates that was recovered without a grid, compared with the truth. */
final class HighDimView {
    private static final List<String> CHOICES = List.of("keep", "repair", "replace");

    private HighDimView() {}

    static Outcome of(HighDimStudy.Result result) {
        return Outcome.of(result, "Dynamic discrete choice in high dimensions")
                .table("parameters", table(result))
                .picture(
                        "recovered",
                        Panels.row(
                                "A reward of %d covariates, without a grid"
                                        .formatted(result.settings().covariates()),
                                errors(result),
                                probabilities(result)),
                        "Left: estimates less the truth, with two standard errors. Right: choice probabilities at fresh states.")
                .notes(result.notes())
                .report(page -> page.provenance("seed", result.settings().seed()));
    }

    private static Table table(HighDimStudy.Result result) {
        HighDimStudy.Settings s = result.settings();
        HighDimStudy.Probabilities probabilities = result.probabilities();
        HighDimStudy.Test test = result.test();
        int count = result.parameters().size();
        return Table.of(
                        result.parameters(),
                        text("", Parameter::name),
                        decimals("truth", 4, Parameter::truth),
                        decimals("coef", 4, Parameter::value),
                        decimals("std err", 4, Parameter::standardError),
                        decimals("z from truth", 2, Parameter::z),
                        decimals("[0.025", 4, p -> p.value() - 1.96 * p.standardError()),
                        decimals("0.975]", 4, p -> p.value() + 1.96 * p.standardError()),
                        decimals("exact ML", 4, Parameter::exact),
                        decimals("std err ", 4, Parameter::exactError),
                        decimals("apart", 2, Parameter::apart))
                .titled("ML-IRL with a soft Q-network: %s choices, %d covariates"
                        .formatted(Numbers.thousands((long) s.machines() * s.periods()), s.covariates()))
                .fact("within two standard errors", "%d of %d".formatted(test.within(), count))
                .fact("the same by exact ML", "%d of %d".formatted(test.exactWithin(), count))
                .fact("joint test of the truth", joint(test.chiSquared(), count, test.pValue()))
                .fact("the same by exact ML", joint(test.exactChiSquared(), count, test.exactPValue()))
                .fact("recovered", test.recovered() ? "yes" : "NO")
                .fact("probabilities, mean difference", Numbers.significant(probabilities.meanDifference(), 3))
                .fact("the same by exact ML", Numbers.significant(probabilities.exactMeanDifference(), 3))
                .fact("probabilities, worst difference", Numbers.significant(probabilities.worstDifference(), 3))
                .fact("log-likelihood", Numbers.decimals(test.logLikelihood(), 1))
                .fact("the same by exact ML", Numbers.decimals(test.exactLogLikelihood(), 1))
                .note("Exact ML knows the hidden index; apart: coef less exact ML, in standard errors.");
    }

    private static String joint(double chiSquared, int df, double p) {
        return "chi2(%d) = %s, p = %s".formatted(df, Numbers.decimals(chiSquared, 1), Numbers.decimals(p, 3));
    }

    private static LineChart errors(HighDimStudy.Result result) {
        List<Parameter> all = result.parameters();
        return LineChart.titled("Estimates less the truth")
                .x("parameter", Scale.LINEAR)
                .y("difference", Scale.LINEAR)
                .size(560, 360)
                .with(
                        Series.of("soft Q-network", all, p -> all.indexOf(p) + 1, p -> p.value() - p.truth())
                                .as(Mark.POINTS)
                                .bars(all, p -> 2 * p.standardError()),
                        Series.of("exact ML", all, p -> all.indexOf(p) + 1.3, p -> p.exact() - p.truth())
                                .as(Mark.POINTS));
    }

    private static LineChart probabilities(HighDimStudy.Result result) {
        LineChart chart = LineChart.titled("Choice probabilities")
                .x("true", Scale.LINEAR)
                .y("estimated", Scale.LINEAR)
                .size(420, 360);
        for (int a = 0; a < CHOICES.size(); a++) {
            int choice = a;
            List<double[]> points = Arrays.stream(result.probabilities().shown())
                    .filter(row -> row[0] == choice)
                    .toList();
            chart = chart.with(Series.of(CHOICES.get(a), points, row -> row[1], row -> row[2])
                    .as(Mark.POINTS));
        }
        return chart;
    }
}

package dev.revealed.app.reproduce;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Panels;
import dev.revealed.app.view.Picture;
import dev.revealed.app.view.Report;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.studies.HighDimStudy;
import dev.revealed.studies.HighDimStudy.Parameter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Shows a reward of many covariates that was recovered without a grid, beside the truth. */
final class HighDimView {
    private static final List<String> CHOICES = List.of("keep", "repair", "replace");

    private HighDimView() {}

    static Outcome of(HighDimStudy.Result result) {
        Table table = table(result);
        Map<String, Picture> pictures = new LinkedHashMap<>();
        pictures.put(
                "recovered",
                Panels.row(
                        "A reward of %d covariates, without a grid"
                                .formatted(result.settings().covariates()),
                        errors(result),
                        probabilities(result)));
        Report report = Report.titled("Dynamic discrete choice in high dimensions")
                .table(table)
                .picture(
                        pictures.get("recovered"),
                        "Left: estimates less the truth, with two standard errors. Right: choice probabilities at fresh states.");
        for (String note : result.notes()) {
            report = report.paragraph(note);
        }
        return new Outcome(
                result,
                table.toText() + "\n" + String.join("\n", result.notes()) + "\n",
                report.provenance("seed", result.settings().seed()),
                pictures,
                Map.of("parameters.csv", table.toCsv(), "parameters.tex", table.toLatex()));
    }

    private static Table table(HighDimStudy.Result result) {
        HighDimStudy.Probabilities chances = result.probabilities();
        int count = result.parameters().size();
        Table table = Table.of(
                        Table.Column.text(""),
                        Table.Column.decimals("truth", 4),
                        Table.Column.decimals("coef", 4),
                        Table.Column.decimals("std err", 4),
                        Table.Column.decimals("z from truth", 2),
                        Table.Column.decimals("[0.025", 4),
                        Table.Column.decimals("0.975]", 4),
                        Table.Column.decimals("exact ML", 4),
                        Table.Column.decimals("std err ", 4),
                        Table.Column.decimals("apart", 2))
                .titled("ML-IRL with a soft Q-network: %s choices, %d covariates"
                        .formatted(
                                Numbers.thousands((long) result.settings().machines()
                                        * result.settings().periods()),
                                result.settings().covariates()))
                .fact("within two standard errors", "%d of %d".formatted(result.within(), count))
                .fact("the same by exact ML", "%d of %d".formatted(result.exactWithin(), count))
                .fact("joint test of the truth", joint(result.chiSquared(), count, result.pValue()))
                .fact("the same by exact ML", joint(result.exactChiSquared(), count, result.exactPValue()))
                .fact("recovered", result.recovered() ? "yes" : "NO")
                .fact("probabilities, mean difference", Numbers.significant(chances.meanDifference(), 3))
                .fact("the same by exact ML", Numbers.significant(chances.exactMeanDifference(), 3))
                .fact("probabilities, worst difference", Numbers.significant(chances.worstDifference(), 3))
                .fact("log-likelihood", Numbers.decimals(result.logLikelihood(), 1))
                .fact("the same by exact ML", Numbers.decimals(result.exactLogLikelihood(), 1));
        for (Parameter p : result.parameters()) {
            table = table.row(
                    p.name(),
                    p.truth(),
                    p.value(),
                    p.standardError(),
                    p.z(),
                    p.value() - 1.96 * p.standardError(),
                    p.value() + 1.96 * p.standardError(),
                    p.exact(),
                    p.exactError(),
                    p.apart());
        }
        return table.note("Exact ML knows the hidden index; apart: coef less exact ML, in standard errors.");
    }

    private static String joint(double chiSquared, int df, double p) {
        return "chi2(%d) = %s, p = %s".formatted(df, Numbers.decimals(chiSquared, 1), Numbers.decimals(p, 3));
    }

    private static LineChart errors(HighDimStudy.Result result) {
        List<Parameter> all = result.parameters();
        double[] number = new double[all.size()];
        Arrays.setAll(number, i -> i + 1);
        double[] exactPlace = new double[all.size()];
        Arrays.setAll(exactPlace, i -> i + 1.3);
        return LineChart.titled("Estimates less the truth")
                .x("parameter", Scale.LINEAR)
                .y("difference", Scale.LINEAR)
                .size(560, 360)
                .with(
                        LineChart.Series.of("soft Q-network", number, each(all, p -> p.value() - p.truth()))
                                .as(LineChart.Mark.POINTS)
                                .bars(
                                        each(all, p -> p.value() - p.truth() - 2 * p.standardError()),
                                        each(all, p -> p.value() - p.truth() + 2 * p.standardError())),
                        LineChart.Series.of("exact ML", exactPlace, each(all, p -> p.exact() - p.truth()))
                                .as(LineChart.Mark.POINTS));
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
            chart = chart.with(LineChart.Series.of(
                            CHOICES.get(a),
                            points.stream().mapToDouble(row -> row[1]).toArray(),
                            points.stream().mapToDouble(row -> row[2]).toArray())
                    .as(LineChart.Mark.POINTS));
        }
        return chart;
    }

    private static double[] each(List<Parameter> all, ToDoubleFunction<Parameter> of) {
        return all.stream().mapToDouble(of).toArray();
    }
}

package dev.revealed.app.reproduce;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Report;
import dev.revealed.app.view.Table;
import dev.revealed.studies.CoverageStudy;
import java.util.Map;

/** Shows how often each estimator's intervals hold the truth. */
final class CoverageView {
    private CoverageView() {}

    static Outcome of(CoverageStudy.Result result) {
        Table table = Table.of(
                        Table.Column.text("method"),
                        Table.Column.text("parameter"),
                        Table.Column.number("truth", 4),
                        Table.Column.decimals("coverage %", 1),
                        Table.Column.number("mean", 5),
                        Table.Column.number("spread", 3),
                        Table.Column.number("mean std err", 3),
                        Table.Column.number("failures", 4),
                        Table.Column.text("92.5 to 97.5"))
                .titled("Coverage of 95 % intervals over " + result.settings().panels() + " simulated panels");
        for (CoverageStudy.Row row : result.rows()) {
            table = table.row(
                    row.method(),
                    row.parameter(),
                    row.truth(),
                    100 * row.coverage(),
                    row.meanEstimate(),
                    row.spread(),
                    row.meanStandardError(),
                    row.failures(),
                    row.within() ? "yes" : "NO");
        }
        Report report = Report.titled("Coverage").table(table);
        for (String note : result.notes()) {
            report = report.paragraph(note);
        }
        return new Outcome(
                result,
                table.toText() + "\n" + String.join("\n", result.notes()) + "\n",
                report,
                Map.of(),
                Map.of("coverage.csv", table.toCsv(), "coverage.tex", table.toLatex()));
    }
}

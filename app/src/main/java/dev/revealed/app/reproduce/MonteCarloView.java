package dev.revealed.app.reproduce;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Report;
import dev.revealed.app.view.Table;
import dev.revealed.studies.MonteCarloStudy;
import java.util.Map;

/** Shows how often and how fast each method found the maximum. */
final class MonteCarloView {
    private MonteCarloView() {}

    static Outcome of(MonteCarloStudy.Result result) {
        Table table = Table.of(
                        Table.Column.decimals("discount", 4),
                        Table.Column.text("method"),
                        Table.Column.number("fits", 5),
                        Table.Column.number("converged", 5),
                        Table.Column.number("at maximum", 5),
                        Table.Column.number("mean ms", 3),
                        Table.Column.number("largest ms", 3),
                        Table.Column.decimals("iterations", 1),
                        Table.Column.decimals("passes", 0),
                        Table.Column.decimals("RC", 3),
                        Table.Column.decimals("(sd)", 3),
                        Table.Column.decimals("theta11", 3),
                        Table.Column.decimals("(sd)", 3))
                .titled("Su and Judd's Monte Carlo: 175 bins, %d observations, %d samples from 5 starts"
                        .formatted(
                                result.settings().buses() * result.settings().months(),
                                result.settings().replications()));
        for (MonteCarloStudy.Row row : result.rows()) {
            table = table.row(
                    row.discount(),
                    row.method(),
                    row.fits(),
                    row.converged(),
                    row.atMaximum(),
                    row.meanMilliseconds(),
                    row.largestMilliseconds(),
                    row.meanIterations(),
                    row.meanKernelPasses(),
                    row.meanRC(),
                    row.standardDeviationRC(),
                    row.meanTheta11(),
                    row.standardDeviationTheta11());
        }
        table = table.note("Milliseconds are CPU time of the thread that makes the fit.")
                .note("At maximum: within 1e-4 of the best log-likelihood any method found on the sample.");
        Report report = Report.titled("NFXP, ML-IRL and MPEC").table(table);
        for (String note : result.notes()) {
            report = report.paragraph(note);
        }
        return new Outcome(
                result,
                table.toText() + "\n" + String.join("\n", result.notes()) + "\n",
                report,
                Map.of(),
                Map.of("table.csv", table.toCsv(), "table.tex", table.toLatex()));
    }
}

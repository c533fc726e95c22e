package dev.revealed.app.reproduce;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Report;
import dev.revealed.app.view.Table;
import dev.revealed.estimate.Estimate;
import dev.revealed.studies.RustStudy;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Shows Rust's tables beside what he printed. */
final class RustView {
    private RustView() {}

    static Outcome of(RustStudy.Result result) {
        Table ninety = estimates("Rust (1987), Table IX: 90 bins, linear cost, full maximum likelihood", result.rows())
                .note(
                        "In brackets: what Rust printed. Two entries of groups 1-3 at discount 0 are misprints, see the notes.");
        Table finer =
                estimates("Rust (1987), Table X: 175 bins, linear cost, full maximum likelihood", result.rows175());
        Table costs = costs(result.costs());
        Table tests = tests(result.tests());
        String text = ninety.toText()
                + "\n"
                + finer.toText()
                + "\n"
                + costs.toText()
                + "\n"
                + tests.toText()
                + "\n"
                + String.join("\n", result.notes())
                + "\n";
        Report report = Report.titled("Rust's bus engines")
                .table(ninety)
                .table(finer)
                .table(costs)
                .table(tests);
        for (String note : result.notes()) {
            report = report.paragraph(note);
        }
        return new Outcome(
                result,
                text,
                report,
                Map.of(),
                Map.of(
                        "table9.csv", ninety.toCsv(),
                        "table9.tex", ninety.toLatex(),
                        "table10.csv", finer.toCsv(),
                        "table8.csv", costs.toCsv(),
                        "tests.csv", tests.toCsv()));
    }

    private static Table estimates(String title, List<RustStudy.Row> rows) {
        Table table = Table.of(
                        Table.Column.text("groups"),
                        Table.Column.decimals("discount", 4),
                        Table.Column.number("months", 5),
                        Table.Column.text("RC"),
                        Table.Column.text("std err"),
                        Table.Column.text("theta11"),
                        Table.Column.text("std err"),
                        Table.Column.text("moves"),
                        Table.Column.text("log-likelihood"))
                .titled(title);
        for (RustStudy.Row row : rows) {
            table = table.row(
                    row.groups(),
                    row.discount(),
                    row.observations(),
                    beside(row.RC(), 4, row, RustStudy.Published::RC),
                    beside(row.standardErrorRC(), 4, row, RustStudy.Published::standardErrorRC),
                    beside(row.theta11(), 4, row, RustStudy.Published::theta11),
                    beside(row.standardErrorTheta11(), 3, row, RustStudy.Published::standardErrorTheta11),
                    row.transitions().stream()
                            .map(Estimate.Parameter::value)
                            .map(p -> Numbers.decimals(p, 4))
                            .collect(Collectors.joining(" ")),
                    beside(row.logLikelihood(), 3, row, RustStudy.Published::logLikelihood));
        }
        return table;
    }

    private static String beside(
            double ours,
            int decimals,
            RustStudy.Row row,
            java.util.function.ToDoubleFunction<RustStudy.Published> printed) {
        return Numbers.decimals(ours, decimals)
                + row.published()
                        .map(p -> " [" + Numbers.significant(printed.applyAsDouble(p), 7) + "]")
                        .orElse("");
    }

    private static Table costs(List<RustStudy.CostRow> costs) {
        Table table = Table.of(
                        Table.Column.text("cost"),
                        Table.Column.number("bins", 3),
                        Table.Column.text("groups"),
                        Table.Column.decimals("discount", 4),
                        Table.Column.decimals("choice log-lik.", 3),
                        Table.Column.text("printed"),
                        Table.Column.text("converged"))
                .titled("Rust (1987), Table VIII: the choice likelihood of each cost function");
        for (RustStudy.CostRow row : costs) {
            table = table.row(
                    row.cost(),
                    row.bins(),
                    row.groups(),
                    row.discount(),
                    row.choiceLogLikelihood(),
                    row.published().isPresent()
                            ? Numbers.decimals(row.published().getAsDouble(), 3)
                            : "",
                    row.converged() ? "yes" : "NO");
        }
        return table.note("The moves are estimated beforehand, as in Rust's second step.");
    }

    private static Table tests(List<RustStudy.Test> tests) {
        Table table = Table.of(
                        Table.Column.text("hypothesis"),
                        Table.Column.number("bins", 3),
                        Table.Column.decimals("LR", 2),
                        Table.Column.number("df", 2),
                        Table.Column.number("p", 3))
                .titled("Likelihood-ratio tests");
        for (RustStudy.Test test : tests) {
            table = table.row(test.hypothesis(), test.bins(), test.statistic(), test.degreesOfFreedom(), test.pValue());
        }
        return table;
    }
}

package dev.revealed.app.reproduce;

import static dev.revealed.app.view.Table.Field.decimals;
import static dev.revealed.app.view.Table.Field.number;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Table;
import dev.revealed.studies.RustStudy;
import dev.revealed.studies.RustStudy.CostRow;
import dev.revealed.studies.RustStudy.Published;
import dev.revealed.studies.RustStudy.Row;
import java.util.List;
import java.util.function.ToDoubleFunction;
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
        return Outcome.of(result, "Rust's bus engines")
                .table("table9", ninety)
                .table(finer)
                .table(costs)
                .table(tests)
                .notes(result.notes())
                .file("table10.csv", finer.toCsv())
                .file("table8.csv", costs.toCsv())
                .file("tests.csv", tests.toCsv());
    }

    private static Table estimates(String title, List<Row> rows) {
        return Table.of(
                        rows,
                        text("groups", Row::groups),
                        decimals("discount", 4, Row::discount),
                        number("months", 5, Row::observations),
                        text("RC", row -> beside(row.RC(), 4, row, Published::RC)),
                        text("std err", row -> beside(row.standardErrorRC(), 4, row, Published::standardErrorRC)),
                        text("theta11", row -> beside(row.theta11(), 4, row, Published::theta11)),
                        text(
                                "std err",
                                row -> beside(row.standardErrorTheta11(), 3, row, Published::standardErrorTheta11)),
                        text(
                                "moves",
                                row -> row.transitions().stream()
                                        .map(p -> Numbers.decimals(p.value(), 4))
                                        .collect(Collectors.joining(" "))),
                        text("log-likelihood", row -> beside(row.logLikelihood(), 3, row, Published::logLikelihood)))
                .titled(title);
    }

    private static String beside(double ours, int decimals, Row row, ToDoubleFunction<Published> printed) {
        return Numbers.decimals(ours, decimals)
                + row.published()
                        .map(p -> " [" + Numbers.significant(printed.applyAsDouble(p), 7) + "]")
                        .orElse("");
    }

    private static Table costs(List<CostRow> costs) {
        return Table.of(
                        costs,
                        text("cost", CostRow::cost),
                        number("bins", 3, CostRow::bins),
                        text("groups", CostRow::groups),
                        decimals("discount", 4, CostRow::discount),
                        decimals("choice log-lik.", 3, CostRow::choiceLogLikelihood),
                        text(
                                "printed",
                                row -> row.published()
                                        .map(p -> Numbers.decimals(p, 3))
                                        .orElse("")),
                        text("converged", row -> row.converged() ? "yes" : "NO"))
                .titled("Rust (1987), Table VIII: the choice likelihood of each cost function")
                .note("The moves are estimated beforehand, as in Rust's second step.");
    }

    private static Table tests(List<RustStudy.Test> tests) {
        return Table.of(
                        tests,
                        text("hypothesis", RustStudy.Test::hypothesis),
                        number("bins", 3, RustStudy.Test::bins),
                        decimals("LR", 2, RustStudy.Test::statistic),
                        number("df", 2, RustStudy.Test::degreesOfFreedom),
                        number("p", 3, RustStudy.Test::pValue))
                .titled("Likelihood-ratio tests");
    }
}

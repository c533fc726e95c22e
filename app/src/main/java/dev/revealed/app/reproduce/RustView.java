package dev.revealed.app.reproduce;

import static dev.revealed.app.view.Table.Field.decimals;
import static dev.revealed.app.view.Table.Field.number;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Cell;
import dev.revealed.app.view.Table.Column;
import dev.revealed.studies.PublishedRust.Comparison;
import dev.revealed.studies.RustStudy;
import dev.revealed.studies.RustStudy.CostRow;
import dev.revealed.studies.RustStudy.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Shows Rust's tables with what he printed below each of our numbers, and the difference. */
final class RustView {
    private static final Cell NOTHING = new Cell("", "", false);

    private RustView() {}

    static Outcome of(RustStudy.Result result) {
        Table nine = estimates("Rust (1987), Table IX: 90 bins, linear cost, full maximum likelihood", result.rows());
        Table ten = estimates("Rust (1987), Table X: 175 bins, linear cost, full maximum likelihood", result.rows175());
        Table eight = costs(result.costs());
        Table tests = tests(result.tests());
        List<Comparison> all = result.comparisons();
        return Outcome.of(result, "Rust's bus engines")
                .table(nine)
                .table(ten)
                .table(eight)
                .table(differences(all))
                .table(tests)
                .notes(result.notes())
                .file("table9.csv", rows(result.rows()).toCsv())
                .file("table9.tex", nine.toLatex())
                .file("table10.csv", rows(result.rows175()).toCsv())
                .file("table10.tex", ten.toLatex())
                .file("table8.csv", eight.toCsv())
                .file("table8.tex", eight.toLatex())
                .file("published.csv", published(all).toCsv())
                .file("tests.csv", tests.toCsv());
    }

    /** A column for each sample and discount, as he has them. */
    private static Table estimates(String title, List<Row> rows) {
        Column[] columns = Stream.concat(
                        Stream.of(Column.text("groups, discount")),
                        rows.stream().map(row -> Column.number(row.groups() + ", " + row.discount(), 6)))
                .toArray(Column[]::new);
        Table table = Table.of(columns).titled(title).row(line("months", rows, row -> plain(row.observations(), 0)));
        table = quantity(table, rows, "RC", 4, row -> Optional.of(row.RC()));
        table = quantity(table, rows, "se RC", 3, row -> Optional.of(row.standardErrorRC()));
        table = quantity(table, rows, "theta11", 4, row -> Optional.of(row.theta11()));
        table = quantity(table, rows, "se theta11", 3, row -> Optional.of(row.standardErrorTheta11()));
        int moves =
                rows.stream().mapToInt(row -> row.transitions().size()).max().orElse(0);
        for (int k = 0; k < moves; k++) {
            int j = k;
            table = quantity(table, rows, "theta3" + j, 4, row -> move(row, j).map(p -> p.value()));
            table = quantity(
                    table,
                    rows,
                    "se theta3" + j,
                    4,
                    row -> move(row, j).map(p -> p.standardError().orElse(Double.NaN)));
        }
        return quantity(table, rows, "log-likelihood", 3, row -> Optional.of(row.logLikelihood()))
                .note("Below a number: what Rust printed, and the difference in his digits where there is one.");
    }

    private static Optional<RustStudy.Move> move(Row row, int k) {
        return k < row.transitions().size() ? Optional.of(row.transitions().get(k)) : Optional.empty();
    }

    private static Table quantity(
            Table table, List<Row> rows, String name, int decimals, Function<Row, Optional<Double>> ours) {
        Function<Row, Optional<Comparison>> his = row -> row.comparisons().stream()
                .filter(c -> c.published().quantity().equals(name))
                .findFirst();
        Table with = table.row(line(
                name,
                rows,
                row -> ours.apply(row)
                        .map(value -> plain(
                                value, his.apply(row).map(RustView::digits).orElse(decimals)))
                        .orElse(NOTHING)));
        if (rows.stream().noneMatch(row -> his.apply(row).isPresent())) {
            return with;
        }
        with = with.row(line(
                "  printed", rows, row -> his.apply(row).map(RustView::printed).orElse(NOTHING)));
        return rows.stream()
                        .noneMatch(row ->
                                his.apply(row).filter(c -> c.unitsOff() > 0).isPresent())
                ? with
                : with.row(line(
                        "  difference",
                        rows,
                        row -> his.apply(row).map(RustView::difference).orElse(NOTHING)));
    }

    private static Object[] line(String name, List<Row> rows, Function<Row, Cell> cell) {
        return Stream.concat(Stream.of(name), rows.stream().map(cell)).toArray();
    }

    private static Cell plain(double value, int decimals) {
        return new Cell(Numbers.decimals(value, decimals), Double.toString(value), true);
    }

    /** As many as he printed, but of RC always four: once he dropped one. */
    private static int digits(Comparison c) {
        return c.published().quantity().equals("RC") ? 4 : c.published().decimals();
    }

    private static Cell printed(Comparison c) {
        return new Cell(c.published().printed(), c.published().printed(), true);
    }

    /** In the digits that he printed; empty where we print the same. */
    private static Cell difference(Comparison c) {
        if (c.unitsOff() == 0) {
            return new Cell("", Double.toString(c.difference()), true);
        }
        int decimals = c.published().decimals();
        double shown = Math.copySign(c.unitsOff() * Math.pow(10, -decimals), c.difference());
        return new Cell(
                (shown > 0 ? "+" : "") + Numbers.decimals(shown, decimals), Double.toString(c.difference()), true);
    }

    /** The rows of a table for programs. */
    private static Table rows(List<Row> rows) {
        List<Table.Field<Row>> fields = new ArrayList<>(List.of(
                text("groups", Row::groups),
                decimals("discount", 4, Row::discount),
                number("months", 5, Row::observations),
                decimals("RC", 4, Row::RC),
                decimals("se RC", 4, Row::standardErrorRC),
                decimals("theta11", 4, Row::theta11),
                decimals("se theta11", 4, Row::standardErrorTheta11)));
        int moves =
                rows.stream().mapToInt(row -> row.transitions().size()).max().orElse(0);
        IntStream.range(0, moves)
                .forEach(k -> fields.add(decimals(
                        "theta3" + k, 4, row -> move(row, k).map(p -> p.value()).orElse(Double.NaN))));
        fields.add(decimals("log-likelihood", 3, Row::logLikelihood));
        return Table.of(rows, fields);
    }

    private static Table costs(List<CostRow> costs) {
        return Table.of(
                        costs,
                        text("cost", CostRow::cost),
                        number("bins", 3, CostRow::bins),
                        text("groups", CostRow::groups),
                        decimals("discount", 4, CostRow::discount),
                        decimals("choice log-lik.", 3, CostRow::choiceLogLikelihood),
                        decimals(
                                "printed",
                                3,
                                row -> row.comparison().map(RustView::printed).orElse(NOTHING)),
                        decimals(
                                "difference",
                                3,
                                row -> row.comparison()
                                        .map(RustView::difference)
                                        .orElse(NOTHING)),
                        text("converged", row -> row.converged() ? "yes" : "NO"))
                .titled("Rust (1987), Table VIII: the choice likelihood of each cost function")
                .note(
                        "The moves are estimated beforehand, as in Rust's second step. At discount 0 only his linear costs are at hand.");
    }

    /** Where we print other digits than he does. */
    private static Table differences(List<Comparison> all) {
        long same = all.stream().filter(c -> c.unitsOff() == 0).count();
        List<Comparison> others = all.stream().filter(c -> c.unitsOff() > 0).toList();
        return published(others)
                .titled("Where ours are not the digits that Rust printed")
                .note("Of %d printed figures %d are ours to the digit.".formatted(all.size(), same));
    }

    private static Table published(List<Comparison> comparisons) {
        return Table.of(
                comparisons,
                text("table", c -> c.published().table()),
                text("cost", c -> c.published().cost()),
                text("groups", c -> c.published().groups()),
                decimals("discount", 4, c -> c.published().discount()),
                text("quantity", c -> c.published().quantity()),
                decimals("ours", 4, c -> plain(c.ours(), digits(c))),
                decimals("printed", 4, RustView::printed),
                decimals("difference", 4, RustView::difference),
                text("why", Comparison::why));
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

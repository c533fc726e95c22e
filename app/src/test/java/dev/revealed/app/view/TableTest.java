package dev.revealed.app.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.app.view.Table.Cell;
import dev.revealed.app.view.Table.Column;
import dev.revealed.estimate.ParameterRange;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableTest {

    private static final Table SMALL = Table.of(Column.text("name"), Column.decimals("value", 2))
            .row("a_b", -1.5)
            .row("c, \"d\"", Double.NaN)
            .row("[<é>]", Double.POSITIVE_INFINITY)
            .row("count", 12);

    @Test
    void columnsThatDoNotFitStandBelow() {
        assertThat(Table.of(Column.text("name"), Column.decimals("first", 1), Column.decimals("second", 1))
                        .row("a", 1, 2)
                        .toText(15))
                .isEqualTo("""
                        ============
                        name   first
                        ------------
                        a          1
                        ============
                        =============
                        name   second
                        -------------
                        a           2
                        =============
                        """);
    }

    @Test
    void text() {
        assertThat(SMALL.titled("Title")
                        .fact("Model", "logit")
                        .fact("N", 32)
                        .fact("Log-lik.", -12.889633)
                        .note("A note.")
                        .toText())
                .isEqualTo("""
                                         Title
                        =======================================
                        Model:       logit   Log-lik.: -12.8896
                        N:              32
                        =======================================
                        name                              value
                        ---------------------------------------
                        a_b                               -1.50
                        c, "d"                                –
                        [<é>]                                 ∞
                        count                                12
                        =======================================
                        A note.
                        """);
    }

    @Test
    void markdown() {
        assertThat(SMALL.titled("Title")
                        .fact("N", 32)
                        .row("a|b", 1.0)
                        .note("A note.")
                        .toMarkdown())
                .isEqualTo("""
                        ## Title

                        - N: 32

                        | name | value |
                        | --- | ---: |
                        | a_b | -1.50 |
                        | c, "d" | – |
                        | [<é>] | ∞ |
                        | count | 12 |
                        | a\\|b | 1.00 |

                        - A note.
                        """);
    }

    @Test
    void starsInLatexStandAboveNumbersAndPowers() {
        Table table = Table.of(Column.text("value"));
        assertThat(table.row(new Cell("1.5**", "1.5", true)).toLatex()).contains("$1.5^{**}$");
        assertThat(table.row(new Cell("2.00e-07***", "2e-7", true)).toLatex()).contains("$2.00\\times10^{-7}{}^{***}$");
    }

    @Test
    void latex() {
        assertThat(SMALL.fact("N", 32).note("50%").toLatex()).isEqualTo("""
                        \\begin{tabular}{lr}
                        \\toprule
                        name & value \\\\
                        \\midrule
                        a\\_b & $-1.50$ \\\\
                        c, "d" & -- \\\\
                        {[}$<$é$>$] & $\\infty$ \\\\
                        count & $12$ \\\\
                        \\midrule
                        N & \\multicolumn{1}{l}{32} \\\\
                        \\bottomrule
                        \\multicolumn{2}{l}{\\footnotesize 50\\%} \\\\
                        \\end{tabular}
                        """);
        assertThat(SMALL.titled("A & B").toLatex())
                .startsWith("\\begin{table}[ht]\n\\centering\n\\caption{A \\& B}\n\\begin{tabular}")
                .endsWith("\\end{tabular}\n\\end{table}\n");
    }

    @Test
    void csvHasFullNumbersAndQuotes() {
        assertThat(SMALL.row("pi", Math.PI).toCsv())
                .isEqualTo("name,value\na_b,-1.5\n\"c, \"\"d\"\"\",\n[<é>],Infinity\ncount,12\npi,3.141592653589793\n");
    }

    @Test
    void html() {
        String html = SMALL.titled("T<").fact("k&", "v").note("n").toHtml();
        assertThat(Xml.texts(html, "figcaption")).containsExactly("T<");
        assertThat(Xml.texts(html, "th")).containsExactly("name", "value");
        assertThat(Xml.texts(html, "td")).containsExactly("a_b", "-1.50", "c, \"d\"", "–", "[<é>]", "∞", "count", "12");
        assertThat(Xml.elements(html, "td"))
                .extracting(e -> e.getAttribute("class"))
                .startsWith("", "n", "", "n");
        assertThat(Xml.texts(html, "dt")).containsExactly("k&");
    }

    @Test
    void emptyTablesAreTables() {
        Table none = Table.of();
        assertThat(none.toText()).isEqualTo("\n\n");
        assertThat(none.toCsv()).isEqualTo("\n");
        Xml.parse(none.toHtml());
        assertThat(Table.of(Column.text("only")).toText()).isEqualTo("====\nonly\n----\n====\n");
    }

    @Test
    void aRowOfAnotherLengthIsRefused() {
        assertThatThrownBy(() -> SMALL.row("x")).hasMessage("a row of 1 cells in a table of 2 columns");
    }

    private static CoefficientTable.Row real(String name, double value, double standardError) {
        return new CoefficientTable.Row(name, value, standardError, ParameterRange.REAL);
    }

    /** Spector and Mazzeo's grades: the logit that Greene, Stata and statsmodels print. */
    @Test
    void coefficientsAsEverybodyPrintsThem() {
        Table table = CoefficientTable.of(
                List.of(
                        real("gpa", 2.826113, 1.262941),
                        real("tuce", 0.0951577, 0.1415542),
                        real("psi", 2.378688, 1.064564),
                        real("_cons", -13.021347, 4.931324)),
                0.95);
        assertThat(table.toText()).isEqualTo("""
                        ================================================================
                                    coef   std err        z   P>|z|     [0.025    0.975]
                        ----------------------------------------------------------------
                        gpa       2.8261    1.2629    2.238   0.025     0.3508    5.3014
                        tuce      0.0952    0.1416    0.672   0.501    -0.1823    0.3726
                        psi       2.3787    1.0646    2.234   0.025     0.2922    4.4652
                        _cons   -13.0213    4.9313   -2.641   0.008   -22.6866   -3.3561
                        ================================================================
                        """);
    }

    /** A feature may be called as the share of a type is; 1.96 standard errors of 0.5 are 0.98. */
    @Test
    void onlySharesHaveIntervalsOfShares() {
        CoefficientTable.Row share = new CoefficientTable.Row("share[1]", 0.5, 0.5, ParameterRange.SHARE);
        Table table = CoefficientTable.of(List.of(share, real("share[1]", 0.5, 0.5)), 0.95);
        assertThat(table.rows()).extracting(row -> row.getLast().text()).containsExactly("0.9805", "1.4800");
    }

    @Test
    void withoutAStandardErrorNothingFollows() {
        Table table = CoefficientTable.of(
                List.of(
                        real("a", 1, 0),
                        real("b", 2, Double.NaN),
                        real("c", 3, Double.POSITIVE_INFINITY),
                        real("d", 0, 1)),
                0.9);
        assertThat(table.toCsv().lines().skip(1).limit(3)).containsExactly("a,1.0,,,,,", "b,2.0,,,,,", "c,3.0,,,,,");
        assertThat(table.rows().getLast())
                .extracting(Table.Cell::text)
                .containsExactly("d", "0.0000", "1.0000", "0.000", "1.000", "-1.6449", "1.6449");
        assertThat(table.columns()).extracting(Column::name).endsWith("[0.05", "0.95]");
        assertThatThrownBy(() -> CoefficientTable.of(List.of(), 95)).hasMessage("the level is 95.0, outside (0, 1)");
    }

    @Test
    void aHeadingStandsOverTheRowsBelowIt() {
        Table table = Table.of(Column.text("name"), Column.number("value", 4))
                .row("a", 1.0)
                .heading("Transition law & more")
                .row("b", 2e-7);
        assertThat(table.toText()).contains("a              1\n" + "-".repeat(16) + "\nTransition law & more\nb");
        assertThat(table.toLatex())
                .contains("\\midrule\n\\multicolumn{2}{l}{Transition law \\& more} \\\\\nb & $2.000\\times10^{-7}$");
        assertThat(table.toHtml()).contains("<tr><th colspan=\"2\">Transition law &amp; more</th></tr>");
        assertThat(table.toCsv()).isEqualTo("name,value\na,1.0\nb,2.0E-7\n");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 4, 0",
        "0.5, 4, 0.5",
        "123456.789, 4, 123457",
        "99999.6, 4, 100000",
        "9.9996, 4, 10",
        "-0.000123456, 3, -0.000123",
        "0.0000123456, 3, 1.23e-05",
        "100, 2, 100",
        "1e15, 3, 1.00e+15",
        "5e-324, 2, 4.9e-324",
        "NaN, 3, –",
        "-Infinity, 3, -∞"
    })
    void significantDigits(double value, int digits, String expected) {
        assertThat(Numbers.significant(value, digits)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 3, 0.000",
        "-13.0213, 4, -13.0213",
        "2.5, 0, 2",
        "0.00004, 4, 4.000e-05",
        "0.00006, 4, 0.0001",
        "1e10, 2, 1.0e+10",
        "NaN, 2, –"
    })
    void decimals(double value, int decimals, String expected) {
        assertThat(Numbers.decimals(value, decimals)).isEqualTo(expected);
    }

    private record Fit(String method, int steps, double error, boolean converged) {}

    private static final List<Fit> FITS = List.of(new Fit("a, b", 3, 0.125, true), new Fit("c", 12, Double.NaN, false));

    @Test
    void aTableOfRecordsHasARowForEach() {
        Table table = Table.of(
                FITS,
                Table.Field.text("method", Fit::method),
                Table.Field.number("steps", 3, Fit::steps),
                Table.Field.decimals("error %", 1, fit -> 100 * fit.error()));
        assertThat(table)
                .isEqualTo(Table.of(table.columns().toArray(Table.Column[]::new))
                        .row("a, b", 3, 12.5)
                        .row("c", 12, Double.NaN));
    }

    @Test
    void recordsAreWrittenAsCsvByTheirComponents() {
        assertThat(Table.csv(Fit.class, FITS, "steps")).isEqualTo("""
                method,error,converged
                "a, b",0.125,true
                c,,false
                """);
        assertThat(Table.csv(Fit.class, List.of())).isEqualTo("method,steps,error,converged\n");
    }
}

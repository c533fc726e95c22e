package dev.revealed.app.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

class ReportTest {

    private static final String PAGE = Report.titled("Costs & <benefits>")
            .paragraph("if a < b && c > d")
            .heading("Results")
            .table(Table.of(Table.Column.text("x")).row("y"))
            .picture(LineChart.titled("first"), "a \"curve\"")
            .picture(HeatMap.of("second", new double[][] {{1}}), "")
            .code("./revealed estimate --data 'a<b>.csv' \\\n  --seed 1")
            .provenance("seed", 1)
            .provenance("data", "sha256:<00>")
            .toHtml();

    @Test
    void holdsEverythingInOrder() {
        assertThat(Xml.texts(PAGE, "h1")).containsExactly("Costs & <benefits>");
        assertThat(Xml.texts(PAGE, "p")).containsExactly("if a < b && c > d");
        assertThat(Xml.texts(PAGE, "code")).containsExactly("./revealed estimate --data 'a<b>.csv' \\\n  --seed 1");
        assertThat(Xml.texts(PAGE, "figcaption")).containsExactly("a \"curve\"");
        assertThat(Xml.elements(PAGE, "svg"))
                .extracting(svg -> svg.getAttribute("aria-label"))
                .containsSubsequence("first", "second");
        assertThat(Xml.texts(PAGE, "dd")).containsExactly("1", "sha256:<00>");
        assertThat(PAGE.indexOf("<p>")).isLessThan(PAGE.indexOf("<h2>"));
        assertThat(PAGE.indexOf("<h2>")).isLessThan(PAGE.indexOf("<td>"));
        assertThat(PAGE.indexOf("<td>")).isLessThan(PAGE.indexOf("<svg"));
    }

    @Test
    void asksNothingOfTheNetworkAndHasNoClashingIds() {
        assertThat(PAGE.replace("http://www.w3.org/2000/svg", "")).doesNotContain("http", "url(", "@import", "<script");
        assertThat(Xml.elements(PAGE, "*")).noneMatch((Element e) -> e.hasAttribute("id") || e.hasAttribute("src"));
    }

    /** A column of a wide table was cut off at any width of the window: the page was no wider than its text. */
    @Test
    void tablesAreAsWideAsTheWindowAllowsAndScrollBeyond() {
        assertThat(Xml.elements(PAGE, "table"))
                .isNotEmpty()
                .allSatisfy(table -> assertThat(((Element) table.getParentNode()).getAttribute("class"))
                        .isEqualTo("scroll"));
        assertThat(css(".scroll")).contains("overflow-x: auto");
        assertThat(css("figure.table")).contains("width: fit-content", "max-width: 100%");
        assertThat(css("body")).doesNotContain("max-width");
        assertThat(css("figure")).doesNotContain("overflow"); // else its caption would scroll away
        assertThat(css("body > *")).contains("max-width: 46rem"); // what is text
        assertThat(PAGE.indexOf("\nbody > * {")).isBetween(0, PAGE.indexOf("\nfigure.table {"));
    }

    private static String css(String selector) {
        Matcher rule = Pattern.compile("(?m)^" + Pattern.quote(selector) + " \\{([^}]*)\\}")
                .matcher(PAGE);
        assertThat(rule.find()).as(selector).isTrue();
        return rule.group(1);
    }

    @Test
    void aPageWithoutProvenanceHasNoFooter() {
        assertThat(Xml.elements(Report.titled("t").toHtml(), "footer")).isEmpty();
    }
}

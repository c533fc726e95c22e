package dev.revealed.app.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.app.view.LineChart.Mark;
import dev.revealed.app.view.LineChart.Series;
import dev.revealed.estimate.ParameterRange;
import dev.revealed.numeric.Interval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;

class PictureTest {

    private static final double NAN = Double.NaN;
    private static final double INF = Double.POSITIVE_INFINITY;
    private static final Pattern NOT_A_NUMBER = Pattern.compile("NaN|Infinity|∞|\\d[eE][-+]?\\d");

    private static LineChart chart(Scale scale, Series... series) {
        return LineChart.titled("title").x("across", scale).y("up", scale).with(series);
    }

    private static List<Element> drawn(Picture picture, String element, String attribute, String value) {
        return Xml.elements(picture.toSvg(), element).stream()
                .filter(e -> e.getAttribute(attribute).equals(value))
                .toList();
    }

    private static List<String> lines(LineChart chart) {
        return marks(chart).filter(d -> !d.endsWith("h0")).toList();
    }

    private static List<String> dots(LineChart chart) {
        return marks(chart).filter(d -> d.endsWith("h0")).toList();
    }

    private static Stream<String> marks(LineChart chart) {
        return Xml.elements(chart.toSvg(), "path").stream()
                .filter(e -> e.getParentNode() instanceof Element g
                        && g.getAttribute("stroke-width").equals("1.8"))
                .map(e -> e.getAttribute("d"));
    }

    static Stream<double[]> oddSeries() {
        return Stream.of(
                new double[] {},
                new double[] {3},
                new double[] {NAN},
                new double[] {5, 5, 5},
                new double[] {0, 0},
                new double[] {1, NAN, 2, INF, -INF, 3},
                new double[] {-1.7e308, 1.7e308, 0},
                new double[] {Double.MIN_VALUE, 2 * Double.MIN_VALUE},
                new double[] {1e-300, 1e300},
                new double[] {1e15, 1e15 + 1, 1e15 + 2});
    }

    @ParameterizedTest
    @MethodSource("oddSeries")
    void oddSeriesAreDrawnWithoutNonsense(double[] y) {
        double[] infinite = new double[y.length];
        Arrays.fill(infinite, INF);
        double[] minus = Arrays.stream(y).map(v -> -v).toArray();
        for (Scale scale : Scale.values()) {
            for (Mark mark : Mark.values()) {
                Series series = Series.of("odd", y).as(mark);
                LineChart chart = chart(scale, series, series.bars(minus, y), series.band(minus, infinite));
                for (LineChart sized : List.of(chart, chart.size(1, 1))) {
                    Xml.elements(sized.toSvg(), "path")
                            .forEach(e -> assertThat(e.getAttribute("d")).doesNotContainPattern(NOT_A_NUMBER));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("oddSeries")
    void oddMatricesAreDrawnWithoutNonsense(double[] row) {
        for (double[][] rows : List.of(new double[][] {row}, new double[][] {row, {1, 2}, {}}, new double[0][])) {
            HeatMap map = HeatMap.of("odd", rows).annotated(3);
            for (HeatMap some : List.of(map, map.diverging(), map.size(1, 1))) {
                Xml.elements(some.toSvg(), "path")
                        .forEach(e -> assertThat(e.getAttribute("d")).doesNotContainPattern(NOT_A_NUMBER));
            }
        }
    }

    @Test
    void aGapBreaksTheLineAndALonePointIsADot() {
        assertThat(lines(chart(Scale.LINEAR, Series.of("s", 1, 2, NAN, 3, 4)))).hasSize(2);
        LineChart lone = chart(Scale.LINEAR, Series.of("s", 1, 2, NAN, 3));
        assertThat(lines(lone)).hasSize(1);
        assertThat(dots(lone)).hasSize(1);
        assertThat(lines(chart(Scale.LOG10, Series.of("s", new double[] {1, 2, 3}, new double[] {1, -1, 1}))))
                .isEmpty();
    }

    @Test
    void aStraightLineIsStraightInPixels() {
        LineChart chart = chart(Scale.LINEAR, Series.of("s", 0, 1, 2));
        List<double[]> points = new ArrayList<>();
        for (String pair : lines(chart).getFirst().substring(1).split("L", -1)) {
            points.add(Stream.of(pair.split(" ", -1))
                    .mapToDouble(Double::parseDouble)
                    .toArray());
        }
        assertThat(points).hasSize(3);
        assertThat(points.get(1)[0] * 2 - points.get(0)[0] - points.get(2)[0]).isBetween(-0.02, 0.02);
        assertThat(points.get(1)[1] * 2 - points.get(0)[1] - points.get(2)[1]).isBetween(-0.02, 0.02);
        assertThat(points.get(2)[0]).isGreaterThan(points.get(0)[0]);
        assertThat(points.get(2)[1]).isLessThan(points.get(0)[1]);
    }

    @Test
    void aMillionPointsStaySmallAndKeepTheirExtremes() {
        double[] noise = DoubleStream.iterate(0.3, x -> 3.99 * x * (1 - x))
                .limit(1_000_000)
                .toArray();
        noise[777_777] = 40;
        String line = lines(chart(Scale.LINEAR, Series.of("s", noise))).getFirst();
        assertThat(line.length()).isLessThan(100_000);
        double top = Stream.of(line.substring(1).split("L", -1))
                .mapToDouble(p -> Double.parseDouble(p.substring(p.indexOf(' '))))
                .min()
                .orElseThrow();
        assertThat(top).isBetween(5.0, 30.0);
    }

    @Test
    void unequalLengthsAreRefusedByName() {
        assertThatThrownBy(() -> Series.of("cost", new double[] {1, 2}, new double[] {1}))
                .hasMessage("series cost has 2 points but 1 values");
        assertThatThrownBy(() -> Series.of("cost", 1, 2).band(new double[2], new double[3]))
                .hasMessage("series cost has 2 points but 3 values");
    }

    @Test
    void textIsEscapedAndCutToItsRoom() {
        String nasty = "a<b & \"c\" \u0000 \uD800";
        LineChart chart = LineChart.titled(nasty).x(nasty, Scale.LINEAR).with(Series.of(nasty, 1, 2));
        assertThat(Xml.texts(chart.toSvg(), "text"))
                .filteredOn(t -> t.startsWith("a<b & \"c\""))
                .hasSize(3);
        LineChart wordy = LineChart.titled("long ".repeat(100)).with(Series.of("name ".repeat(100), 1, 2));
        assertThat(Xml.texts(wordy.toSvg(), "text"))
                .filteredOn(t -> t.endsWith("…"))
                .hasSize(2)
                .allSatisfy(t -> assertThat(t.length()).isLessThan(120));
    }

    @Test
    void legendNamesEverySeriesInItsOwnColour() {
        Series[] ten = Stream.iterate(0, i -> i + 1)
                .limit(7)
                .map(i -> Series.of("a rather long name " + i, i, i + 1))
                .toArray(Series[]::new);
        LineChart chart = chart(Scale.LINEAR, ten);
        assertThat(Xml.texts(chart.toSvg(), "text"))
                .filteredOn(t -> t.startsWith("a rather"))
                .hasSize(7);
        assertThat(Xml.elements(chart.toSvg(), "g").stream()
                        .filter(g -> g.getAttribute("stroke-width").equals("2.4"))
                        .map(g -> g.getAttribute("stroke"))
                        .distinct())
                .hasSize(7);
    }

    @Test
    void cellsTakeTheColoursOfTheirValues() {
        HeatMap map = HeatMap.of("m", new double[][] {{1, 2}, {NAN, 3}});
        assertThat(drawn(map, "path", "fill", "#440154"))
                .extracting(e -> e.getAttribute("d"))
                .containsExactly("M0 0h1v1H0z");
        assertThat(drawn(map, "path", "fill", "#21918c"))
                .extracting(e -> e.getAttribute("d"))
                .containsExactly("M1 0h1v1H1z");
        assertThat(drawn(map, "path", "fill", "#fde725"))
                .extracting(e -> e.getAttribute("d"))
                .containsExactly("M1 1h1v1H1z");
        assertThat(drawn(map, "path", "fill-opacity", "0.08"))
                .extracting(e -> e.getAttribute("d"))
                .containsExactly("M0 1h1v1H0z");
        HeatMap signed = HeatMap.of("m", new double[][] {{-1, 0, 4}}).diverging();
        assertThat(drawn(signed, "path", "fill", "#f7f7f7"))
                .extracting(e -> e.getAttribute("d"))
                .containsExactly("M1 0h1v1H1z");
        assertThat(drawn(signed, "path", "fill", "#67001f"))
                .extracting(e -> e.getAttribute("d"))
                .containsExactly("M2 0h1v1H2z");
    }

    @Test
    void annotationsAreWrittenWhereTheyFitOnly() {
        HeatMap map = HeatMap.of("", new double[][] {{1.234, NAN}}).annotated(2);
        assertThat(Xml.texts(map.toSvg(), "text")).contains("1.2").doesNotContain("–");
        HeatMap crowded = HeatMap.of("", new double[100][100]).annotated((i, j) -> "here");
        assertThat(Xml.texts(crowded.toSvg(), "text")).doesNotContain("here");
    }

    @Test
    void aHugeMatrixIsShrunkByMeans() {
        Grid grid = Grid.of(new double[][] {{1, 3, 10, NAN}, {5, 7, NAN, INF}}).shrink(1, 2);
        assertThat(grid.rows()).isEqualTo(1);
        assertThat(grid.at(0, 0)).isEqualTo(4);
        assertThat(grid.at(0, 1)).isEqualTo(10);
        assertThat(HeatMap.of("", Grid.of(2000, 2000, (i, j) -> (i * 31 + j * 17) % 1009))
                        .toSvg()
                        .length())
                .isLessThan(700_000);
    }

    /** Axis from 24 to 616 pixels: 0.25 lies at 172, 0.5 at 320. What is unknown is left out. */
    @Test
    void intervalsLieOnTheirAxis() {
        IntervalChart chart = new IntervalChart(
                "Probability",
                "share",
                0.5,
                List.of(
                        new IntervalChart.Row("one", 0.5, new Interval(0.25, 1)),
                        new IntervalChart.Row("unknown", Double.NaN, Interval.UNKNOWN)));
        String svg = chart.toSvg();
        assertThat(Xml.elements(svg, "circle"))
                .singleElement()
                .satisfies(circle -> assertThat(circle.getAttribute("cx")).isEqualTo("320"));
        assertThat(Xml.elements(svg, "path").stream().map(path -> path.getAttribute("d")))
                .contains("M172 68H616");
        assertThat(Xml.texts(svg, "text")).contains("Probability", "share", "one", "unknown", "0.0", "1.0");
    }

    /** Axis of 592 pixels from 0 to 1.2: a tenth is 49.33 pixels. */
    @Test
    void sharesBeyondOneLengthenTheAxis() {
        IntervalChart chart = new IntervalChart(
                "Returns", "share", 1, List.of(new IntervalChart.Row("cheetah", 1.1, new Interval(-0.3, 1.15), 0.6)));
        String svg = chart.toSvg();
        assertThat(Xml.elements(svg, "circle").stream().map(circle -> circle.getAttribute("cx")))
                .containsExactly("566.67", "320");
        assertThat(Xml.elements(svg, "path").stream().map(path -> path.getAttribute("d")))
                .contains("M24 68H591.33");
        assertThat(Xml.texts(svg, "text")).contains("1.2").doesNotContain("1.4");
    }

    @Test
    void panelsStandSideBySide() {
        LineChart wide = LineChart.titled("w").size(300, 100);
        LineChart high = LineChart.titled("h").size(100, 200);
        Panels row = Panels.row("", wide, high);
        assertThat(List.of(row.width(), row.height())).containsExactly(400, 200);
        Panels grid = Panels.grid("", 2, wide, high, high);
        assertThat(List.of(grid.width(), grid.height())).containsExactly(400, 400);
        assertThat(Xml.elements(grid.toSvg(), "g").stream()
                        .map(g -> g.getAttribute("transform"))
                        .filter(t -> t.startsWith("translate")))
                .containsExactly("translate(0 0)", "translate(300 0)", "translate(0 200)");
        Xml.parse(Panels.row("nothing").toSvg());
        assertThatThrownBy(() -> Panels.grid("", 0)).hasMessageContaining("not 0");
    }

    @Test
    void theLocaleChangesNothing() {
        Supplier<String> all = () -> Panels.row(
                                "t",
                                chart(Scale.LINEAR, Series.of("s", 12_345.5, -0.25)),
                                HeatMap.of("h", new double[][] {{0.5, 12_345.25}})
                                        .annotated(7))
                        .toSvg()
                + CoefficientTable.of(List.of(new CoefficientTable.Row("a", 1.5, 0.5, ParameterRange.REAL)), 0.9)
                        .toText();
        String expected = all.get();
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
            assertThat(all.get()).isEqualTo(expected);
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void terminalColoursAreTheNearest() {
        int[] palette = new int[256];
        int[] levels = {0, 95, 135, 175, 215, 255};
        for (int i = 0; i < 216; i++) {
            palette[16 + i] = levels[i / 36] << 16 | levels[i / 6 % 6] << 8 | levels[i % 6];
        }
        for (int i = 0; i < 24; i++) {
            palette[232 + i] = (8 + 10 * i) * 0x010101;
        }
        for (int rgb = 0; rgb <= 0xffffff; rgb += 4099) {
            int wanted = rgb;
            int nearest = java.util.stream.IntStream.range(16, 256)
                    .map(i -> distance(palette[i], wanted))
                    .min()
                    .orElseThrow();
            assertThat(distance(palette[ColourMap.ansi(rgb)], rgb)).isEqualTo(nearest);
        }
    }

    private static int distance(int a, int b) {
        int sum = 0;
        for (int shift = 0; shift <= 16; shift += 8) {
            int d = (a >> shift & 0xff) - (b >> shift & 0xff);
            sum += d * d;
        }
        return sum;
    }

    @Test
    void coefficientsStandBesideTheirNames() {
        CoefficientChart chart = new CoefficientChart(
                "What counts",
                List.of(
                        new CoefficientChart.Row("price", -2, new Interval(-3, -1)),
                        new CoefficientChart.Row("time", 1, Interval.UNKNOWN)));
        String svg = chart.toSvg();
        Xml.parse(svg);
        assertThat(svg).contains(">price<", ">time<", ">−2.0<");
        assertThat(svg.split("<circle", -1)).hasSize(3);
        assertThat(svg.split("stroke-opacity=\"0.4\"", -1))
                .as("intervals that are known")
                .hasSize(2);
    }

    @Test
    void countsOfWhichOneCellHasMostAreLogarithmic() {
        assertThat(HeatMap.of("visits", new double[][] {{1, 2, 3}, {0, 1, 5000}})
                        .counts()
                        .colours())
                .isEqualTo(ColourMap.COUNTS);
        assertThat(HeatMap.of("visits", new double[][] {{1, 2, 3}, {0, 1, 5}})
                        .counts()
                        .colours())
                .isEqualTo(ColourMap.SEQUENTIAL);
    }

    /** A street has two directions, drawn on one line: the stronger change is the one to see. */
    @Test
    void theStrongestChangeOfAStreetIsOnTop() {
        List<double[]> lines = List.of(new double[] {0, 0, 1, 1}, new double[] {1, 1, 0, 0}, new double[] {0, 0, 1, 0});
        String svg = NetworkMap.of("change", lines, new double[] {-10, 0.1, 4}, "flow")
                .diverging()
                .toSvg();
        Xml.parse(svg);
        List<Double> widths = Pattern.compile("stroke-width=\"([^\"]*)\" stroke-linecap")
                .matcher(svg)
                .results()
                .map(found -> Double.valueOf(found.group(1)))
                .toList();
        assertThat(widths).hasSize(3).isSorted();
    }
}

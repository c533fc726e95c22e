package dev.revealed.app.view;

import dev.revealed.app.view.Svg.Anchor;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A matrix as coloured cells with a colour bar, row 0 on top. Cells that are not finite are hatched. Above
 * {@value #MAX_CELLS} cells a side neighbours are drawn as their mean, which no eye could tell apart.
 *
 * @param note what to write into the cells, if anything
 * @param reach diverging colours cover at least this distance from zero, so that several maps share a scale
 */
public record HeatMap(
        String title,
        Grid values,
        ColourMap colours,
        @Nullable Note note,
        double reach,
        int width,
        int height) implements Picture {

    private static final int MAX_CELLS = 160;
    private static final double PAD = 14;
    private static final double BAR = 14;
    private static final double HATCH = 6;
    private static final double DOMINATED = 8; // medians, from which on a linear scale shows one cell alone

    /** The text of a cell. */
    @FunctionalInterface
    public interface Note {
        String at(int row, int column);
    }

    public static HeatMap of(String title, double[][] values) {
        return of(title, Grid.of(values));
    }

    /** A heat map about as high as makes its cells square. */
    public static HeatMap of(String title, Grid values) {
        double ratio = values.isEmpty() ? 0.6 : (double) values.rows() / values.columns();
        int height = 100 + (int) Math.clamp(340 * ratio, 120, 420);
        return new HeatMap(title, values, ColourMap.SEQUENTIAL, null, 0, 480, height);
    }

    /** Blue for negative, red for positive, on a range symmetric about zero. */
    public HeatMap diverging() {
        return diverging(reach);
    }

    /** The same on a range that has at least this distance from zero to both sides. */
    public HeatMap diverging(double newReach) {
        return new HeatMap(title, values, ColourMap.DIVERGING, note, newReach, width, height);
    }

    /** Counts, on a logarithmic scale where the largest is beyond eight times the median. */
    public HeatMap counts() {
        double[] sorted = values.finite().filter(count -> count > 0).sorted().toArray();
        boolean dominated = sorted.length > 0 && sorted[sorted.length - 1] > DOMINATED * sorted[sorted.length / 2];
        ColourMap scale = dominated ? ColourMap.COUNTS : ColourMap.SEQUENTIAL;
        return new HeatMap(title, values, scale, note, reach, width, height);
    }

    /** Writes each value into its cell, to so many significant digits, where it fits; missing ones stay blank. */
    public HeatMap annotated(int digits) {
        return annotated((i, j) -> Double.isNaN(values.at(i, j))
                ? ""
                : Numbers.significant(values.at(i, j), digits).replace('-', '−'));
    }

    /** Writes a text into each cell, where it fits. */
    public HeatMap annotated(Note text) {
        return new HeatMap(title, values, colours, text, reach, width, height);
    }

    @Override
    public HeatMap narrow() {
        return width <= NARROW ? this : size(NARROW, Math.max(200, height * NARROW / width));
    }

    public HeatMap size(int newWidth, int newHeight) {
        return new HeatMap(title, values, colours, note, reach, newWidth, newHeight);
    }

    @Override
    public String body() {
        Axis rough = colours.axis(values, reach, height - 90);
        double left = PAD + Math.min(labelWidth(values.rows()), width / 4.0) + 8;
        double barSpace = 18 + BAR + 8 + rough.labelWidth() + PAD;
        double w = Math.max(10, width - left - barSpace);
        double top = PAD + (title.isEmpty() && rough.factor().isEmpty() ? 0 : 26);
        double h = Math.max(10, height - PAD - 18 - top);
        Axis axis = colours.axis(values, reach, h);
        Svg svg = new Svg();
        svg.heading(left, PAD + 11, title, width - left - PAD);
        svg.open("g", "transform", "translate(" + Svg.number(left) + " " + Svg.number(top) + ")");
        cells(svg, axis, w, h);
        svg.text(w / 2, h / 2, Anchor.MIDDLE, values.isEmpty() ? "no data" : "", "fill-opacity", "0.6");
        svg.add("rect", "width", w, "height", h, "fill", "none", "stroke", "currentColor");
        rowLabels(svg, left, h);
        columnLabels(svg, w, h);
        bar(svg, axis, w + 18, h);
        return svg.close("g").toString();
    }

    private void cells(Svg svg, Axis axis, double w, double h) {
        Grid grid = values.shrink(MAX_CELLS, MAX_CELLS);
        Map<Integer, StringBuilder> byColour = new TreeMap<>();
        StringBuilder missing = new StringBuilder();
        double cw = w / Math.max(1, grid.columns());
        double ch = h / Math.max(1, grid.rows());
        for (int i = 0; i < grid.rows(); i++) {
            int end;
            for (int j = 0; j < grid.columns(); j = end) {
                int colour = colour(axis, grid.at(i, j));
                for (end = j + 1; end < grid.columns() && colour(axis, grid.at(i, end)) == colour; ) {
                    end++;
                }
                String box = "M" + j + " " + i + "h" + (end - j) + "v1H" + j + "z";
                (colour < 0 ? missing : byColour.computeIfAbsent(colour, c -> new StringBuilder())).append(box);
            }
        }
        svg.open("g", "shape-rendering", "crispEdges", "transform", "scale(" + cw + " " + ch + ")");
        byColour.forEach((colour, boxes) -> svg.add("path", "d", boxes, "fill", ColourMap.hex(colour)));
        svg.add("path", "d", missing, "fill-opacity", "0.08").close("g");
        hatch(svg, grid, cw, ch);
        if (note != null && grid.equals(values)) {
            notes(svg, note, axis, cw, ch);
        }
    }

    private int colour(Axis axis, double value) {
        return Double.isFinite(value) ? colours.rgb(axis.position(value)) : -1;
    }

    /** Strokes from the lower left to the upper right of the missing cells, on lines common to all. */
    private static void hatch(Svg svg, Grid grid, double cw, double ch) {
        StringBuilder strokes = new StringBuilder();
        for (int i = 0; i < grid.rows(); i++) {
            for (int j = 0; j < grid.columns(); j++) {
                double x = j * cw;
                double y = i * ch;
                double end = Double.isFinite(grid.at(i, j)) ? 0 : x + cw + y + ch;
                for (double c = HATCH * Math.ceil((x + y) / HATCH); c < end; c += HATCH) {
                    double from = Math.max(x, c - y - ch);
                    double to = Math.min(x + cw, c - y);
                    strokes.append('M').append(Svg.number(from)).append(' ').append(Svg.number(c - from));
                    strokes.append('L').append(Svg.number(to)).append(' ').append(Svg.number(c - to));
                }
            }
        }
        svg.add("path", "d", strokes, "stroke", "currentColor", "stroke-opacity", "0.35", "stroke-width", 0.8);
    }

    private void notes(Svg svg, Note text, Axis axis, double cw, double ch) {
        double widest = 1e-9;
        for (int i = 0; i < values.rows(); i++) {
            for (int j = 0; j < values.columns(); j++) {
                widest = Math.max(widest, Svg.width(text.at(i, j), 1));
            }
        }
        double size = Math.min(Math.clamp(0.3 * ch, 13, 18), Math.min(0.6 * ch, 0.86 * cw / widest));
        if (size < 5) {
            return;
        }
        svg.open("g", "font-size", size);
        for (int i = 0; i < values.rows(); i++) {
            for (int j = 0; j < values.columns(); j++) {
                int colour = colour(axis, values.at(i, j));
                String ink = colour < 0 ? "currentColor" : ColourMap.isLight(colour) ? "#1b1f24" : "#ffffff";
                svg.text((j + 0.5) * cw, (i + 0.5) * ch + 0.35 * size, Anchor.MIDDLE, text.at(i, j), "fill", ink);
            }
        }
        svg.close("g");
    }

    private void rowLabels(Svg svg, double left, double h) {
        double cell = h / Math.max(1, values.rows());
        double room = left - PAD - 6;
        for (int i = 0; i < values.rows(); i += stride(Svg.FONT + 2, cell)) {
            svg.text(-7, (i + 0.5) * cell + 4, Anchor.END, Svg.fit(Integer.toString(i), Svg.FONT, room));
        }
    }

    private void columnLabels(Svg svg, double w, double h) {
        double cell = w / Math.max(1, values.columns());
        for (int j = 0; j < values.columns(); j += stride(labelWidth(values.columns()) + 6, cell)) {
            svg.text((j + 0.5) * cell, h + 17, Anchor.MIDDLE, Integer.toString(j));
        }
    }

    private static double labelWidth(int count) {
        return Svg.width(Integer.toString(count), Svg.FONT);
    }

    /** Every how many cells a label has room: 1, 2, 5, 10, 20... */
    private static int stride(double label, double cell) {
        int stride = 1;
        for (int k = 0; stride * cell < label && stride < 1_000_000; k++) {
            stride = k % 3 == 1 ? stride / 2 * 5 : stride * 2;
        }
        return stride;
    }

    private void bar(Svg svg, Axis axis, double x, double h) {
        int steps = 128;
        svg.open("g", "shape-rendering", "crispEdges");
        for (int i = 0; i < steps; i++) {
            String fill = ColourMap.hex(colours.rgb((i + 0.5) / steps));
            double y = h - (i + 1) * h / steps;
            svg.add("rect", "x", x, "y", y, "width", BAR, "height", h / steps, "fill", fill);
        }
        svg.close("g");
        svg.add("rect", "x", x, "width", BAR, "height", h, "fill", "none", "stroke", "currentColor");
        for (Axis.Tick tick : axis.ticks()) {
            double y = h * (1 - axis.position(tick.value()));
            svg.line(x + BAR, y, x + BAR + 4, y).text(x + BAR + 8, y + 4, Anchor.START, tick.label());
        }
        svg.text(x + BAR, -7, Anchor.MIDDLE, axis.factor(), "font-size", 11);
    }
}

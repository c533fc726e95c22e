package dev.revealed.app.view;

import dev.revealed.app.view.Svg.Anchor;
import dev.revealed.numeric.Interval;
import java.util.List;
import java.util.stream.DoubleStream;

/** Coefficients with their intervals: a line for each, its name beside it, and zero marked. */
public record CoefficientChart(String title, List<Row> rows, int width) implements Picture {
    private static final int WIDE = 640;
    private static final double PAD = 14;
    private static final double TOP = 40;
    private static final double ROW = 24;
    private static final double WIDEST_NAME = 0.34; // of the width

    /** A coefficient and its interval, which may be unknown. */
    public record Row(String name, double value, Interval interval) {}

    public CoefficientChart {
        rows = List.copyOf(rows);
    }

    public CoefficientChart(String title, List<Row> rows) {
        this(title, rows, WIDE);
    }

    @Override
    public CoefficientChart narrow() {
        return new CoefficientChart(title, rows, NARROW);
    }

    @Override
    public int height() {
        return (int) (bottom() + 34);
    }

    private double bottom() {
        return TOP + ROW * rows.size() + 6;
    }

    private double left() {
        double widest = rows.stream()
                .mapToDouble(row -> Svg.width(row.name, Svg.FONT))
                .max()
                .orElse(0);
        return PAD + Math.min(WIDEST_NAME * width, widest) + 10;
    }

    @Override
    public String body() {
        double left = left();
        double room = width - PAD - 10 - left;
        Axis axis = Axis.over(
                Scale.LINEAR,
                DoubleStream.concat(
                        DoubleStream.of(0),
                        rows.stream()
                                .flatMapToDouble(
                                        row -> DoubleStream.of(row.value, row.interval.low(), row.interval.high()))),
                0.04,
                room,
                true);
        Svg svg = new Svg();
        svg.heading(PAD, 25, title, width - 2 * PAD);
        for (Axis.Tick tick : axis.ticks()) {
            double x = left + room * axis.position(tick.value());
            svg.line(x, TOP, x, bottom() + 4, "stroke-opacity", Svg.FAINT);
            svg.text(x, bottom() + 18, Anchor.MIDDLE, tick.label());
        }
        svg.text(width - PAD, bottom() + 32, Anchor.END, axis.factor(), "font-size", 11);
        svg.line(left, bottom(), left + room, bottom());
        double zero = left + room * axis.position(0);
        svg.line(zero, TOP, zero, bottom(), "stroke-dasharray", "6 4");
        for (int i = 0; i < rows.size(); i++) {
            draw(svg, rows.get(i), TOP + ROW * (i + 0.5) + 3, axis, left, room);
        }
        return svg.toString();
    }

    private void draw(Svg svg, Row row, double y, Axis axis, double left, double room) {
        svg.text(left - 10, y + 4, Anchor.END, Svg.fit(row.name, Svg.FONT, WIDEST_NAME * width));
        svg.estimate(row.value, row.interval, at -> left + room * axis.position(at), y);
    }
}

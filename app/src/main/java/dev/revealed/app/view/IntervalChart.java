package dev.revealed.app.view;

import dev.revealed.app.view.Svg.Anchor;
import dev.revealed.numeric.Interval;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * Shares with their intervals, a line below its name for each, with a reference level. The axis goes from 0 to 1, or further
 * where a share does; what is negative stands at 0.
 */
public record IntervalChart(String title, String axis, double level, List<Row> rows) implements Picture {
    private static final double PAD = 24;
    private static final double TOP = 40;
    private static final double ROW = 42;
    private static final double TICK = 0.2;

    /**
     * A share and its interval, which may be unknown.
     *
     * @param published another's share, drawn as a circle; NaN where there is none
     */
    public record Row(String name, double value, Interval interval, double published) {
        public Row(String name, double value, Interval interval) {
            this(name, value, interval, Double.NaN);
        }

        private double most() {
            return DoubleStream.of(value, interval.high(), published)
                    .filter(Double::isFinite)
                    .max()
                    .orElse(0);
        }
    }

    public IntervalChart {
        rows = List.copyOf(rows);
    }

    @Override
    public int width() {
        return 640;
    }

    @Override
    public int height() {
        return (int) (bottom() + 48);
    }

    private double bottom() {
        return TOP + ROW * rows.size();
    }

    private int ticks() {
        double most = rows.stream().mapToDouble(Row::most).max().orElse(0);
        return (int) Math.ceil(Math.max(1, most) / TICK - 1e-9);
    }

    private double place(double share) {
        return PAD + Math.max(0, share) / (ticks() * TICK) * (width() - 2 * PAD);
    }

    @Override
    public String body() {
        Svg svg = new Svg();
        svg.heading(PAD, 25, title, width() - 2 * PAD);
        for (int i = 0; i <= ticks(); i++) {
            double share = i * TICK;
            svg.line(place(share), TOP, place(share), bottom() + 4, "stroke-opacity", Svg.FAINT);
            svg.text(place(share), bottom() + 18, Anchor.MIDDLE, Numbers.decimals(share, 1));
        }
        svg.line(PAD, bottom(), width() - PAD, bottom());
        svg.line(place(level), TOP, place(level), bottom(), "stroke-dasharray", "6 4");
        svg.text(width() / 2.0, bottom() + 38, Anchor.MIDDLE, Svg.fit(axis, Svg.FONT, width() - 2 * PAD));
        for (int i = 0; i < rows.size(); i++) {
            draw(svg, rows.get(i), TOP + ROW * i);
        }
        return svg.toString();
    }

    private void draw(Svg svg, Row row, double top) {
        double y = top + ROW - 14;
        svg.text(PAD, top + 16, Anchor.START, Svg.fit(row.name, Svg.FONT, width() - 2 * PAD));
        svg.estimate(row.value, row.interval, this::place, y);
        if (Double.isFinite(row.published)) {
            svg.add(
                    "circle",
                    "cx",
                    place(row.published),
                    "cy",
                    y,
                    "r",
                    5.5,
                    "fill",
                    "none",
                    "stroke",
                    "currentColor",
                    "stroke-width",
                    1.5);
        }
    }
}

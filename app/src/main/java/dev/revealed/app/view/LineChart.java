package dev.revealed.app.view;

import dev.revealed.app.view.Svg.Anchor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Named series on two axes, each linear or logarithmic. Points an axis has no place for (not finite, or not positive on
 * a logarithmic axis) are left out and break their line.
 */
public record LineChart(String title, Label x, Label y, List<Series> series, int width, int height) implements Picture {

    /** Okabe and Ito's colours, distinguishable with any colour vision, in the order that contrasts best. */
    private static final List<String> PALETTE =
            List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f");

    /** How many series have colours of their own; then they come round again. */
    public static final int COLOURS = PALETTE.size();

    private static final double PAD = 14;
    private static final double LEGEND_ROW = 18;
    private static final double SWATCH = 28;

    /** What an axis says and how it maps. */
    public record Label(String text, Scale scale) {}

    /** A value with the ends of its interval, NaN where it has none. */
    public record Point(double x, double y, double low, double high) {}

    /** How the points of a series are joined. */
    public enum Mark {
        LINE,
        DASHES,
        POINTS,
        LINE_AND_POINTS;

        private String dashes() {
            return this == DASHES ? "6 4" : "none";
        }
    }

    /** How the intervals of a series are drawn. */
    public enum Spread {
        BAND,
        BARS
    }

    /** A named sequence of points. */
    public record Series(String name, List<Point> points, Mark mark, Spread spread) {
        public Series {
            points = List.copyOf(points);
        }

        /** Points (x[i], y[i]) joined by a line. */
        public static Series of(String name, double[] x, double[] y) {
            requireSameLength(name, x.length, y.length);
            List<Point> points = points(i -> new Point(x[i], y[i], Double.NaN, Double.NaN), x.length);
            return new Series(name, points, Mark.LINE, Spread.BAND);
        }

        /** A point for each record. */
        public static <T> Series of(String name, List<T> rows, ToDoubleFunction<T> x, ToDoubleFunction<T> y) {
            return of(
                    name,
                    rows.stream().mapToDouble(x).toArray(),
                    rows.stream().mapToDouble(y).toArray());
        }

        /** A dashed horizontal line. */
        public static Series level(String name, double from, double to, double y) {
            return of(name, new double[] {from, to}, new double[] {y, y}).as(Mark.DASHES);
        }

        /** Points (i, y[i]) joined by a line. */
        public static Series of(String name, double... y) {
            return of(name, IntStream.range(0, y.length).asDoubleStream().toArray(), y);
        }

        /** The same with a shaded band from low to high. */
        public Series band(double[] low, double[] high) {
            return spread(low, high, Spread.BAND);
        }

        /** The same with error bars from low to high. */
        public Series bars(double[] low, double[] high) {
            return spread(low, high, Spread.BARS);
        }

        /** The same with error bars that reach as far to both sides of each record's point. */
        public <T> Series bars(List<T> rows, ToDoubleFunction<T> reach) {
            return bars(ends(rows, reach, -1), ends(rows, reach, 1));
        }

        /** The same with a band that reaches as far to both sides of each record's point. */
        public <T> Series band(List<T> rows, ToDoubleFunction<T> reach) {
            return band(ends(rows, reach, -1), ends(rows, reach, 1));
        }

        private <T> double[] ends(List<T> rows, ToDoubleFunction<T> reach, int side) {
            return IntStream.range(0, points.size())
                    .mapToDouble(i -> points.get(i).y + side * reach.applyAsDouble(rows.get(i)))
                    .toArray();
        }

        public Series named(String other) {
            return new Series(other, points, mark, spread);
        }

        public Series as(Mark drawn) {
            return new Series(name, points, drawn, spread);
        }

        private Series spread(double[] low, double[] high, Spread kind) {
            requireSameLength(name, points.size(), low.length);
            requireSameLength(name, points.size(), high.length);
            return new Series(
                    name,
                    points(i -> new Point(points.get(i).x, points.get(i).y, low[i], high[i]), low.length),
                    mark,
                    kind);
        }

        private static List<Point> points(IntFunction<Point> point, int count) {
            return IntStream.range(0, count).mapToObj(point).toList();
        }

        private static void requireSameLength(String name, int expected, int actual) {
            if (expected != actual) {
                throw new IllegalArgumentException(
                        "series %s has %d points but %d values".formatted(name, expected, actual));
            }
        }
    }

    public LineChart {
        series = List.copyOf(series);
    }

    public static LineChart titled(String title) {
        Label none = new Label("", Scale.LINEAR);
        return new LineChart(title, none, none, List.of(), 640, 400);
    }

    public LineChart x(String text, Scale scale) {
        return new LineChart(title, new Label(text, scale), y, series, width, height);
    }

    public LineChart y(String text, Scale scale) {
        return new LineChart(title, x, new Label(text, scale), series, width, height);
    }

    public LineChart with(Series... more) {
        List<Series> all = Stream.concat(series.stream(), Stream.of(more)).toList();
        return new LineChart(title, x, y, all, width, height);
    }

    @Override
    public LineChart narrow() {
        return width <= NARROW ? this : size(NARROW, Math.min(height, 300));
    }

    public LineChart size(int newWidth, int newHeight) {
        return new LineChart(title, x, y, series, newWidth, newHeight);
    }

    @Override
    public String body() {
        Axis rough = yAxis(height - 100);
        double left = PAD + (y.text.isEmpty() ? 0 : 20) + rough.labelWidth() + 8;
        double right = width - PAD - 8;
        List<Item> legend = legend(right - left);
        int legendRows = legend.isEmpty() ? 0 : legend.getLast().row + 1;
        double legendTop = PAD + (title.isEmpty() ? 0 : 20);
        double top = legendTop + legendRows * LEGEND_ROW + 10;
        double bottom = height - PAD - 18 - (x.text.isEmpty() ? 0 : 20);
        Axis ys = yAxis(bottom - top);
        Axis xs = Axis.over(x.scale, shown().mapToDouble(Point::x), 0.02, right - left, true);
        Frame frame = new Frame(left, top, Math.max(left + 10, right), Math.max(top + 10, bottom), xs, ys);
        Svg svg = new Svg();
        svg.heading(left, PAD + 11, title, width - left - PAD);
        legend.forEach(item -> draw(svg, item, left, legendTop, right - left));
        axes(svg, frame);
        svg.open("svg", "x", left, "y", top, "width", frame.width(), "height", frame.height());
        for (int i = 0; i < series.size(); i++) {
            draw(svg, series.get(i), colour(i), frame);
        }
        return svg.close("svg").toString();
    }

    private Stream<Point> shown() {
        return series.stream().flatMap(s -> s.points.stream()).filter(this::shows);
    }

    private boolean shows(Point p) {
        return x.scale.shows(p.x) && y.scale.shows(p.y);
    }

    private Axis yAxis(double pixels) {
        return Axis.over(
                y.scale, shown().flatMapToDouble(p -> DoubleStream.of(p.y, p.low, p.high)), 0.05, pixels, false);
    }

    private static String colour(int i) {
        return PALETTE.get(i % PALETTE.size());
    }

    /** The plot's place in the picture. */
    private record Frame(double left, double top, double right, double bottom, Axis x, Axis y) {
        double width() {
            return right - left;
        }

        double height() {
            return bottom - top;
        }

        /** A point in pixels from the plot's upper left corner. */
        Point place(Point p) {
            return new Point(x.position(p.x) * width(), down(p.y), down(p.low), down(p.high));
        }

        private double down(double value) {
            return (1 - y.position(value)) * height();
        }
    }

    private void axes(Svg svg, Frame f) {
        for (Axis.Tick tick : f.y.ticks()) {
            double at = f.bottom - f.y.position(tick.value()) * f.height();
            svg.line(f.left, at, f.right, at, "stroke-opacity", Svg.FAINT);
            svg.text(f.left - 8, at + 4, Anchor.END, tick.label());
        }
        for (Axis.Tick tick : f.x.ticks()) {
            double at = f.left + f.x.position(tick.value()) * f.width();
            svg.line(at, f.top, at, f.bottom, "stroke-opacity", Svg.FAINT);
            svg.line(at, f.bottom, at, f.bottom + 4);
            svg.text(at, f.bottom + 17, Anchor.MIDDLE, tick.label());
        }
        svg.line(f.left, f.bottom, f.right, f.bottom);
        svg.line(f.left, f.top, f.left, f.bottom);
        svg.text(f.left, f.top - 5, Anchor.END, f.y.factor(), "font-size", 11);
        svg.text(f.right, f.bottom + 36, Anchor.END, f.x.factor(), "font-size", 11);
        svg.text((f.left + f.right) / 2, f.bottom + 37, Anchor.MIDDLE, Svg.fit(x.text, Svg.FONT, f.width()));
        double middle = (f.top + f.bottom) / 2;
        svg.turned(PAD + 8, middle, y.text, f.height());
        String nothing = shown().findAny().isEmpty() ? "no data" : "";
        svg.text((f.left + f.right) / 2, middle, Anchor.MIDDLE, nothing, "fill-opacity", "0.6");
    }

    private void draw(Svg svg, Series s, String colour, Frame frame) {
        svg.open("g", "stroke", colour, "fill", "none", "stroke-width", 1.8, "stroke-linejoin", "round");
        List<List<Point>> runs = runs(s.points.stream()
                .map(p -> shows(p) ? frame.place(p) : new Point(Double.NaN, Double.NaN, Double.NaN, Double.NaN))
                .toList());
        for (List<Point> run : runs) {
            spread(svg, s.spread, run, colour);
        }
        for (List<Point> run : runs) {
            boolean joined = s.mark != Mark.POINTS && run.size() > 1;
            if (joined) {
                svg.add("path", "d", path(run, Point::y), "stroke-dasharray", s.mark.dashes());
            }
            if (!joined || s.mark == Mark.LINE_AND_POINTS) {
                svg.open("g", "fill", colour, "stroke", "none");
                run.forEach(p -> svg.add("circle", "cx", p.x, "cy", p.y, "r", 3.0));
                svg.close("g");
            }
        }
        svg.close("g");
    }

    private static void spread(Svg svg, Spread spread, List<Point> run, String colour) {
        List<Point> known = run.stream()
                .filter(p -> Double.isFinite(p.low) && Double.isFinite(p.high))
                .toList();
        if (spread == Spread.BARS) {
            for (Point p : known) {
                String cap = "M" + Svg.number(p.x - 3.5) + " %sh7";
                String low = Svg.number(p.low);
                String high = Svg.number(p.high);
                String bar = cap.formatted(low) + cap.formatted(high) + "M" + Svg.number(p.x) + " " + low + "V" + high;
                svg.add("path", "d", bar, "stroke-width", 1.2);
            }
        } else if (known.size() > 1) {
            String outline = path(known, Point::low) + "L"
                    + path(known.reversed(), Point::high).substring(1) + "Z";
            svg.add("path", "d", outline, "fill", colour, "fill-opacity", "0.18", "stroke", "none");
        }
    }

    /** Splits at the points that have no place. */
    private static List<List<Point>> runs(List<Point> points) {
        List<List<Point>> runs = new ArrayList<>();
        List<Point> run = new ArrayList<>();
        for (Point p : points) {
            if (Double.isNaN(p.x)) {
                runs.add(run);
                run = new ArrayList<>();
            } else {
                run.add(p);
            }
        }
        runs.add(run);
        runs.removeIf(List::isEmpty);
        return runs;
    }

    /** A polyline; where many points share half a pixel of width, only the first, extremes and last are kept. */
    private static String path(List<Point> run, ToDoubleFunction<Point> y) {
        StringBuilder path = new StringBuilder();
        int end;
        for (int start = 0; start < run.size(); start = end) {
            long column = Math.round(2 * run.get(start).x);
            int lowest = start;
            int highest = start;
            for (end = start; end < run.size() && Math.round(2 * run.get(end).x) == column; end++) {
                lowest = y.applyAsDouble(run.get(end)) < y.applyAsDouble(run.get(lowest)) ? end : lowest;
                highest = y.applyAsDouble(run.get(end)) > y.applyAsDouble(run.get(highest)) ? end : highest;
            }
            IntStream.of(start, Math.min(lowest, highest), Math.max(lowest, highest), end - 1)
                    .distinct()
                    .mapToObj(run::get)
                    .forEach(p -> path.append(path.isEmpty() ? "M" : "L")
                            .append(Svg.number(p.x) + " " + Svg.number(y.applyAsDouble(p))));
        }
        return path.toString();
    }

    /** A name in the legend, so far from the plot's left edge, in a row from 0. */
    private record Item(Series series, String colour, double x, int row) {}

    private List<Item> legend(double room) {
        List<Item> items = new ArrayList<>();
        double x = 0;
        int row = 0;
        for (int i = 0; i < series.size(); i++) {
            Series s = series.get(i);
            double wide = SWATCH + Svg.width(s.name, Svg.FONT);
            if (x > 0 && x + wide > room) {
                x = 0;
                row++;
            }
            if (!s.name.isEmpty()) {
                items.add(new Item(s, colour(i), x, row));
                x += wide + 16;
            }
        }
        return items;
    }

    private static void draw(Svg svg, Item item, double left, double top, double room) {
        Mark mark = item.series.mark;
        double x = left + item.x;
        double y = top + (item.row + 0.5) * LEGEND_ROW;
        svg.open("g", "stroke", item.colour, "fill", item.colour, "stroke-width", 2.4);
        if (mark != Mark.POINTS) {
            String stroke = "M" + Svg.number(x) + " " + Svg.number(y) + "h22";
            svg.add("path", "d", stroke, "stroke-dasharray", mark.dashes());
        }
        if (mark == Mark.POINTS || mark == Mark.LINE_AND_POINTS) {
            svg.add("circle", "cx", x + 11, "cy", y, "r", 3.0, "stroke", "none");
        }
        String name = Svg.fit(item.series.name, Svg.FONT, room - item.x - SWATCH);
        svg.close("g").text(x + SWATCH, y + 4, Anchor.START, name);
    }
}

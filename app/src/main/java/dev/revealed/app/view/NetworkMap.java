package dev.revealed.app.view;

import dev.revealed.app.view.Svg.Anchor;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Lines of a network coloured by a value, the largest on top and widest, with a colour bar. Lines without a finite value
 * are grey.
 *
 * @param lines x and y of points in turn, north up; empty where a line is not known
 * @param values of the lines
 * @param legend what the colours mean
 */
public record NetworkMap(
        String title, List<double[]> lines, double[] values, String legend, ColourMap colours, Scale scale)
        implements Picture {
    private static final double PAD = 14;
    private static final double TOP = 40;
    private static final double BAR = 14;
    private static final int SHADES = 24;
    private static final int WIDTH = 760;
    private static final int HEIGHT = 640;

    public NetworkMap {
        lines = List.copyOf(lines);
    }

    /** Values from low to high. */
    public static NetworkMap of(String title, List<double[]> lines, double[] values, String legend) {
        return new NetworkMap(title, lines, values, legend, ColourMap.SEQUENTIAL, Scale.LINEAR);
    }

    /** Blue for negative, red for positive. */
    public NetworkMap diverging() {
        return new NetworkMap(title, lines, values, legend, ColourMap.DIVERGING, scale);
    }

    @Override
    public int width() {
        return WIDTH;
    }

    @Override
    public int height() {
        return HEIGHT;
    }

    @Override
    public String body() {
        Axis axis = colours.axis(Grid.of(new double[][] {values}), HEIGHT - TOP - PAD);
        double right = PAD + (legend.isEmpty() ? 0 : 20) + axis.labelWidth() + 8 + BAR + 18;
        double room = WIDTH - PAD - right;
        double high = HEIGHT - TOP - PAD;
        double[] x = DoubleStream.of(bounds(0)).toArray();
        double[] y = DoubleStream.of(bounds(1)).toArray();
        double unit = Math.min(room / Math.max(x[1] - x[0], 1e-300), high / Math.max(y[1] - y[0], 1e-300));
        unit = Double.isFinite(unit) ? unit : 1;
        double left = PAD + (room - unit * (x[1] - x[0])) / 2;
        double bottom = HEIGHT - PAD - (high - unit * (y[1] - y[0])) / 2;
        Map<Integer, StringBuilder> shades = new TreeMap<>();
        Integer[] order = IntStream.range(0, values.length).boxed().toArray(Integer[]::new);
        Arrays.sort(order, Comparator.comparingDouble((Integer i) -> Math.abs(values[i])));
        for (int i : order) {
            double[] line = lines.get(i);
            if (line.length >= 4) {
                int shade = Double.isFinite(values[i])
                        ? (int) Math.clamp(axis.position(values[i]) * SHADES, 0, SHADES - 1)
                        : -1;
                StringBuilder path = shades.computeIfAbsent(shade, _ -> new StringBuilder());
                for (int p = 0; p < line.length; p += 2) {
                    path.append(p == 0 ? 'M' : 'L')
                            .append(Svg.number(left + unit * (line[p] - x[0])))
                            .append(' ')
                            .append(Svg.number(bottom - unit * (line[p + 1] - y[0])));
                }
            }
        }
        Svg svg = new Svg();
        svg.heading(PAD, 25, title, WIDTH - 2 * PAD);
        shades.entrySet().stream()
                .sorted(Comparator.comparingDouble(entry -> strength(entry.getKey())))
                .forEach(entry -> draw(svg, entry.getKey(), entry.getValue().toString()));
        bar(svg, axis, WIDTH - right + 18, high);
        return svg.toString();
    }

    /** How wide a line is and how far on top, from 0 to 1; less for one without a value. */
    private double strength(int shade) {
        double at = (shade + 0.5) / SHADES;
        return colours == ColourMap.DIVERGING && shade >= 0 ? Math.abs(2 * at - 1) : at;
    }

    private void draw(Svg svg, int shade, String path) {
        double at = (shade + 0.5) / SHADES;
        svg.add(
                "path",
                "d",
                path,
                "fill",
                "none",
                "stroke",
                shade < 0 ? "#999999" : ColourMap.hex(colours.rgb(at)),
                "stroke-width",
                shade < 0 ? 0.6 : 0.8 + 3.2 * strength(shade),
                "stroke-linecap",
                "round");
    }

    private void bar(Svg svg, Axis axis, double x, double high) {
        for (int i = 0; i < SHADES; i++) {
            svg.add(
                    "rect",
                    "x",
                    x,
                    "y",
                    TOP + high * (SHADES - 1 - i) / SHADES,
                    "width",
                    BAR,
                    "height",
                    high / SHADES + 0.5,
                    "fill",
                    ColourMap.hex(colours.rgb((i + 0.5) / SHADES)));
        }
        for (Axis.Tick tick : axis.ticks()) {
            double at = axis.position(tick.value());
            if (at >= 0 && at <= 1) {
                svg.text(x + BAR + 6, TOP + high * (1 - at) + 4, Anchor.START, tick.label());
            }
        }
        svg.text(x, TOP - 6, Anchor.START, axis.factor());
        svg.turned(WIDTH - PAD, TOP + high / 2, legend, high);
    }

    private double[] bounds(int offset) {
        double low = Double.POSITIVE_INFINITY;
        double top = Double.NEGATIVE_INFINITY;
        for (double[] line : lines) {
            for (int p = offset; p < line.length; p += 2) {
                low = Math.min(low, line[p]);
                top = Math.max(top, line[p]);
            }
        }
        return low > top ? new double[] {0, 1} : new double[] {low, top};
    }
}

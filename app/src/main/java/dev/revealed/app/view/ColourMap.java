package dev.revealed.app.view;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.DoubleStream;

/** Colours for numbers between 0 and 1. */
public enum ColourMap {
    /** Viridis: equal steps look equal, also in grey and with any colour vision. */
    SEQUENTIAL("440154 482576 414487 35608d 2a788e 21918c 22a884 43bf71 7ad151 bbdf27 fde725"),
    /** The same on a logarithmic scale: for counts of which a few cells have most. Zero has the colour of the least. */
    COUNTS("440154 482576 414487 35608d 2a788e 21918c 22a884 43bf71 7ad151 bbdf27 fde725"),
    /** Blue below, white at the middle, red above: for values with a meaningful zero. */
    DIVERGING("053061 2166ac 4393c3 92c5de d1e5f0 f7f7f7 fddbc7 f4a582 d6604d b2182b 67001f");

    private static final int LAST = 10;

    private final String stops;

    ColourMap(String stops) {
        this.stops = stops;
    }

    private int stop(int i) {
        return Integer.parseInt(stops, 7 * i, 7 * i + 6, 16);
    }

    /** The axis on which values are coloured: their range, or one symmetric about zero. */
    Axis axis(Grid values, double pixels) {
        return axis(values, 0, pixels);
    }

    /** @param least distance from zero that a range symmetric about zero has at least */
    Axis axis(Grid values, double least, double pixels) {
        double[] finite = values.finite().toArray();
        double reach =
                Math.max(least, Arrays.stream(finite).map(Math::abs).max().orElse(1));
        return Axis.over(
                this == COUNTS ? Scale.LOG10 : Scale.LINEAR,
                this == DIVERGING ? DoubleStream.of(-reach, reach) : Arrays.stream(finite),
                0,
                pixels,
                false);
    }

    /** The colour as 0xRRGGBB; a fraction outside [0, 1] counts as the nearer end. */
    public int rgb(double fraction) {
        double at = Math.clamp(fraction, 0, 1) * LAST;
        int below = (int) Math.min(at, LAST - 1);
        double part = at - below;
        int colour = 0;
        for (int shift = 16; shift >= 0; shift -= 8) {
            int from = stop(below) >> shift & 0xff;
            int to = stop(below + 1) >> shift & 0xff;
            colour |= (int) Math.round(from + part * (to - from)) << shift;
        }
        return colour;
    }

    static String hex(int rgb) {
        return String.format(Locale.ROOT, "#%06x", rgb);
    }

    /** Whether dark text reads better than light on this colour. */
    static boolean isLight(int rgb) {
        return 0.299 * (rgb >> 16 & 0xff) + 0.587 * (rgb >> 8 & 0xff) + 0.114 * (rgb & 0xff) > 140;
    }

    /** The nearest of the 256 colours terminals know: a cube of six levels a side, and greys. */
    static int ansi(int rgb) {
        int red = rgb >> 16 & 0xff;
        int green = rgb >> 8 & 0xff;
        int blue = rgb & 0xff;
        int grey = Math.clamp(Math.round((red + green + blue - 24) / 30f), 0, 23);
        int shade = 8 + 10 * grey;
        int greyError = square(red - shade) + square(green - shade) + square(blue - shade);
        int cubeError = square(red - level(red)) + square(green - level(green)) + square(blue - level(blue));
        return greyError < cubeError ? 232 + grey : 16 + 36 * step(red) + 6 * step(green) + step(blue);
    }

    private static int step(int channel) {
        return channel < 48 ? 0 : channel < 115 ? 1 : (channel - 35) / 40;
    }

    private static int level(int channel) {
        return step(channel) == 0 ? 0 : 55 + 40 * step(channel);
    }

    private static int square(int x) {
        return x * x;
    }
}

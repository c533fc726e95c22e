package dev.revealed.app.view;

import dev.revealed.numeric.Interval;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;

/**
 * A little writer of SVG elements. Ink is {@code currentColor} and the paper has a class of its own, so that a page may
 * turn a picture dark; nothing has an id, so that many pictures share a page.
 */
final class Svg {

    static final double FONT = 12;
    static final String FAINT = "0.14";
    private static final String ESTIMATE = "#0072b2";

    private final StringBuilder out = new StringBuilder(8192);

    /** Where a text is held. */
    enum Anchor {
        START,
        MIDDLE,
        END;

        private final String css = name().toLowerCase(Locale.ROOT);
    }

    /** Opens an element with attributes given as name, value, name, value... */
    Svg open(String element, Object... attributes) {
        return tag(element, attributes, ">");
    }

    Svg close(String element) {
        out.append("</").append(element).append(">\n");
        return this;
    }

    Svg add(String element, Object... attributes) {
        return tag(element, attributes, "/>\n");
    }

    /** Writes a text, if there is any. */
    Svg text(double x, double y, Anchor anchor, String text, Object... attributes) {
        if (text.isEmpty()) {
            return this;
        }
        out.append("<text x=\"").append(number(x)).append("\" y=\"").append(number(y));
        out.append("\" text-anchor=\"").append(anchor.css).append('"');
        return attributes(attributes, ">").raw(Markup.escape(text)).close("text");
    }

    /** Draws a bold heading of 14 pixels, cut where it has no room. */
    Svg heading(double x, double y, String text, double room) {
        return text(x, y, Anchor.START, fit(text, 16, room), "font-size", 14, "font-weight", "bold");
    }

    /** Writes a text upwards around the middle of a side, cut where it has no room. */
    Svg turned(double x, double middle, String text, double room) {
        String turn = "rotate(-90 " + number(x) + " " + number(middle) + ")";
        return text(x, middle, Anchor.MIDDLE, fit(text, FONT, room), "transform", turn);
    }

    Svg line(double x1, double y1, double x2, double y2, Object... attributes) {
        out.append("<path d=\"M").append(number(x1)).append(' ').append(number(y1));
        out.append('L').append(number(x2)).append(' ').append(number(y2)).append("\" stroke=\"currentColor\"");
        return attributes(attributes, "/>\n");
    }

    /** A value as a dot on the bar of its interval, as far as they are known; {@code place} gives where a number stands. */
    Svg estimate(double value, Interval interval, DoubleUnaryOperator place, double y) {
        if (Double.isFinite(interval.width())) {
            String bar = "M%s %sH%s"
                    .formatted(
                            number(place.applyAsDouble(interval.low())),
                            number(y),
                            number(place.applyAsDouble(interval.high())));
            add("path", "d", bar, "stroke", ESTIMATE, "stroke-width", 5.0, "stroke-opacity", "0.4");
        }
        if (Double.isFinite(value)) {
            add("circle", "cx", place.applyAsDouble(value), "cy", y, "r", 4.5, "fill", ESTIMATE);
        }
        return this;
    }

    Svg raw(String markup) {
        out.append(markup);
        return this;
    }

    private Svg tag(String element, Object[] attributes, String end) {
        out.append('<').append(element);
        return attributes(attributes, end);
    }

    private Svg attributes(Object[] attributes, String end) {
        for (int i = 0; i < attributes.length; i += 2) {
            Object value = attributes[i + 1];
            String shown = value instanceof Double d ? number(d) : Markup.escape(value.toString());
            out.append(' ').append(attributes[i]).append("=\"").append(shown).append('"');
        }
        return raw(end);
    }

    /** A coordinate to a hundredth of a pixel. */
    static String number(double value) {
        long hundredths = Math.round(value * 100);
        long whole = Math.abs(hundredths) / 100;
        long rest = Math.abs(hundredths) % 100;
        String sign = hundredths < 0 ? "-" : "";
        if (rest == 0) {
            return sign + whole;
        }
        return sign + whole + (rest < 10 ? ".0" : ".") + (rest % 10 == 0 ? rest / 10 : rest);
    }

    /** About how wide a text will be: fonts differ, so a little generous. */
    static double width(String text, double size) {
        return size
                * text.codePoints()
                        .mapToDouble(c -> "iljtfr.,:;'|!()[] ".indexOf(c) >= 0
                                ? 0.36
                                : c >= 0x2E80
                                        ? 1
                                        : "mwMW@%—×−".indexOf(c) >= 0 ? 0.9 : Character.isUpperCase(c) ? 0.7 : 0.6)
                        .sum();
    }

    /** The text, cut with an ellipsis where it would be wider. */
    static String fit(String text, double size, double room) {
        if (width(text, size) <= room) {
            return text;
        }
        int[] points = text.codePoints().toArray();
        int keep = points.length;
        while (keep > 0 && width(new String(points, 0, keep) + "…", size) > room) {
            keep--;
        }
        return new String(points, 0, keep).stripTrailing() + "…";
    }

    @Override
    public String toString() {
        return out.toString();
    }
}

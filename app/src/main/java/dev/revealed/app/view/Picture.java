package dev.revealed.app.view;

/** Something drawn, in pixels, as vectors. */
public sealed interface Picture permits LineChart, HeatMap, IntervalChart, CoefficientChart, NetworkMap, Panels {

    /** A phone shows so many pixels beside the margins of a page. */
    int NARROW = 368;

    String title();

    int width();

    int height();

    /** The elements inside the frame. */
    String body();

    /** The same for the width of a phone: itself where it is no wider, or cannot be drawn so. */
    default Picture narrow() {
        return this;
    }

    /** A whole SVG document, which is also fit to stand inside an HTML page. */
    default String toSvg() {
        return """
                <svg xmlns="http://www.w3.org/2000/svg" width="%1$s" height="%2$s" viewBox="0 0 %1$s %2$s" role="img" \
                aria-label="%3$s" font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif" font-size="%4$s" \
                fill="currentColor" color="#24292f">
                <rect class="paper" width="%1$s" height="%2$s" fill="#ffffff"/>
                %5$s</svg>
                """.formatted(width(), height(), Markup.escape(title()), Svg.number(Svg.FONT), body());
    }
}

package dev.revealed.app.view;

/** A small picture of a matrix for a terminal, row 0 on top, shrunk by averaging where it is too large. */
public record TerminalHeatMap(Grid values, ColourMap colours, int width) {

    private static final String SHADES = " ░▒▓█";
    private static final int MAX_LINES = 40;
    private static final String RESET = "\033[0m";

    public static TerminalHeatMap of(double[][] values) {
        return new TerminalHeatMap(Grid.of(values), ColourMap.SEQUENTIAL, 72);
    }

    public TerminalHeatMap diverging() {
        return new TerminalHeatMap(values, ColourMap.DIVERGING, width);
    }

    /** At most so many characters wide. */
    public TerminalHeatMap width(int characters) {
        return new TerminalHeatMap(values, colours, Math.max(2, characters));
    }

    /** Lines of cells and one with the scale: in 256 colours (see {@link Terminal#colour}), or in shades of grey. */
    public String render(boolean colour) {
        Axis axis = colours.axis(values, 100);
        String low = Numbers.significant(axis.low(), 3);
        String high = Numbers.significant(axis.high(), 3);
        StringBuilder out = new StringBuilder();
        if (colour) {
            halfBlocks(out, values.shrink(2 * MAX_LINES, width), axis);
            out.append(low).append(' ');
            for (int i = 0; i < 16; i++) {
                out.append(paint(48, i / 15.0)).append(' ');
            }
            return out + RESET + " " + high + "\n";
        }
        Grid grid = values.shrink(MAX_LINES, width / 2);
        for (int i = 0; i < grid.rows(); i++) {
            for (int j = 0; j < grid.columns(); j++) {
                double fraction = axis.position(grid.at(i, j));
                int shade = (int) Math.min(SHADES.length() - 1.0, fraction * SHADES.length());
                out.append(
                        Double.isFinite(fraction)
                                ? SHADES.substring(shade, shade + 1).repeat(2)
                                : "··");
            }
            out.append('\n');
        }
        return out + low + " [" + SHADES + "] " + high + "\n";
    }

    /** Two rows a line: the upper cell in the colour of a half block, the lower in that of its ground. */
    private void halfBlocks(StringBuilder out, Grid grid, Axis axis) {
        for (int i = 0; i < grid.rows(); i += 2) {
            for (int j = 0; j < grid.columns(); j++) {
                double upper = axis.position(grid.at(i, j));
                double lower = i + 1 < grid.rows() ? axis.position(grid.at(i + 1, j)) : Double.NaN;
                out.append(RESET);
                if (Double.isFinite(upper)) {
                    out.append(Double.isFinite(lower) ? paint(48, lower) : "")
                            .append(paint(38, upper))
                            .append('▀');
                } else {
                    out.append(Double.isFinite(lower) ? paint(38, lower) + '▄' : " ");
                }
            }
            out.append(RESET).append('\n');
        }
    }

    private String paint(int layer, double fraction) {
        return "\033[" + layer + ";5;" + ColourMap.ansi(colours.rgb(fraction)) + "m";
    }
}

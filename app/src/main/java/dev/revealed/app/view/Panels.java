package dev.revealed.app.view;

import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/** Several pictures in one, in rows of so many columns; each row and column is as large as its largest picture. */
public record Panels(String title, int columns, List<Picture> pictures) implements Picture {

    private static final int TITLE = 34;

    public Panels {
        pictures = List.copyOf(pictures);
        if (columns < 1) {
            throw new IllegalArgumentException("panels need at least one column, not " + columns);
        }
    }

    /** Side by side. */
    public static Panels row(String title, Picture... pictures) {
        return grid(title, Math.max(1, pictures.length), pictures);
    }

    public static Panels grid(String title, int columns, Picture... pictures) {
        return new Panels(title, columns, List.of(pictures));
    }

    @Override
    public int width() {
        return Math.max(1, left(columns));
    }

    @Override
    public int height() {
        return Math.max(1, top(Math.ceilDiv(pictures.size(), columns)));
    }

    @Override
    public String body() {
        Svg svg = new Svg();
        int size = width() <= NARROW ? 13 : 16;
        String shown = Svg.fit(title, size + 2, width() - 28);
        svg.text(width() / 2.0, 26, Svg.Anchor.MIDDLE, shown, "font-size", size, "font-weight", "bold");
        for (int i = 0; i < pictures.size(); i++) {
            String place = "translate(" + left(i % columns) + " " + top(i / columns) + ")";
            svg.open("g", "transform", place).raw(pictures.get(i).body()).close("g");
        }
        return svg.toString();
    }

    /** Below each other. */
    @Override
    public Panels narrow() {
        return width() <= NARROW
                ? this
                : new Panels(title, 1, pictures.stream().map(Picture::narrow).toList());
    }

    private int left(int column) {
        return IntStream.range(0, column)
                .map(c -> largest(i -> i % columns == c, Picture::width))
                .sum();
    }

    private int top(int row) {
        int rows = IntStream.range(0, row)
                .map(r -> largest(i -> i / columns == r, Picture::height))
                .sum();
        return rows + (title.isEmpty() ? 0 : TITLE);
    }

    private int largest(IntPredicate which, ToIntFunction<Picture> size) {
        return IntStream.range(0, pictures.size())
                .filter(which)
                .map(i -> size.applyAsInt(pictures.get(i)))
                .max()
                .orElse(0);
    }
}

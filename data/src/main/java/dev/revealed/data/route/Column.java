package dev.revealed.data.route;

import dev.revealed.data.Csv;
import dev.revealed.data.Doubles;
import dev.revealed.data.Place;
import dev.revealed.numeric.Vec;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Numbers of links or pairs. Texts are coded by numbers of their own.
 *
 * @param flaw why it cannot be used, with its place; empty where it can
 * @param note what to know where it is used, such as blank cells that were read as 0
 */
record Column(String name, double[] values, boolean text, String flaw, String note) {

    static Column of(String name, double[] values) {
        return new Column(name, values, false, "", "");
    }

    /** The name as formulas write it: letters, digits and underscores. */
    static String word(String name) {
        String word = name.strip().replaceAll("\\W", "_");
        return word.isEmpty() || Character.isDigit(word.charAt(0)) ? "_" + word : word;
    }

    Column named(String other) {
        return new Column(other, values, text, flaw, note);
    }

    /** The same column, rows chosen by number; NaN where the number is negative. */
    Column at(int[] rows) {
        double[] chosen = new double[rows.length];
        for (int i = 0; i < rows.length; i++) {
            chosen[i] = rows[i] < 0 ? Double.NaN : values[rows[i]];
        }
        return new Column(name, chosen, text, flaw, note);
    }

    /** With the rows of another below, which stand in a file of their own. */
    Column plus(Column more, Path file) {
        boolean blank = Arrays.stream(more.values).allMatch(value -> value == 0);
        String other = text == more.text || blank
                ? more.flaw
                : "%s: column '%s' holds %s, unlike that of the network"
                        .formatted(file, name, more.text ? "words" : "numbers");
        return new Column(
                name,
                Vec.joined(values, more.values),
                text,
                flaw.isEmpty() ? other : flaw,
                Stream.of(note, more.note).filter(own -> !own.isEmpty()).collect(Collectors.joining(" ")));
    }

    /** A column that grows by a cell a row. */
    static final class Growing {
        private static final Set<String> NO_NUMBER = Set.of("nan", "na", "inf", "-inf", "+inf", "infinity", "null");

        private final String name;
        private final Path file;
        private final Map<String, Integer> texts;
        private final Doubles values = new Doubles();
        private boolean decided;
        private boolean text;
        private String flaw = "";
        private int blanks;
        private int firstBlank;

        Growing(String name, Path file, Map<String, Integer> texts) {
            this.name = name;
            this.file = file;
            this.texts = texts;
        }

        /** The first cell that is not blank decides whether these are numbers. */
        void add(Csv csv, int column) {
            if (csv.blank(column)) {
                blank(csv.line());
                return;
            }
            double number = text ? Double.NaN : csv.numberOrNaN(column);
            if (Double.isNaN(number)) {
                add(csv.text(column), csv.line());
            } else {
                decided = true;
                values.add(number);
            }
        }

        void blank(int line) {
            firstBlank = blanks++ == 0 ? line : firstBlank;
            values.add(0);
        }

        /** A cell that reads as no number. */
        void add(String cell, int line) {
            String point = Csv.decimalPoint(cell);
            if (!decided && point.isEmpty() && !NO_NUMBER.contains(cell.toLowerCase(Locale.ROOT))) {
                text = true;
            }
            decided = true;
            if (text) {
                values.add(texts.computeIfAbsent(cell, _ -> texts.size() + 1));
                return;
            }
            if (flaw.isEmpty()) {
                flaw = "%s, %s %d: %s is '%s'%s".formatted(file, row(), line, name, cell, point);
            }
            values.add(Double.NaN);
        }

        void add(double number, int line) {
            if (text) {
                add(Place.plain(number), line);
                return;
            }
            decided = true;
            values.add(number);
        }

        private String row() {
            return LinkReader.isGeoJson(file) ? "feature" : "line";
        }

        Column done() {
            String note = blanks == 0
                    ? ""
                    : "%s: %s is blank in %d %s (first in %s %d) and was read as 0."
                            .formatted(
                                    file.getFileName(), name, blanks, blanks == 1 ? "row" : "rows", row(), firstBlank);
            return new Column(word(name), values.toArray(), text, flaw, note);
        }
    }
}

package dev.revealed.app.view;

import dev.revealed.settings.Part;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A table as economists know it: a title, a block of facts (model, method, observations...), rows under named columns,
 * notes. One value, printed as text, LaTeX, Markdown, CSV or HTML.
 */
public record Table(String title, List<Fact> facts, List<Column> columns, List<List<Cell>> rows, List<String> notes) {

    private static final int GAP = 3;

    /** A key of the header block and its value. */
    public record Fact(String key, String value) {}

    /** What a cell shows, what a program reads from it, and whether it is a number. */
    public record Cell(String text, String raw, boolean number) {}

    /** A named column: text to the left, or numbers to the right in a format. */
    public record Column(String name, boolean number, DoubleFunction<String> format) {

        public static Column text(String name) {
            return new Column(name, false, value -> Numbers.significant(value, 4));
        }

        /** Numbers to so many significant digits. */
        public static Column number(String name, int digits) {
            return new Column(name, true, value -> Numbers.significant(value, digits));
        }

        /** Numbers with so many decimals. */
        public static Column decimals(String name, int decimals) {
            return new Column(name, true, value -> Numbers.decimals(value, decimals));
        }

        private Cell cell(Object value) {
            return switch (value) {
                case Cell made -> made;
                case Double d -> new Cell(format.apply(d), d.isNaN() ? "" : d.toString(), true);
                case Float f -> cell(f.doubleValue());
                case Number n -> new Cell(n.toString(), n.toString(), true);
                default -> new Cell(value.toString(), value.toString(), false);
            };
        }
    }

    /** A column of a table made from records, and what it shows of each. */
    public record Field<R>(Column column, Function<? super R, ?> value) {

        public static <R> Field<R> text(String name, Function<? super R, ?> value) {
            return new Field<>(Column.text(name), value);
        }

        /** Numbers to so many significant digits. */
        public static <R> Field<R> number(String name, int digits, Function<? super R, ?> value) {
            return new Field<>(Column.number(name, digits), value);
        }

        /** Numbers with so many decimals. */
        public static <R> Field<R> decimals(String name, int decimals, Function<? super R, ?> value) {
            return new Field<>(Column.decimals(name, decimals), value);
        }
    }

    public Table {
        facts = List.copyOf(facts);
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
        notes = List.copyOf(notes);
    }

    public static Table of(Column... columns) {
        return new Table("", List.of(), List.of(columns), List.of(), List.of());
    }

    /** A row for each record. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public static <R> Table of(List<R> records, Field<R>... fields) {
        return of(records, List.of(fields));
    }

    /** A row for each record. */
    public static <R> Table of(List<R> records, List<Field<R>> fields) {
        Table empty = of(fields.stream().map(Field::column).toArray(Column[]::new));
        List<List<Cell>> cells = records.stream()
                .map(record -> empty.cells(
                        fields.stream().map(field -> field.value.apply(record)).toArray()))
                .toList();
        return new Table("", List.of(), empty.columns, cells, List.of());
    }

    /** Records as CSV for programs: a column for each component but those named, those of parts included. */
    public static <R extends Record> String csv(Class<R> type, List<R> records, String... without) {
        Stream<Field<R>> all = fields(type, record -> record);
        return of(
                        records,
                        all.filter(field -> !List.of(without).contains(field.column.name))
                                .toList())
                .toCsv();
    }

    private static <R> Stream<Field<R>> fields(Class<?> type, Function<R, Object> part) {
        return Stream.of(type.getRecordComponents()).flatMap(component -> {
            Function<R, Object> value = record -> value(component, part.apply(record));
            Class<?> of = component.getType();
            return of.isAnnotationPresent(Part.class)
                    ? fields(of, value)
                    : Stream.of(Field.text(component.getName(), value));
        });
    }

    static Object value(RecordComponent component, Object record) {
        try {
            component.getAccessor().setAccessible(true); // of a record that is not public
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(component + " cannot be read", e);
        }
    }

    public Table titled(String text) {
        return new Table(text, facts, columns, rows, notes);
    }

    /** Adds to the header block; a number is shown to six significant digits, a whole number in full. */
    public Table fact(String key, Object value) {
        String shown = value instanceof Double d ? Numbers.significant(d, 6) : value.toString();
        return new Table(title, plus(facts, new Fact(key, shown)), columns, rows, notes);
    }

    /** Adds a row: a value per column, numbers in their column's format and anything else as its text. */
    public Table row(Object... values) {
        return new Table(title, facts, columns, plus(rows, cells(values)), notes);
    }

    private List<Cell> cells(Object... values) {
        if (values.length != columns.size()) {
            throw new IllegalArgumentException(
                    "a row of %d cells in a table of %d columns".formatted(values.length, columns.size()));
        }
        return IntStream.range(0, values.length)
                .mapToObj(j -> columns.get(j).cell(values[j]))
                .toList();
    }

    /** Adds a heading over the rows that follow: a row of one cell. */
    public Table heading(String text) {
        return new Table(title, facts, columns, plus(rows, List.of(new Cell(text, "", false))), notes);
    }

    private boolean isHeading(List<Cell> row) {
        return row.size() < columns.size();
    }

    public Table note(String text) {
        return new Table(title, facts, columns, rows, plus(notes, text));
    }

    private static <T> List<T> plus(List<T> list, T last) {
        List<T> longer = new ArrayList<>(list);
        longer.add(last);
        return longer;
    }

    /** The same in lines of at most so many characters: columns that do not fit stand below, beside the first one again. */
    public String toText(int width) {
        int[] widths = IntStream.range(0, columns.size()).map(this::columnWidth).toArray();
        List<List<Integer>> blocks = new ArrayList<>();
        int used = 0;
        for (int j = 1; j < widths.length; j++) {
            if (blocks.isEmpty() || used + GAP + widths[j] > width) {
                blocks.add(new ArrayList<>(List.of(0)));
                used = widths[0];
            }
            blocks.getLast().add(j);
            used += GAP + widths[j];
        }
        if (blocks.size() < 2) {
            return toText();
        }
        StringBuilder text = new StringBuilder();
        for (List<Integer> block : blocks) {
            boolean first = block == blocks.getFirst();
            boolean last = block == blocks.getLast();
            text.append(new Table(
                            first ? title : "",
                            first ? facts : List.of(),
                            block.stream().map(columns::get).toList(),
                            rows.stream()
                                    .map(row -> isHeading(row)
                                            ? row
                                            : block.stream().map(row::get).toList())
                                    .toList(),
                            last ? notes : List.of())
                    .toText());
        }
        return text.toString();
    }

    /** Aligned plain text between lines of = and -. */
    public String toText() {
        int half = Math.ceilDiv(facts.size(), 2);
        int factWidth = facts.stream()
                .mapToInt(f -> length(f.key) + 2 + length(f.value))
                .max()
                .orElse(0);
        int[] widths = IntStream.range(0, columns.size()).map(this::columnWidth).toArray();
        int body = IntStream.of(widths).sum() + GAP * Math.max(0, widths.length - 1);
        int width = IntStream.of(body, length(title), half == facts.size() ? factWidth : 2 * factWidth + GAP)
                .max()
                .orElse(0);
        for (int extra = width - body, j = widths.length; j > 0; j--) { // spread what the header needs over the columns
            widths[j - 1] += extra / j;
            extra -= extra / j;
        }
        List<String> lines = new ArrayList<>();
        if (!title.isEmpty()) {
            lines.add(" ".repeat((width - length(title)) / 2) + title);
        }
        lines.add("=".repeat(width));
        int left = (width - GAP + 1) / 2;
        for (int i = 0; i < half; i++) {
            boolean pair = half + i < facts.size();
            lines.add(
                    facts.size() == 1
                            ? line(facts.get(i), width)
                            : line(facts.get(i), left)
                                    + (pair ? " ".repeat(GAP) + line(facts.get(half + i), width - GAP - left) : ""));
        }
        if (!facts.isEmpty()) {
            lines.add("=".repeat(width));
        }
        List<String> names = columns.stream().map(Column::name).toList();
        if (!names.stream().allMatch(String::isEmpty)) {
            lines.add(textRow(names, widths));
            lines.add("-".repeat(width));
        }
        for (List<Cell> row : rows) {
            if (isHeading(row)) {
                lines.add("-".repeat(width));
                lines.add(row.getFirst().text);
            } else {
                lines.add(textRow(row.stream().map(Cell::text).toList(), widths));
            }
        }
        lines.add("=".repeat(width));
        lines.addAll(notes);
        return String.join("\n", lines) + "\n";
    }

    private int columnWidth(int j) {
        Stream<String> cells = rows.stream().filter(row -> !isHeading(row)).map(row -> row.get(j).text);
        return Stream.concat(Stream.of(columns.get(j).name), cells)
                .mapToInt(Table::length)
                .max()
                .orElse(0);
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    private static String line(Fact fact, int width) {
        return fact.key + ":" + " ".repeat(width - length(fact.key) - 1 - length(fact.value)) + fact.value;
    }

    private String textRow(List<String> cells, int[] widths) {
        return IntStream.range(0, cells.size())
                .mapToObj(j -> {
                    String pad = " ".repeat(widths[j] - length(cells.get(j)));
                    return columns.get(j).number ? pad + cells.get(j) : cells.get(j) + pad;
                })
                .collect(Collectors.joining(" ".repeat(GAP)))
                .stripTrailing();
    }

    /** A tabular with booktabs rules, in a table with a caption where there is a title; facts stand below the rows. */
    public String toLatex() {
        List<String> lines = new ArrayList<>();
        lines.add("\\begin{tabular}{"
                + columns.stream().map(c -> c.number ? "r" : "l").collect(Collectors.joining()) + "}");
        lines.add("\\toprule");
        lines.add(latexRow(columns.stream().map(c -> latex(c.name))));
        lines.add("\\midrule");
        for (List<Cell> row : rows) {
            if (isHeading(row)) {
                lines.add("\\midrule");
                String heading = "\\multicolumn{%d}{l}{%s}".formatted(columns.size(), latex(row.getFirst().text));
                lines.add(latexRow(Stream.of(heading)));
            } else {
                lines.add(latexRow(row.stream().map(Table::latex)));
            }
        }
        if (!facts.isEmpty() && columns.size() > 1) {
            lines.add("\\midrule");
            String span = "\\multicolumn{" + (columns.size() - 1) + "}{l}{";
            facts.forEach(f -> lines.add(latexRow(Stream.of(latex(f.key), span + latex(f.value) + "}"))));
        }
        lines.add("\\bottomrule");
        String note = "\\multicolumn{" + columns.size() + "}{l}{\\footnotesize ";
        notes.forEach(n -> lines.add(latexRow(Stream.of(note + latex(n) + "}"))));
        lines.add("\\end{tabular}");
        if (!title.isEmpty()) {
            lines.addAll(0, List.of("\\begin{table}[ht]", "\\centering", "\\caption{" + latex(title) + "}"));
            lines.add("\\end{table}");
        }
        return String.join("\n", lines) + "\n";
    }

    private static String latexRow(Stream<String> cells) {
        return cells.collect(Collectors.joining(" & ")) + " \\\\";
    }

    private static String latex(Cell cell) {
        boolean math = cell.number && !cell.text.equals("–");
        if (!math) {
            return latex(cell.text);
        }
        String power = cell.text
                .replaceFirst("e([-+]?)0*(\\d+)(?=\\**$)", "\\\\times10^{$1$2}")
                .replace("^{+", "^{")
                .replace("}*", "}{}*") // a power cannot have another
                .replaceFirst("(\\*+)$", "^{$1}"); // of significance
        return "$" + power.replace("∞", "\\infty") + "$";
    }

    private static String latex(String text) {
        return text.codePoints()
                .mapToObj(c -> switch (c) {
                    case '\\' -> "\\textbackslash{}";
                    case '~' -> "\\textasciitilde{}";
                    case '^' -> "\\textasciicircum{}";
                    case '[' -> "{[}"; // after a line's end it would open an option
                    case '<', '>', '|' -> "$" + Character.toString(c) + "$";
                    case '–' -> "--";
                    default -> ("&%$#_{}".indexOf(c) >= 0 ? "\\" : "") + Character.toString(c);
                })
                .collect(Collectors.joining());
    }

    /** A table of GitHub's Markdown under its title, facts and notes as lists. */
    public String toMarkdown() {
        StringBuilder text = new StringBuilder(title.isEmpty() ? "" : "## " + title + "\n\n");
        facts.forEach(fact -> text.append("- %s: %s\n".formatted(fact.key, fact.value)));
        text.append(facts.isEmpty() ? "" : "\n");
        text.append(markdownRow(columns.stream().map(Column::name)));
        text.append(markdownRow(columns.stream().map(column -> column.number ? "---:" : "---")));
        rows.forEach(row -> text.append(markdownRow(row.stream().map(Cell::text))));
        text.append(notes.isEmpty() ? "" : "\n");
        notes.forEach(note -> text.append("- ").append(note).append('\n'));
        return text.toString();
    }

    private static String markdownRow(Stream<String> cells) {
        return cells.map(cell -> cell.replace("|", "\\|")).collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    /** The columns and rows alone, numbers in full, missing ones empty (RFC 4180). */
    public String toCsv() {
        Stream<List<String>> header =
                Stream.of(columns.stream().map(Column::name).toList());
        Stream<List<String>> cells = rows.stream()
                .filter(row -> !isHeading(row))
                .map(row -> row.stream().map(Cell::raw).toList());
        return Stream.concat(header, cells).map(Table::csvLine).collect(Collectors.joining());
    }

    /** One line of CSV. */
    public static String csvLine(List<String> cells) {
        return cells.stream().map(Table::quoted).collect(Collectors.joining(",")) + "\n";
    }

    private static String quoted(String field) {
        boolean plain = field.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? field : '"' + field.replace("\"", "\"\"") + '"';
    }

    /** A figure to stand inside an HTML page. */
    public String toHtml() {
        StringBuilder html = new StringBuilder("<figure class=\"table\">\n");
        if (!title.isEmpty()) {
            html.append("<figcaption>").append(Markup.escape(title)).append("</figcaption>\n");
        }
        if (!facts.isEmpty()) {
            html.append("<dl>");
            facts.forEach(f -> html.append(
                    "<div><dt>%s</dt><dd>%s</dd></div>".formatted(Markup.escape(f.key), Markup.escape(f.value))));
            html.append("</dl>\n");
        }
        html.append("<div class=\"scroll\" tabindex=\"0\">\n<table>\n<thead>")
                .append(htmlRow("th", columns.stream().map(Column::name).toList()));
        html.append("</thead>\n<tbody>\n");
        for (List<Cell> row : rows) {
            html.append(
                            isHeading(row)
                                    ? "<tr><th colspan=\"%d\">%s</th></tr>"
                                            .formatted(columns.size(), Markup.escape(row.getFirst().text))
                                    : htmlRow("td", row.stream().map(Cell::text).toList()))
                    .append('\n');
        }
        html.append("</tbody>\n</table>\n</div>\n");
        notes.forEach(note ->
                html.append("<p class=\"note\">").append(Markup.escape(note)).append("</p>\n"));
        return html.append("</figure>\n").toString();
    }

    private String htmlRow(String tag, List<String> cells) {
        return IntStream.range(0, cells.size())
                .mapToObj(j -> "<%s%s>%s</%s>"
                        .formatted(tag, columns.get(j).number ? " class=\"n\"" : "", Markup.escape(cells.get(j)), tag))
                .collect(Collectors.joining("", "<tr>", "</tr>"));
    }
}

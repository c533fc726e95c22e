package dev.revealed.data;

import de.siegmar.fastcsv.reader.AbstractBaseCsvCallbackHandler;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import dev.revealed.numeric.ProgressListener;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * A CSV file with known columns, read row by row. Every complaint names file, line, column and value. Cells are parsed
 * where they lie in the parser's buffer, without a string each. A name that ends in {@code .gz} is read as gzip.
 *
 * <p>Columns are addressed by their place in the list of known names, required ones first.
 */
public final class Csv implements TableRows {
    private static final Pattern DECIMAL_COMMA = Pattern.compile("[-+]?\\d*,\\d+");

    private final Path file;
    private final List<String> names;
    private final int[] position;
    private final CsvReader<Row> reader;
    private final Iterator<Row> rows;
    private final Row row;
    private int width;
    private List<String> others = List.of();

    private Csv(Path file, List<String> required, List<String> optional, char separator, ProgressListener listener)
            throws IOException {
        this.file = file;
        row = new Row();
        reader = CsvReader.builder()
                .fieldSeparator(separator)
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .allowUnclosedQuote(false)
                // a new decoder reports what is not UTF-8; a charset alone would replace it
                .build(row, new InputStreamReader(new Counted(file, listener), StandardCharsets.UTF_8.newDecoder()));
        rows = reader.iterator();
        names = Stream.concat(required.stream(), optional.stream()).toList();
        position = new int[names.size()];
    }

    public static Csv open(Path file, List<String> required, List<String> optional) {
        return open(file, required, optional, "", false, ',', ProgressListener.NONE);
    }

    /** A file that may have other columns, separated by commas or, where its first line has none, semicolons or tabs. */
    public static Csv separated(Path file, List<String> required, ProgressListener listener) {
        return open(file, required, List.of(), "", true, separator(file), listener);
    }

    private static char separator(Path file) {
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(new Counted(file, ProgressListener.NONE), StandardCharsets.UTF_8))) {
            String first = reader.readLine();
            if (first == null || first.indexOf(',') >= 0) {
                return ',';
            }
            return first.indexOf(';') >= 0 ? ';' : first.indexOf('\t') >= 0 ? '\t' : ',';
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /**
     * A file that may have other columns: see {@link #others}.
     *
     * @param hint what else to do about a missing column
     * @param listener hears of the bytes read
     */
    public static Csv amongOthers(
            Path file, List<String> required, List<String> optional, String hint, ProgressListener listener) {
        return open(file, required, optional, hint, true, ',', listener);
    }

    private static Csv open(
            Path file,
            List<String> required,
            List<String> optional,
            String hint,
            boolean others,
            char separator,
            ProgressListener listener) {
        Csv csv;
        try {
            csv = new Csv(file, required, optional, separator, listener);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
        try {
            List<String> header = csv.header(required, hint, others);
            csv.width = header.size();
            csv.others = header.stream()
                    .filter(name -> !csv.names.contains(name))
                    .distinct()
                    .toList();
            Arrays.setAll(csv.position, column -> header.indexOf(csv.names.get(column)));
            return csv;
        } catch (BadInput e) {
            csv.close();
            throw e;
        }
    }

    private List<String> header(List<String> required, String hint, boolean others) {
        if (!advance()) {
            throw new BadInput(
                    file + ": the file is empty",
                    "Its first line must name the columns%s."
                            .formatted(names.isEmpty() ? "" : ": " + String.join(",", names)));
        }
        List<String> header = new ArrayList<>();
        for (int i = 0; i < row.fields; i++) {
            header.add(row.text(i).strip());
        }
        String first = header.getFirst();
        if (first.startsWith("\uFEFF")) { // spreadsheets begin UTF-8 files with a byte order mark
            header.set(0, first.substring(1).strip());
        }
        String columns = "The columns are " + String.join(",", names) + "." + hint;
        for (String name : required) {
            if (!header.contains(name)) {
                List<String> spare =
                        header.stream().filter(found -> !names.contains(found)).toList();
                throw bad(
                        "there is no column '%s' among %s".formatted(name, String.join(",", header)),
                        misread(header) + Closest.question("Rename '%s'? ", name, spare) + columns);
            }
        }
        for (String name : header) {
            if (!names.contains(name)) {
                if (others) {
                    continue;
                }
                throw bad("unknown column '%s'".formatted(name), Closest.question(name, names) + columns);
            }
            if (header.indexOf(name) != header.lastIndexOf(name)) {
                throw bad("column '%s' occurs twice".formatted(name), columns);
            }
        }
        return header;
    }

    /** What a header that lacks a column may be instead. */
    private static String misread(List<String> header) {
        String first = header.getFirst();
        if (header.size() == 1 && first.indexOf(';') >= 0) {
            return "Separate columns by commas, not semicolons. ";
        }
        if (header.size() == 1 && first.indexOf('\t') >= 0) {
            return "Separate columns by commas, not tabs. ";
        }
        boolean numbers = header.stream().anyMatch(cell -> !Double.isNaN(simple(cell.toCharArray(), 0, cell.length())));
        return numbers ? "The first line must name the columns; here it holds numbers. " : "";
    }

    /** Whether the file has this column. */
    @Override
    public boolean has(int column) {
        return position[column] >= 0;
    }

    /** Columns that the file has and nobody asked for. */
    @Override
    public List<String> others() {
        return others;
    }

    /** Goes to the next row; false at the end. */
    @Override
    public boolean next() {
        if (!advance()) {
            return false;
        }
        if (row.fields != width) {
            throw bad(
                    "%d cells where the header has %d".formatted(row.fields, width),
                    "Give every row one cell per column; leave a cell blank rather than out.");
        }
        return true;
    }

    private boolean advance() {
        try {
            if (!rows.hasNext()) {
                return false;
            }
            rows.next();
            return true;
        } catch (UncheckedIOException e) {
            throw unreadable(file, e.getCause() == null ? new IOException(e) : e.getCause());
        } catch (CsvParseException e) {
            String detail = e.getCause() == null || e.getCause().getMessage() == null
                    ? e.getMessage()
                    : e.getMessage() + ": " + e.getCause().getMessage();
            throw new BadInput(
                    "%s: malformed CSV (%s)".formatted(file, detail), "Look for an unclosed quote near that line.");
        }
    }

    @Override
    public int line() {
        return row.line;
    }

    @Override
    public BadInput bad(String problem, String remedy) {
        return new BadInput("%s, line %d: %s".formatted(file, row.line, problem), remedy);
    }

    @Override
    public boolean blank(int column) {
        return row.begin(position[column]) == row.end(position[column]);
    }

    @Override
    public String text(int column) {
        String text = row.stripped(position[column]);
        if (text.isEmpty()) {
            throw bad(names.get(column) + " is blank", "Give every row a " + names.get(column) + ".");
        }
        return text;
    }

    /** Whether the cell reads as this text: a comparison that needs no new string. */
    @Override
    public boolean reads(int column, String text) {
        int begin = row.begin(position[column]);
        int length = row.end(position[column]) - begin;
        if (length != text.length()) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (row.cells[begin + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** A hash of the cell's text. */
    @Override
    public int hash(int column) {
        int hash = 0;
        for (int i = row.begin(position[column]); i < row.end(position[column]); i++) {
            hash = 31 * hash + row.cells[i];
        }
        return hash;
    }

    @Override
    public long key(int column) {
        int begin = row.begin(position[column]);
        return TableRows.key(CharBuffer.wrap(row.cells, begin, row.end(position[column]) - begin));
    }

    /** A whole number from 0. Also written 3.0, which is what tables with blank cells often make of a 3. */
    @Override
    public int index(int column) {
        int begin = row.begin(position[column]);
        int end = row.end(position[column]);
        long value = 0;
        int i = begin;
        while (i < end && row.cells[i] >= '0' && row.cells[i] <= '9' && value <= Integer.MAX_VALUE) {
            value = 10 * value + (row.cells[i++] - '0');
        }
        if (i > begin && i < end && row.cells[i] == '.') {
            i++;
            while (i < end && row.cells[i] == '0') {
                i++;
            }
        }
        if (begin == end || i < end || value > Integer.MAX_VALUE) {
            throw notA("a whole number from 0", column);
        }
        return (int) value;
    }

    /** A finite number. */
    @Override
    public double number(int column) {
        double value = numberOrNaN(column);
        if (Double.isNaN(value)) {
            throw notA("a finite number", column);
        }
        return value;
    }

    /** A finite number, or NaN where the cell holds none. */
    @Override
    public double numberOrNaN(int column) {
        int begin = row.begin(position[column]);
        int end = row.end(position[column]);
        double simple = simple(row.cells, begin, end);
        if (!Double.isNaN(simple)) {
            return simple;
        }
        for (int i = begin; i < end; i++) { // Java's parser also takes hexadecimals and suffixes such as 1d
            if ("0123456789+-.eE".indexOf(row.cells[i]) < 0) {
                return Double.NaN;
            }
        }
        try {
            double value = Double.parseDouble(new String(row.cells, begin, end - begin));
            return Double.isFinite(value) ? value : Double.NaN;
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    /**
     * Plain decimals of up to 15 digits: both the digits and the power of ten are then exact, hence so is their rounded
     * quotient. NaN for anything else.
     */
    private static double simple(char[] cells, int begin, int end) {
        boolean negative = begin < end && cells[begin] == '-';
        int i = negative ? begin + 1 : begin;
        if (end - i < 1 || end - i > 16) {
            return Double.NaN;
        }
        long digits = 0;
        int count = 0;
        int point = -1;
        for (; i < end; i++) {
            char c = cells[i];
            if (c >= '0' && c <= '9') {
                digits = 10 * digits + (c - '0');
                count++;
            } else if (c == '.' && point < 0) {
                point = i;
            } else {
                return Double.NaN;
            }
        }
        if (count < 1 || count > 15) {
            return Double.NaN;
        }
        double value = point < 0 ? digits : digits / POWER_OF_TEN[end - point - 1];
        return negative ? -value : value;
    }

    private static final double[] POWER_OF_TEN = {
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
    };

    private BadInput notA(String wanted, int column) {
        String name = names.get(column);
        return blank(column)
                ? bad(name + " is blank", "Give " + wanted + ".")
                : bad(
                        "%s is '%s'%s"
                                .formatted(
                                        name,
                                        row.stripped(position[column]),
                                        decimalPoint(row.stripped(position[column]))),
                        "Give " + wanted + ".");
    }

    /** What to write in place of a number with a decimal comma; empty where the cell is none. */
    public static String decimalPoint(String cell) {
        return DECIMAL_COMMA.matcher(cell).matches() ? ", with a decimal comma: write " + cell.replace(',', '.') : "";
    }

    @Override
    public void close() {
        try {
            reader.close();
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /** Turns a failure to read into what the user can do about it. */
    public static BadInput unreadable(Path file, IOException e) {
        if (e instanceof NoSuchFileException) {
            return new BadInput(file + ": there is no such file", "Check the name and the folder.");
        }
        if (e instanceof CharacterCodingException) {
            return new BadInput(
                    file + ": this is not UTF-8 text",
                    "Save it as CSV in UTF-8; arrays of NumPy need the ending .npz.");
        }
        if (Files.isDirectory(file)) {
            return new BadInput(file + ": this is a folder", "Name a file.");
        }
        return new BadInput(
                "%s: cannot be read (%s)".formatted(file, BadInput.reason(e)),
                "Check that the file is complete and that you may read it.");
    }

    /** A file of text that reports how much of it has been read; a byte of zero is no text. */
    private static final class Counted extends FilterInputStream {
        private static final long STEP = 1 << 20;

        private final ProgressListener listener;
        private final String stage;
        private final long size;
        private long done;
        private long told;

        Counted(Path file, ProgressListener listener) throws IOException {
            super(opened(file));
            this.listener = compressed(file) || stata(file)
                    ? ProgressListener.NONE
                    : listener; // whose size is not known beforehand
            this.stage = "reading " + file.getFileName();
            this.size = Files.size(file);
        }

        private static InputStream opened(Path file) throws IOException {
            return stata(file)
                    ? new ByteArrayInputStream(StataFile.asCsv(file))
                    : compressed(file) ? unpacked(file) : Files.newInputStream(file);
        }

        private static boolean stata(Path file) {
            return file.toString().endsWith(".dta");
        }

        private static boolean compressed(Path file) {
            return file.toString().endsWith(".gz");
        }

        private static InputStream unpacked(Path file) throws IOException {
            InputStream packed = Files.newInputStream(file);
            try {
                return new GZIPInputStream(packed, 1 << 16);
            } catch (IOException e) {
                packed.close();
                throw e;
            }
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int count = super.read(buffer, offset, length);
            for (int i = offset; i < offset + count; i++) {
                if (buffer[i] == 0) {
                    throw new CharacterCodingException();
                }
            }
            done += Math.max(0, count);
            if (done >= told + STEP || (count < 0 && done > told)) {
                listener.progress(stage, done, size);
                told = done;
            }
            return count;
        }
    }

    /** The cells of the current row, one after the other; overwritten by the next row. */
    private static final class Row extends AbstractBaseCsvCallbackHandler<Row> {
        private char[] cells = new char[256];
        private int[] end = new int[8];
        private int fields;
        private int line;

        @Override
        protected void handleBegin(long startingLineNumber) {
            fields = 0;
            line = (int) startingLineNumber;
        }

        @Override
        protected void handleField(int field, char[] buffer, int offset, int length, boolean quoted) {
            int begin = field == 0 ? 0 : end[field - 1];
            if (begin + length > cells.length) {
                cells = Arrays.copyOf(cells, Math.max(2 * cells.length, begin + length));
            }
            if (field == end.length) {
                end = Arrays.copyOf(end, 2 * end.length);
            }
            System.arraycopy(buffer, offset, cells, begin, length);
            end[field] = begin + length;
            fields = field + 1;
        }

        @Override
        protected Row buildRecord() {
            return this;
        }

        String text(int field) {
            int begin = field == 0 ? 0 : end[field - 1];
            return new String(cells, begin, end[field] - begin);
        }

        String stripped(int field) {
            int begin = begin(field);
            return new String(cells, begin, end(field) - begin);
        }

        /** Where the cell begins, spaces skipped. */
        int begin(int field) {
            int begin = field == 0 ? 0 : end[field - 1];
            while (begin < end[field] && cells[begin] <= ' ') {
                begin++;
            }
            return begin;
        }

        int end(int field) {
            int begin = field == 0 ? 0 : end[field - 1];
            int last = end[field];
            while (last > begin && cells[last - 1] <= ' ') {
                last--;
            }
            // all spaces: the same place as begin()
            return last == begin ? end[field] : last;
        }
    }
}

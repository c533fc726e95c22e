package dev.revealed.data.parquet;

import dev.revealed.data.Csv;
import dev.revealed.data.Place;
import dev.revealed.data.TableRows;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Some row groups of a Parquet file, row by row; rows count from 1. Only the pages at hand are in memory. */
public final class ParquetRows implements TableRows {
    private static final int MOST_DIGITS = 18;

    private final ParquetFile file;
    private final List<String> names;
    private final List<String> others;
    private final List<ParquetFile.Group> groups;
    private final FileChannel channel;
    private final List<ParquetFile.Column> opened;
    private final ColumnReader[] open; // those of the columns that are there
    private final int[] at; // place in the page, of each open column
    private final int[] of; // place among the open ones, of each column
    private int group = -1;
    private long inGroup;
    private long row;

    private ParquetRows(
            ParquetFile file, List<ParquetFile.Group> groups, List<String> required, List<String> optional, String hint)
            throws IOException {
        this.file = file;
        this.groups = groups;
        names = Stream.concat(required.stream(), optional.stream()).toList();
        of = new int[names.size()];
        List<ParquetFile.Column> there = new ArrayList<>();
        List<String> found =
                file.columns().stream().map(ParquetFile.Column::name).toList();
        for (int i = 0; i < names.size(); i++) {
            int k = found.indexOf(names.get(i));
            of[i] = -1;
            if (k < 0) {
                if (i < required.size()) {
                    List<String> spare =
                            found.stream().filter(name -> !names.contains(name)).toList();
                    throw new BadInput(
                            "%s: there is no column '%s' among %s"
                                    .formatted(file.file(), names.get(i), String.join(",", found)),
                            Closest.question("Rename '%s'? ", names.get(i), spare) + "The columns are "
                                    + String.join(",", names) + "." + hint);
                }
                continue;
            }
            ParquetFile.Column column = file.columns().get(k);
            if (!column.readable()) {
                throw new BadInput(
                        "%s: column '%s' is of type %s".formatted(file.file(), column.name(), column.type()),
                        "Write it as a whole number, a real number or text.");
            }
            int twice = there.indexOf(column);
            of[i] = twice >= 0 ? twice : there.size();
            if (twice < 0) {
                there.add(column);
            }
        }
        others = found.stream().filter(name -> !names.contains(name)).distinct().toList();
        open = new ColumnReader[there.size()];
        at = new int[there.size()];
        channel = FileChannel.open(file.file(), StandardOpenOption.READ);
        opened = there;
    }

    /** Opens row groups {@code from} (inclusive) to {@code to} (exclusive) of a file. */
    public static ParquetRows open(
            ParquetFile file, int from, int to, List<String> required, List<String> optional, String hint) {
        try {
            return new ParquetRows(file, file.groups().subList(from, to), required, optional, hint);
        } catch (IOException e) {
            throw Csv.unreadable(file.file(), e);
        }
    }

    /** Opens a whole file. */
    public static ParquetRows open(Path path, List<String> required, List<String> optional, String hint) {
        ParquetFile file = ParquetFile.read(path);
        return open(file, 0, file.groups().size(), required, optional, hint);
    }

    @Override
    public boolean has(int column) {
        return of[column] >= 0;
    }

    @Override
    public List<String> others() {
        return others;
    }

    @Override
    public boolean next() {
        try {
            while (inGroup == 0) {
                if (!nextGroup()) {
                    return false;
                }
            }
            inGroup--;
            row++;
            for (int c = 0; c < open.length; c++) {
                if (++at[c] == open[c].size) {
                    turn(c);
                }
            }
            return true;
        } catch (IOException e) {
            throw ParquetFile.damaged(file.file(), BadInput.reason(e));
        } catch (BadInput e) {
            throw e;
        } catch (RuntimeException e) { // what damaged pages make of arrays and decompressors
            throw ParquetFile.damaged(file.file(), "row group %d: %s".formatted(group, e));
        }
    }

    private void turn(int c) throws IOException {
        do {
            if (!open[c].nextPage()) {
                throw new IOException("column '%s' of a row group has too few values"
                        .formatted(opened.get(c).name()));
            }
        } while (open[c].size == 0);
        at[c] = 0;
    }

    private boolean nextGroup() throws IOException {
        if (++group >= groups.size()) {
            return false;
        }
        ParquetFile.Group own = groups.get(group);
        for (int c = 0; c < open.length; c++) {
            open[c] = file.open(channel, own, opened.get(c));
            at[c] = -1;
        }
        inGroup = own.rows();
        row = own.first();
        return true;
    }

    @Override
    public int line() {
        return (int) Math.min(Integer.MAX_VALUE, row);
    }

    @Override
    public long position() {
        return row;
    }

    @Override
    public BadInput bad(String problem, String remedy) {
        return new BadInput("%s, row %d: %s".formatted(file.file(), row, problem), remedy);
    }

    private ColumnReader reader(int column) {
        return open[of[column]];
    }

    private int place(int column) {
        return at[of[column]];
    }

    private ParquetFile.Kind kind(int column) {
        return opened.get(of[column]).kind();
    }

    @Override
    public boolean blank(int column) {
        ColumnReader own = reader(column);
        int i = place(column);
        return own.blank(i) || (kind(column) == ParquetFile.Kind.TEXT && own.values.length[i] == 0);
    }

    @Override
    public String text(int column) {
        if (blank(column)) {
            throw bad(names.get(column) + " is blank", "Give every row a " + names.get(column) + ".");
        }
        return switch (kind(column)) {
            case WHOLE -> scale(column) == 0 ? Long.toString(whole(column)) : Place.plain(numberOrNaN(column));
            case REAL -> Place.plain(reader(column).values.doubles[place(column)]);
            case TEXT -> new String(reader(column).text(place(column)), StandardCharsets.UTF_8).strip();
        };
    }

    private long whole(int column) {
        return reader(column).values.longs[place(column)];
    }

    private int scale(int column) {
        return opened.get(of[column]).scale();
    }

    @Override
    public boolean reads(int column, String text) {
        if (blank(column)) {
            return text.isEmpty();
        }
        if (kind(column) == ParquetFile.Kind.TEXT) {
            ColumnReader own = reader(column);
            int i = place(column);
            int n = own.values.length[i];
            if (n == text.length()) { // most texts are plain letters
                int begin = own.values.begin[i];
                int k = 0;
                while (k < n && own.values.bytes[begin + k] == text.charAt(k)) {
                    k++;
                }
                if (k == n) {
                    return true;
                }
            }
            return text(column).equals(text);
        }
        return text(column).equals(text);
    }

    @Override
    public int hash(int column) {
        return text(column).hashCode();
    }

    @Override
    public long key(int column) {
        if (kind(column) == ParquetFile.Kind.WHOLE && scale(column) == 0 && !blank(column)) {
            long value = whole(column);
            if (value >= 0 && value < 1_000_000_000_000_000_000L) {
                return value;
            }
        }
        return blank(column) ? TableRows.key("") : TableRows.key(text(column));
    }

    @Override
    public int index(int column) {
        if (kind(column) == ParquetFile.Kind.WHOLE && scale(column) == 0 && !blank(column)) {
            long value = whole(column);
            if (value >= 0 && value <= Integer.MAX_VALUE) {
                return (int) value;
            }
        } else {
            double value = numberOrNaN(column);
            if (value >= 0 && value <= Integer.MAX_VALUE && value == Math.rint(value)) {
                return (int) value;
            }
        }
        throw notA("a whole number from 0", column);
    }

    @Override
    public double number(int column) {
        double value = numberOrNaN(column);
        if (!(Math.abs(value) < Double.POSITIVE_INFINITY)) {
            throw notA("a finite number", column);
        }
        return value;
    }

    @Override
    public double numberOrNaN(int column) {
        if (blank(column)) {
            return Double.NaN;
        }
        return switch (kind(column)) {
            case WHOLE -> scale(column) == 0 ? whole(column) : whole(column) / Math.pow(10, scale(column));
            case REAL -> {
                double value = reader(column).values.doubles[place(column)];
                yield Double.isInfinite(value) ? Double.NaN : value;
            }
            case TEXT -> parsed(text(column));
        };
    }

    private static double parsed(String text) {
        try {
            double value = Double.parseDouble(text);
            return Double.isFinite(value) && text.length() <= 2 * MOST_DIGITS ? value : Double.NaN;
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    private BadInput notA(String wanted, int column) {
        String name = names.get(column);
        return blank(column)
                ? bad(name + " is blank", "Give " + wanted + ".")
                : bad("%s is '%s'".formatted(name, text(column)), "Give " + wanted + ".");
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw Csv.unreadable(file.file(), e);
        }
    }
}

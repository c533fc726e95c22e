package dev.revealed.data.parquet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.zip.CRC32;

/**
 * Writes a Parquet file, row group by row group. Values that repeat become numbers of a dictionary, packed into as few
 * binary digits as they need; nothing else is compressed. Row groups are encoded by any thread and written in order.
 */
public final class ParquetWriter {
    /** Rows of a group that is worth one thread's while. */
    public static final int GROUP = 1 << 19;

    private static final int PAGE = 1 << 16;
    private static final int PLAIN = 0;
    private static final int RLE = 3;
    private static final int RLE_DICTIONARY = 8;
    private static final int UTF8 = 0;
    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

    private final OutputStream out;
    private final List<Column> columns;
    private final List<Written> groups = new ArrayList<>();
    private long offset;
    private long rows;

    /** What a column holds. */
    public enum Kind {
        WHOLE(2),
        REAL(5),
        TEXT(6);

        private final int type;

        Kind(int type) {
            this.type = type;
        }
    }

    /** A column; an optional one may lack values. */
    public record Column(String name, Kind kind, boolean optional) {}

    /**
     * Values of a column: its whole or real numbers, or numbers of texts, -1 where there is none.
     *
     * @param texts what the numbers stand for, in a column of text
     */
    public record Values(long[] whole, double[] real, List<String> texts) {
        public static Values of(long[] whole) {
            return new Values(whole, new double[0], List.of());
        }

        public static Values of(double[] real) {
            return new Values(new long[0], real, List.of());
        }

        public static Values of(long[] numbers, List<String> texts) {
            return new Values(numbers, new double[0], texts);
        }

        private long bits(int i) {
            return real.length > 0 ? Double.doubleToLongBits(real[i]) : whole[i];
        }
    }

    /** The bytes of a column of a row group, and where its pages begin. */
    private record Chunk(byte[] bytes, int dictionary, int values) {}

    /** A row group in bytes. */
    public record Group(int rows, List<byte[]> bytes, List<Integer> dictionaries) {}

    /** Where the columns of a written group lie. */
    private record Written(int rows, long[] at, int[] length, int[] dictionary) {}

    public ParquetWriter(OutputStream out, List<Column> columns) throws IOException {
        this.out = out;
        this.columns = List.copyOf(columns);
        write(MAGIC);
    }

    private void write(byte[] bytes) throws IOException {
        out.write(bytes);
        offset += bytes.length;
    }

    /** Encodes the first so many values of each column; on any thread. */
    public static Group encode(List<Column> columns, List<Values> values, int rows) {
        List<byte[]> bytes = new ArrayList<>();
        List<Integer> dictionaries = new ArrayList<>();
        for (int c = 0; c < columns.size(); c++) {
            Chunk chunk = chunk(columns.get(c), values.get(c), rows);
            bytes.add(chunk.bytes);
            dictionaries.add(chunk.dictionary);
        }
        return new Group(rows, bytes, dictionaries);
    }

    /** Writes the next row group. */
    public void write(Group group) throws IOException {
        int n = columns.size();
        Written written = new Written(group.rows, new long[n], new int[n], new int[n]);
        for (int c = 0; c < n; c++) {
            written.at[c] = offset;
            written.length[c] = group.bytes.get(c).length;
            written.dictionary[c] = group.dictionaries.get(c);
            write(group.bytes.get(c));
        }
        groups.add(written);
        rows += group.rows;
    }

    /** Writes what readers look for first; nothing may follow. */
    public void end() throws IOException {
        byte[] footer = ThriftWriter.struct(file -> {
            file.number(1, 1);
            List<Integer> entries = new ArrayList<>(List.of(-1));
            for (int c = 0; c < columns.size(); c++) {
                entries.add(c);
            }
            file.structs(2, entries, (entry, c) -> {
                if (c < 0) {
                    entry.text(4, "schema").number(5, columns.size());
                    return;
                }
                Column column = columns.get(c);
                entry.number(1, column.kind.type)
                        .number(3, column.optional ? 1 : 0)
                        .text(4, column.name);
                if (column.kind == Kind.TEXT) {
                    entry.number(6, UTF8);
                }
            });
            file.number(3, rows);
            file.structs(4, groups, this::group);
            file.text(6, "revealed");
        });
        write(footer);
        write(new byte[] {
            (byte) footer.length,
            (byte) (footer.length >>> 8),
            (byte) (footer.length >>> 16),
            (byte) (footer.length >>> 24)
        });
        write(MAGIC);
    }

    private void group(ThriftWriter into, Written group) {
        List<Integer> all = new ArrayList<>();
        long bytes = 0;
        for (int c = 0; c < columns.size(); c++) {
            all.add(c);
            bytes += group.length[c];
        }
        into.structs(
                1,
                all,
                (chunk, c) -> chunk.number(2, group.at[c]).struct(3, data -> {
                    data.number(1, columns.get(c).kind.type);
                    data.numbers(2, RLE, group.dictionary[c] > 0 ? RLE_DICTIONARY : PLAIN);
                    data.texts(3, List.of(columns.get(c).name));
                    data.number(4, Codec.UNCOMPRESSED.number());
                    data.number(5, (long) group.rows);
                    data.number(6, (long) group.length[c]);
                    data.number(7, (long) group.length[c]);
                    data.number(9, group.at[c] + group.dictionary[c]);
                    if (group.dictionary[c] > 0) {
                        data.number(11, group.at[c]);
                    }
                }));
        into.number(2, bytes).number(3, (long) group.rows);
    }

    private static Chunk chunk(Column column, Values values, int rows) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Dictionary dictionary = new Dictionary(column, values, rows);
        if (dictionary.width >= 0) {
            page(
                    bytes,
                    2,
                    dictionary.bytes,
                    head -> head.struct(7, own -> own.number(1, dictionary.size).number(2, PLAIN)));
        }
        int begin = bytes.size();
        for (int from = 0; from < rows; from += PAGE) {
            int to = Math.min(rows, from + PAGE);
            ByteArrayOutputStream page = new ByteArrayOutputStream();
            if (column.optional) {
                levels(page, values, from, to);
            }
            if (dictionary.width >= 0) {
                page.write(dictionary.width);
                hybrid(page, dictionary.index, dictionary.places(from), dictionary.places(to), dictionary.width);
            } else {
                plain(page, column, values, from, to);
            }
            int n = to - from;
            page(
                    bytes,
                    0,
                    page.toByteArray(),
                    head -> head.struct(
                            5,
                            own -> own.number(1, n)
                                    .number(2, dictionary.width >= 0 ? RLE_DICTIONARY : PLAIN)
                                    .number(3, RLE)
                                    .number(4, RLE)));
        }
        return new Chunk(bytes.toByteArray(), begin, rows);
    }

    private static void page(ByteArrayOutputStream out, int type, byte[] content, Consumer<ThriftWriter> more) {
        CRC32 checksum = new CRC32();
        checksum.update(content);
        out.writeBytes(ThriftWriter.struct(head -> {
            head.number(1, type).number(2, content.length).number(3, content.length);
            head.number(4, (int) checksum.getValue());
            more.accept(head);
        }));
        out.writeBytes(content);
    }

    private static void levels(ByteArrayOutputStream page, Values values, int from, int to) {
        int[] present = new int[to - from];
        Arrays.setAll(present, i -> values.whole[from + i] < 0 ? 0 : 1);
        ByteArrayOutputStream levels = new ByteArrayOutputStream();
        hybrid(levels, present, 0, present.length, 1);
        number(page, levels.size(), 4);
        page.writeBytes(levels.toByteArray());
    }

    private static void number(ByteArrayOutputStream out, long value, int bytes) {
        for (int i = 0; i < bytes; i++) {
            out.write((int) (value >>> (8 * i)));
        }
    }

    private static void plain(ByteArrayOutputStream out, Column column, Values values, int from, int to) {
        for (int i = from; i < to; i++) {
            value(out, column, values, values.bits(i));
        }
    }

    private static void value(ByteArrayOutputStream out, Column column, Values values, long bits) {
        if (column.kind == Kind.TEXT) {
            if (bits >= 0) {
                byte[] text = values.texts.get((int) bits).getBytes(StandardCharsets.UTF_8);
                number(out, text.length, 4);
                out.writeBytes(text);
            }
        } else {
            number(out, bits, 8);
        }
    }

    /** The different values of a column, where they are few enough to pay. */
    private static final class Dictionary {
        private static final int MOST = 1 << 16;

        private final int[] index; // of each value that is there
        private final int[] before; // how many are there before each row; empty where all are
        private int size;
        private int width = -1; // -1 where there is no dictionary
        private byte[] bytes = {};

        Dictionary(Column column, Values values, int rows) {
            index = new int[rows];
            before = new int[column.optional ? rows + 1 : 0];
            Map<Long, Integer> known = new HashMap<>();
            ByteArrayOutputStream entries = new ByteArrayOutputStream();
            int n = 0;
            long last = 0;
            int lastIndex = -1;
            for (int i = 0; i < rows; i++) {
                long bits = values.bits(i);
                if (column.optional) {
                    before[i] = n;
                    if (bits < 0) {
                        continue;
                    }
                }
                if (lastIndex < 0 || bits != last) {
                    Integer found = known.get(bits);
                    if (found == null) {
                        found = known.size();
                        known.put(bits, found);
                        value(entries, column, values, bits);
                        if (known.size() > MOST) {
                            return;
                        }
                    }
                    last = bits;
                    lastIndex = found;
                }
                index[n++] = lastIndex;
            }
            if (column.optional) {
                before[rows] = n;
            }
            size = known.size();
            width = size <= 1 ? 0 : 32 - Integer.numberOfLeadingZeros(size - 1);
            bytes = entries.toByteArray();
        }

        int places(int row) {
            return before.length > 0 ? before[row] : row;
        }
    }

    /** Runs of eight and more as such, other values in groups of eight. */
    static void hybrid(ByteArrayOutputStream out, int[] values, int from, int to, int width) {
        int packed = -1; // where a stretch of groups began
        int i = from;
        while (i < to) {
            int run = 1;
            while (i + run < to && values[i + run] == values[i]) {
                run++;
            }
            if (run >= 8) {
                packed(out, values, packed, i, to, width);
                packed = -1;
                varint(out, (long) run << 1);
                number(out, values[i], (width + 7) >>> 3);
                i += run;
            } else {
                packed = packed < 0 ? i : packed;
                i += 8;
            }
        }
        packed(out, values, packed, Math.min(i, from + (to - from + 7 & ~7)), to, width);
    }

    private static void packed(ByteArrayOutputStream out, int[] values, int from, int to, int end, int width) {
        if (from < 0) {
            return;
        }
        int groups = (to - from + 7) >>> 3;
        varint(out, (long) groups << 1 | 1);
        long buffer = 0;
        int bits = 0;
        for (int i = from; i < from + 8 * groups; i++) {
            buffer |= (i < end ? (long) values[i] : 0) << bits;
            bits += width;
            while (bits >= 8) {
                out.write((int) buffer);
                buffer >>>= 8;
                bits -= 8;
            }
        }
    }

    private static void varint(ByteArrayOutputStream out, long value) {
        long left = value;
        while ((left & ~0x7FL) != 0) {
            out.write((int) ((left & 0x7F) | 0x80));
            left >>>= 7;
        }
        out.write((int) left);
    }
}

package dev.revealed.data.parquet;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The values of one column of a row group, a page at a time. Of the arrays of values, the one that the column's kind says
 * is filled; texts are places in an array of bytes.
 */
final class ColumnReader {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int CHECKSUM = 4; // field of a page's header

    private static final int PLAIN = 0;
    private static final int PLAIN_DICTIONARY = 2;
    private static final int RLE = 3;
    private static final int DELTA = 5;
    private static final int DELTA_LENGTH = 6;
    private static final int DELTA_TEXT = 7;
    private static final int RLE_DICTIONARY = 8;
    private static final int SPLIT = 9;

    private static final int HEADER = 1 << 12; // bytes that nearly every header fits into
    private static final int MOST_HEADER = 1 << 24;

    private final ParquetFile.Column column;
    private final FileChannel channel;
    private long at; // of the next page in the file
    private final long end;
    private final Codec codec;
    private final Codec.Unpacker unpacker;
    private long left; // values in pages to come
    private byte[] packed = {};
    private byte[] page = {};
    private int[] index = {};
    private @Nullable Values dictionary;
    final Values values = new Values();
    boolean[] blank = {}; // by row of the page; empty where none is
    int size; // rows of the page

    /** Values of a page or of a dictionary. */
    static final class Values {
        long[] longs = {};
        double[] doubles = {};
        byte[] bytes = {};
        int[] begin = {};
        int[] length = {};

        private void reserve(ParquetFile.Kind kind, int n) {
            switch (kind) {
                case WHOLE -> longs = longs.length < n ? new long[n] : longs;
                case REAL -> doubles = doubles.length < n ? new double[n] : doubles;
                case TEXT -> {
                    begin = begin.length < n ? new int[n] : begin;
                    length = length.length < n ? new int[n] : length;
                }
            }
        }
    }

    /**
     * Reads a column.
     *
     * @param at where its pages begin
     * @param end where they end
     */
    ColumnReader(ParquetFile.Column column, FileChannel channel, long at, long end, Codec codec, long values) {
        this.column = column;
        this.channel = channel;
        this.at = at;
        this.end = end;
        this.codec = codec;
        this.unpacker = codec.unpacker();
        this.left = values;
    }

    /** Reads the next page of values; false at the end. */
    boolean nextPage() throws IOException {
        while (left > 0) {
            ThriftReader.Struct head = header();
            int size = head.count(3);
            int whole = head.count(2);
            if (size < 0 || size > end - at || whole < 0) {
                throw new IOException("a page of %d bytes, of which %d are left".formatted(size, end - at));
            }
            packed = packed.length < size ? new byte[size] : packed;
            fill(ByteBuffer.wrap(packed, 0, size), at);
            at += size;
            check(head, size);
            switch (head.count(1)) {
                case 0 -> {
                    ThriftReader.Struct own = head.struct(5);
                    page = unpacked(0, size, whole, 0);
                    read(own.count(1), own.count(2), levels(own.count(1)), whole);
                    return true;
                }
                case 2 -> {
                    ThriftReader.Struct own = head.struct(7);
                    byte[] kept = unpacked(0, size, whole, 0);
                    dictionary = new Values();
                    plain(kept, 0, whole, own.count(1), dictionary);
                    page = new byte[0];
                }
                case 3 -> {
                    second(head.struct(8), size, whole);
                    return true;
                }
                default -> {} // an index: of no use here
            }
        }
        return false;
    }

    /** Reads the header of the next page, and goes to what follows it. */
    private ThriftReader.Struct header() throws IOException {
        for (int size = HEADER; ; size *= 2) {
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(size, end - at));
            fill(bytes, at);
            bytes.flip();
            try {
                ThriftReader.Struct head = new ThriftReader(bytes).struct();
                at += bytes.position();
                return head;
            } catch (BufferUnderflowException | IllegalStateException e) {
                if (size >= end - at || size > MOST_HEADER) {
                    throw e;
                }
            }
        }
    }

    private void fill(ByteBuffer bytes, long from) throws IOException {
        int begin = bytes.position();
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, from + bytes.position() - begin) < 0) {
                throw new IOException("the file ends early");
            }
        }
    }

    /** Refuses a page whose bytes are others than those that were written, where its header has a checksum of them. */
    private void check(ThriftReader.Struct head, int size) throws IOException {
        if (head.has(CHECKSUM)) {
            CRC32 checksum = new CRC32();
            checksum.update(packed, 0, size);
            if ((int) checksum.getValue() != (int) head.number(CHECKSUM, 0)) {
                throw new IOException("the checksum of a page of column '%s' is wrong".formatted(column.name()));
            }
        }
    }

    private byte[] unpacked(int from, int size, int whole, int at) throws IOException {
        byte[] out = page.length < whole ? new byte[whole] : page;
        unpacker.unpack(packed, from, size - from, out, at, whole - at);
        return out;
    }

    /** A page of the second kind: levels come first, and are never compressed. */
    private void second(ThriftReader.Struct own, int size, int whole) throws IOException {
        int rows = own.count(1);
        int before = own.count(5) + own.count(6);
        boolean compressed = own.flag(7, true) && codec != Codec.UNCOMPRESSED;
        byte[] out = page.length < whole ? new byte[whole] : page;
        System.arraycopy(packed, 0, out, 0, before);
        if (compressed && whole > before) {
            unpacker.unpack(packed, before, size - before, out, before, whole - before);
        } else {
            System.arraycopy(packed, before, out, before, size - before);
        }
        page = out;
        int present = rows;
        blank = new boolean[0];
        if (column.optional()) {
            present = present(own.count(6), before, rows);
        }
        read(rows, own.count(4), new int[] {before, present}, whole);
    }

    /** Where the values of a page of the first kind begin, and how many there are. */
    private int[] levels(int rows) {
        blank = new boolean[0];
        if (!column.optional()) {
            return new int[] {0, rows};
        }
        int length = (int) INT.get(page, 0);
        return new int[] {4 + length, present(4, 4 + length, rows)};
    }

    /** Reads which rows have a value; returns how many do. */
    private int present(int from, int end, int rows) {
        index = index.length < rows ? new int[rows] : index;
        PageDecoder.hybrid(page, from, end, 1, index, rows);
        int present = 0;
        for (int i = 0; i < rows; i++) {
            present += index[i];
        }
        if (present < rows) {
            blank = new boolean[rows];
            for (int i = 0; i < rows; i++) {
                blank[i] = index[i] == 0;
            }
        }
        return present;
    }

    private void read(int rows, int encoding, int[] beginAndCount, int end) throws IOException {
        size = rows;
        left -= rows;
        int from = beginAndCount[0];
        int n = beginAndCount[1];
        values.reserve(column.kind(), rows);
        switch (encoding) {
            case PLAIN -> plain(page, from, end, n, values);
            case PLAIN_DICTIONARY, RLE_DICTIONARY -> looked(from, end, n);
            case RLE -> {
                index = index.length < n ? new int[n] : index;
                PageDecoder.hybrid(page, from + 4, end, 1, index, n);
                for (int i = 0; i < n; i++) {
                    values.longs[i] = index[i];
                }
            }
            case DELTA -> PageDecoder.delta(new PageDecoder.Cursor(page, from), values.longs);
            case DELTA_LENGTH -> lengths(new PageDecoder.Cursor(page, from), n);
            case DELTA_TEXT -> prefixes(from, n);
            case SPLIT -> split(from, n);
            default -> throw new IOException("values in encoding %d".formatted(encoding));
        }
        if (encoding == DELTA && column.width() == 4) {
            for (int i = 0; i < n; i++) {
                values.longs[i] = (int) values.longs[i];
            }
        }
        spread(rows, n);
    }

    /** Moves values to their rows where some rows have none. */
    private void spread(int rows, int n) {
        if (n == rows) {
            return;
        }
        int from = n;
        for (int i = rows - 1; i >= 0; i--) {
            int k = blank[i] ? -1 : --from;
            switch (column.kind()) {
                case WHOLE -> values.longs[i] = k < 0 ? 0 : values.longs[k];
                case REAL -> values.doubles[i] = k < 0 ? Double.NaN : values.doubles[k];
                case TEXT -> {
                    values.begin[i] = k < 0 ? 0 : values.begin[k];
                    values.length[i] = k < 0 ? 0 : values.length[k];
                }
            }
        }
    }

    private void plain(byte[] in, int from, int end, int n, Values into) throws IOException {
        into.reserve(column.kind(), n);
        switch (column.type()) {
            case BOOLEAN -> {
                for (int i = 0; i < n; i++) {
                    into.longs[i] = (in[from + (i >>> 3)] >>> (i & 7)) & 1L;
                }
            }
            case INT32 -> {
                for (int i = 0; i < n; i++) {
                    into.longs[i] = (int) INT.get(in, from + 4 * i);
                }
            }
            case INT64 -> {
                for (int i = 0; i < n; i++) {
                    into.longs[i] = (long) LONG.get(in, from + 8 * i);
                }
            }
            case FLOAT -> {
                for (int i = 0; i < n; i++) {
                    into.doubles[i] = Float.intBitsToFloat((int) INT.get(in, from + 4 * i));
                }
            }
            case DOUBLE -> {
                for (int i = 0; i < n; i++) {
                    into.doubles[i] = Double.longBitsToDouble((long) LONG.get(in, from + 8 * i));
                }
            }
            case BYTE_ARRAY -> {
                into.bytes = in;
                int at = from;
                for (int i = 0; i < n; i++) {
                    int length = (int) INT.get(in, at);
                    into.begin[i] = at + 4;
                    into.length[i] = length;
                    at += 4 + length;
                    if (length < 0 || at > end) {
                        throw new IOException("a text of %d bytes beyond its page".formatted(length));
                    }
                }
            }
            default -> throw new IOException("values of type " + column.type());
        }
    }

    /** Values that are numbers of entries of the dictionary. */
    private void looked(int from, int end, int n) throws IOException {
        Values known = dictionary;
        if (known == null) {
            throw new IOException("a page before its dictionary");
        }
        index = index.length < n ? new int[n] : index;
        int width = n == 0 ? 0 : page[from];
        PageDecoder.hybrid(page, from + 1, end, width, index, n);
        switch (column.kind()) {
            case WHOLE -> {
                for (int i = 0; i < n; i++) {
                    values.longs[i] = known.longs[index[i]];
                }
            }
            case REAL -> {
                for (int i = 0; i < n; i++) {
                    values.doubles[i] = known.doubles[index[i]];
                }
            }
            case TEXT -> {
                values.bytes = known.bytes;
                for (int i = 0; i < n; i++) {
                    values.begin[i] = known.begin[index[i]];
                    values.length[i] = known.length[index[i]];
                }
            }
        }
    }

    private void lengths(PageDecoder.Cursor cursor, int n) {
        long[] lengths = new long[n];
        PageDecoder.delta(cursor, lengths);
        values.bytes = page;
        int at = cursor.at;
        for (int i = 0; i < n; i++) {
            values.begin[i] = at;
            values.length[i] = (int) lengths[i];
            at += (int) lengths[i];
        }
    }

    /** Texts of which each shares its beginning with the one before. */
    private void prefixes(int from, int n) {
        long[] shared = new long[n];
        PageDecoder.Cursor cursor = new PageDecoder.Cursor(page, from);
        PageDecoder.delta(cursor, shared);
        lengths(cursor, n);
        long total = 0;
        for (int i = 0; i < n; i++) {
            total += shared[i] + values.length[i];
        }
        byte[] all = new byte[Math.toIntExact(total)];
        int at = 0;
        int before = 0;
        for (int i = 0; i < n; i++) {
            System.arraycopy(all, before, all, at, (int) shared[i]);
            System.arraycopy(page, values.begin[i], all, at + (int) shared[i], values.length[i]);
            values.begin[i] = at;
            values.length[i] += (int) shared[i];
            before = at;
            at += values.length[i];
        }
        values.bytes = all;
    }

    /** BYTE_STREAM_SPLIT: first bytes of all values, then second bytes, and so on. */
    private void split(int from, int n) throws IOException {
        byte[] joined = new byte[n * column.width()];
        for (int b = 0; b < column.width(); b++) {
            for (int i = 0; i < n; i++) {
                joined[i * column.width() + b] = page[from + b * n + i];
            }
        }
        plain(joined, 0, joined.length, n, values);
    }

    /** Whether row i of the page has no value. */
    boolean blank(int i) {
        return blank.length > 0 && blank[i];
    }

    /** The bytes of a text of the page. */
    byte[] text(int i) {
        return Arrays.copyOfRange(values.bytes, values.begin[i], values.begin[i] + values.length[i]);
    }
}

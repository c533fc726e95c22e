package dev.revealed.data.parquet;

import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * What the end of a Parquet file says of it.
 *
 * @param columns those that are flat: neither lists nor parts of structures
 * @param groups the row groups, in their order
 */
public record ParquetFile(Path file, List<Column> columns, List<Group> groups) {
    private static final int MAGIC = 0x31524150; // PAR1
    private static final int TAIL = 8;

    /** How a value lies in a page; in the order of the format's numbers. */
    enum Type {
        BOOLEAN(1),
        INT32(4),
        INT64(8),
        INT96(12),
        FLOAT(4),
        DOUBLE(8),
        BYTE_ARRAY(0),
        FIXED(0);

        private final int width;

        Type(int width) {
            this.width = width;
        }
    }

    /** What a value is to us. */
    enum Kind {
        WHOLE,
        REAL,
        TEXT
    }

    /**
     * A column.
     *
     * @param leaf its place among all columns, nested ones included
     * @param scale digits after the point that its whole numbers have
     */
    public record Column(String name, int leaf, Type type, boolean optional, int scale) {
        Kind kind() {
            return switch (type) {
                case BOOLEAN, INT32, INT64, INT96 -> Kind.WHOLE;
                case FLOAT, DOUBLE -> Kind.REAL;
                case BYTE_ARRAY, FIXED -> Kind.TEXT;
            };
        }

        int width() {
            return type.width;
        }

        boolean readable() {
            return type != Type.INT96 && type != Type.FIXED;
        }
    }

    /**
     * A row group.
     *
     * @param first number of its first row, from 0
     */
    public record Group(long first, long rows, List<Chunk> chunks) {}

    /** Where a column of a row group lies. */
    record Chunk(long offset, long length, long codec, long values) {}

    public static ParquetFile read(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long size = channel.size();
            if (size < 4 + TAIL) {
                throw damaged(file, "it has %d bytes".formatted(size));
            }
            ByteBuffer tail = bytes(channel, size - TAIL, TAIL);
            long length = tail.getInt() & 0xFFFFFFFFL;
            if (tail.getInt() != MAGIC || length > size - 4 - TAIL) {
                throw damaged(file, "it does not end as such a file does");
            }
            return parse(file, new ThriftReader(bytes(channel, size - TAIL - length, (int) length)).struct());
        } catch (NoSuchFileException e) {
            throw new BadInput(file + ": there is no such file", "Check the name and the folder.");
        } catch (IOException e) {
            throw new BadInput(
                    "%s: cannot be read (%s)".formatted(file, BadInput.reason(e)),
                    "Check that the file is complete and that you may read it.");
        } catch (BadInput e) {
            throw e;
        } catch (RuntimeException e) {
            throw damaged(file, String.valueOf(e.getMessage()));
        }
    }

    /** Whether a file says of itself that it is one. */
    public static boolean is(Path file) {
        return file.toString().endsWith(".parquet") && Files.isRegularFile(file);
    }

    static BadInput damaged(Path file, String how) {
        return new BadInput(
                "%s: this Parquet file is damaged (%s)".formatted(file, how),
                "Copy or write it again; a program that was stopped while writing leaves such files.");
    }

    private static ByteBuffer bytes(FileChannel channel, long at, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, at + buffer.position()) < 0) {
                throw new IOException("the file ends early");
            }
        }
        return buffer.flip();
    }

    private static ParquetFile parse(Path file, ThriftReader.Struct footer) {
        List<Column> columns = new ArrayList<>();
        List<ThriftReader.Struct> schema = footer.structs(2);
        int[] leaf = {0};
        int[] next = {1};
        for (int child = 0; child < schema.getFirst().count(5); child++) {
            column(schema, next, leaf, columns, true);
        }
        List<Group> groups = new ArrayList<>();
        long first = 0;
        for (ThriftReader.Struct group : footer.structs(4)) {
            List<Chunk> chunks = new ArrayList<>();
            for (ThriftReader.Struct chunk : group.structs(1)) {
                ThriftReader.Struct data = chunk.struct(3);
                long offset = data.number(9, 0);
                long dictionary = data.number(11, 0);
                chunks.add(new Chunk(
                        dictionary > 0 ? Math.min(dictionary, offset) : offset,
                        data.number(7, 0),
                        data.number(4, 0),
                        data.number(5, 0)));
            }
            groups.add(new Group(first, group.number(3, 0), List.copyOf(chunks)));
            first += group.number(3, 0);
        }
        return new ParquetFile(file, List.copyOf(columns), List.copyOf(groups));
    }

    /** Reads one entry of the schema with all below it. */
    private static void column(
            List<ThriftReader.Struct> schema, int[] next, int[] leaf, List<Column> columns, boolean top) {
        ThriftReader.Struct entry = schema.get(next[0]++);
        int children = entry.count(5);
        if (children == 0) {
            if (top && entry.number(3, 0) != 2) {
                boolean decimal = entry.number(6, -1) == 5;
                columns.add(new Column(
                        entry.text(4),
                        leaf[0],
                        Type.values()[entry.count(1)],
                        entry.number(3, 0) == 1,
                        decimal ? entry.count(7) : 0));
            }
            leaf[0]++;
        }
        for (int child = 0; child < children; child++) {
            column(schema, next, leaf, columns, false);
        }
    }

    public long rows() {
        return groups.isEmpty() ? 0 : groups.getLast().first + groups.getLast().rows;
    }

    /** A column of a row group. */
    ColumnReader open(FileChannel channel, Group group, Column column) throws IOException {
        Chunk chunk = group.chunks.get(column.leaf);
        long end = chunk.offset + chunk.length;
        if (chunk.offset < 0 || chunk.length < 0 || end > channel.size()) {
            throw new IOException("column '%s' lies beyond the end of the file".formatted(column.name));
        }
        Codec codec = Codec.of(chunk.codec)
                .orElseThrow(() -> new IOException(
                        "column '%s' has compression %d, and read are none, snappy, gzip, zstd and lz4_raw"
                                .formatted(column.name, chunk.codec)));
        return new ColumnReader(column, channel, chunk.offset, end, codec, chunk.values);
    }
}

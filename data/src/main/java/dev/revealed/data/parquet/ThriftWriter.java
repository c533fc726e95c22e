package dev.revealed.data.parquet;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Writes structures of Thrift's compact protocol; fields in ascending order. */
final class ThriftWriter {
    private static final int INT = 5;
    private static final int LONG = 6;
    private static final int BINARY = 8;
    private static final int LIST = 9;
    private static final int STRUCT = 12;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private int last;

    static byte[] struct(Consumer<ThriftWriter> fields) {
        ThriftWriter writer = new ThriftWriter();
        writer.inner(fields);
        return writer.out.toByteArray();
    }

    private void inner(Consumer<ThriftWriter> fields) {
        int outer = last;
        last = 0;
        fields.accept(this);
        out.write(0);
        last = outer;
    }

    private void head(int field, int type) {
        out.write((field - last) << 4 | type);
        last = field;
    }

    ThriftWriter number(int field, int value) {
        head(field, INT);
        zigzag(value);
        return this;
    }

    ThriftWriter number(int field, long value) {
        head(field, LONG);
        zigzag(value);
        return this;
    }

    ThriftWriter text(int field, String value) {
        head(field, BINARY);
        bytes(value);
        return this;
    }

    ThriftWriter struct(int field, Consumer<ThriftWriter> fields) {
        head(field, STRUCT);
        inner(fields);
        return this;
    }

    ThriftWriter numbers(int field, int... values) {
        list(field, INT, values.length);
        for (int value : values) {
            zigzag(value);
        }
        return this;
    }

    ThriftWriter texts(int field, List<String> values) {
        list(field, BINARY, values.size());
        values.forEach(this::bytes);
        return this;
    }

    <T> ThriftWriter structs(int field, List<T> values, BiConsumer<ThriftWriter, T> each) {
        list(field, STRUCT, values.size());
        values.forEach(value -> inner(own -> each.accept(own, value)));
        return this;
    }

    private void list(int field, int type, int size) {
        head(field, LIST);
        if (size < 15) {
            out.write(size << 4 | type);
        } else {
            out.write(15 << 4 | type);
            varint(size);
        }
    }

    private void bytes(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        varint(bytes.length);
        out.writeBytes(bytes);
    }

    private void zigzag(long value) {
        varint(value << 1 ^ value >> 63);
    }

    private void varint(long value) {
        long left = value;
        while ((left & ~0x7FL) != 0) {
            out.write((int) ((left & 0x7F) | 0x80));
            left >>>= 7;
        }
        out.write((int) left);
    }
}

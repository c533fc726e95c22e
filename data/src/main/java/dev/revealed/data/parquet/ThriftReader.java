package dev.revealed.data.parquet;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads structures of Thrift's compact protocol, in which Parquet writes its headers. */
final class ThriftReader {
    private static final int MOST_DEEP = 32;

    private final ByteBuffer in;

    ThriftReader(ByteBuffer in) {
        this.in = in;
    }

    /** A structure: what each field holds, by its number. */
    record Struct(Map<Integer, Object> fields) {
        boolean has(int field) {
            return fields.containsKey(field);
        }

        long number(int field, long otherwise) {
            return fields.getOrDefault(field, otherwise) instanceof Long value ? value : otherwise;
        }

        int count(int field) {
            return Math.toIntExact(number(field, 0));
        }

        boolean flag(int field, boolean otherwise) {
            return fields.getOrDefault(field, otherwise) instanceof Boolean value ? value : otherwise;
        }

        String text(int field) {
            return fields.get(field) instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "";
        }

        Struct struct(int field) {
            return fields.get(field) instanceof Struct struct ? struct : new Struct(Map.of());
        }

        List<?> list(int field) {
            return fields.get(field) instanceof List<?> list ? list : List.of();
        }

        List<Struct> structs(int field) {
            return list(field).stream().map(Struct.class::cast).toList();
        }
    }

    Struct struct() {
        return struct(0);
    }

    private Struct struct(int depth) {
        if (depth > MOST_DEEP) {
            throw new IllegalStateException("structures nested too deeply");
        }
        Map<Integer, Object> fields = new HashMap<>();
        int id = 0;
        for (int head = in.get() & 0xFF; head != 0; head = in.get() & 0xFF) {
            id = head >>> 4 == 0 ? (int) zigzag() : id + (head >>> 4);
            fields.put(id, value(head & 15, depth));
        }
        return new Struct(fields);
    }

    private Object value(int type, int depth) {
        return switch (type) {
            case 1 -> true;
            case 2 -> false;
            case 3 -> (long) in.get();
            case 4, 5, 6 -> zigzag();
            case 7 -> Double.longBitsToDouble(Long.reverseBytes(in.getLong()));
            case 8 -> bytes();
            case 9, 10 -> list(depth);
            case 12 -> struct(depth + 1);
            default -> throw new IllegalStateException("field of type " + type);
        };
    }

    private List<Object> list(int depth) {
        int head = in.get() & 0xFF;
        int size = head >>> 4 == 15 ? (int) varint() : head >>> 4;
        if (size < 0 || size > in.remaining()) {
            throw new IllegalStateException("list of %d elements".formatted(size));
        }
        List<Object> list = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            int type = head & 15;
            list.add(type == 1 || type == 2 ? in.get() == 1 : value(type, depth));
        }
        return list;
    }

    private byte[] bytes() {
        int length = (int) varint();
        if (length < 0 || length > in.remaining()) {
            throw new IllegalStateException("text of %d bytes".formatted(length));
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    private long zigzag() {
        long value = varint();
        return (value >>> 1) ^ -(value & 1);
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int b = in.get();
            value |= (long) (b & 0x7F) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new IllegalStateException("number of more than 64 digits");
    }
}

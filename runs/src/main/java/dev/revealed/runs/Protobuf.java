package dev.revealed.runs;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A message in protocol buffers, written field by field: a key (number and kind of the field), then its value. */
final class Protobuf {
    private static final int VARINT = 0;
    private static final int EIGHT_BYTES = 1;
    private static final int LENGTH_FIRST = 2;
    private static final int FOUR_BYTES = 5;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** int32, int64, an enum or a truth value. */
    Protobuf varint(int field, long value) {
        key(field, VARINT);
        number(value);
        return this;
    }

    Protobuf fixed(int field, double value) {
        key(field, EIGHT_BYTES);
        little(Double.doubleToRawLongBits(value), 8);
        return this;
    }

    Protobuf fixed(int field, float value) {
        key(field, FOUR_BYTES);
        little(Float.floatToRawIntBits(value), 4);
        return this;
    }

    Protobuf text(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    Protobuf message(int field, Protobuf value) {
        return bytes(field, value.toBytes());
    }

    Protobuf bytes(int field, byte[] value) {
        key(field, LENGTH_FIRST);
        number(value.length);
        out.writeBytes(value);
        return this;
    }

    byte[] toBytes() {
        return out.toByteArray();
    }

    private void key(int field, int kind) {
        number(((long) field << 3) | kind);
    }

    private void little(long bits, int bytes) {
        for (int i = 0; i < bytes; i++) {
            out.write((int) (bits >>> (8 * i)));
        }
    }

    /** Seven bits to a byte, the lowest first; the eighth says that more follow. */
    private void number(long value) {
        for (; (value & ~0x7FL) != 0; value >>>= 7) {
            out.write((int) ((value & 0x7F) | 0x80));
        }
        out.write((int) value);
    }
}

package dev.revealed.data.parquet;

import java.util.Arrays;

/** The encodings of Parquet's pages, as static methods on arrays. Damaged pages end in an exception, whichever it is. */
final class PageDecoder {
    private PageDecoder() {}

    /** Reads runs of repeated and of bit-packed numbers of {@code width} digits; returns where they end. */
    static int hybrid(byte[] in, int from, int end, int width, int[] out, int count) {
        int at = from;
        int n = 0;
        int bytes = (width + 7) >>> 3;
        while (n < count) {
            long head = 0;
            int shift = 0;
            int b;
            do {
                b = in[at++];
                head |= (long) (b & 0x7F) << shift;
                shift += 7;
            } while (b < 0);
            if (at > end) {
                throw new IllegalStateException("a run beyond the page");
            }
            if ((head & 1) == 0) {
                int value = 0;
                for (int i = 0; i < bytes; i++) {
                    value |= (in[at++] & 0xFF) << (8 * i);
                }
                int to = (int) Math.min(count, n + (head >>> 1));
                Arrays.fill(out, n, to, value);
                n = to;
            } else {
                long values = (head >>> 1) * 8;
                int to = (int) Math.min(count, n + values);
                packed(in, at, width, out, n, to);
                n = to;
                at += (int) (values / 8) * width;
            }
        }
        return at;
    }

    /** Reads numbers of {@code width} digits, least significant first, into {@code out[from..to)}. */
    static void packed(byte[] in, int begin, int width, int[] out, int from, int to) {
        long buffer = 0;
        int bits = 0;
        int at = begin;
        long mask = (1L << width) - 1;
        for (int i = from; i < to; i++) {
            while (bits < width) {
                buffer |= (in[at++] & 0xFFL) << bits;
                bits += 8;
            }
            out[i] = (int) (buffer & mask);
            buffer >>>= width;
            bits -= width;
        }
    }

    /** The same for numbers of up to 64 digits, added to a constant and to the number before. */
    private static long deltas(byte[] in, int begin, int width, long least, long before, long[] out, int from, int to) {
        long value = before;
        int at = begin;
        int bit = 0;
        for (int i = from; i < to; i++) {
            long delta = 0;
            for (int got = 0; got < width; ) {
                int take = Math.min(8 - bit, width - got);
                long part = (in[at] >>> bit) & ((1L << take) - 1);
                delta |= part << got;
                got += take;
                bit += take;
                if (bit == 8) {
                    bit = 0;
                    at++;
                }
            }
            value += least + delta;
            out[i] = value;
        }
        return value;
    }

    /** A place in the bytes of a page, which varints move on. */
    static final class Cursor {
        final byte[] in;
        int at;

        Cursor(byte[] in, int at) {
            this.in = in;
            this.at = at;
        }

        long varint() {
            long value = 0;
            for (int shift = 0; ; shift += 7) {
                int b = in[at++];
                value |= (long) (b & 0x7F) << shift;
                if (b >= 0) {
                    return value;
                }
            }
        }

        long zigzag() {
            long value = varint();
            return (value >>> 1) ^ -(value & 1);
        }
    }

    /** DELTA_BINARY_PACKED: numbers by their differences; returns how many there are. */
    static int delta(Cursor cursor, long[] out) {
        int block = (int) cursor.varint();
        int minis = (int) cursor.varint();
        int count = (int) cursor.varint();
        long value = cursor.zigzag();
        int each = block / minis;
        int n = 0;
        if (count > 0) {
            out[n++] = value;
        }
        while (n < count) {
            long least = cursor.zigzag();
            int widths = cursor.at;
            cursor.at += minis;
            for (int m = 0; m < minis && n < count; m++) {
                int width = cursor.in[widths + m] & 0xFF;
                int to = Math.min(count, n + each);
                value = deltas(cursor.in, cursor.at, width, least, value, out, n, to);
                n = to;
                cursor.at += each / 8 * width;
            }
        }
        return count;
    }
}

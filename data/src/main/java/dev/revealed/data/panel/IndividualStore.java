package dev.revealed.data.panel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Individuals in a file: who they are, and their observations by number. Each takes two or three bytes for a row. Its
 * individuals are in the order in which their first rows stand in the table.
 */
final class IndividualStore {
    private static final int BLOCK = 1 << 20;
    private static final int LENGTH = 4; // bytes that tell how many follow

    private final int covariates;
    private final Path file = Scratch.file("individuals");
    private final FileChannel channel;
    private long length;
    private int size;
    private long[] where = new long[1024];
    private long[] offset = new long[1024];

    /** @param covariates how many numbers are known of each individual besides */
    IndividualStore(int covariates) {
        this.covariates = covariates;
        try {
            channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw Scratch.unwritable(e);
        }
    }

    /** Collects individuals on one thread. */
    final class Writer {
        private byte[] block = new byte[BLOCK + (1 << 16)];
        private int at;
        private int count;
        private long[] whereHere = new long[256];
        private int[] offsetHere = new int[256];

        /**
         * Adds an individual.
         *
         * @param path its observations
         * @param last the state after its last decision, or -1 where that was not observed
         */
        void add(IndividualRows rows, int[] path, int n, int last) {
            if (count == whereHere.length) {
                whereHere = Arrays.copyOf(whereHere, 2 * count);
                offsetHere = Arrays.copyOf(offsetHere, 2 * count);
            }
            int begin = at;
            whereHere[count] = rows.firstWhere();
            offsetHere[count++] = begin;
            String name = rows.ownName();
            byte[] called = name == null ? new byte[0] : name.getBytes(StandardCharsets.UTF_8);
            byte[] cluster = rows.cluster().getBytes(StandardCharsets.UTF_8);
            reserve(64 + called.length + cluster.length + 8 * covariates + 5 * n);
            at += LENGTH; // written below
            number(rows.key());
            if (name != null) {
                text(called);
            }
            number(Double.doubleToRawLongBits(rows.weight()));
            text(cluster);
            for (double covariate : rows.covariates()) {
                number(Double.doubleToRawLongBits(covariate));
            }
            varint(last + 1);
            varint(n);
            for (int t = 0; t < n; t++) {
                varint(path[t]);
            }
            for (int i = 0; i < LENGTH; i++) {
                block[begin + i] = (byte) ((at - begin - LENGTH) >>> (8 * i));
            }
            if (at >= BLOCK) {
                flush();
            }
        }

        private void reserve(int more) {
            if (at + more > block.length) {
                block = Arrays.copyOf(block, Math.max(2 * block.length, at + more));
            }
        }

        private void number(long value) {
            for (int i = 0; i < 8; i++) {
                block[at++] = (byte) (value >>> (8 * i));
            }
        }

        private void text(byte[] text) {
            varint(text.length);
            System.arraycopy(text, 0, block, at, text.length);
            at += text.length;
        }

        private void varint(int value) {
            int left = value;
            while ((left & ~0x7F) != 0) {
                block[at++] = (byte) ((left & 0x7F) | 0x80);
                left >>>= 7;
            }
            block[at++] = (byte) left;
        }

        void flush() {
            append(block, at, whereHere, offsetHere, count);
            at = 0;
            count = 0;
        }
    }

    private synchronized void append(byte[] block, int used, long[] places, int[] offsets, int count) {
        try {
            ByteBuffer buffer = ByteBuffer.wrap(block, 0, used);
            while (buffer.hasRemaining()) {
                channel.write(buffer, length + buffer.position());
            }
        } catch (IOException e) {
            throw Scratch.unwritable(e);
        }
        if (size + count > where.length) {
            int capacity = Math.max(2 * where.length, size + count);
            where = Arrays.copyOf(where, capacity);
            offset = Arrays.copyOf(offset, capacity);
        }
        for (int i = 0; i < count; i++) {
            where[size] = places[i];
            offset[size++] = length + offsets[i];
        }
        length += used;
    }

    /** Puts the individuals in their order; none are added afterwards. */
    void end() {
        boolean sorted = true;
        for (int i = 1; i < size; i++) {
            sorted &= where[i] > where[i - 1];
        }
        if (!sorted) {
            long[] own = Arrays.copyOf(where, size);
            Arrays.sort(own);
            long[] placed = new long[size];
            for (int i = 0; i < size; i++) {
                placed[Arrays.binarySearch(own, where[i])] = offset[i];
            }
            offset = placed;
        }
        where = new long[0];
    }

    int size() {
        return size;
    }

    /** An individual as it was added. Used again for the next one. */
    final class Reader {
        private byte[] window; // some bytes of the file
        private long from; // where they begin
        private int held; // how many there are
        private int at;
        private @Nullable String name;
        private long key;
        double weight;
        String cluster = "";
        double[] known = {};
        int last;
        int[] path = new int[64];
        int length;

        Reader() {
            this(BLOCK / 4);
        }

        /** @param bytes that are read at a time: many for those who go through all individuals */
        Reader(int bytes) {
            window = new byte[bytes];
        }

        void read(int individual) {
            at = 0;
            seek(offset[individual], LENGTH);
            int bytes = 0;
            for (int i = 0; i < LENGTH; i++) {
                bytes |= (window[at++] & 0xFF) << (8 * i);
            }
            seek(offset[individual] + LENGTH, bytes);
            key = number();
            name = key < 0 ? text() : null;
            weight = Double.longBitsToDouble(number());
            cluster = text();
            known = covariates == 0 ? known : new double[covariates];
            for (int c = 0; c < covariates; c++) {
                known[c] = Double.longBitsToDouble(number());
            }
            last = varint() - 1;
            length = varint();
            if (length > path.length) {
                path = new int[2 * length];
            }
            for (int t = 0; t < length; t++) {
                path[t] = varint();
            }
        }

        String name() {
            return name == null ? Long.toString(key) : name;
        }

        /** Goes to a place in the file, from which so many bytes are needed. */
        private void seek(long place, int bytes) {
            if (place < from || place + bytes > from + held) {
                window = window.length < bytes ? new byte[2 * bytes] : window;
                ByteBuffer buffer = ByteBuffer.wrap(window);
                from = place;
                try {
                    int read = 0;
                    while (buffer.hasRemaining() && read >= 0) {
                        read = channel.read(buffer, place + buffer.position());
                    }
                } catch (IOException e) {
                    throw Scratch.unwritable(e);
                }
                held = buffer.position();
            }
            at = (int) (place - from);
        }

        private long number() {
            long value = 0;
            for (int i = 0; i < 8; i++) {
                value |= (window[at++] & 0xFFL) << (8 * i);
            }
            return value;
        }

        private String text() {
            int n = varint();
            if (n == 0) {
                return "";
            }
            String text = new String(window, at, n, StandardCharsets.UTF_8);
            at += n;
            return text;
        }

        private int varint() {
            int value = 0;
            for (int shift = 0; ; shift += 7) {
                int b = window[at++];
                value |= (b & 0x7F) << shift;
                if (b >= 0) {
                    return value;
                }
            }
        }
    }
}

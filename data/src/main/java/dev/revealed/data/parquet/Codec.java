package dev.revealed.data.parquet;

import io.airlift.compress.Decompressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** How the pages of a column are compressed. */
enum Codec {
    UNCOMPRESSED(0),
    SNAPPY(1),
    GZIP(2),
    ZSTD(6),
    LZ4_RAW(7);

    private final int number;

    Codec(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    static Optional<Codec> of(long number) {
        for (Codec codec : values()) {
            if (codec.number == number) {
                return Optional.of(codec);
            }
        }
        return Optional.empty();
    }

    /** Unpacks one page at a time; for one thread. */
    Unpacker unpacker() {
        return switch (this) {
            case UNCOMPRESSED ->
                (packed, from, length, out, at, size) ->
                        System.arraycopy(packed, from, out, at, Math.min(length, size));
            case GZIP -> Codec::gunzip;
            case SNAPPY -> by(new SnappyDecompressor());
            case ZSTD -> by(new ZstdDecompressor());
            case LZ4_RAW -> by(new Lz4Decompressor());
        };
    }

    private static Unpacker by(Decompressor decompressor) {
        return (packed, from, length, out, at, size) -> {
            int made = decompressor.decompress(packed, from, length, out, at, size);
            if (made != size) {
                throw new IOException("a page of %d bytes unpacks to %d".formatted(size, made));
            }
        };
    }

    private static void gunzip(byte[] packed, int from, int length, byte[] out, int at, int size) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed, from, length))) {
            if (in.readNBytes(out, at, size) != size) {
                throw new IOException("a page of %d bytes unpacks to fewer".formatted(size));
            }
        }
    }

    /** Fills {@code out[at..at + size)}. */
    @FunctionalInterface
    interface Unpacker {
        void unpack(byte[] packed, int from, int length, byte[] out, int at, int size) throws IOException;
    }
}

package dev.revealed.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Read back by a reader of its own, down to a checksum computed bit by bit. */
class EventsTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(1_500_000_000L, 250_000_000));

    @TempDir
    private Path folder;

    record Event(double time, long step, String version, String tag, float value) {}

    /** CRC-32C by its definition: the reflected polynomial 0x1EDC6F41, a bit at a time. */
    private static int crc(byte[] bytes) {
        int crc = -1;
        for (byte b : bytes) {
            crc ^= b & 0xFF;
            for (int i = 0; i < 8; i++) {
                crc = (crc >>> 1) ^ ((crc & 1) == 0 ? 0 : 0x82F63B78);
            }
        }
        return ~crc;
    }

    private static int masked(byte[] bytes) {
        int crc = crc(bytes);
        return ((crc >>> 15) | (crc << 17)) + 0xa282ead8;
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte b = in.get();
            value |= (b & 0x7FL) << shift;
            if (b >= 0) {
                return value;
            }
        }
    }

    private static byte[] content(ByteBuffer in) {
        byte[] bytes = new byte[(int) varint(in)];
        in.get(bytes);
        return bytes;
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static Event event(byte[] record) {
        ByteBuffer in = little(record);
        double time = 0;
        long step = 0;
        String version = "";
        String tag = "";
        float value = 0;
        while (in.hasRemaining()) {
            switch ((int) varint(in)) {
                case (1 << 3) | 1 -> time = in.getDouble();
                case 2 << 3 -> step = varint(in);
                case (3 << 3) | 2 -> version = new String(content(in), StandardCharsets.UTF_8);
                case (5 << 3) | 2 -> {
                    ByteBuffer summary = little(content(in));
                    assertThat(varint(summary)).isEqualTo((1 << 3) | 2);
                    ByteBuffer point = little(content(summary));
                    assertThat(varint(point)).isEqualTo((1 << 3) | 2);
                    tag = new String(content(point), StandardCharsets.UTF_8);
                    assertThat(varint(point)).isEqualTo((2 << 3) | 5);
                    value = point.getFloat();
                    assertThat(summary.hasRemaining() || point.hasRemaining()).isFalse();
                }
                default -> throw new AssertionError("unknown field");
            }
        }
        return new Event(time, step, version, tag, value);
    }

    private List<Event> read() throws IOException {
        ByteBuffer in = little(Files.readAllBytes(folder.resolve(RunFiles.EVENTS)));
        List<Event> events = new ArrayList<>();
        while (in.hasRemaining()) {
            byte[] length = new byte[8];
            in.get(length);
            assertThat(in.getInt()).isEqualTo(masked(length));
            byte[] record = new byte[(int) little(length).getLong()];
            in.get(record);
            assertThat(in.getInt()).isEqualTo(masked(record));
            events.add(event(record));
        }
        return events;
    }

    @Test
    void theChecksumOfTheTestIsTheStandardOne() {
        assertThat(crc("123456789".getBytes(StandardCharsets.US_ASCII))).isEqualTo(0xE3069283); // RFC 3720's check
    }

    @Test
    void theFirstRecordIsThatOfEveryEventFile() throws IOException {
        Events.create(RunFolder.create(folder), InstantSource.fixed(Instant.EPOCH))
                .close();
        byte[] bytes = Files.readAllBytes(folder.resolve(RunFiles.EVENTS));
        // 24 bytes, the masked checksum of that number as TensorFlow writes it, and the version in field 3
        assertThat(Arrays.copyOf(bytes, 12)).isEqualTo(HexFormat.of().parseHex("1800000000000000a37f4b22"));
        assertThat(Arrays.copyOfRange(bytes, 12, 36))
                .isEqualTo(HexFormat.of().parseHex("090000000000000000" + "1a0d627261696e2e4576656e743a32"));
        assertThat(bytes).hasSize(40);
    }

    @Test
    void pointsComeBack() throws IOException {
        try (Events events = Events.create(RunFolder.create(folder), CLOCK)) {
            events.scalar("return/test", 3_000_000_000L, 3531.25);
            events.scalar("größe", 0, Double.NaN);
            assertThat(events.length()).isEqualTo(Files.size(folder.resolve(RunFiles.EVENTS)));
        }
        assertThat(read())
                .containsExactly(
                        new Event(1_500_000_000.25, 0, "brain.Event:2", "", 0),
                        new Event(1_500_000_000.25, 3_000_000_000L, "", "return/test", 3531.25f),
                        new Event(1_500_000_000.25, 0, "", "größe", Float.NaN));
    }

    @Test
    void aRunThatGoesOnForgetsWhatCameAfterTheCheckpoint() throws IOException {
        RunFolder run = RunFolder.create(folder);
        long length;
        try (Events events = Events.create(run, CLOCK)) {
            events.scalar("a", 1, 1);
            length = events.length();
            events.scalar("a", 2, 2);
        }
        try (Events events = Events.resume(run, length, CLOCK)) {
            events.scalar("a", 2, 5);
        }
        assertThat(read()).extracting(Event::value).containsExactly(0f, 1f, 5f);
    }
}

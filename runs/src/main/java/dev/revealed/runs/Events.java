package dev.revealed.runs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.zip.CRC32C;

/**
 * The same numbers for TensorBoard, which shows them while the run goes on ({@code tensorboard --logdir FOLDER}): a file
 * of records, each an Event message in protocol buffers. Events carry the time of day, so their bytes differ from run to
 * run.
 */
public final class Events implements AutoCloseable {
    // Fields of Event, Summary and Summary.Value in TensorFlow's event.proto and summary.proto.
    private static final int WALL_TIME = 1;
    private static final int STEP = 2;
    private static final int FILE_VERSION = 3;
    private static final int SUMMARY = 5;
    private static final int VALUE = 1;
    private static final int TAG = 1;
    private static final int SIMPLE_VALUE = 2;

    private final AppendedFile file;
    private final InstantSource clock;

    private Events(AppendedFile file, InstantSource clock) {
        this.file = file;
        this.clock = clock;
    }

    public static Events create(RunFolder folder, InstantSource clock) {
        Events events = resume(folder, 0, clock);
        events.record(events.event().text(FILE_VERSION, "brain.Event:2"));
        return events;
    }

    /** Goes on after the events that were there at a checkpoint, and forgets later ones. */
    public static Events resume(RunFolder folder, long length, InstantSource clock) {
        return new Events(AppendedFile.open(folder.file(RunFiles.EVENTS), length), clock);
    }

    /** Begins with the first {@code length} bytes of another run's file. */
    public static void copy(Path run, RunFolder to, long length) {
        AppendedFile.copy(run.resolve(RunFiles.EVENTS), to, RunFiles.EVENTS, length);
    }

    /** One point of the curve called {@code tag}; a slash in it groups curves. */
    public void scalar(String tag, long step, double value) {
        Protobuf point = new Protobuf().text(TAG, tag).fixed(SIMPLE_VALUE, (float) value);
        record(event().varint(STEP, step).message(SUMMARY, new Protobuf().message(VALUE, point)));
    }

    /** Bytes so far, for a checkpoint. */
    public long length() {
        return file.length();
    }

    @Override
    public void close() {
        file.close();
    }

    private Protobuf event() {
        Instant now = clock.instant();
        return new Protobuf().fixed(WALL_TIME, now.getEpochSecond() + 1e-9 * now.getNano());
    }

    /** TensorFlow's framing: the length with a checksum, the content with a checksum. */
    private void record(Protobuf event) {
        byte[] content = event.toBytes();
        ByteBuffer frame = ByteBuffer.allocate(8 + 4 + content.length + 4).order(ByteOrder.LITTLE_ENDIAN);
        frame.putLong(content.length);
        frame.putInt(maskedCrc(frame.duplicate().flip()));
        frame.put(content).putInt(maskedCrc(ByteBuffer.wrap(content)));
        file.append(frame.array());
    }

    /** Turned and shifted by a constant, since a checksum of data with checksums in it is weak. */
    private static int maskedCrc(ByteBuffer bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        return Integer.rotateRight((int) sum.getValue(), 15) + 0xa282ead8;
    }
}

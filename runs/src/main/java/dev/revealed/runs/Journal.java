package dev.revealed.runs;

import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A file that keeps what a long command has finished, one JSON document per line, so that a command that was killed can go
 * on where it stopped. Its first line says what the entries belong to; a last line that was cut off in writing is dropped.
 */
public final class Journal<T> implements AutoCloseable {
    private static final String REMEDY =
            "Name another file, or move this one away: a journal only continues the command that began it.";

    private final AppendedFile file;
    private final List<T> entries;

    private Journal(AppendedFile file, List<T> entries) {
        this.file = file;
        this.entries = List.copyOf(entries);
    }

    private record Header(String journal, String fingerprint) {}

    /**
     * Begins a journal, or continues one.
     *
     * @param kind what the entries are, in a word
     * @param fingerprint of all that the entries depend on; a file with another one is refused
     */
    public static <T> Journal<T> open(Path file, String kind, String fingerprint, Class<T> type) {
        String header = Json.line(new Header(kind, fingerprint)) + "\n";
        List<T> entries = new ArrayList<>();
        AppendedFile lines = AppendedFile.open(
                file,
                new AppendedFile.Complaints(Journal::busy, Journal::unusable),
                channel -> read(file, channel, header, type, entries));
        return new Journal<>(lines, entries);
    }

    /** Adds the entries that are there, or writes the header; returns the length up to the last whole line. */
    private static <T> long read(Path file, FileChannel channel, String header, Class<T> type, List<T> entries)
            throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int whole = bytes.length;
        while (whole > 0 && bytes[whole - 1] != '\n') {
            whole--;
        }
        String text = new String(bytes, 0, whole, StandardCharsets.UTF_8);
        if (whole == 0) {
            if (!header.startsWith(new String(bytes, StandardCharsets.UTF_8))) {
                throw new BadInput("%s is not a journal of Revealed".formatted(file), REMEDY);
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(header.getBytes(StandardCharsets.UTF_8)), 0);
            return channel.size();
        }
        if (!text.startsWith(header)) {
            throw new BadInput(
                    text.startsWith("{\"journal\":")
                            ? "%s belongs to another model, panel, method or seed".formatted(file)
                            : "%s is not a journal of Revealed".formatted(file),
                    REMEDY);
        }
        List<String> lines = text.substring(header.length()).lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            entries.add(BadInput.placed("%s, line %d".formatted(file, i + 2), () -> Json.whole(line, type)));
        }
        return whole;
    }

    /** What earlier commands had finished when the journal was opened. */
    public List<T> entries() {
        return entries;
    }

    /** Adds an entry; it is in the file, whatever happens to this program, when the call returns. */
    public synchronized void append(T entry) {
        file.append((Json.line(entry) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        file.close();
    }

    private static BadInput busy(Path file) {
        return new BadInput(
                "%s is being written by another command".formatted(file), "Wait for it to end, or name another file.");
    }

    private static BadInput unusable(Path file, IOException e) {
        return new BadInput(
                "%s cannot be written (%s)".formatted(file, BadInput.reason(e)),
                "Name a file in a folder that exists and that you may write to.");
    }
}

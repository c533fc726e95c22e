package dev.revealed.runs;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Measurements of a run, in {@code metrics.jsonl}: one JSON object per line, in the file as soon as it is added. Holds
 * what it is given and nothing else, no times above all, so that two runs of one seed have the same bytes.
 */
public final class Metrics implements AutoCloseable {
    private final AppendedFile file;

    private Metrics(AppendedFile file) {
        this.file = file;
    }

    /** Begins an empty file. */
    public static Metrics create(RunFolder folder) {
        return resume(folder, 0);
    }

    /** Goes on after the lines that were there at a checkpoint, and forgets later ones. */
    public static Metrics resume(RunFolder folder, long length) {
        return new Metrics(AppendedFile.open(folder.file(RunFiles.METRICS), length));
    }

    /** Begins with the first {@code length} bytes of another run's file. */
    public static void copy(Path run, RunFolder to, long length) {
        AppendedFile.copy(run.resolve(RunFiles.METRICS), to, RunFiles.METRICS, length);
    }

    /** Adds a line: a record or a map with the names and values. */
    public void add(Object row) {
        file.append((Json.line(row) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Bytes so far, for a checkpoint. */
    public long length() {
        return file.length();
    }

    @Override
    public void close() {
        file.close();
    }
}

package dev.revealed.runs;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/** A CSV file of numbers that grows while a run goes on: names first, then a line each time. Unknown numbers are empty. */
public final class NumberTable implements AutoCloseable {
    private final AppendedFile file;

    private NumberTable(AppendedFile file) {
        this.file = file;
    }

    /** Goes on after the lines that were there at a checkpoint, and forgets later ones; 0 starts an empty file. */
    public static NumberTable resume(RunFolder folder, String name, long length) {
        return new NumberTable(AppendedFile.open(folder.file(name), length));
    }

    /** Adds a line; all lines have the same names. */
    public void add(long step, Map<String, Double> numbers) {
        if (file.length() == 0) {
            line("step", numbers.keySet().stream().collect(Collectors.joining(",")));
        }
        line(
                Long.toString(step),
                numbers.values().stream()
                        .map(number -> number.isNaN() ? "" : Float.toString(number.floatValue()))
                        .collect(Collectors.joining(",")));
    }

    private void line(String first, String rest) {
        file.append((first + "," + rest + "\n").getBytes(StandardCharsets.UTF_8));
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

package dev.revealed.runs;

import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code metrics.jsonl} of a run that may be growing: whole lines only, from where one has read before. */
public final class MetricsReader {
    private static final int MOST = 1 << 24; // bytes at a time
    private static final int TAIL = 1 << 14; // bytes in which the last line is looked for

    private MetricsReader() {}

    /**
     * Lines of the file.
     *
     * @param from the byte they begin at: 0 where the file is shorter than what was read before, as after a resume
     * @param to the byte behind them
     * @param rows numbers by name; what is no number is left out
     */
    public record Rows(long from, long to, List<Map<String, Double>> rows) {}

    /** The lines after that byte; nothing where there is no file. */
    public static Rows read(Path folder, long after) {
        try (FileChannel channel = open(folder)) {
            long size = channel.size();
            long from = size < after ? 0 : after;
            return rows(channel, from, (int) Math.min(MOST, size - from));
        } catch (NoSuchFileException e) {
            return new Rows(0, 0, List.of());
        } catch (IOException e) {
            throw unreadable(folder, e);
        }
    }

    /** How many bytes there are now, 0 where there is no file: what tells quickly whether there is more to read. */
    public static long size(Path folder) {
        try {
            return Files.readAttributes(
                            folder.resolve(RunFiles.METRICS), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .size();
        } catch (IOException e) {
            return 0;
        }
    }

    /** The last whole line; nothing where there is none. */
    public static Map<String, Double> last(Path folder) {
        try (FileChannel channel = open(folder)) {
            long size = channel.size();
            long from = Math.max(0, size - TAIL);
            List<Map<String, Double>> rows =
                    rows(channel, from, (int) (size - from)).rows();
            return rows.isEmpty() ? Map.of() : rows.getLast();
        } catch (NoSuchFileException e) {
            return Map.of();
        } catch (IOException e) {
            throw unreadable(folder, e);
        }
    }

    private static FileChannel open(Path folder) throws IOException {
        return FileChannel.open(folder.resolve(RunFiles.METRICS), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    }

    private static Rows rows(FileChannel channel, long from, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining() && channel.read(buffer, from + buffer.position()) > 0) {
            // until it is full, or the file has become shorter
        }
        int whole = buffer.position();
        while (whole > 0 && buffer.get(whole - 1) != '\n') {
            whole--;
        }
        List<Map<String, Double>> rows = new ArrayList<>();
        for (String line : new String(buffer.array(), 0, whole, StandardCharsets.UTF_8).split("\n", -1)) {
            if (line.startsWith("{")) { // else the rest of a line that began before
                rows.add(numbers(line));
            }
        }
        return new Rows(from, from + whole, rows);
    }

    private static Map<String, Double> numbers(String line) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        try {
            Map<?, ?> fields = Json.read(line, Map.class);
            fields.forEach((name, value) -> {
                if (value instanceof Number number) {
                    numbers.put(String.valueOf(name), number.doubleValue());
                }
            });
        } catch (BadInput e) {
            // a damaged line has no numbers; the command that resumes the run says so
        }
        return numbers;
    }

    private static BadInput unreadable(Path folder, IOException e) {
        return new BadInput(
                "%s cannot be read (%s)".formatted(folder.resolve(RunFiles.METRICS), BadInput.reason(e)),
                "Check its permissions.");
    }
}

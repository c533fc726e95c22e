package dev.revealed.data;

import dev.revealed.numeric.BadInput;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/** Writes a file under another name and renames it when it is whole: readers see all of it or nothing. */
public final class AtomicFile {
    private AtomicFile() {}

    /** Writes to a stream, or to a path, for libraries that want one. */
    @FunctionalInterface
    public interface Body<T> {
        void write(T to) throws IOException;
    }

    public static void write(Path file, Body<OutputStream> body) {
        writeTo(file, temporary -> {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(temporary), 1 << 16)) {
                body.write(out);
            }
        });
    }

    public static void writeTo(Path file, Body<Path> body) {
        Path target = file.toAbsolutePath();
        Path folder = target.getParent();
        Path name = target.getFileName();
        if (folder == null || name == null) {
            throw new BadInput(file + ": not the name of a file", "Name a file.");
        }
        try {
            Files.createDirectories(folder);
            // not Files.createTempFile, whose files only their owner may read
            Path temporary = folder.resolve(".%s.%d-%d.revealed-tmp"
                    .formatted(name, ProcessHandle.current().pid(), System.nanoTime()));
            temporary.toFile().deleteOnExit(); // where the user interrupts the command meanwhile
            try {
                body.write(temporary);
                Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(temporary);
            }
        } catch (IOException e) {
            throw unwritable(file, e);
        } catch (UncheckedIOException e) { // from the CSV writer
            throw unwritable(file, e.getCause() == null ? new IOException(e) : e.getCause());
        }
    }

    private static BadInput unwritable(Path file, IOException e) {
        String reason = String.valueOf(e.getMessage());
        String lower = reason.toLowerCase(Locale.ROOT);
        return new BadInput(
                "%s: cannot be written (%s)".formatted(file, BadInput.reason(e)),
                lower.contains("no space") || lower.contains("quota")
                        ? "The disk is full: free some space, or write elsewhere."
                        : "Choose a folder that exists or can be made, and that you may write to.");
    }
}

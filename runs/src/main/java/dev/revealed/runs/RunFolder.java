package dev.revealed.runs;

import dev.revealed.numeric.BadInput;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The folder of a run, into which a command writes its files. It is made with the first file, so that a command that
 * fails before leaves nothing; each file is written under another name and renamed when it is whole, so that it is
 * there completely or not at all, whenever the command is interrupted.
 */
public final class RunFolder {
    private static final String TEMPORARY = ".revealed-tmp";

    /** Locked by a command whose runs have folders of their own. */
    static final String LOCK = ".lock" + TEMPORARY;

    private static final String ELSEWHERE = "Choose another folder with `out`, one that you may write to.";

    private final Path folder;

    RunFolder(Path folder) {
        this.folder = folder;
    }

    /** Writes the content of a file. */
    @FunctionalInterface
    public interface Body {
        void write(OutputStream out) throws IOException;
    }

    /** Claims a folder that is empty or absent. Nothing is written yet; a folder that cannot be written is reported now. */
    public static RunFolder create(Path folder) {
        if (Files.isDirectory(folder)) {
            List<Path> content = content(folder);
            if (!content.isEmpty()) {
                throw new BadInput(
                        "the folder %s is not empty: it holds %s"
                                .formatted(folder, content.getFirst().getFileName()),
                        "Name an empty or a new folder with `out`, or empty this one: no run is ever overwritten.");
            }
        }
        Path existing = folder.toAbsolutePath().normalize();
        while (existing.getParent() != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        if (!Files.isDirectory(existing)) {
            throw new BadInput(
                    "%s cannot be a folder: there is a file named %s".formatted(folder, existing),
                    "Choose another name with `out`, or move that file away.");
        }
        if (!Files.isWritable(existing)) {
            throw new BadInput("%s cannot be written: no permission in %s".formatted(folder, existing), ELSEWHERE);
        }
        return new RunFolder(folder);
    }

    /** Goes on in the folder of a command that was interrupted. */
    public static RunFolder resume(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new BadInput(
                    "there is no folder %s to go on in".formatted(folder),
                    "Name the folder of the interrupted command with `out`.");
        }
        if (Files.exists(folder.resolve(RunFiles.RESULT))) {
            throw new BadInput(
                    "the command in %s is complete".formatted(folder),
                    "Nothing is left to do: its result is in " + RunFiles.RESULT + ".");
        }
        return new RunFolder(folder);
    }

    /** Goes on in a folder whose command came to an end without finishing everything. */
    public static RunFolder reopen(Path folder) {
        return new RunFolder(folder);
    }

    /** Keeps other commands away from a folder until it is closed. */
    public static final class Lock implements AutoCloseable {
        private final Path path;
        private final AppendedFile file;

        private Lock(Path path) {
            this.path = path;
            this.file = AppendedFile.open(path, 0);
        }

        @Override
        public void close() {
            try {
                Files.deleteIfExists(path);
            } catch (IOException e) {
                // It only takes up a name.
            }
            file.close();
        }
    }

    /** Locks the folder, for a command whose runs have folders of their own in it. */
    public Lock lock() {
        return new Lock(file(LOCK));
    }

    /** What is in the folder, without what a killed command may have left half-written or just begun. */
    private static List<Path> content(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> !file.toString().endsWith(TEMPORARY) && !justBegun(file))
                    .sorted()
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            throw new BadInput("the folder %s cannot be read (%s)".formatted(folder, BadInput.reason(e)), ELSEWHERE);
        }
    }

    /** Metrics are opened, and thereby the folder locked, before anything is written to it. */
    private static boolean justBegun(Path file) {
        return file.endsWith(RunFiles.METRICS) && file.toFile().length() == 0;
    }

    /**
     * Removes what was written, for a command that could not finish: the folder was empty when it was claimed. A folder
     * with checkpoints stays, since the command can go on from there.
     */
    public void abandon() {
        Path checkpoints = folder.resolve(RunFiles.CHECKPOINT);
        boolean resumable =
                Files.isDirectory(checkpoints) && !content(checkpoints).isEmpty();
        if (!resumable) {
            discard();
        }
    }

    /** The same with its checkpoints, which are copies of others that stay. */
    public void discard() {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            // What cannot be removed stays; the failure that brought us here is the one to report.
        }
    }

    /**
     * Removes what a killed command left half-written and what a failed one said of it; only for the one command that goes
     * on in the folder.
     */
    public void tidy() {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(f -> f.toString().endsWith(TEMPORARY)).toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(RunFiles.failure(folder));
        } catch (IOException | UncheckedIOException e) {
            // They only take up space.
        }
    }

    public Path path() {
        return folder;
    }

    /** The path of a file in the folder, for writers that work on paths; the folder exists afterwards. */
    public Path file(String name) {
        Path file = folder.resolve(name);
        try {
            Files.createDirectories(
                    file.resolveSibling("").normalize()); // names may have folders, as checkpoint/7.json
        } catch (IOException e) {
            throw unwritable(file, e);
        }
        return file;
    }

    public void write(String name, String content) {
        write(name, content.getBytes(StandardCharsets.UTF_8));
    }

    public void write(String name, byte[] content) {
        write(name, out -> out.write(content));
    }

    /** Removes a file, if it is there. */
    public void delete(String name) {
        Path file = folder.resolve(name);
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    /** Writes a file, or replaces it, completely or not at all. */
    public void write(String name, Body body) {
        Path file = file(name);
        Path temporary = file.resolveSibling(".%s.%d-%d%s"
                .formatted(file.getFileName(), ProcessHandle.current().pid(), System.nanoTime(), TEMPORARY));
        temporary.toFile().deleteOnExit(); // where the user interrupts the command meanwhile
        try {
            try {
                try (FileChannel channel =
                                FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                        OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel))) {
                    body.write(out);
                    out.flush();
                    channel.force(true); // else a power cut could leave the new name without the content
                }
                Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(temporary);
            }
        } catch (IOException | UncheckedIOException e) {
            throw unwritable(file, e);
        }
    }

    private static BadInput unwritable(Path file, Exception e) {
        String remedy = DiskFull.is(e)
                ? "The disk is full: free some space, then go on (with `resume` where the command has checkpoints), or choose"
                        + " another disk with `out`."
                : Files.isDirectory(file)
                        ? "A folder of that name is in the way; move it, or choose another folder with `out`."
                        : ELSEWHERE;
        BadInput failure = new BadInput("%s cannot be written (%s)".formatted(file, BadInput.reason(e)), remedy);
        failure.initCause(e);
        return failure;
    }
}

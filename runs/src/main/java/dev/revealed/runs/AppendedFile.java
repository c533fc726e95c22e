package dev.revealed.runs;

import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A file that only grows while a run goes on. A checkpoint remembers its length; a run that goes on from there cuts off
 * what came later, and writes it again. It is locked all the while, so that no two commands write to one folder.
 */
final class AppendedFile implements AutoCloseable {
    private static final int TRIES = 5; // to lock a file, and nanoseconds between them
    private static final long PAUSE = 10_000_000;
    private static final String MISSING = "Bring the file back from a copy, or start again in a new folder.";

    private final Path file;
    private final FileChannel channel;
    private long length;
    private boolean cut;

    private final Complaints complaints;

    private AppendedFile(Path file, FileChannel channel, long length, Complaints complaints) {
        this.file = file;
        this.channel = channel;
        this.length = length;
        this.complaints = complaints;
    }

    /** Errors for a file that another command writes to, and for one that cannot be written. */
    record Complaints(Function<Path, BadInput> busy, BiFunction<Path, IOException, BadInput> unwritable) {}

    /** Decides how much of a file to keep, once it is locked. */
    @FunctionalInterface
    interface Keep {
        long length(FileChannel channel) throws IOException;
    }

    /** Begins a file of a run, or opens one to cut it to a length it had before: as soon as something is appended. */
    static AppendedFile open(Path file, long length) {
        if (length > 0 && !Files.exists(file)) {
            throw new BadInput("there is no file %s, and the checkpoint knows it".formatted(file), MISSING);
        }
        return open(file, new Complaints(AppendedFile::busy, AppendedFile::unwritable), channel -> {
            if (channel.size() < length) {
                throw new BadInput(
                        "%s has %d bytes, and the checkpoint knows %d".formatted(file, channel.size(), length),
                        MISSING);
            }
            return length;
        });
    }

    static AppendedFile open(Path file, Complaints complaints, Keep keep) {
        FileChannel channel = null;
        try {
            channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            lock(file, channel, complaints);
            long length = keep.length(channel);
            return new AppendedFile(file, channel, length, complaints);
        } catch (OverlappingFileLockException e) {
            throw closing(channel, complaints.busy.apply(file));
        } catch (IOException e) {
            throw closing(channel, complaints.unwritable.apply(file, e));
        } catch (BadInput e) {
            throw closing(channel, e);
        }
    }

    private static void lock(Path file, FileChannel channel, Complaints complaints) {
        try {
            for (int tries = 0; channel.tryLock() == null; tries++) {
                if (tries == TRIES) {
                    throw complaints.busy.apply(file);
                }
                LockSupport.parkNanos(PAUSE); // somebody may only be asking whether the file is locked
            }
        } catch (IOException e) {
            // Some file systems of clusters have no locks: there the user must take care.
        }
    }

    /** Whether a command writes to the file now; not known, hence no, on file systems without locks. */
    static boolean isLocked(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
                FileLock shared = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return shared == null;
        } catch (OverlappingFileLockException e) {
            return true; // a command in this program
        } catch (IOException e) {
            return false;
        }
    }

    /** Writes the first bytes of another run's file into one of this name. */
    static void copy(Path from, RunFolder to, String name, long length) {
        to.write(name, out -> {
            try (InputStream in = Files.newInputStream(from)) {
                byte[] bytes = in.readNBytes(Math.toIntExact(length));
                if (bytes.length < length) {
                    throw new IOException("%s has %d bytes of %d".formatted(from, bytes.length, length));
                }
                out.write(bytes);
            }
        });
    }

    /** Appends all of it; a program that is killed afterwards does not lose it. */
    void append(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        try {
            cut();
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        } catch (IOException e) {
            throw complaints.unwritable.apply(file, e);
        }
        length += bytes.length;
    }

    /** Not earlier: a run that cannot go on must find everything as it was. */
    private void cut() throws IOException {
        if (!cut) {
            channel.truncate(length);
            channel.position(length);
            cut = true;
        }
    }

    /** The length in bytes, for a checkpoint: that much survives a power cut from now on. */
    long length() {
        try {
            cut();
            channel.force(false);
        } catch (IOException e) {
            throw complaints.unwritable.apply(file, e);
        }
        return length;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw complaints.unwritable.apply(file, e);
        }
    }

    private static BadInput closing(@Nullable FileChannel channel, BadInput why) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            why.addSuppressed(e);
        }
        return why;
    }

    private static BadInput busy(Path file) {
        return new BadInput(
                "the folder %s is in use by another command"
                        .formatted(file.resolveSibling("").normalize()),
                "Wait for it to end, or choose another folder with `out`.");
    }

    private static BadInput unwritable(Path file, IOException e) {
        return new BadInput(
                "%s cannot be written (%s)".formatted(file, BadInput.reason(e)),
                DiskFull.is(e)
                        ? "The disk is full: free some space, then go on with `resume`."
                        : "Choose another folder with `out`, one that you may write to.");
    }
}

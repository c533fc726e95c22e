package dev.revealed.runs;

import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file that only grows while a run goes on. A checkpoint remembers its length; a run that goes on from there cuts off
 * what came later, and writes it again. It is locked all the while, so that no two commands write to one folder.
 */
final class AppendedFile implements AutoCloseable {
    private final Path file;
    private final FileChannel channel;
    private long length;

    private AppendedFile(Path file, FileChannel channel, long length) {
        this.file = file;
        this.channel = channel;
        this.length = length;
    }

    /** Begins a file, or opens one and cuts it to a length it had before. */
    static AppendedFile open(Path file, long length) {
        FileChannel channel = null;
        try {
            channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            lock(file, channel);
            long found = channel.size();
            if (found < length) {
                throw new BadInput(
                        "%s has %d bytes, and the checkpoint knows %d".formatted(file, found, length),
                        "Bring the file back from a copy, or start again in a new folder.");
            }
            channel.truncate(length);
            channel.position(length);
            return new AppendedFile(file, channel, length);
        } catch (OverlappingFileLockException e) {
            throw closing(channel, busy(file));
        } catch (IOException e) {
            throw closing(channel, unwritable(file, e));
        } catch (BadInput e) {
            throw closing(channel, e);
        }
    }

    private static void lock(Path file, FileChannel channel) {
        try {
            if (channel.tryLock() == null) {
                throw busy(file);
            }
        } catch (IOException e) {
            // Some file systems of clusters have no locks: there the user must take care.
        }
    }

    /** Appends all of it; a program that is killed afterwards does not lose it. */
    void append(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        try {
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        } catch (IOException e) {
            throw unwritable(file, e);
        }
        length += bytes.length;
    }

    /** The length in bytes, for a checkpoint: that much survives a power cut from now on. */
    long length() {
        try {
            channel.force(false);
        } catch (IOException e) {
            throw unwritable(file, e);
        }
        return length;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw unwritable(file, e);
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
                "%s cannot be written (%s)".formatted(file, e.getClass() == IOException.class ? e.getMessage() : e),
                DiskFull.is(e)
                        ? "The disk is full: free some space, then go on with `resume`."
                        : "Choose another folder with `out`, one that you may write to.");
    }
}

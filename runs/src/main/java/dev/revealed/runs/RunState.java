package dev.revealed.runs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The progress of a run, read from its folder at any time.
 *
 * @param why what the run that failed said of it
 */
public record RunState(Kind kind, Optional<String> why) {
    public enum Kind {
        /** A command works on it now. */
        RUNNING,
        /** It has neither a result nor a command that works on it; where it has checkpoints it can go on. */
        INTERRUPTED,
        FINISHED,
        FAILED
    }

    private static final int LONGEST = 2000; // characters of a reason

    /** The state of a folder that has a spec. */
    public static RunState of(Path folder) {
        if (isFile(folder.resolve(RunFiles.RESULT))) {
            return new RunState(Kind.FINISHED, Optional.empty());
        }
        if (isLocked(folder)) {
            return new RunState(Kind.RUNNING, Optional.empty());
        }
        Optional<String> why = why(RunFiles.failure(folder));
        return new RunState(why.isPresent() ? Kind.FAILED : Kind.INTERRUPTED, why);
    }

    private static boolean isLocked(Path folder) {
        return AppendedFile.isLocked(folder.resolve(RunFiles.METRICS))
                || AppendedFile.isLocked(folder.resolve(RunFolder.LOCK));
    }

    private static Optional<String> why(Path failure) {
        try {
            if (!isFile(failure)) {
                return Optional.empty();
            }
            String text = Files.readString(failure).strip();
            return Optional.of(text.substring(0, Math.min(LONGEST, text.length())));
        } catch (IOException | UncheckedIOException e) {
            return Optional.of("why cannot be read");
        }
    }

    static boolean isFile(Path file) {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }
}

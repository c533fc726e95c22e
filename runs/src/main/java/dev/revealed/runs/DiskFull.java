package dev.revealed.runs;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Java has no exception of its own for a disk without room, or for a quota that is used up: only the system's words. */
final class DiskFull {
    private DiskFull() {}

    /** Whether that is what a failure, or the one behind it, comes from. */
    static boolean is(Throwable failure) {
        for (@Nullable Throwable e = failure; e != null; e = e.getCause()) {
            String words = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
            if (words.contains("no space") || words.contains("quota")) {
                return true;
            }
        }
        return false;
    }
}

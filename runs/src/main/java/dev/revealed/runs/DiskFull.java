package dev.revealed.runs;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Recognises a full disk or an exhausted quota by the system's message, since Java has no exception for it. */
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

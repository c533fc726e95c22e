package dev.revealed.app.view;

import dev.revealed.numeric.ProgressListener;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Locale;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/**
 * Shows how long work goes on: stage, done of total, rate, time spent and time left. The rate is that of the last minute,
 * or of the stage where that is younger. On a terminal one line is rewritten, at most ten times a second; elsewhere a line
 * is printed at most every five seconds. Closing shows where the work ended. Safe for use by many threads.
 */
public final class Progress implements ProgressListener, AutoCloseable {

    private static final long SECOND = 1_000_000_000L;
    private static final long WINDOW = 60 * SECOND;

    private final PrintStream out;
    private final Mode mode;
    private final LongSupplier nanos;
    private final int width;
    private final long opened;

    private long shownAt;
    private boolean shown = true;
    private boolean lineOpen;
    private boolean closed;

    private String stage = "";
    private final Deque<Mark> marks =
            new ArrayDeque<>(); // of the stage: the first is at least a window old, or its start
    private long done;
    private long total;
    private long limit;
    private String note = "";

    /** How far the stage had come at a time. */
    private record Mark(long at, long done) {}

    /** How progress is shown. */
    public enum Mode {
        REWRITE(SECOND / 10),
        LINES(5 * SECOND),
        SILENT(Long.MAX_VALUE);

        private final long pause;

        Mode(long pause) {
            this.pause = pause;
        }
    }

    /** Progress on a stream, timed by a clock of nanoseconds with any origin. */
    public Progress(PrintStream out, Mode mode, LongSupplier nanos) {
        this(out, mode, nanos, Integer.MAX_VALUE);
    }

    /** The same for a terminal of so many columns. */
    Progress(PrintStream out, Mode mode, LongSupplier nanos, int width) {
        this.out = out;
        this.mode = mode;
        this.nanos = nanos;
        this.width = width;
        this.opened = nanos.getAsLong();
        marks.add(new Mark(opened, 0));
        this.shownAt = mode == Mode.REWRITE ? opened - mode.pause : opened;
    }

    /** Progress on the process's stderr, as that allows. */
    public static Progress onStderr(boolean silent) {
        Terminal terminal = Terminal.stderr();
        Mode mode = silent ? Mode.SILENT : terminal.interactive() ? Mode.REWRITE : Mode.LINES;
        return new Progress(Console.utf8(System.err), mode, System::nanoTime, terminal.width());
    }

    @Override
    public synchronized void progress(String newStage, long newDone, long newTotal) {
        update(newStage, newDone, newTotal, 0);
    }

    @Override
    public synchronized void searching(String newStage, long newDone, long newLimit) {
        update(newStage, newDone, 0, newLimit);
    }

    private void update(String newStage, long newDone, long newTotal, long newLimit) {
        if (mode == Mode.SILENT || closed) {
            return;
        }
        long now = nanos.getAsLong();
        boolean again = newDone < done && newDone <= marks.getFirst().done;
        if (!newStage.equals(stage) || again) {
            stage = newStage;
            marks.clear();
            marks.add(new Mark(now, newDone));
        } else if (newDone > done && now - marks.getLast().at >= SECOND) {
            marks.add(new Mark(now, newDone));
            while (marks.size() > 2 && now - second().at >= WINDOW) {
                marks.removeFirst();
            }
        }
        done = newDone;
        total = newTotal;
        limit = newLimit;
        shown = false;
        if (now - shownAt >= mode.pause) {
            show(now);
        }
    }

    @Override
    public synchronized void note(String words) {
        note = words;
    }

    /** Prints text on lines of its own, in place of the line that is rewritten, which comes again below. */
    public synchronized void say(String text) {
        out.print((lineOpen ? "\r\033[K" : "") + (text.endsWith("\n") ? text : text + "\n"));
        out.flush();
        lineOpen = false;
    }

    /** What was to be done in the last stage is done, however seldom it reported. */
    public synchronized void finish() {
        if (done < total) {
            update(stage, total, total, limit);
        }
    }

    /** Shows the last state, unless it has been, and leaves the line. */
    @Override
    public synchronized void close() {
        closed = true;
        if (!shown || (lineOpen && done < total)) { // nothing is left now
            show(nanos.getAsLong());
        }
        if (lineOpen) {
            out.print('\n');
            out.flush();
        }
        lineOpen = false;
    }

    private Mark second() {
        Iterator<Mark> all = marks.iterator();
        all.next();
        return all.next();
    }

    private void show(long now) {
        String line = describe(now, Numbers::count, true);
        if (line.length() >= width) {
            line = describe(now, Numbers::thousands, true);
        }
        if (line.length() >= width) {
            line = describe(now, Numbers::thousands, false);
        }
        if (mode == Mode.REWRITE) { // what wraps cannot be rewritten
            out.print("\r" + fitting(line) + "\033[K");
        } else {
            out.print(line + "\n");
        }
        out.flush();
        shownAt = now;
        shown = true;
        lineOpen = mode == Mode.REWRITE;
    }

    /** Without the last facts of the note, which are the least important, where they do not fit. */
    private String fitting(String line) {
        String left = line;
        int fact = left.lastIndexOf(", ");
        while (left.length() >= width && fact >= line.length() - note.length()) {
            left = left.substring(0, fact);
            fact = left.lastIndexOf(", ");
        }
        return left.length() < width ? left : left.substring(0, width - 1);
    }

    /** @param paced whether with how many per second, which the time that is left says as well */
    private String describe(long now, LongFunction<String> count, boolean paced) {
        Mark since = marks.getFirst();
        double rate = now > since.at ? (done - since.done) * (double) SECOND / (now - since.at) : 0;
        StringBuilder line = new StringBuilder(stage).append("  ").append(count.apply(done));
        if (total > 0) {
            line.append('/').append(count.apply(total));
            line.append(String.format(Locale.ROOT, " (%d%%)", (long) (100.0 * done / total)));
        }
        if (limit > 0) {
            line.append(" of at most ").append(count.apply(limit));
        }
        if (rate > 0 && paced) {
            line.append("  ").append(Numbers.significant(rate, 3)).append("/s");
        }
        line.append("  ").append(clock((now - opened) / (double) SECOND));
        if (rate > 0 && done < total && !closed) {
            line.append("  ").append(clock((total - done) / rate)).append(" left");
        }
        return note.isEmpty() ? line.toString() : line.append("  ").append(note).toString();
    }

    /** 0:07, 12:34, 1:02:03, 3d 04:05:06. */
    static String clock(double seconds) {
        long s = Math.round(seconds);
        long days = s / 86_400;
        String minutes = String.format(Locale.ROOT, s < 3600 ? "%d:%02d" : "%02d:%02d", s / 60 % 60, s % 60);
        String hours = s < 3600 ? minutes : s / 3600 % 24 + ":" + minutes;
        return days == 0 ? hours : days + "d " + hours;
    }
}

package dev.revealed.train;

import dev.revealed.numeric.BadInput;

/** How much of the heap replays may take: two thirds, the share that the garbage collector gives to its old generation. */
public final class ReplayMemory {
    public static final double GIB = 1 << 30;

    private ReplayMemory() {}

    public static boolean fits(double bytes, long heap) {
        return bytes <= heap * 2.0 / 3;
    }

    /**
     * A complaint.
     *
     * @param what comes to so much
     * @param other a sentence on what else may be done, or nothing
     */
    public static BadInput tooMuch(String what, double bytes, long heap, String other) {
        return new BadInput(
                "%s to %s, and of the memory of %s two thirds are free for that"
                        .formatted(what, size(bytes), size((double) heap)),
                "%sKeep fewer transitions with `replay`, or allow more: REVEALED_JAVA_OPTS=-Xmx%dg."
                        .formatted(other, (long) Math.ceil(1.6 * bytes / GIB)));
    }

    public static String size(double bytes) {
        return bytes < 0.1 * GIB ? "%.1f MiB".formatted(1024 * bytes / GIB) : "%.1f GiB".formatted(bytes / GIB);
    }
}

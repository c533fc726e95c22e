package dev.revealed.cuda;

import dev.revealed.neural.TransitionLayout;

/** The newest transitions of a run, on the host as well: reading them from the device would wait for its updates. */
final class RecentRows {
    /** Enough for what imitation compares, 5,000 steps, and for the episodes that they begin in. */
    private static final int CAPACITY = 8192;

    private final int width;
    private final float[] rows;
    private long first = Long.MAX_VALUE; // number of the first one that was put; nothing is here before
    private long next = -1;

    RecentRows(TransitionLayout layout) {
        width = layout.width();
        rows = new float[CAPACITY * width];
    }

    /** Those of the run that come now have these numbers; if others are missing in between, all are forgotten. */
    void put(CudaSac sac, int run, long number, int count) {
        if (number != next) {
            first = number;
        }
        for (int i = 0; i < count; i++) {
            sac.copyPut(run, i, rows, place(number + i));
        }
        next = number + count;
    }

    /** Whether all from this number on are here. */
    boolean have(long from) {
        return from >= Math.max(first, next - CAPACITY);
    }

    void copy(long from, long to, float[] into) {
        for (long i = from; i < to; i++) {
            System.arraycopy(rows, place(i), into, (int) (i - from) * width, width);
        }
    }

    private int place(long number) {
        return (int) (number % CAPACITY) * width;
    }
}

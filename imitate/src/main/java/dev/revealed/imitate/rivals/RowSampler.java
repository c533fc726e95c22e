package dev.revealed.imitate.rivals;

import dev.revealed.imitate.Visits;
import dev.revealed.numeric.RandomStream;

/** Draws rows with replacement, by their weights. */
final class RowSampler {
    private final Visits visits;
    private final double[] sums;

    RowSampler(Visits visits) {
        this.visits = visits;
        sums = new double[visits.count()];
        double sum = 0;
        for (int row = 0; row < sums.length; row++) {
            sum += visits.weights()[row];
            sums[row] = sum;
        }
    }

    /** The first row whose sum is above what was drawn. */
    int draw(RandomStream stream) {
        double drawn = stream.nextDouble() * sums[sums.length - 1];
        int low = 0;
        int high = sums.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sums[middle] > drawn) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Writes {@code count} drawn rows, from row {@code to} of {@code into} on. */
    void draw(RandomStream stream, int count, float[] into, int to) {
        int width = visits.width();
        for (int i = 0; i < count; i++) {
            System.arraycopy(visits.inputs(), draw(stream) * width, into, (to + i) * width, width);
        }
    }
}

package dev.revealed.imitate;

import java.util.Arrays;

/**
 * Rewards of visits.
 *
 * @param rewards of each row
 */
public record VisitRewards(Visits visits, float[] rewards) {

    /** Weighted mean per step. */
    public double mean() {
        double sum = 0;
        for (int row = 0; row < rewards.length; row++) {
            sum += (double) visits.weights()[row] * rewards[row];
        }
        return sum;
    }

    /** The 1 % quantile over rows with positive weight. */
    public double low() {
        float[] sorted = sorted();
        return sorted[sorted.length / 100];
    }

    /** The 99 % quantile over them. */
    public double high() {
        float[] sorted = sorted();
        return sorted[sorted.length - 1 - sorted.length / 100];
    }

    private float[] sorted() {
        float[] sorted = new float[rewards.length];
        int count = 0;
        for (int row = 0; row < rewards.length; row++) {
            if (visits.weights()[row] > 0) {
                sorted[count++] = rewards[row];
            }
        }
        Arrays.sort(sorted, 0, count);
        return Arrays.copyOf(sorted, count);
    }
}

package dev.revealed.imitate;

import java.util.Arrays;

/**
 * What a reward pays for visits.
 *
 * @param rewards of each row
 */
public record Paid(Visits visits, float[] rewards) {

    /** Per step. */
    public double mean() {
        double sum = 0;
        for (int row = 0; row < rewards.length; row++) {
            sum += (double) visits.weights()[row] * rewards[row];
        }
        return sum;
    }

    /** Only one row of a hundred is paid less, of those that weigh anything. */
    public double low() {
        float[] sorted = new float[rewards.length];
        int count = 0;
        for (int row = 0; row < rewards.length; row++) {
            if (visits.weights()[row] > 0) {
                sorted[count++] = rewards[row];
            }
        }
        Arrays.sort(sorted, 0, count);
        return sorted[count / 100];
    }
}

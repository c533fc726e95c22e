package dev.revealed.imitate;

import java.util.Arrays;

/** Mean and standard deviation of each input of a reward, with the weights of {@link Visits}. */
public record Features(double[] means, double[] deviations) {
    private static final double LEAST = 1e-3; // of what does not vary, units are not known

    public static Features of(Visits visits) {
        int width = visits.width();
        double[] means = new double[width];
        double[] deviations = new double[width];
        for (int row = 0; row < visits.count(); row++) {
            double weight = visits.weights()[row];
            for (int i = 0; i < width; i++) {
                means[i] += weight * visits.inputs()[row * width + i];
            }
        }
        for (int row = 0; row < visits.count(); row++) {
            double weight = visits.weights()[row];
            for (int i = 0; i < width; i++) {
                double apart = visits.inputs()[row * width + i] - means[i];
                deviations[i] += weight * apart * apart;
            }
        }
        Arrays.setAll(deviations, i -> Math.sqrt(deviations[i]));
        return new Features(means, deviations);
    }

    /**
     * The Frechet distance of two sets of inputs, as if these were independent and normal, in deviations of this one and per
     * input: root mean square of how far means and deviations are apart.
     */
    public double distance(Features other) {
        double sum = 0;
        for (int i = 0; i < means.length; i++) {
            double unit = deviations[i] < LEAST ? 1 : deviations[i];
            double mean = (means[i] - other.means[i]) / unit;
            double spread = (deviations[i] - other.deviations[i]) / unit;
            sum += (mean * mean + spread * spread) / means.length;
        }
        return Math.sqrt(sum);
    }
}

package dev.revealed.neural.ensemble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.RandomStream;
import org.junit.jupiter.api.Test;

class GaussianTest {
    private static final int ROWS = 3;
    private static final int WIDE = 2;

    private static float[] normal(int count, double scale, RandomStream stream) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (float) (scale * stream.nextGaussian());
        }
        return values;
    }

    /** Central differences of the loss, with outputs beyond both soft bounds among them. */
    @Test
    void gradientIsThatOfFiniteDifferences() {
        int width = 2 * WIDE + 1;
        RandomStream stream = RandomStream.of(3);
        float[] outputs = normal(ROWS * width, 1, stream);
        outputs[WIDE] = 3; // above the upper bound of log variances
        outputs[width + WIDE] = -12; // below the lower one
        float[] targets = normal(ROWS * WIDE, 1, stream);
        boolean[] ended = {true, false, false};
        float[] gradient = new float[outputs.length];
        Gaussian.loss(ROWS, WIDE, outputs, targets, ended, gradient);
        float step = 1f / 512;
        for (int i = 0; i < outputs.length; i++) {
            float[] more = outputs.clone();
            float[] less = outputs.clone();
            more[i] += step;
            less[i] -= step;
            double slope = (Gaussian.loss(ROWS, WIDE, more, targets, ended, new float[0])
                            - Gaussian.loss(ROWS, WIDE, less, targets, ended, new float[0]))
                    / (more[i] - less[i]);
            assertThat((double) gradient[i]).as("output %d", i).isCloseTo(slope, within(1e-4 + 1e-3 * Math.abs(slope)));
        }
    }

    /** The density of a normal distribution, by its formula. */
    @Test
    void lossIsTheNegativeLogDensity() {
        float[] outputs = {0.3f, -1};
        double log = Gaussian.logVariance(-1);
        double density = -0.5 * Math.log(2 * Math.PI) - 0.5 * log - 0.5 * 0.7 * 0.7 / Math.exp(log);
        double loss = Gaussian.loss(1, 1, outputs, new float[] {1}, new boolean[0], new float[0]);
        assertThat(loss).isCloseTo(-density - 0.5 * Math.log(2 * Math.PI), within(1e-6));
    }

    @Test
    void logVariancesAreBounded() {
        assertThat(Gaussian.logVariance(50)).isLessThanOrEqualTo(Gaussian.MOST + 1e-3);
        assertThat(Gaussian.logVariance(-50)).isGreaterThanOrEqualTo(Gaussian.LEAST);
        assertThat(Gaussian.logVariance(-4)).isCloseTo(-4, within(0.02)); // nearly unchanged between them
    }
}

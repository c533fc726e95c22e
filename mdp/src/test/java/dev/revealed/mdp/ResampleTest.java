package dev.revealed.mdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResampleTest {
    private static final int DRAWS = 40_000;
    private static final RandomStream STREAM = RandomStream.of(3);

    /** Weighted means of a series over many samples. */
    private static double[] means(Resample resample, double[][] series) {
        double[] means = new double[DRAWS];
        int[] steps = Arrays.stream(series).mapToInt(x -> x.length).toArray();
        for (int k = 0; k < DRAWS; k++) {
            double[][] weights = ones(series);
            resample.draw(weights, steps, STREAM.at(k));
            double total = 0;
            for (int i = 0; i < series.length; i++) {
                means[k] += Vec.dot(weights[i], series[i]);
                total += series[i].length;
            }
            means[k] /= total;
        }
        return means;
    }

    private static double[][] ones(double[][] series) {
        return Arrays.stream(series)
                .map(x -> Arrays.stream(x).map(value -> 1).toArray())
                .toArray(double[][]::new);
    }

    private static double variance(double[] x) {
        return Math.pow(Vec.standardError(x), 2) * x.length;
    }

    /** The variance of a mean of n things drawn with replacement is theirs (by n, not n - 1) over n. */
    @Test
    void trajectoriesAreDrawnWithReplacement() {
        double[][] series = {{1}, {4}, {-2}, {7}, {0}};
        double[] means = means(new Resample.Trajectories(), series);
        double exact = (1 + 16 + 4 + 49 + 0) / 5.0 - 4; // mean 2
        assertThat(Vec.mean(means)).isCloseTo(2, within(4 * Math.sqrt(exact / 5 / DRAWS)));
        assertThat(variance(means)).isCloseTo(exact / 5, within(0.03 * exact / 5));
    }

    /** Rows of a trajectory, those after its end among them, come together. */
    @Test
    void aTrajectoryStaysWhole() {
        double[][] weights = {{1, 2, 3, 4}, {5, 5}};
        new Resample.Trajectories().draw(weights, new int[] {2, 2}, RandomStream.of(1));
        double first = weights[0][0];
        assertThat(first).isIn(0.0, 1.0, 2.0);
        assertThat(weights[0]).containsExactly(first, 2 * first, 3 * first, 4 * first);
        assertThat(weights[1]).containsExactly(5 * (2 - first), 5 * (2 - first));
    }

    /** Blocks are independent, and each begins at any of the T steps: the variance is that of the T block means over their number. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 6})
    void blocksKeepNeighboursTogether(int length) {
        double[] series = {0, 1, 3, 4, 4, 2, 1, -1, -3, -2, 0, 3};
        int n = series.length;
        int blocks = n / length;
        double mean = Vec.mean(series);
        double exact = 0;
        for (int start = 0; start < n; start++) {
            double block = 0;
            for (int k = 0; k < length; k++) {
                block += series[(start + k) % n] / length;
            }
            exact += (block - mean) * (block - mean) / n / blocks;
        }
        double[] means = means(new Resample.Blocks(length), new double[][] {series});
        assertThat(Vec.mean(means)).isCloseTo(mean, within(4 * Math.sqrt(exact / DRAWS)));
        assertThat(variance(means)).isCloseTo(exact, within(0.03 * exact));
    }

    @Test
    void aBlockOfTheWholeLengthChangesNothing() {
        double[][] weights = {{1, 2, 3, 4, 9}};
        new Resample.Blocks(4).draw(weights, new int[] {4}, STREAM);
        assertThat(weights[0]).containsExactly(1, 2, 3, 4, 9);
    }

    /** What steps weigh together is kept, and so is what comes after the end. */
    @Test
    void blocksKeepTheWeightOfATrajectory() {
        double[][] weights = {{8, 4, 2, 1, 0.5, 7}, {2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1}};
        new Resample.Blocks(2).draw(weights, new int[] {5, 12}, STREAM);
        assertThat(Vec.sum(weights[0])).isCloseTo(22.5, within(1e-12));
        assertThat(weights[0][5]).isEqualTo(7);
        assertThat(weights[1]).contains(0.0);
        assertThat(Vec.sum(weights[1])).isCloseTo(18, within(1e-12));
    }

    /** For an autoregression of the first order theory has (6 (rho / (1 - rho^2))^2 n)^(1/3). */
    @ParameterizedTest
    @ValueSource(doubles = {0.3, 0.6, 0.9})
    void blocksAreAsLongAsTheSeriesRemembers(double rho) {
        int n = 100_000;
        double[] series = new double[n];
        RandomStream noise = RandomStream.of(5);
        for (int t = 1; t < n; t++) {
            series[t] = rho * series[t - 1] + noise.nextGaussian();
        }
        double theory = Math.cbrt(6 * Math.pow(rho / (1 - rho * rho), 2) * n);
        assertThat((double) Resample.Blocks.lengthFor(series)).isCloseTo(theory, within(0.15 * theory));
        float[] beside = new float[2 * n];
        for (int t = 0; t < n; t++) {
            beside[2 * t] = 5;
            beside[2 * t + 1] = (float) series[t];
        }
        assertThat(Resample.Blocks.lengthFor(beside, 2)).isEqualTo(Resample.Blocks.lengthFor(series));
    }

    @Test
    void independentStepsNeedShortBlocks() {
        double[] noise = RandomStream.of(2).doubles(1000).toArray();
        assertThat(Resample.Blocks.lengthFor(noise)).isLessThanOrEqualTo(4);
        assertThat(Resample.Blocks.lengthFor(new double[100])).isEqualTo(1);
        assertThat(Resample.Blocks.lengthFor(new double[] {1})).isEqualTo(1);
        double[] trend = new double[1000];
        Arrays.setAll(trend, t -> t);
        assertThat(Resample.Blocks.lengthFor(trend)).isBetween(40, 95); // three roots of 1000 at most
    }

    @Test
    void severalTrajectoriesAreDrawnWholeAndOneInBlocks() {
        assertThat(Resample.of(2, 5)).isEqualTo(new Resample.Trajectories());
        assertThat(Resample.of(1, 5)).isEqualTo(new Resample.Blocks(5));
        assertThat(Resample.of(1, 5).describe()).isEqualTo("blocks of 5 steps");
        assertThatExceptionOfType(BadInput.class).isThrownBy(() -> new Resample.Blocks(0));
    }
}

package dev.revealed.mdp;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;

/**
 * Bootstrap samples of demonstrations: whole trajectories, or blocks of one, with replacement. A bootstrap sample is a
 * weighing of the steps that were seen: a step that was drawn twice weighs twice as much, and its state, its action and
 * where it led stay together. That is all a likelihood asks of its data.
 */
public sealed interface Resample {

    /**
     * Turns weights of the steps that were seen into those of a sample.
     *
     * @param weights of each trajectory's rows, which are changed
     * @param steps how many rows of each were seen; those after them stand for what came after its end, and go with the
     *     trajectory
     */
    void draw(double[][] weights, int[] steps, RandomStream stream);

    /** In words, as results say it. */
    String describe();

    /** Trajectories where there are several, else blocks of that length. */
    static Resample of(int trajectories, int block) {
        return trajectories > 1 ? new Trajectories() : new Blocks(block);
    }

    /** Whole trajectories, as many as there are, drawn with replacement: nothing is assumed of what happens within them. */
    record Trajectories() implements Resample {
        @Override
        public void draw(double[][] weights, int[] steps, RandomStream stream) {
            int n = weights.length;
            int[] drawn = new int[n];
            for (int i = 0; i < n; i++) {
                drawn[stream.nextInt(n)]++;
            }
            for (int i = 0; i < n; i++) {
                for (int t = 0; t < weights[i].length; t++) {
                    weights[i][t] *= drawn[i];
                }
            }
        }

        @Override
        public String describe() {
            return "trajectories";
        }
    }

    /**
     * Blocks of consecutive steps within each trajectory, whose end is thought to be followed by its beginning, so that every
     * step is drawn as often as any other (Politis and Romano 1992). It takes what happens in a trajectory to be alike
     * throughout, and far apart steps to be independent. A sample weighs as much as the trajectory did.
     *
     * @param length steps of a block, longer than the data remember
     */
    record Blocks(int length) implements Resample {
        public Blocks {
            if (length < 1) {
                throw new BadInput("blocks of %d steps".formatted(length), "Give at least 1.");
            }
        }

        @Override
        public void draw(double[][] weights, int[] steps, RandomStream stream) {
            for (int i = 0; i < weights.length; i++) {
                draw(weights[i], steps[i], stream);
            }
        }

        private void draw(double[] weights, int steps, RandomStream stream) {
            int[] drawn = new int[steps];
            int missing = steps;
            while (missing > 0) {
                int start = stream.nextInt(steps);
                int size = Math.min(length, missing);
                for (int k = 0; k < size; k++) {
                    drawn[(start + k) % steps]++;
                }
                missing -= size;
            }
            double before = 0;
            double after = 0;
            for (int t = 0; t < steps; t++) {
                before += weights[t];
                after += weights[t] * drawn[t];
            }
            for (int t = 0; t < steps; t++) {
                weights[t] *= drawn[t] * before / after;
            }
        }

        @Override
        public String describe() {
            return "blocks of %d %s".formatted(length, length == 1 ? "step" : "steps");
        }

        /**
         * The length that makes the variance of a mean as right as blocks can, by the autocorrelation of the series (Politis
         * and White 2004, as corrected by Patton, Politis and White 2009): 1 where steps are independent, and no more than
         * three times the root of their number.
         */
        public static int lengthFor(double[] series) {
            int n = series.length;
            double most = Math.ceil(Math.min(3 * Math.sqrt(n), n / 3.0));
            int quiet = Math.max(5, (int) Math.sqrt(Math.log10(n)));
            int lags = Math.min(n - 1, (int) Math.ceil(Math.sqrt(n)) + quiet);
            double[] covariance = covariances(series, lags);
            if (!(covariance[0] > 0)) {
                return 1;
            }
            int reach = Math.min(lags, 2 * lastSignificant(covariance, n, quiet));
            double slope = 0;
            double density = covariance[0];
            for (int k = 1; k <= reach; k++) {
                double window = Math.min(1, 2 * (1 - (double) k / reach));
                slope += 2 * window * k * covariance[k];
                density += 2 * window * covariance[k];
            }
            double length = Math.cbrt(1.5 * slope * slope / (density * density) * n);
            return (int) Math.clamp(Math.ceil(length), 1, Math.max(1, most));
        }

        /** The longest of the lengths that the columns of a trajectory ask for. */
        public static int lengthFor(float[] rows, int columns) {
            double[] column = new double[rows.length / columns];
            int length = 1;
            for (int j = 0; j < columns; j++) {
                int which = j;
                Arrays.setAll(column, t -> rows[t * columns + which]);
                length = Math.max(length, lengthFor(column));
            }
            return length;
        }

        private static double[] covariances(double[] series, int lags) {
            int n = series.length;
            double mean = Arrays.stream(series).average().orElse(0);
            double[] covariance = new double[lags + 1];
            for (int k = 0; k <= lags; k++) {
                for (int t = k; t < n; t++) {
                    covariance[k] += (series[t] - mean) * (series[t - k] - mean) / n;
                }
            }
            return covariance;
        }

        /** The lag after which so many correlations in a row cannot be told from none; the last where there is no such. */
        private static int lastSignificant(double[] covariance, int n, int quiet) {
            double bound = 2 * Math.sqrt(Math.log10(n) / n) * covariance[0];
            int run = 0;
            for (int k = 1; k < covariance.length; k++) {
                run = Math.abs(covariance[k]) < bound ? run + 1 : 0;
                if (run == quiet) {
                    return k - quiet;
                }
            }
            return covariance.length - 1;
        }
    }
}

package dev.revealed.imitate.judge;

import dev.revealed.neural.Batch;
import dev.revealed.numeric.Dense;
import java.util.Arrays;

/**
 * Extrapolates a reward that is known along trajectories only: a ridge regression of its values on state, action and squared
 * action, which represents control costs.
 *
 * @param explained the share of the rewards' variance that the regression explains, on the steps it was made from
 */
public record RegressionReward(double[] shift, double[] scale, double[] weights, double mean, double explained)
        implements Batch.Rewards {
    private static final double RIDGE = 1e-4;

    /** Of the rewards of these steps. */
    public static RegressionReward of(Batch steps) {
        int n = steps.size();
        double[] features = new double[features(steps)];
        int k = features.length;
        double[] shift = new double[k];
        double[] scale = new double[k];
        double mean = 0;
        double total = 0;
        for (int row = 0; row < n; row++) {
            features(steps, row, features);
            mean += steps.rewards()[row] / n;
            for (int j = 0; j < k; j++) {
                shift[j] += features[j] / n;
            }
        }
        for (int row = 0; row < n; row++) {
            features(steps, row, features);
            double apart = steps.rewards()[row] - mean;
            total += apart * apart;
            for (int j = 0; j < k; j++) {
                scale[j] += (features[j] - shift[j]) * (features[j] - shift[j]) / n;
            }
        }
        Arrays.setAll(scale, j -> scale[j] > 1e-12 ? 1 / Math.sqrt(scale[j]) : 0);
        double[][] gram = new double[k][k];
        double[] moments = new double[k];
        for (int row = 0; row < n; row++) {
            standard(steps, row, shift, scale, features);
            for (int i = 0; i < k; i++) {
                moments[i] += features[i] * (steps.rewards()[row] - mean) / n;
                for (int j = 0; j <= i; j++) {
                    gram[i][j] += features[i] * features[j] / n;
                }
            }
        }
        for (int i = 0; i < k; i++) {
            gram[i][i] += RIDGE;
            for (int j = 0; j < i; j++) {
                gram[j][i] = gram[i][j];
            }
        }
        double[] weights = Dense.solve(gram, moments).orElseGet(() -> new double[k]);
        RegressionReward fit = new RegressionReward(shift, scale, weights, mean, 0);
        double left = 0;
        for (int row = 0; row < n; row++) {
            double apart = steps.rewards()[row] - fit.at(steps, row, features);
            left += apart * apart;
        }
        return new RegressionReward(shift, scale, weights, mean, total == 0 ? 1 : 1 - left / total);
    }

    private static int features(Batch steps) {
        return (steps.states().length + 2 * steps.actions().length) / steps.size();
    }

    private static void features(Batch steps, int row, double[] into) {
        int states = steps.states().length / steps.size();
        int actions = steps.actions().length / steps.size();
        for (int i = 0; i < states; i++) {
            into[i] = steps.states()[row * states + i];
        }
        for (int j = 0; j < actions; j++) {
            double a = steps.actions()[row * actions + j];
            into[states + j] = a;
            into[states + actions + j] = a * a;
        }
    }

    private static void standard(Batch steps, int row, double[] shift, double[] scale, double[] into) {
        features(steps, row, into);
        for (int j = 0; j < into.length; j++) {
            into[j] = (into[j] - shift[j]) * scale[j];
        }
    }

    private double at(Batch steps, int row, double[] features) {
        standard(steps, row, shift, scale, features);
        double sum = mean;
        for (int j = 0; j < weights.length; j++) {
            sum += weights[j] * features[j];
        }
        return sum;
    }

    @Override
    public void relabel(Batch batch) {
        double[] features = new double[weights.length];
        for (int row = 0; row < batch.size(); row++) {
            batch.rewards()[row] = (float) at(batch, row, features);
        }
    }
}

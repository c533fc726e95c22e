package dev.revealed.neural.ensemble;

import dev.revealed.numeric.Elementary;

/**
 * What a member of an ensemble predicts of a standardised target: means, then raw log variances, which soft bounds keep
 * between {@link #LEAST} and {@link #MOST}; and last, where terminations are learnt, the logit of a termination.
 */
public final class Gaussian {
    /** Of a log variance, in units of a standardised target. */
    public static final double MOST = 0.5;

    public static final double LEAST = -10;

    private Gaussian() {}

    /** The log variance that a raw output stands for. */
    public static double logVariance(double raw) {
        return LEAST + softplus(MOST - softplus(MOST - raw) - LEAST);
    }

    private static double softplus(double x) {
        return Math.max(x, 0) + Elementary.log(1 + Elementary.exp(-Math.abs(x)));
    }

    private static double sigmoid(double x) {
        double e = Elementary.exp(-Math.abs(x));
        return x >= 0 ? 1 / (1 + e) : e / (1 + e);
    }

    /** The probability that a logit stands for. */
    public static double probability(double logit) {
        return sigmoid(logit);
    }

    /**
     * The mean over rows of the negative log likelihood, without its constant, and its gradient with respect to outputs.
     *
     * @param outputs rows of {@code 2 wide} numbers, or one more where terminations are learnt
     * @param targets rows of {@code wide} standardised numbers
     * @param ended empty where terminations are not learnt
     * @param gradient filled unless it is empty
     */
    static double loss(int rows, int wide, float[] outputs, float[] targets, boolean[] ended, float[] gradient) {
        boolean ends = ended.length > 0;
        int width = 2 * wide + (ends ? 1 : 0);
        boolean slopes = gradient.length > 0;
        double share = 1.0 / rows;
        double sum = 0;
        for (int row = 0; row < rows; row++) {
            for (int j = 0; j < wide; j++) {
                int at = row * width + j;
                double raw = outputs[at + wide];
                double upper = MOST - softplus(MOST - raw);
                double log = LEAST + softplus(upper - LEAST);
                double precision = Elementary.exp(-log);
                double error = outputs[at] - targets[row * wide + j];
                double squared = error * error * precision;
                sum += 0.5 * (squared + log);
                if (slopes) {
                    gradient[at] = (float) (share * error * precision);
                    gradient[at + wide] =
                            (float) (share * 0.5 * (1 - squared) * sigmoid(upper - LEAST) * sigmoid(MOST - raw));
                }
            }
            if (ends) {
                int at = row * width + 2 * wide;
                double logit = outputs[at];
                sum += softplus(ended[row] ? -logit : logit);
                if (slopes) {
                    gradient[at] = (float) (share * (sigmoid(logit) - (ended[row] ? 1 : 0)));
                }
            }
        }
        return sum * share;
    }
}

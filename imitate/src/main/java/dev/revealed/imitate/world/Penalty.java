package dev.revealed.imitate.world;

import dev.revealed.neural.ensemble.Gaussian;
import dev.revealed.numeric.Elementary;

/** How the uncertainty of an ensemble about a state and an action becomes one number, in units of standardised targets. */
public enum Penalty {
    /** The largest over members of the length of their standard deviations. */
    MAX_SIGMA,
    /** The mean over numbers of the state of the variance of the mixture of all members. */
    ENSEMBLE_VARIANCE,
    /** The mean over numbers of the state of the standard deviation of that mixture. */
    ENSEMBLE_STD;

    /**
     * Of a row.
     *
     * @param outputs of each member, whose row begins at {@code at}: means, then raw log variances
     */
    double of(float[][] outputs, int at, int wide) {
        int members = outputs.length;
        double result = 0;
        if (this == MAX_SIGMA) {
            for (float[] member : outputs) {
                double sum = 0;
                for (int j = 0; j < wide; j++) {
                    sum += Elementary.exp(Gaussian.logVariance(member[at + wide + j]));
                }
                result = Math.max(result, Math.sqrt(sum));
            }
            return result;
        }
        for (int j = 0; j < wide; j++) {
            double mean = 0;
            double square = 0;
            double variance = 0;
            for (float[] member : outputs) {
                double mu = member[at + j];
                mean += mu / members;
                square += mu * mu / members;
                variance += Elementary.exp(Gaussian.logVariance(member[at + wide + j])) / members;
            }
            double mixed = variance + Math.max(0, square - mean * mean);
            result += (this == ENSEMBLE_STD ? Math.sqrt(mixed) : mixed) / wide;
        }
        return result;
    }
}

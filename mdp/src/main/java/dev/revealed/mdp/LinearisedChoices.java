package dev.revealed.mdp;

import dev.revealed.numeric.Vec;

/**
 * The likelihood of observed choices if action values moved linearly with theta: a logit whose regressors are dQ/dtheta.
 * It has the gradient and the Fisher information of the likelihood itself, and follows the curve of the exponential where
 * they do not: far from the optimum its maximiser is a far better next point than a step of Fisher scoring. Only states
 * where a choice was observed enter.
 *
 * @param counts how often each action was chosen, by observed state and action
 * @param logPolicy log pi there
 * @param derivative d log pi / dtheta_j there, up to a constant by state
 */
record LinearisedChoices(
        int actions, double[] counts, double[] logPolicy, double[][] derivative, double[] theta, double ridge)
        implements Gradient.Local {

    @Override
    public double value(double[] step) {
        double[] logits = new double[actions];
        double value = 0;
        for (int first = 0; first < counts.length; first += actions) {
            double logSum = logits(first, step, logits);
            for (int a = 0; a < actions; a++) {
                value += counts[first + a] == 0 ? 0 : counts[first + a] * (logits[a] - logSum);
            }
        }
        double[] there = Vec.plus(theta, 1, step);
        return value - 0.5 * ridge * Vec.dot(there, there);
    }

    @Override
    public Gradient gradient(double[] step) {
        int p = step.length;
        double[] vector = new double[p];
        double[][] information = new double[p][p];
        double[] logits = new double[actions];
        double[][] centred = new double[p][actions];
        for (int first = 0; first < counts.length; first += actions) {
            double logSum = logits(first, step, logits);
            double total = 0;
            for (int a = 0; a < actions; a++) {
                logits[a] = Math.exp(logits[a] - logSum);
                total += counts[first + a];
            }
            for (int j = 0; j < p; j++) {
                double mean = 0;
                for (int a = 0; a < actions; a++) {
                    mean += logits[a] * derivative[j][first + a];
                }
                for (int a = 0; a < actions; a++) {
                    centred[j][a] = derivative[j][first + a] - mean;
                    vector[j] += counts[first + a] * centred[j][a];
                }
                for (int k = 0; k <= j; k++) {
                    double covariance = 0;
                    for (int a = 0; a < actions; a++) {
                        covariance += logits[a] * centred[j][a] * centred[k][a];
                    }
                    information[j][k] += total * covariance;
                }
            }
        }
        for (int j = 0; j < p; j++) {
            vector[j] -= ridge * (theta[j] + step[j]);
            information[j][j] += ridge;
            for (int k = 0; k < j; k++) {
                information[k][j] = information[j][k];
            }
        }
        return new Gradient(vector, information, this);
    }

    /** Boehning's (1992): half the covariance under equal probabilities, times the number of actions. */
    @Override
    public double[][] bound() {
        int p = theta.length;
        double[][] bound = new double[p][p];
        double[][] centred = new double[p][actions];
        for (int first = 0; first < counts.length; first += actions) {
            double total = 0;
            for (int a = 0; a < actions; a++) {
                total += counts[first + a];
            }
            for (int j = 0; j < p; j++) {
                double mean = 0;
                for (int a = 0; a < actions; a++) {
                    mean += derivative[j][first + a] / actions;
                }
                for (int a = 0; a < actions; a++) {
                    centred[j][a] = derivative[j][first + a] - mean;
                }
                for (int k = 0; k <= j; k++) {
                    bound[j][k] += 0.5 * total * Vec.dot(centred[j], centred[k]);
                    bound[k][j] = bound[j][k];
                }
            }
        }
        for (int j = 0; j < p; j++) {
            bound[j][j] += ridge;
        }
        return bound;
    }

    /** Writes log pi + step . d log pi of a state; returns the log of the sum of their exponentials. */
    private double logits(int first, double[] step, double[] logits) {
        double top = Double.NEGATIVE_INFINITY;
        for (int a = 0; a < actions; a++) {
            logits[a] = logPolicy[first + a];
            for (int j = 0; j < step.length; j++) {
                logits[a] += step[j] * derivative[j][first + a];
            }
            top = Math.max(top, logits[a]);
        }
        double sum = 0;
        for (int a = 0; a < actions; a++) {
            sum += Math.exp(logits[a] - top);
        }
        return top + Math.log(sum);
    }
}

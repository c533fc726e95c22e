package dev.revealed.mdp.shock;

import dev.revealed.numeric.BadInput;
import java.util.Arrays;

/**
 * Nested logit (McFadden 1978): shocks of the actions of a nest are correlated, with dissimilarity lambda in (0, 1], where
 * 1 is independence and so the logit:
 *
 * <pre>  V(q) = log sum over nests of (sum over a in the nest of exp(q_a / lambda))^lambda</pre>
 *
 * @param nest of each action
 * @param lambda the dissimilarity of each nest
 */
public record NestedLogit(int[] nest, double[] lambda) implements Shocks {

    public NestedLogit {
        for (double own : lambda) {
            BadInput.when(
                    !(own > 0 && own < Double.POSITIVE_INFINITY),
                    "the dissimilarity of a nest is " + own,
                    "It is positive, and at most 1 where choices maximise a utility.");
        }
    }

    /** log sum of exp(q / lambda) by nest; minus infinity where a nest has no action. */
    private double[] sums(double[] q) {
        double[] top = new double[lambda.length];
        double[] sum = new double[lambda.length];
        Arrays.fill(top, Double.NEGATIVE_INFINITY);
        for (int a = 0; a < q.length; a++) {
            top[nest[a]] = Math.max(top[nest[a]], q[a]);
        }
        for (int a = 0; a < q.length; a++) {
            sum[nest[a]] += q[a] == Double.NEGATIVE_INFINITY ? 0 : Math.exp((q[a] - top[nest[a]]) / lambda[nest[a]]);
        }
        for (int n = 0; n < sum.length; n++) {
            sum[n] = sum[n] == 0 ? Double.NEGATIVE_INFINITY : top[n] / lambda[n] + Math.log(sum[n]);
        }
        return sum;
    }

    @Override
    public double choose(double[] q, double[] logPolicy) {
        double[] sums = sums(q);
        double best = Double.NEGATIVE_INFINITY;
        for (int n = 0; n < sums.length; n++) {
            best = Math.max(best, lambda[n] * sums[n]);
        }
        double sum = 0;
        for (int n = 0; n < sums.length; n++) {
            sum += Math.exp(lambda[n] * sums[n] - best);
        }
        double value = best + Math.log(sum);
        for (int a = 0; a < q.length; a++) {
            int n = nest[a];
            logPolicy[a] = q[a] == Double.NEGATIVE_INFINITY
                    ? Double.NEGATIVE_INFINITY
                    : q[a] / lambda[n] - sums[n] + lambda[n] * sums[n] - value;
        }
        return value;
    }

    /** Sums of pi over each nest. */
    private double[] shares(double[] logPolicy) {
        double[] share = new double[lambda.length];
        for (int a = 0; a < logPolicy.length; a++) {
            share[nest[a]] += Math.exp(logPolicy[a]);
        }
        return share;
    }

    /** Means of x over each nest, by the choice probabilities within it. */
    private double[] means(double[] x, double[] logPolicy, double[] share) {
        double[] mean = new double[lambda.length];
        for (int a = 0; a < x.length; a++) {
            double pi = Math.exp(logPolicy[a]);
            mean[nest[a]] += pi == 0 ? 0 : pi / share[nest[a]] * x[a];
        }
        return mean;
    }

    @Override
    public void slope(double[] q, double[] logPolicy, double[] dq, double[] into) {
        double[] share = shares(logPolicy);
        double[] mean = means(dq, logPolicy, share);
        double all = 0;
        for (int n = 0; n < share.length; n++) {
            all += share[n] * mean[n];
        }
        for (int a = 0; a < into.length; a++) {
            int n = nest[a];
            into[a] = (dq[a] - mean[n]) / lambda[n] + mean[n] - all;
        }
    }

    @Override
    public void transposedSlope(double[] q, double[] logPolicy, double[] y, double[] into) {
        double[] share = shares(logPolicy);
        double[] sum = new double[lambda.length];
        double all = 0;
        for (int a = 0; a < y.length; a++) {
            sum[nest[a]] += y[a];
            all += y[a];
        }
        for (int b = 0; b < into.length; b++) {
            int n = nest[b];
            double pi = Math.exp(logPolicy[b]);
            into[b] = y[b] / lambda[n] + (pi == 0 ? 0 : (1 - 1 / lambda[n]) * pi / share[n] * sum[n] - pi * all);
        }
    }

    @Override
    public double parameterSlope(int k, double[] q, double[] logPolicy, double[] into) {
        double[] share = shares(logPolicy);
        double sum = sums(q)[k];
        if (sum == Double.NEGATIVE_INFINITY) {
            Arrays.fill(into, 0);
            return 0;
        }
        double mean = means(q, logPolicy, share)[k];
        double entropy = sum - mean / lambda[k]; // of the choices within the nest
        for (int a = 0; a < into.length; a++) {
            into[a] = -share[k] * entropy;
            if (nest[a] == k && q[a] > Double.NEGATIVE_INFINITY) {
                into[a] += entropy - (q[a] - mean) / (lambda[k] * lambda[k]);
            }
        }
        return share[k] * entropy;
    }
}

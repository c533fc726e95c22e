package dev.revealed.mdp.shock;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;

/**
 * Independent standard normal shocks (a probit) by simulation: the expected maximum is a mean over fixed draws, each a
 * little smoothed by Gumbel shocks, so that choice probabilities have derivatives. What is estimated is exactly the model
 * with these draws: values, probabilities and derivatives fit each other.
 *
 * @param draws {@code [draw][action]}
 * @param smoothing scale of the Gumbel shocks
 */
public record NormalShocks(double[][] draws, double smoothing) implements Shocks {
    /** Beyond, so few draws say little about which action is best. */
    private static final int MOST_ACTIONS = 6;

    /** The usual: pairs of opposite draws, the same ones every time. */
    public static NormalShocks standard(int actions, int count) {
        BadInput.when(
                actions > MOST_ACTIONS,
                "normal shocks are simulated, and %d actions are too many for that".formatted(actions),
                "They work up to %d actions; use nests, or the usual Gumbel shocks.".formatted(MOST_ACTIONS));
        RandomStream stream = RandomStream.of(1).named("normal shocks");
        double[][] draws = new double[count + count % 2][actions];
        for (int r = 0; r < draws.length; r += 2) {
            for (int a = 0; a < actions; a++) {
                draws[r][a] = stream.nextGaussian();
                draws[r + 1][a] = -draws[r][a];
            }
        }
        return new NormalShocks(draws, 0.1);
    }

    /** Choice probabilities in one draw; returns its expected maximum. */
    private double softMax(double[] q, double[] draw, double[] p) {
        double top = Double.NEGATIVE_INFINITY;
        for (int a = 0; a < q.length; a++) {
            p[a] = (q[a] + draw[a]) / smoothing;
            top = Math.max(top, p[a]);
        }
        double sum = 0;
        for (int a = 0; a < q.length; a++) {
            p[a] = Math.exp(p[a] - top);
            sum += p[a];
        }
        for (int a = 0; a < q.length; a++) {
            p[a] /= sum;
        }
        return smoothing * (top + Math.log(sum));
    }

    @Override
    public double choose(double[] q, double[] logPolicy) {
        double[] p = new double[q.length];
        double value = 0;
        Arrays.fill(logPolicy, 0);
        for (double[] draw : draws) {
            value += softMax(q, draw, p) / draws.length;
            for (int a = 0; a < p.length; a++) {
                logPolicy[a] += p[a] / draws.length;
            }
        }
        for (int a = 0; a < p.length; a++) {
            logPolicy[a] = Math.log(logPolicy[a]);
        }
        return value;
    }

    @Override
    public void slope(double[] q, double[] logPolicy, double[] dq, double[] into) {
        double[] p = new double[q.length];
        Arrays.fill(into, 0);
        for (double[] draw : draws) {
            softMax(q, draw, p);
            double mean = 0;
            for (int a = 0; a < p.length; a++) {
                mean += p[a] == 0 ? 0 : p[a] * dq[a];
            }
            for (int a = 0; a < p.length; a++) {
                into[a] += p[a] == 0 ? 0 : p[a] * (dq[a] - mean) / (smoothing * draws.length);
            }
        }
        for (int a = 0; a < p.length; a++) {
            into[a] = logPolicy[a] == Double.NEGATIVE_INFINITY ? 0 : into[a] / Math.exp(logPolicy[a]);
        }
    }

    @Override
    public void transposedSlope(double[] q, double[] logPolicy, double[] y, double[] into) {
        double[] p = new double[q.length];
        Arrays.fill(into, 0);
        for (double[] draw : draws) {
            softMax(q, draw, p);
            double sum = 0;
            for (int a = 0; a < p.length; a++) {
                sum += p[a] == 0 ? 0 : y[a] / Math.exp(logPolicy[a]) * p[a];
            }
            for (int b = 0; b < p.length; b++) {
                double own = p[b] == 0 ? 0 : y[b] / Math.exp(logPolicy[b]);
                into[b] += p[b] * (own - sum) / (smoothing * draws.length);
            }
        }
    }

    @Override
    public double parameterSlope(int k, double[] q, double[] logPolicy, double[] into) {
        throw new IndexOutOfBoundsException(k);
    }
}

package dev.revealed.mdp.shock;

import org.jspecify.annotations.Nullable;

/**
 * What shocks to utility make of the values q of the actions: the expected maximum V(q) = E max_a (q_a + e_a), which is
 * convex and moves one to one with a constant in q, and the choice probabilities, which are its gradient. Actions that are
 * not available have the value minus infinity.
 */
public interface Shocks {
    /** Writes log choice probabilities; returns the expected maximum. */
    double choose(double[] q, double[] logPolicy);

    /** d log pi along dq: how log choice probabilities move with the values of the actions. */
    void slope(double[] q, double[] logPolicy, double[] dq, double[] into);

    /** The transposed of {@link #slope}: into_b = sum over a of y_a d log pi_a / dq_b. */
    void transposedSlope(double[] q, double[] logPolicy, double[] y, double[] into);

    /** Writes d log pi with respect to a parameter of the shocks at given q; returns the derivative of the expected maximum. */
    double parameterSlope(int k, double[] q, double[] logPolicy, double[] into);

    /** Expected maxima and choice probabilities of the states [from, to), from action values by row. */
    default void chooseEach(
            int from,
            int to,
            int actions,
            double[] q,
            double @Nullable [] logWeight,
            double[] values,
            double @Nullable [] logPolicy,
            double @Nullable [] policy) {
        double[] own = new double[actions];
        double[] log = new double[actions];
        for (int s = from; s < to; s++) {
            for (int a = 0; a < actions; a++) {
                own[a] = q[s * actions + a] + (logWeight == null ? 0 : logWeight[s * actions + a]);
            }
            values[s] = choose(own, log);
            for (int a = 0; logPolicy != null && policy != null && a < actions; a++) {
                logPolicy[s * actions + a] = log[a];
                policy[s * actions + a] = Math.exp(log[a]);
            }
        }
    }
}

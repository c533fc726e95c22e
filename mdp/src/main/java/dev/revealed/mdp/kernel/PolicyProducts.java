package dev.revealed.mdp.kernel;

/** What a policy makes of expected values by row. */
public final class PolicyProducts {
    private PolicyProducts() {}

    /** y(s) = b(s) + factor sum over a of pi(a|s) expected(s,a), for the states [from, to). */
    public static void plus(
            int from, int to, int actions, double[] policy, double[] expected, double factor, double[] b, double[] y) {
        for (int s = from; s < to; s++) {
            double sum = 0;
            for (int row = s * actions; row < (s + 1) * actions; row++) {
                sum += policy[row] == 0 ? 0 : policy[row] * expected[row];
            }
            y[s] = b[s] + factor * sum;
        }
    }
}

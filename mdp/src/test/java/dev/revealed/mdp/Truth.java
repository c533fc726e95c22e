package dev.revealed.mdp;

import dev.revealed.mdp.model.RandomProcess;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;

/** The formulas of the design page written out densely and slowly: what the tests of this package compare with. */
final class Truth {
    private Truth() {}

    /** Values, action values and choice probabilities. */
    record Solution(double[] values, double[] q, double[] policy) {}

    static Mdp process(int states, int actions, double discount, long seed) {
        return RandomProcess.of(states, actions, 3, states, discount, RandomStream.of(seed));
    }

    static double[] reward(Mdp mdp, long seed) {
        return RandomStream.of(seed).named("reward").doubles(mdp.rows(), -1, 1).toArray();
    }

    static double expected(Mdp mdp, int row, double[] values) {
        Kernel kernel = mdp.kernel();
        double sum = 0;
        for (int k = kernel.rowStart()[row]; k < kernel.rowStart()[row + 1]; k++) {
            sum += kernel.probability()[k] * values[kernel.successor()[k]];
        }
        return sum;
    }

    static double[] actionValues(Mdp mdp, double[] reward, double[] values) {
        double[] q = new double[mdp.rows()];
        Arrays.setAll(q, row -> reward[row] + mdp.discount() * expected(mdp, row, values));
        return q;
    }

    static double softMax(double tau, InformationCost cost, double[] q, int begin, int end) {
        double top = Double.NEGATIVE_INFINITY;
        for (int row = begin; row < end; row++) {
            top = Math.max(top, q[row] + tau * cost.logWeight(row));
        }
        double sum = 0;
        for (int row = begin; row < end; row++) {
            sum += Math.exp((q[row] - top) / tau + cost.logWeight(row));
        }
        return top + tau * Math.log(sum);
    }

    /** Value iteration, taking out the value of state 0 in every sweep and putting the constant back at the end. */
    static Solution solve(Mdp mdp, InformationCost cost, double[] reward) {
        int actions = mdp.actions();
        double tau = cost.temperature();
        double[] relative = new double[mdp.states()];
        double change = Double.POSITIVE_INFINITY;
        double constant = 0;
        for (int k = 0; k < 1_000_000 && change > 1e-14 * (1 + Vec.span(relative)); k++) {
            double[] q = actionValues(mdp, reward, relative);
            double[] next = new double[relative.length];
            for (int s = 0; s < next.length; s++) {
                next[s] = softMax(tau, cost, q, s * actions, (s + 1) * actions);
            }
            change = Vec.span(Vec.plus(next, -1, relative));
            constant = (next[0] - relative[0]) / (1 - mdp.discount());
            double first = next[0];
            for (int s = 0; s < next.length; s++) {
                relative[s] = next[s] - first;
            }
        }
        double[] values = relative.clone();
        for (int s = 0; s < values.length; s++) {
            values[s] += constant;
        }
        double[] q = actionValues(mdp, reward, values);
        double[] relativeQ = actionValues(mdp, reward, relative);
        double[] policy = new double[q.length];
        for (int s = 0; s < values.length; s++) {
            double v = softMax(tau, cost, relativeQ, s * actions, (s + 1) * actions);
            for (int row = s * actions; row < (s + 1) * actions; row++) {
                policy[row] = Math.exp((relativeQ[row] - v) / tau + cost.logWeight(row));
            }
        }
        return new Solution(values, q, policy);
    }

    /** I - gamma P_pi. */
    static double[][] chain(Mdp mdp, double[] policy) {
        Kernel kernel = mdp.kernel();
        double[][] a = new double[mdp.states()][mdp.states()];
        for (int row = 0; row < mdp.rows(); row++) {
            int s = row / mdp.actions();
            for (int k = kernel.rowStart()[row]; k < kernel.rowStart()[row + 1]; k++) {
                a[s][kernel.successor()[k]] -= mdp.discount() * policy[row] * kernel.probability()[k];
            }
        }
        for (int s = 0; s < a.length; s++) {
            a[s][s] += 1;
        }
        return a;
    }

    /** (I - gamma P_pi)^-1 sum_a pi payoff. */
    static double[] evaluate(Mdp mdp, double[] policy, double[] payoff) {
        double[] right = new double[mdp.states()];
        for (int row = 0; row < mdp.rows(); row++) {
            right[row / mdp.actions()] += policy[row] * payoff[row];
        }
        return Dense.solve(chain(mdp, policy), right).orElseThrow();
    }

    /** (I - gamma P_pi')^-1 start. */
    static double[] occupancy(Mdp mdp, double[] policy, double[] start) {
        double[][] a = chain(mdp, policy);
        double[][] transposed = new double[a.length][a.length];
        for (int i = 0; i < a.length; i++) {
            for (int j = 0; j < a.length; j++) {
                transposed[i][j] = a[j][i];
            }
        }
        return Dense.solve(transposed, start).orElseThrow();
    }

    /** A policy with full support. */
    static SoftPolicy randomPolicy(SoftProcess process, long seed) {
        SoftPolicy policy = SoftPolicy.start(process);
        int actions = process.mdp().actions();
        RandomStream stream = RandomStream.of(seed).named("policy");
        for (int s = 0; s < process.mdp().states(); s++) {
            double sum = 0;
            for (int row = s * actions; row < (s + 1) * actions; row++) {
                policy.policy()[row] = 0.05 + stream.nextDouble();
                sum += policy.policy()[row];
            }
            for (int row = s * actions; row < (s + 1) * actions; row++) {
                policy.policy()[row] /= sum;
                policy.logPolicy()[row] = Math.log(policy.policy()[row]);
            }
        }
        return policy;
    }
}

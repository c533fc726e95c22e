package dev.revealed.mdp;

import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;

/**
 * Policy step and score of the preconditioned single loop, in one because they share their work: the soft values of a
 * policy and their derivatives with respect to theta solve systems with the same matrix. One policy step is
 *
 * <pre>  V &lt;- V + dV (theta - last theta),   pi ~ exp Q_V          values follow the reward, to first order
 *   V, dV_1, ..., dV_p &lt;- (I - gamma P_pi)^-1 ...,   pi ~ exp Q_V     one Newton step on V</pre>
 *
 * and all of it is only as accurate as the next reward step deserves: what is left of the likelihood to gain is known from
 * the last one, in units that do not depend on how parameters are scaled.
 */
public final class Tangent
        implements SingleLoop.Lower<double[], SoftPolicy>, SingleLoop.Score<double[], SoftPolicy, Gradient> {
    /** How much of the residual of the values one Newton step leaves: what it gains by more is lost to curvature. */
    private static final double FORCING = 0.01;

    /** Sweeps of the occupancy per step; it only weighs the information of the surrogate. */
    private static final int OCCUPANCY_SWEEPS = 40;

    private final SoftProcess process;
    private final Reward reward;
    private final Likelihood likelihood;
    private final double ridge;
    private final double accuracy;
    private final double[] rows;
    private final double[] buffer;
    private final double[] next;
    private final double[][] derivatives;
    private final double[][] right; // by column: sum_a pi payoff of the values, then of each derivative
    private final int[] observed; // states where choices count one by one
    private final double[][] observedDerivatives; // dr/dtheta_j of their rows
    private double[] last = new double[0];
    private double decrement = Double.POSITIVE_INFINITY;

    /** @param accuracy relative error of derivatives far from the optimum; they get better on the way to it */
    public Tangent(SoftProcess process, Reward reward, Likelihood likelihood, double ridge, double accuracy) {
        this.process = process;
        this.reward = reward;
        this.likelihood = likelihood;
        this.ridge = ridge;
        this.accuracy = accuracy;
        int states = process.mdp().states();
        rows = new double[process.mdp().rows()];
        buffer = new double[rows.length];
        next = new double[states];
        derivatives = new double[reward.parameters()][states];
        right = new double[1 + reward.parameters()][states];
        observed = likelihood instanceof Likelihood.Panel panel ? panel.observed() : new int[0];
        observedDerivatives =
                new double[reward.parameters()][observed.length * process.mdp().actions()];
    }

    @Override
    public SoftPolicy improve(SoftPolicy policy, double[] theta) {
        reward.finiteValues(theta, rows);
        for (int j = 0; j < last.length; j++) {
            Vec.axpy(theta[j] - last[j], derivatives[j], policy.values());
        }
        last = theta.clone();
        double residual = process.improve(rows, policy.values(), next, policy).span();
        solve(theta, policy, residual);
        process.improve(rows, policy.values(), next, policy);
        return policy;
    }

    /** Values and derivatives under the policy as it stands. */
    private void solve(double[] theta, SoftPolicy policy, double residual) {
        double[][] columns = new double[right.length][];
        double[] tolerance = new double[right.length];
        columns[0] = policy.values();
        process.payoff(rows, policy, buffer);
        average(policy.policy(), right[0]);
        tolerance[0] = FORCING * residual + rounding(policy.values());
        double wanted = accuracy
                * Math.min(1, decrement)
                * likelihood.leverage(process.mdp().discount());
        for (int j = 0; j < derivatives.length; j++) {
            columns[j + 1] = derivatives[j];
            reward.derivative(theta, j, buffer);
            average(policy.policy(), right[j + 1]);
            gather(buffer, observedDerivatives[j]);
            tolerance[j + 1] = Math.max(wanted * Vec.span(right[j + 1]), rounding(derivatives[j]));
        }
        process.solver().under(policy.policy()).values(right, columns, tolerance);
    }

    private static double rounding(double[] values) {
        return 8 * Math.ulp(Vec.maxAbs(values));
    }

    /** next(s) = sum_a pi(a|s) buffer(s,a). */
    private void average(double[] policy, double[] mean) {
        int actions = process.mdp().actions();
        Parallel.range(mean.length, (from, to) -> {
            for (int s = from; s < to; s++) {
                double sum = 0;
                for (int row = s * actions; row < (s + 1) * actions; row++) {
                    sum += policy[row] == 0 ? 0 : policy[row] * buffer[row];
                }
                mean[s] = sum;
            }
        });
    }

    /** The rows of observed states. */
    private void gather(double[] all, double[] some) {
        int actions = process.mdp().actions();
        for (int i = 0; i < observed.length; i++) {
            System.arraycopy(all, observed[i] * actions, some, i * actions, actions);
        }
    }

    /** At the parameters and under the policy of the last step. */
    @Override
    public Gradient at(double[] theta, SoftPolicy policy, RandomStream stream) {
        Gradient gradient = switch (likelihood) {
            case Likelihood.Panel panel -> choices(panel, theta, policy);
            case Likelihood.Surrogate surrogate -> surrogate(surrogate, theta, policy);
        };
        decrement = gradient.decrement();
        return gradient;
    }

    private Gradient choices(Likelihood.Panel panel, double[] theta, SoftPolicy policy) {
        int actions = process.mdp().actions();
        double[] logPolicy = new double[observed.length * actions];
        gather(policy.logPolicy(), logPolicy);
        double[][] derivative = new double[theta.length][logPolicy.length];
        for (int j = 0; j < theta.length; j++) {
            double[] ahead = process.expected(observed, derivatives[j]);
            for (int i = 0; i < logPolicy.length; i++) {
                derivative[j][i] =
                        (observedDerivatives[j][i] + ahead[i]) / process.cost().temperature(observed[i / actions]);
            }
        }
        return new LinearisedChoices(actions, panel.observedCounts(), logPolicy, derivative, theta, ridge)
                .gradient(new double[theta.length]);
    }

    private Gradient surrogate(Likelihood.Surrogate surrogate, double[] theta, SoftPolicy policy) {
        double[] base = new double[rows.length];
        double[] start = new double[next.length];
        surrogate.adjoint(policy.logPolicy(), base, start);
        if (process.mdp().undiscounted() || process.mdp().layered()) {
            process.solver().under(policy.policy()).occupancy(start, policy.occupancy());
        } else {
            process.occupancy(start, policy, next, accuracy * Vec.maxAbs(start), OCCUPANCY_SWEEPS);
        }
        double[] weights = surrogate.informationWeights(policy.occupancy());
        for (int s = 0; s < weights.length; s++) {
            weights[s] = Math.max(0, weights[s]); // a step needs a positive matrix, if not quite the Hessian
        }
        double[] gradient = new double[theta.length];
        double[][] ofActionValues = new double[theta.length][rows.length];
        for (int j = 0; j < theta.length; j++) {
            reward.derivative(theta, j, buffer);
            process.actionValues(buffer, derivatives[j], ofActionValues[j]);
            gradient[j] = Likelihood.weightedSum(base, buffer) - Vec.dot(start, derivatives[j]) - ridge * theta[j];
        }
        double[][] information = ValueDerivatives.information(process, policy.policy(), weights, ofActionValues);
        for (int j = 0; j < theta.length; j++) {
            information[j][j] += ridge;
        }
        return new Gradient(gradient, information);
    }
}

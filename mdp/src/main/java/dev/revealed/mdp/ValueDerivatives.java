package dev.revealed.mdp;

/**
 * Derivatives of soft values and action values with respect to reward parameters under a fixed policy,
 *
 * <pre>  dQ_j = dr/dtheta_j + gamma P dV_j,      dV_j = sum_a pi dQ_j</pre>
 *
 * kept between calls as first guesses of the next.
 */
public final class ValueDerivatives {
    private final SoftProcess process;
    private final Reward reward;
    private final double[][] ofValues;
    private final double[][] ofActionValues;
    private final double[] rewardDerivative;

    public ValueDerivatives(SoftProcess process, Reward reward) {
        this.process = process;
        this.reward = reward;
        int p = reward.parameters();
        ofValues = new double[p][process.mdp().states()];
        ofActionValues = new double[p][process.mdp().rows()];
        rewardDerivative = new double[process.mdp().rows()];
    }

    /** All columns exactly, by linear solves. */
    public void solve(double[] theta, double[] policy, SoftSolver solver) {
        SoftSolver.Under under = solver.under(policy);
        for (int j = 0; j < ofValues.length; j++) {
            reward.derivative(theta, j, rewardDerivative);
            under.values(rewardDerivative, ofValues[j]);
            process.actionValues(rewardDerivative, ofValues[j], ofActionValues[j]);
        }
    }

    /** dV_j; do not modify. */
    public double[] ofValues(int j) {
        return ofValues[j];
    }

    /** dQ_j; do not modify. */
    public double[] ofActionValues(int j) {
        return ofActionValues[j];
    }

    /** Sum over states of weight times the covariance, over choices, of dQ / tau. */
    public double[][] information(double[] policy, double[] stateWeight) {
        return information(process, policy, stateWeight, ofActionValues);
    }

    static double[][] information(
            SoftProcess process, double[] policy, double[] stateWeight, double[][] ofActionValues) {
        int p = ofActionValues.length;
        int actions = process.mdp().actions();
        double[][] information = new double[p][p];
        double[][] centred = new double[p][actions];
        for (int s = 0; s < stateWeight.length; s++) {
            if (stateWeight[s] == 0) {
                continue;
            }
            for (int j = 0; j < p; j++) {
                double mean = 0;
                for (int a = 0; a < actions; a++) {
                    mean += policy[s * actions + a] * ofActionValues[j][s * actions + a];
                }
                for (int a = 0; a < actions; a++) {
                    centred[j][a] = ofActionValues[j][s * actions + a] - mean;
                }
            }
            double tau = process.cost().temperature(s);
            double scale = stateWeight[s] / (tau * tau);
            for (int a = 0; a < actions; a++) {
                double w = scale * policy[s * actions + a];
                for (int j = 0; j < p; j++) {
                    double wj = w * centred[j][a];
                    for (int k = 0; k <= j; k++) {
                        information[j][k] += wj * centred[k][a];
                    }
                }
            }
        }
        for (int j = 0; j < p; j++) {
            for (int k = 0; k < j; k++) {
                information[k][j] = information[j][k];
            }
        }
        return information;
    }
}

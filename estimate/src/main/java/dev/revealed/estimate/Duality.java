package dev.revealed.estimate;

import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.SoftSolver;
import dev.revealed.numeric.Lbfgs;
import dev.revealed.numeric.Objective;
import dev.revealed.numeric.Vec;
import java.util.Arrays;

/**
 * Theorem 2 held to account: the maximum-entropy primal and the likelihood dual for the same features, each solved by
 * itself, and what lies between them.
 *
 * @param primal the largest discounted entropy, from {@link MaximumEntropy}
 * @param dual the smallest -L^(theta), from L-BFGS over soft-optimal policies
 * @param gap dual - primal; not negative but for rounding
 * @param policyDistance largest difference of the two policies' choice probabilities
 * @param theta a maximiser of the likelihood; one of many where features are dependent
 * @param gradientNorm how far the dual is from its optimum
 * @param dependentConstraints features whose expectation the others and the flow fix: directions the likelihood ignores
 */
public record Duality(
        double primal,
        double dual,
        double gap,
        double policyDistance,
        double[] theta,
        double gradientNorm,
        int newtonSteps,
        int dualIterations,
        int dependentConstraints) {

    private static final double VALUE_TOLERANCE = 1e-13;
    private static final double GRADIENT_TOLERANCE = 1e-9;

    /** For targets that are the exact discounted features of some policy, or of demonstrations that never end. */
    public static Duality of(Mdp mdp, LinearReward features, double[] target) {
        MaximumEntropy.Solution primal = MaximumEntropy.solve(mdp, features, target);
        SurrogateOfFeatures likelihood = new SurrogateOfFeatures(mdp, features, target);
        Lbfgs.Result dual = new Lbfgs(20, 2000, GRADIENT_TOLERANCE)
                .maximise(likelihood, new double[target.length], (iteration, x, value, gradient) -> {});
        double value = -likelihood.at(dual.x(), new double[target.length]); // leaves the policy at the maximiser
        double distance = 0;
        for (int row = 0; row < mdp.rows(); row++) {
            if (primal.occupancy()[row] > 0) {
                distance = Math.max(
                        distance,
                        Math.abs(primal.policy()[row] - likelihood.policy.policy()[row]));
            }
        }
        return new Duality(
                primal.value(),
                value,
                value - primal.value(),
                distance,
                dual.x(),
                Vec.norm(dual.gradient()),
                primal.newtonSteps(),
                dual.iterations(),
                primal.dependentConstraints());
    }

    /** L^(theta) = target' theta - E V_theta(s_0): the surrogate of demonstrations known by their features alone. */
    private record SurrogateOfFeatures(
            Mdp mdp, LinearReward features, double[] target, SoftSolver solver, SoftPolicy policy)
            implements Objective {

        SurrogateOfFeatures(Mdp mdp, LinearReward features, double[] target) {
            SoftProcess process = new SoftProcess(mdp, InformationCost.STANDARD);
            this(mdp, features, target, new SoftSolver(process), SoftPolicy.start(process));
        }

        @Override
        public double at(double[] theta, double[] gradient) {
            double[] rows = new double[mdp.rows()];
            features.values(theta, rows);
            solver.solve(rows, policy, VALUE_TOLERANCE);
            solver.under(policy.policy()).occupancy(mdp.start(), policy.occupancy());
            double[] visits = new double[rows.length];
            Arrays.setAll(visits, row -> -policy.policy()[row] * policy.occupancy()[row / mdp.actions()]);
            System.arraycopy(target, 0, gradient, 0, target.length);
            features.accumulate(theta, visits, gradient);
            return Vec.dot(target, theta) - Vec.dot(mdp.start(), policy.values());
        }
    }
}

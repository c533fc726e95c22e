package dev.revealed.mdp;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Vec;
import java.util.Arrays;

/** How much work the policy step of the single loop does before the policy improves. */
public sealed interface Evaluation {

    /** The paper's: the soft Q-function of the current policy, exactly. */
    record Exact() implements Evaluation {}

    /** A bounded number of evaluation sweeps from the values carried along. */
    record Sweeps(int count) implements Evaluation {
        public Sweeps {
            BadInput.count("the number of sweeps", count);
        }
    }

    /** A bounded number of soft Bellman backups; one is the cheapest step that still tracks. */
    record Backups(int count) implements Evaluation {
        public Backups {
            BadInput.count("the number of backups", count);
        }
    }

    /**
     * Backups until they change the values, up to a constant, by at most a fraction of how far the reward just moved: the
     * policy keeps up with the reward, and early iterations stay cheap. Where {@code most} backups are not enough, one
     * exact evaluation follows, which is a Newton step.
     */
    record Adapted(double fraction, int most) implements Evaluation {
        public Adapted {
            BadInput.positive("the fraction", fraction);
            BadInput.count("the number of sweeps", most);
        }
    }

    /**
     * One Newton step from values that follow the reward, shared with the agent's derivatives (see {@link Tangent}).
     *
     * @param accuracy relative error of derivatives far from the optimum
     */
    record Tracked(double accuracy) implements Evaluation {
        public Tracked {
            BadInput.positive("the accuracy", accuracy);
        }
    }

    /** The nested loop of the rivals: backups to a tolerance for every reward, from the last values or from zero. */
    record Solved(double tolerance, boolean warm) implements Evaluation {
        public Solved {
            BadInput.positive("the tolerance", tolerance);
        }
    }

    /** The policy step of Algorithm 1 on a finite process. */
    static SingleLoop.Lower<double[], SoftPolicy> lower(SoftProcess process, Reward reward, Evaluation evaluation) {
        int rows = process.mdp().rows();
        int states = process.mdp().states();
        return new FiniteLower(process, reward, evaluation, new double[rows], new double[rows], new double[states]);
    }

    /**
     * Keeps its buffers between steps.
     *
     * @param rows the current reward
     * @param last the one before
     * @param next values
     */
    record FiniteLower(
            SoftProcess process, Reward reward, Evaluation evaluation, double[] rows, double[] last, double[] next)
            implements SingleLoop.Lower<double[], SoftPolicy> {
        private static final int NESTED_LIMIT = 1_000_000;
        private static final int PATIENCE = 1024; // backups in which the change must have become less
        private static final double ROUNDING = 0x1p-42; // share of the values: 1024 units in the last place

        @Override
        public SoftPolicy improve(SoftPolicy policy, double[] theta) {
            reward.finiteValues(theta, rows);
            switch (evaluation) {
                case Exact() -> exact(policy);
                case Sweeps(int count) -> {
                    for (int i = 0; i < count; i++) {
                        centre(process.evaluate(rows, policy, policy.values(), next), policy);
                    }
                    process.improve(rows, policy.values(), next, policy);
                }
                case Backups(int count) -> backups(policy, 0, count);
                case Adapted(double fraction, int most) -> {
                    if (!backups(policy, fraction * moved(), most)) {
                        exact(policy);
                    }
                }
                case Tracked tracked ->
                    throw new IllegalArgumentException("values are tracked together with their derivatives");
                case Solved(double tolerance, boolean warm) -> {
                    if (!warm) {
                        Arrays.fill(policy.values(), 0);
                    }
                    backups(policy, tolerance, NESTED_LIMIT);
                }
            }
            return policy;
        }

        private void exact(SoftPolicy policy) {
            process.solver().evaluate(rows, policy);
            process.improve(rows, policy.values(), next, policy);
        }

        /** Backups until one changes the values by at most {@code tolerance} in span; the last one yields the policy. */
        private boolean backups(SoftPolicy policy, double tolerance, int most) {
            double earlier = Double.POSITIVE_INFINITY;
            for (int i = 1; i <= most; i++) {
                SoftProcess.Change change = process.improve(rows, policy.values(), next, policy);
                centre(change, policy);
                double span = change.span();
                if (Double.isFinite(span) && span <= Math.max(tolerance, 8 * Math.ulp(1 + Math.abs(change.max())))) {
                    return true;
                }
                if (i % PATIENCE == 0) {
                    if (isRounding(span, earlier, policy.values())) {
                        return true;
                    }
                    earlier = span;
                }
            }
            return false;
        }

        /** Whether a change that has not become less is within the rounding of the values. */
        static boolean isRounding(double span, double earlier, double[] values) {
            return Double.isFinite(span) && span >= earlier && span <= ROUNDING * Vec.maxAbs(values);
        }

        private void centre(SoftProcess.Change change, SoftPolicy policy) {
            // with a horizon there is no constant to guess: values count from the last period
            double shift =
                    process.mdp().layered() ? 0 : change.centre(process.mdp().discount());
            for (int s = 0; s < next.length; s++) {
                policy.values()[s] = next[s] + shift;
            }
        }

        private double moved() {
            double largest = 0;
            for (int row = 0; row < rows.length; row++) {
                largest = Math.max(largest, Math.abs(rows[row] - last[row]));
                last[row] = rows[row];
            }
            return largest;
        }
    }
}

package dev.revealed.mdp;

import dev.revealed.numeric.BadInput;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The objective that estimation maximises, as a function of the reward through its soft-optimal policy. Every
 * likelihood here has a gradient of Algorithm 1's form, a weighted sum of reward gradients over rows, with weights
 *
 * <pre>  base(s,a) - pi(a|s) d(s),     d = (I - gamma P_pi')^-1 start</pre>
 *
 * so one description of {@code base} and {@code start} serves exact, swept and sampled estimators alike.
 */
public sealed interface Likelihood {

    /** The likelihood at a reward whose soft-optimal values and policy are given. */
    double value(double[] reward, double[] values, double[] logPolicy);

    /** Writes the row weights and the (signed) start measure of the agent's occupancy. */
    void adjoint(double[] logPolicy, double[] base, double[] start);

    /**
     * Weight of each state in the information matrix, given the occupancy d above: for the surrogate the agent's own visits
     * (signed, where demonstrations are cut), which make it minus the Hessian where the reward is linear; for the panel how
     * often a choice was observed there, which makes it the expected information.
     */
    double[] informationWeights(double[] occupancy);

    /**
     * How small residuals of value derivatives must be for an error of one in the gradient. Choices do not notice constants,
     * but the surrogate does, and constants are residuals summed over the horizon.
     */
    double leverage(double discount);

    /**
     * The paper's surrogate: mean discounted reward of the demonstrations minus soft value of the start, over the same
     * finite horizon on both sides. Where the scale of the shocks depends on the state, this is the likelihood in which each
     * decision counts in proportion to it: only then do the values along a trajectory cancel.
     */
    final class Surrogate implements Likelihood {
        private final SoftProcess process;
        private final double[] expert;
        private final double[] start;
        private final double constant;

        public Surrogate(SoftProcess process, Demonstrations demonstrations) {
            this.process = process;
            Mdp mdp = process.mdp();
            demonstrations.check(mdp);
            expert = new double[mdp.rows()];
            start = mdp.start().clone();
            double logWeight = 0;
            for (Trajectory trajectory : demonstrations.trajectories()) {
                logWeight += count(mdp, process.cost(), trajectory, 1.0 / demonstrations.size(), expert, start);
            }
            constant = logWeight;
        }

        /**
         * Of visits that are weighed already, up to a constant.
         *
         * @param expert discounted visits of each row
         * @param start where the agent starts, less the tails of what was seen
         */
        public Surrogate(SoftProcess process, double[] expert, double[] start) {
            this.process = process;
            this.expert = expert.clone();
            this.start = start.clone();
            constant = 0;
        }

        /**
         * Adds a trajectory's discounted visits to {@code expert} and takes its tail, gamma^T at the final state, from
         * {@code start}. Without actions visits are spread over the actions, which a state-only reward does not notice.
         */
        public static double count(
                Mdp mdp, InformationCost cost, Trajectory trajectory, double scale, double[] expert, double[] start) {
            int actions = mdp.actions();
            int[] chosen = trajectory.actions();
            double weight = scale;
            double logWeight = 0;
            for (int t = 0; t < trajectory.length(); t++) {
                int first = trajectory.states()[t] * actions;
                if (chosen == null) {
                    for (int row = first; row < first + actions; row++) {
                        expert[row] += weight / actions;
                    }
                } else {
                    expert[first + chosen[t]] += weight;
                    logWeight += weight * cost.scale(first / actions) * cost.logWeight(first + chosen[t]);
                }
                weight *= mdp.discount();
            }
            if (trajectory.hasFinalState() || chosen == null) {
                start[trajectory.states()[trajectory.length()]] -= weight;
            } else { // the final state was not recorded: its distribution stands for it
                Kernel kernel = mdp.kernel();
                int last = trajectory.length() - 1;
                int row = trajectory.states()[last] * actions + chosen[last];
                double left = weight;
                kernel.successors(row, (next, p) -> start[next] -= left * p);
            }
            return logWeight;
        }

        @Override
        public double value(double[] reward, double[] values, double[] logPolicy) {
            double sum = weightedSum(expert, reward);
            for (int s = 0; s < start.length; s++) {
                sum -= start[s] * values[s];
            }
            return sum / process.cost().temperature() + constant;
        }

        @Override
        public void adjoint(double[] logPolicy, double[] base, double[] start) {
            double scale = 1 / process.cost().temperature();
            for (int row = 0; row < base.length; row++) {
                base[row] = scale * expert[row];
            }
            for (int s = 0; s < start.length; s++) {
                start[s] = scale * this.start[s];
            }
        }

        @Override
        public double leverage(double discount) {
            return 1 - discount;
        }

        @Override
        public double[] informationWeights(double[] occupancy) {
            double[] weights = new double[occupancy.length];
            Arrays.setAll(weights, s -> process.cost().temperature(s) * occupancy[s]);
            return weights;
        }
    }

    /** The conditional likelihood of observed choices, sum of log pi(a|s): what an economist maximises on a panel. */
    final class Panel implements Likelihood {
        private final SoftProcess process;
        private final double[] counts;
        private final double[] stateWeights;

        public Panel(SoftProcess process, Demonstrations demonstrations) {
            this(process, choiceCounts(process.mdp(), demonstrations));
        }

        /** @param counts how often each row was chosen, or how much that weighs */
        public Panel(SoftProcess process, double[] counts) {
            this.process = process;
            this.counts = counts.clone();
            int actions = process.mdp().actions();
            stateWeights = new double[counts.length / actions];
            Arrays.setAll(
                    stateWeights,
                    s -> Arrays.stream(counts, s * actions, (s + 1) * actions).sum());
        }

        @Override
        public double value(double[] reward, double[] values, double[] logPolicy) {
            return weightedSum(counts, logPolicy);
        }

        @Override
        public void adjoint(double[] logPolicy, double[] base, double[] start) {
            int actions = process.mdp().actions();
            for (int row = 0; row < base.length; row++) {
                double scale = 1 / process.cost().temperature(row / actions);
                base[row] = scale * (counts[row] - stateWeights[row / actions] * Math.exp(logPolicy[row]));
            }
            process.push(base, start);
            for (int s = 0; s < start.length; s++) {
                start[s] *= -process.mdp().discount();
            }
        }

        @Override
        public double leverage(double discount) {
            return 1;
        }

        @Override
        public double[] informationWeights(double[] occupancy) {
            return stateWeights.clone();
        }

        /** States where a choice was observed. */
        int[] observed() {
            return IntStream.range(0, stateWeights.length)
                    .filter(s -> stateWeights[s] > 0)
                    .toArray();
        }

        /** How often each action was chosen there. */
        double[] observedCounts() {
            int actions = process.mdp().actions();
            return Arrays.stream(observed())
                    .flatMap(s -> IntStream.range(s * actions, (s + 1) * actions))
                    .mapToDouble(row -> counts[row])
                    .toArray();
        }
    }

    /** How often each (state, action) was chosen. */
    static double[] choiceCounts(Mdp mdp, Demonstrations demonstrations) {
        demonstrations.check(mdp);
        if (!demonstrations.hasActions()) {
            throw new BadInput(
                    "the demonstrations hold no actions, so choices have no likelihood",
                    "Use the surrogate likelihood with a state-only reward, or record the actions.");
        }
        double[] counts = new double[mdp.rows()];
        for (Trajectory trajectory : demonstrations.trajectories()) {
            addChoices(trajectory, mdp.actions(), counts);
        }
        return counts;
    }

    /** Adds the choices of one trajectory to the counts. */
    static void addChoices(Trajectory trajectory, int actions, double[] counts) {
        int[] chosen = trajectory.actions();
        for (int t = 0; chosen != null && t < chosen.length; t++) {
            counts[trajectory.states()[t] * actions + chosen[t]]++;
        }
    }

    /** Sum of count * x over rows that occur; an impossible row (log-probability minus infinity) counts only if seen. */
    static double weightedSum(double[] counts, double[] x) {
        double sum = 0;
        for (int row = 0; row < counts.length; row++) {
            sum += counts[row] == 0 ? 0 : counts[row] * x[row];
        }
        return sum;
    }
}

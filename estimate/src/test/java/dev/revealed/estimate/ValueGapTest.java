package dev.revealed.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.Simulation;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.Trajectory;
import dev.revealed.numeric.RandomStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lemma 4: the value gap against pencil and paper, and against the likelihood it is said to be. */
class ValueGapTest {

    /**
     * Two states visited in turn whatever is done: the soft-optimal policy tosses a coin in both, so the gap is the discounted
     * sum of log 2 less the entropy of the frequencies, 1/4 and 3/4 in state 0 and 1 and 0 in state 1.
     */
    @Test
    void isTheEntropyMissedWhereActionsDoNotMatter() {
        double gamma = 0.9;
        Kernel kernel = Kernel.of(2, 2, (s, a, row) -> row.add(1 - s, 1));
        Mdp mdp = new Mdp(kernel, gamma, new double[] {1, 0});
        int[] states = {0, 1, 0, 1, 0, 1, 0, 1, 0};
        Demonstrations data = new Demonstrations(List.of(new Trajectory(states, new int[] {0, 1, 1, 1, 1, 1, 1, 1})));
        Problem problem = Problem.of(mdp, LinearReward.perState(2, 2), data);
        ValueGap gap = ValueGap.of(problem, new double[] {3, -1});
        double entropy = -0.25 * Math.log(0.25) - 0.75 * Math.log(0.75);
        double horizon = 1 - gamma * gamma;
        double optimal = (3 - gamma + (1 + gamma) * Math.log(2)) / horizon;
        assertThat(gap.optimalValue()).isCloseTo(optimal, within(1e-9));
        double missed = (Math.log(2) - entropy + gamma * Math.log(2)) / horizon;
        assertThat(gap.gap().getAsDouble()).isCloseTo(missed, within(1e-9));
        assertThat(gap.expertValue().getAsDouble()).isCloseTo(optimal - missed, within(1e-9));
        // four tosses of a coin: 0 or 4 heads (chance 1/8) have entropy 0, 1 or 3 (1/2) that of above, 2 (3/8) log 2
        double expected = Math.log(2) - (0.5 * entropy + 0.375 * Math.log(2));
        assertThat(gap.sampling().getAsDouble()).isCloseTo(expected * (1 + gamma) / horizon, within(1e-9));
        assertThat(gap.gapPlusEntropy()).isEmpty();
    }

    /** The lemma itself: from one reward to another the gap changes by as much as the expert's likelihood does. */
    @Test
    void fallsByWhatTheLikelihoodGains() {
        Mdp mdp = Examples.mdp(5, 3, 0.8, RandomStream.of(4));
        Reward reward = Examples.linear(mdp, true, 2, RandomStream.of(5));
        double[] uniform = new double[mdp.rows()];
        java.util.Arrays.fill(uniform, -Math.log(3));
        Demonstrations data = new Simulation(mdp, uniform).demonstrations(30, 20, RandomStream.of(6));
        Problem problem = Problem.of(mdp, reward, data);
        double[] one = {0.5, -1};
        double[] other = {-2, 1.5};
        double change = ValueGap.of(problem, one).gap().getAsDouble()
                - ValueGap.of(problem, other).gap().getAsDouble();
        double[] expert = frequencies(mdp, data);
        assertThat(change)
                .isCloseTo(likelihood(problem, expert, other) - likelihood(problem, expert, one), within(1e-8));
    }

    /** Of the true reward only sampling is left, as much as expected. */
    @Test
    void isWhatSamplingLeavesAtTheTruth() {
        Mdp mdp = Examples.mdp(6, 3, 0.8, RandomStream.of(7));
        Reward reward = Examples.linear(mdp, true, 2, RandomStream.of(8));
        double[] truth = {1, -1};
        double[] rows = new double[mdp.rows()];
        reward.values(truth, rows);
        SoftPolicy expert = solved(mdp, rows);
        double gap = 0;
        double sampling = 0;
        for (int i = 0; i < 40; i++) {
            Demonstrations data = new Simulation(mdp, expert.logPolicy())
                    .demonstrations(20, 10, RandomStream.of(9).at(i));
            ValueGap found = ValueGap.of(Problem.of(mdp, reward, data), truth);
            gap += found.gap().getAsDouble();
            sampling += found.sampling().getAsDouble();
            ValueGap wrong = ValueGap.of(Problem.of(mdp, reward, data), new double[] {-3, 3});
            assertThat(wrong.gap().getAsDouble())
                    .isGreaterThan(2 * wrong.sampling().getAsDouble());
        }
        assertThat(gap / sampling).isBetween(0.85, 1.15);
    }

    /** Without actions the gap is known up to the expert's entropy: minus the surrogate likelihood. */
    @Test
    void withoutActionsIsKnownUpToTheEntropy() {
        Kernel kernel = Kernel.of(1, 2, (s, a, row) -> row.add(0, 1));
        Mdp mdp = Mdp.uniformStart(kernel, 0.5);
        Demonstrations data = new Demonstrations(List.of(Trajectory.ofStates(new int[] {0, 0, 0})));
        ValueGap gap = ValueGap.of(Problem.of(mdp, LinearReward.perState(1, 2), data), new double[] {1});
        assertThat(gap.gap()).isEmpty();
        assertThat(gap.expertValue()).isEmpty();
        // two decisions of log 2, the second at half: what a coin would have as entropy, so the gap of a coin is zero
        assertThat(gap.gapPlusEntropy().getAsDouble()).isCloseTo(1.5 * Math.log(2), within(1e-9));
    }

    private static SoftPolicy solved(Mdp mdp, double[] rows) {
        SoftProcess process = new SoftProcess(mdp, dev.revealed.mdp.InformationCost.STANDARD);
        SoftPolicy policy = SoftPolicy.start(process);
        process.solver().solve(rows, policy, 1e-12).orThrow();
        return policy;
    }

    private static double[] frequencies(Mdp mdp, Demonstrations data) {
        double[] counts = new double[mdp.rows()];
        double[] visits = new double[mdp.states()];
        for (Trajectory one : data.trajectories()) {
            int[] actions = java.util.Objects.requireNonNull(one.actions());
            for (int t = 0; t < actions.length; t++) {
                counts[one.states()[t] * mdp.actions() + actions[t]]++;
                visits[one.states()[t]]++;
            }
        }
        assertThat(visits).doesNotContain(0);
        for (int row = 0; row < counts.length; row++) {
            counts[row] /= visits[row / mdp.actions()];
        }
        return counts;
    }

    /** E sum gamma^t log pi_theta(a_t|s_t) with the expert acting: the distribution of states followed step by step. */
    private static double likelihood(Problem problem, double[] expert, double[] theta) {
        Mdp mdp = problem.mdp();
        double[] rows = new double[mdp.rows()];
        problem.reward().values(theta, rows);
        double[] logPolicy = solved(mdp, rows).logPolicy();
        double[] now = mdp.start().clone();
        double sum = 0;
        for (int t = 0; t < 200; t++) {
            double[] next = new double[now.length];
            for (int row = 0; row < rows.length; row++) {
                double weight = now[row / mdp.actions()] * expert[row];
                sum += weight * Math.pow(mdp.discount(), t) * logPolicy[row];
                for (int k = mdp.kernel().rowStart()[row]; k < mdp.kernel().rowStart()[row + 1]; k++) {
                    next[mdp.kernel().successor()[k]] += weight * mdp.kernel().probability()[k];
                }
            }
            now = next;
        }
        return sum;
    }
}

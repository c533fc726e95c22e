package dev.revealed.mdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.RandomStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Processes small enough for pencil and paper. */
class ClosedFormTest {

    /** One state, k actions: V = tau log sum w exp(r / tau) / (1 - gamma), and choices are the logit of the rewards. */
    @ParameterizedTest
    @CsvSource({"0, 1", "0.5, 0.1", "0.9, 1", "0.99, 5", "0.9999, 0.7"})
    void oneState(double discount, double tau) {
        double[] reward = {1, -0.5, 0.25, 2};
        double[] reference = {0.1, 0.2, 0.3, 0.4};
        Kernel kernel = Kernel.of(1, 4, (s, a, row) -> row.add(0, 1));
        SoftProcess process =
                new SoftProcess(Mdp.uniformStart(kernel, discount), InformationCost.of(tau, 4, reference));
        double sum = 0;
        for (int a = 0; a < 4; a++) {
            sum += 4 * reference[a] * Math.exp(reward[a] / tau);
        }
        double value = tau * Math.log(sum) / (1 - discount);
        for (SoftSolver.Method method : SoftSolver.Method.values()) {
            SoftPolicy policy = SoftPolicy.start(process);
            SoftSolver.Solution solution = new SoftSolver(process, method).solve(reward, policy, 1e-12);
            assertThat(solution.converged()).as(method.toString()).isTrue();
            assertThat(policy.values()[0]).isCloseTo(value, within(1e-12 * value));
            for (int a = 0; a < 4; a++) {
                assertThat(policy.policy()[a])
                        .isCloseTo(4 * reference[a] * Math.exp(reward[a] / tau) / sum, within(1e-13));
            }
        }
    }

    /** Two states visited in turn, one action: V0 = (r0 + gamma r1) / (1 - gamma^2), V1 alike. */
    @ParameterizedTest
    @EnumSource
    void twoStatesInTurn(SoftSolver.Method method) {
        Kernel kernel = Kernel.of(2, 1, (s, a, row) -> row.add(1 - s, 1));
        for (double gamma : new double[] {0.5, 0.9, 0.99, 0.9999}) {
            SoftProcess process = new SoftProcess(Mdp.uniformStart(kernel, gamma), InformationCost.STANDARD);
            SoftPolicy policy = SoftPolicy.start(process);
            new SoftSolver(process, method).solve(new double[] {3, -1}, policy, 1e-11);
            double scale = 1 / (1 - gamma * gamma);
            assertThat(policy.values()[0]).isCloseTo((3 - gamma) * scale, within(1e-10 * scale));
            assertThat(policy.values()[1]).isCloseTo((-1 + 3 * gamma) * scale, within(1e-10 * scale));
        }
    }

    /**
     * Two states visited in turn whatever is done, with shocks of scale 0.5 in one and 3 in the other: a choice gains
     * u = tau(s) log sum_a w exp(r / tau(s)), and V0 = (u0 + gamma u1) / (1 - gamma^2), V1 alike.
     */
    @ParameterizedTest
    @EnumSource
    void shocksOfTwoScales(SoftSolver.Method method) {
        double gamma = 0.9;
        double[] tau = {0.8 * 0.5, 0.8 * 3};
        double[] reward = {1, -0.5, 0.25, 2};
        double[] reference = {0.3, 0.7, 0.6, 0.4};
        double[] sum = new double[2];
        for (int row = 0; row < 4; row++) {
            sum[row / 2] += 2 * reference[row] * Math.exp(reward[row] / tau[row / 2]);
        }
        double[] gain = {tau[0] * Math.log(sum[0]), tau[1] * Math.log(sum[1])};
        Kernel kernel = Kernel.of(2, 2, (s, a, row) -> row.add(1 - s, 1));
        SoftProcess process = new SoftProcess(
                Mdp.uniformStart(kernel, gamma),
                InformationCost.of(0.8, 2, reference).scaled(new double[] {0.5, 3}));
        SoftPolicy policy = SoftPolicy.start(process);
        new SoftSolver(process, method).solve(reward, policy, 1e-12);
        for (int s = 0; s < 2; s++) {
            assertThat(policy.values()[s])
                    .isCloseTo((gain[s] + gamma * gain[1 - s]) / (1 - gamma * gamma), within(1e-10));
        }
        double[] values = policy.values().clone();
        for (int row = 0; row < 4; row++) {
            double pi = 2 * reference[row] * Math.exp(reward[row] / tau[row / 2]) / sum[row / 2];
            assertThat(policy.policy()[row]).isCloseTo(pi, within(1e-12));
        }
        new SoftSolver(process).evaluate(reward, policy); // the optimal policy is worth its own value
        assertThat(policy.values()).containsExactly(values, within(1e-10));
    }

    /**
     * A lamp that is off or on, with a switch: staying pays 1 when on, nothing else pays. With v = V(on) - V(off),
     * V(off) = log(e^(g V(off)) + e^(g V(on))) and V(on) = log(e^(1 + g V(on)) + e^(g V(off))) give
     * v = log((e^(1 + g v) + 1) / (1 + e^(g v))): one unknown, found by bisection.
     */
    @ParameterizedTest
    @EnumSource
    void aLamp(SoftSolver.Method method) {
        double g = 0.95;
        double low = 0;
        double high = 10;
        for (int i = 0; i < 200; i++) {
            double v = 0.5 * (low + high);
            if (Math.log((Math.exp(1 + g * v) + 1) / (1 + Math.exp(g * v))) > v) {
                low = v;
            } else {
                high = v;
            }
        }
        double off = Math.log(1 + Math.exp(g * low)) / (1 - g);
        Kernel kernel = Kernel.of(2, 2, (s, a, row) -> row.add(a == 0 ? s : 1 - s, 1));
        SoftProcess process = new SoftProcess(Mdp.uniformStart(kernel, g), InformationCost.STANDARD);
        SoftPolicy policy = SoftPolicy.start(process);
        new SoftSolver(process, method).solve(new double[] {0, 0, 1, 0}, policy, 1e-12);
        assertThat(policy.values()).containsExactly(new double[] {off, off + low}, within(1e-10));
        assertThat(policy.policy()[1]).isCloseTo(1 / (1 + Math.exp(-g * low)), within(1e-12));
    }

    /** Discrete choice: the agent who maximises Q plus tau times a Gumbel shock chooses like the soft policy. */
    @ParameterizedTest
    @CsvSource({"1", "0.4"})
    void gumbelShocksChooseLikeTheSoftPolicy(double tau) {
        int actions = 5;
        int draws = 200_000;
        Mdp mdp = Truth.process(6, actions, 0.9, 3);
        double[] reward = Truth.reward(mdp, 3);
        SoftProcess process = new SoftProcess(mdp, InformationCost.ofTemperature(tau));
        SoftPolicy policy = SoftPolicy.start(process);
        new SoftSolver(process).solve(reward, policy, 1e-11);
        double[] q = Truth.actionValues(mdp, reward, policy.values());
        RandomStream stream = RandomStream.of(4);
        int state = 2;
        int[] counts = new int[actions];
        for (int i = 0; i < draws; i++) {
            int best = -1;
            double most = Double.NEGATIVE_INFINITY;
            for (int a = 0; a < actions; a++) {
                double utility = q[state * actions + a] - tau * Math.log(stream.nextExponential());
                if (utility > most) {
                    most = utility;
                    best = a;
                }
            }
            counts[best]++;
        }
        double chiSquare = 0;
        for (int a = 0; a < actions; a++) {
            double expected = draws * policy.policy()[state * actions + a];
            chiSquare += (counts[a] - expected) * (counts[a] - expected) / expected;
        }
        assertThat(chiSquare).isLessThan(18.47); // 99.9 % point of chi-square with 4 degrees of freedom
    }
}

package dev.revealed.mdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.model.GridWorld;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of a solver, for every method: the fixed point of the design page, found from anywhere. */
class SoftSolverTest {
    private static final double[] DISCOUNTS = {0, 0.5, 0.9, 0.99, 0.9999};
    private static final double[] TEMPERATURES = {0.1, 1, 5};

    @AfterEach
    void restore() {
        Parallel.threads(Runtime.getRuntime().availableProcessors());
    }

    static Stream<Arguments> cases() {
        return Arrays.stream(SoftSolver.Method.values())
                .flatMap(method -> Arrays.stream(DISCOUNTS)
                        .boxed()
                        .flatMap(discount ->
                                Arrays.stream(TEMPERATURES).mapToObj(tau -> Arguments.of(method, discount, tau))));
    }

    private static void assertSolved(SoftPolicy policy, Truth.Solution truth, double tau) {
        double size = Vec.maxAbs(truth.values());
        assertThat(policy.values()).containsExactly(truth.values(), within(1e-11 * Math.max(1, size)));
        assertThat(Vec.span(Vec.plus(policy.values(), -1, truth.values()))).isLessThan(1e-11 + 8 * Math.ulp(size));
        assertThat(policy.policy()).containsExactly(truth.policy(), within(1e-11 / Math.min(1, tau)));
        for (int row = 0; row < truth.policy().length; row++) {
            assertThat(policy.policy()[row])
                    .isCloseTo(Math.exp(policy.logPolicy()[row]), within(4 * Math.ulp(policy.policy()[row])));
        }
    }

    @ParameterizedTest(name = "{0} discount={1} temperature={2}")
    @MethodSource("cases")
    void findsTheFixedPoint(SoftSolver.Method method, double discount, double tau) {
        for (long seed = 1; seed <= 3; seed++) {
            Mdp mdp = Truth.process(12, 3, discount, seed);
            double[] reward = Truth.reward(mdp, seed);
            InformationCost cost = InformationCost.ofTemperature(tau);
            SoftProcess process = new SoftProcess(mdp, cost);
            SoftPolicy policy = SoftPolicy.start(process);
            SoftSolver.Solution solution = new SoftSolver(process, method).solve(reward, policy, 1e-12);
            assertThat(solution.converged()).isTrue();
            assertThat(solution.residualSpan()).isLessThan(1e-11);
            assertSolved(policy, Truth.solve(mdp, cost, reward), tau);
        }
    }

    @ParameterizedTest(name = "{0} discount={1} temperature={2}")
    @MethodSource("cases")
    void warmStartsEndAtTheSamePoint(SoftSolver.Method method, double discount, double tau) {
        Mdp mdp = Truth.process(12, 3, discount, 4);
        InformationCost cost = InformationCost.ofTemperature(tau);
        SoftProcess process = new SoftProcess(mdp, cost);
        SoftSolver solver = new SoftSolver(process, method);
        SoftPolicy policy = SoftPolicy.start(process);
        double[] reward = Truth.reward(mdp, 4);
        solver.solve(reward, policy, 1e-12);
        double[] other = Vec.plus(reward, 0.3, Truth.reward(mdp, 5));
        assertThat(solver.solve(other, policy, 1e-12).converged()).isTrue();
        assertSolved(policy, Truth.solve(mdp, cost, other), tau);

        Arrays.setAll(policy.values(), s -> 1e3 * Math.sin(s)); // a guess as bad as any
        assertThat(solver.solve(reward, policy, 1e-12).converged()).isTrue();
        assertSolved(policy, Truth.solve(mdp, cost, reward), tau);
    }

    /** A reference policy that differs from state to state. */
    @ParameterizedTest
    @EnumSource
    void findsTheFixedPointWithAReferencePolicy(SoftSolver.Method method) {
        Mdp mdp = Truth.process(12, 3, 0.99, 6);
        double[] reference = Truth.randomPolicy(new SoftProcess(mdp, InformationCost.STANDARD), 6)
                .policy();
        InformationCost cost = InformationCost.of(0.5, 3, reference);
        SoftProcess process = new SoftProcess(mdp, cost);
        SoftPolicy policy = SoftPolicy.start(process);
        assertThat(policy.policy()).containsExactly(reference, within(1e-15));
        double[] reward = Truth.reward(mdp, 6);
        new SoftSolver(process, method).solve(reward, policy, 1e-12);
        assertSolved(policy, Truth.solve(mdp, cost, reward), 0.5);
    }

    /** A board where the goal is far away: sweeps carry news one square at a time. */
    @ParameterizedTest
    @EnumSource
    void findsTheFixedPointOnABoard(SoftSolver.Method method) {
        Mdp mdp = new GridWorld(8, 0.1).mdp(0.999);
        double[] reward = new double[mdp.rows()];
        Arrays.fill(reward, 63 * 5, 64 * 5, 1);
        InformationCost cost = InformationCost.ofTemperature(0.05);
        SoftProcess process = new SoftProcess(mdp, cost);
        SoftPolicy policy = SoftPolicy.start(process);
        SoftSolver.Solution solution = new SoftSolver(process, method).solve(reward, policy, 1e-11);
        assertThat(solution.converged()).isTrue();
        Truth.Solution truth = Truth.solve(mdp, cost, reward);
        assertThat(policy.values()).containsExactly(truth.values(), within(1e-9));
        assertThat(policy.policy()).containsExactly(truth.policy(), within(1e-9));
    }

    @Test
    void solutionSaysWhatWasUsed() {
        SoftProcess near = new SoftProcess(Truth.process(12, 3, 0.5, 7), InformationCost.STANDARD);
        double[] reward = Truth.reward(near.mdp(), 7);
        assertThat(solve(near, SoftSolver.Method.VALUE_ITERATION, reward).method())
                .isEqualTo("value iteration");
        assertThat(solve(near, SoftSolver.Method.POLICY_ITERATION, reward).method())
                .isEqualTo("soft policy iteration");
        assertThat(solve(near, SoftSolver.Method.NEWTON_KANTOROVICH, reward).method())
                .isEqualTo("Newton-Kantorovich");
        SoftSolver.Solution quick = solve(near, SoftSolver.Method.AUTOMATIC, reward);
        assertThat(quick.method()).isEqualTo("value iteration");
        assertThat(quick.newtonSteps()).isZero();

        SoftProcess far = new SoftProcess(new GridWorld(20, 0.1).mdp(0.999), InformationCost.STANDARD);
        SoftSolver.Solution slow = solve(far, SoftSolver.Method.AUTOMATIC, Truth.reward(far.mdp(), 7));
        assertThat(slow.method()).isEqualTo("value iteration, then Newton-Kantorovich");
        assertThat(slow.newtonSteps()).isPositive();
    }

    private static SoftSolver.Solution solve(SoftProcess process, SoftSolver.Method method, double[] reward) {
        return new SoftSolver(process, method).solve(reward, SoftPolicy.start(process), 1e-10);
    }

    /** Newton on policies: few steps where sweeps need many. */
    @Test
    void newtonTakesFewSteps() {
        SoftProcess process = new SoftProcess(Truth.process(40, 3, 0.9999, 8), InformationCost.ofTemperature(0.1));
        double[] reward = Truth.reward(process.mdp(), 8);
        SoftPolicy policy = SoftPolicy.start(process);
        new SoftSolver(process).solve(reward, policy, 1e-10);
        double[] moved = Vec.plus(reward, 1e-3, Truth.reward(process.mdp(), 9));
        SoftSolver.Solution solution =
                new SoftSolver(process, SoftSolver.Method.POLICY_ITERATION).solve(moved, policy, 1e-10);
        assertThat(solution.newtonSteps()).isBetween(1, 4);
    }

    @ParameterizedTest
    @EnumSource
    void notANumberIsRefused(SoftSolver.Method method) {
        SoftProcess process = new SoftProcess(Truth.process(12, 3, 0.99, 7), InformationCost.STANDARD);
        double[] reward = Truth.reward(process.mdp(), 7);
        reward[5] = Double.NaN;
        assertThatThrownBy(() -> solve(process, method, reward))
                .isInstanceOf(dev.revealed.numeric.BadInput.class)
                .hasMessageContaining("NaN");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5, 0.99, 0.9999})
    void evaluationAndOccupancyAreTheDenseOnes(double discount) {
        for (int states : new int[] {5, 100}) {
            Mdp mdp = Truth.process(states, 3, discount, 10);
            SoftProcess process = new SoftProcess(mdp, InformationCost.ofTemperature(0.7));
            SoftSolver solver = new SoftSolver(process);
            SoftPolicy policy = Truth.randomPolicy(process, 10);
            double[] reward = Truth.reward(mdp, 10);
            double[] payoff = new double[mdp.rows()];
            Arrays.setAll(payoff, row -> reward[row] - 0.7 * Math.log(policy.policy()[row]));
            solver.evaluate(reward, policy);
            double[] values = Truth.evaluate(mdp, policy.policy(), payoff);
            assertThat(policy.values()).containsExactly(values, within(1e-10 * Math.max(1, Vec.maxAbs(values))));

            double[] signed = Vec.plus(mdp.start(), -0.4, Truth.reward(Truth.process(states, 1, 0, 1), 11));
            for (double[] start : new double[][] {mdp.start(), signed}) {
                double[] occupancy = policy.occupancy().clone();
                solver.under(policy.policy()).occupancy(start, occupancy);
                double[] expected = Truth.occupancy(mdp, policy.policy(), start);
                assertThat(occupancy).containsExactly(expected, within(1e-10 * Math.max(1, Vec.maxAbs(expected))));
                double mass = Arrays.stream(start).sum() / (1 - discount);
                assertThat(Arrays.stream(occupancy).sum()).isCloseTo(mass, within(1e-11 * Math.max(1, Math.abs(mass))));

                double paid = 0;
                for (int row = 0; row < mdp.rows(); row++) {
                    paid += occupancy[row / 3] * policy.policy()[row] * payoff[row];
                }
                double valued = Vec.dot(start, policy.values());
                assertThat(paid).isCloseTo(valued, within(1e-10 * Math.max(1, Math.abs(valued))));
            }
        }
    }

    /** A policy that never leaves where it is makes the chain fall apart. */
    @Test
    void chainsThatFallApartAreEvaluatedToo() {
        int n = 300;
        Kernel kernel = Kernel.of(n, 2, (s, a, row) -> row.add(a == 0 ? s : (s + 1) % n, 1));
        Mdp mdp = Mdp.uniformStart(kernel, 0.99);
        SoftProcess process = new SoftProcess(mdp, InformationCost.STANDARD);
        double[] stay = new double[2 * n];
        double[] payoff = new double[2 * n];
        for (int s = 0; s < n; s++) {
            stay[2 * s] = 1;
            payoff[2 * s] = s;
        }
        double[] values = new double[n];
        new SoftSolver(process).under(stay).values(payoff, values);
        double[] occupancy = new double[n];
        new SoftSolver(process).under(stay).occupancy(mdp.start(), occupancy);
        for (int s = 0; s < n; s++) {
            assertThat(values[s]).isCloseTo(100.0 * s, within(1e-7));
            assertThat(occupancy[s]).isCloseTo(100.0 / n, within(1e-11));
        }
    }

    @Test
    void sameBitsOnAnyNumberOfThreads() {
        Mdp mdp = new GridWorld(200, 0.1).mdp(0.95);
        assertThat(mdp.states()).isGreaterThan(2 * Parallel.BLOCK);
        double[] reward = Truth.reward(mdp, 12);
        Parallel.threads(1);
        SoftPolicy one = everything(mdp, reward);
        Parallel.threads(2);
        SoftPolicy two = everything(mdp, reward);
        assertThat(Arrays.equals(two.values(), one.values())).as("values").isTrue();
        assertThat(Arrays.equals(two.logPolicy(), one.logPolicy()))
                .as("logPolicy")
                .isTrue();
        assertThat(Arrays.equals(two.policy(), one.policy())).as("policy").isTrue();
        assertThat(Arrays.equals(two.occupancy(), one.occupancy()))
                .as("occupancy")
                .isTrue();
    }

    private static SoftPolicy everything(Mdp mdp, double[] reward) {
        SoftProcess process = new SoftProcess(mdp, InformationCost.STANDARD);
        SoftSolver solver = new SoftSolver(process, SoftSolver.Method.NEWTON_KANTOROVICH);
        SoftPolicy policy = SoftPolicy.start(process);
        solver.solve(reward, policy, 1e-9);
        solver.under(policy.policy()).occupancy(mdp.start(), policy.occupancy());
        solver.evaluate(reward, policy);
        return policy;
    }

    /** Rough rewards and a far horizon, where Newton's last stage fails at first: the way back must end, too. */
    @Test
    void stagesThatFailAreRetriedOnlySoOften() {
        Mdp mdp = new GridWorld(50, 0.1).mdp(0.9999);
        double[] reward = Truth.reward(mdp, 2);
        SoftProcess process = new SoftProcess(mdp, InformationCost.STANDARD);
        SoftPolicy policy = SoftPolicy.start(process);
        assertThat(new SoftSolver(process).solve(reward, policy, 1e-9).converged())
                .isTrue();
        double[] next = new double[mdp.states()];
        assertThat(process.backup(reward, policy.values(), next).span()).isLessThan(1e-9);
    }

    @Test
    void passesAreCounted() {
        Mdp mdp = Truth.process(12, 3, 0.5, 13);
        SoftProcess process = new SoftProcess(mdp, InformationCost.STANDARD);
        double[] reward = Truth.reward(mdp, 13);
        double[] next = new double[12];
        process.backup(reward, new double[12], next);
        process.actionValues(reward, next, new double[mdp.rows()]);
        process.push(reward, next);
        assertThat(process.passes().count()).isEqualTo(3);
        SoftSolver.Solution solution = solve(process, SoftSolver.Method.VALUE_ITERATION, reward);
        assertThat(solution.converged()).isTrue();
        long sweeps = process.passes().count() - 3 - 1; // the last one makes the policy
        assertThat(sweeps).isBetween(10L, 50L);
    }
}

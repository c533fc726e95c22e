package dev.revealed.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.mdp.AnchoredReward;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.SoftSolver;
import dev.revealed.mdp.model.GridWorld;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Places where something once went wrong without a word. */
class RoughEdgesTest {
    private static SoftPolicy solved(SoftProcess process, double[] reward) {
        SoftPolicy policy = SoftPolicy.start(process);
        assertThat(new SoftSolver(process).solve(reward, policy, 1e-9).converged())
                .isTrue();
        return policy;
    }

    private static double[] rough(Mdp mdp) {
        return RandomStream.of(12).named("reward").doubles(mdp.rows(), -1, 1).toArray();
    }

    /** Where the linear solver stalls on chains of nearly separate traps, occupancies must still be exact. */
    @Test
    void occupancyIsExactOnARoughBoard() {
        Mdp mdp = new GridWorld(50, 0.1).mdp(0.999);
        SoftProcess process = new SoftProcess(mdp, InformationCost.STANDARD);
        SoftPolicy policy = solved(process, rough(mdp));
        new SoftSolver(process).under(policy.policy()).occupancy(mdp.start(), policy.occupancy());
        double change = process.occupancy(mdp.start(), policy.policy(), policy.occupancy(), new double[mdp.states()]);
        assertThat(change / Vec.maxAbs(policy.occupancy())).isLessThan(1e-12);
    }

    /** The same for values of a policy. */
    @Test
    void policyValuesAreExactOnARoughBoard() {
        Mdp mdp = new GridWorld(40, 0.1).mdp(0.999);
        SoftProcess process = new SoftProcess(mdp, InformationCost.ofTemperature(0.1));
        double[] reward = rough(mdp);
        SoftPolicy policy = solved(process, reward);
        double[] payoff = new double[mdp.rows()];
        process.payoff(reward, policy, payoff);
        double[] x = new double[mdp.states()];
        new SoftSolver(process).under(policy.policy()).values(payoff, x);
        double span = process.sweep(payoff, policy.policy(), x, new double[mdp.states()])
                .span();
        assertThat(span / Vec.span(x)).isLessThan(1e-11);
    }

    /** Newton must stop at rounding, not chase a tolerance below it. */
    @Test
    void tolerancesBelowRoundingCostNoMore() {
        Mdp mdp = new GridWorld(15, 0.1).mdp(0.99);
        long[] passes = new long[2];
        for (int i = 0; i < 2; i++) {
            SoftProcess process = new SoftProcess(mdp, InformationCost.STANDARD);
            double scale = i == 0 ? 1e3 : 1e4;
            double[] reward =
                    RandomStream.of(1).doubles(mdp.rows(), -scale, scale).toArray();
            new SoftSolver(process).solve(reward, SoftPolicy.start(process), 1e-11);
            passes[i] = process.passes().count();
        }
        assertThat(passes[1]).isLessThan(3 * passes[0]);
    }

    @Test
    void badEntriesOfAKernelNameTheirRow() {
        assertThatThrownBy(() -> Kernel.of(3, 2, (s, a, row) -> row.add(0, s == 2 && a == 1 ? -0.5 : 1)))
                .isInstanceOf(BadInput.class)
                .hasMessageContainingAll("state 2, action 1", "-0.5");
    }

    private static Problem anchored(double[] known) {
        RandomStream stream = RandomStream.of(5);
        Mdp mdp = Examples.mdp(6, 2, 0.9, stream.named("mdp"));
        Reward table = LinearReward.perStateAction(6, 2);
        double[] truth = new double[12];
        truth[1] = 1;
        truth[7] = -1;
        Demonstrations data =
                Examples.demonstrations(mdp, InformationCost.STANDARD, table, truth, 50, 20, stream.named("data"));
        return Problem.of(mdp, new AnchoredReward(table, 2, 0, known), data);
    }

    /** Corollary 1 on the plain table: the parameters of the reference action are gone, the others identified. */
    @Test
    void anAnchoredTableIsIdentified() {
        Estimate estimate = Nfxp.standard().fit(anchored(new double[6]), 1).orThrow();
        assertThat(estimate.warnings()).isEmpty();
        assertThat(estimate.parameters().get(1).standardError()).isPresent();
    }

    @Test
    void anchorsOfTheWrongLengthOrNotNumbersAreRefused() {
        assertThatThrownBy(() -> anchored(new double[2])).isInstanceOf(BadInput.class);
        assertThatThrownBy(() -> anchored(new double[] {0, 0, Double.NaN, 0, 0, 0}))
                .isInstanceOf(BadInput.class);
    }

    /** A reward for 4 states on a process of 6 must not leave the others at 0. */
    @Test
    void rewardsFitTheirProcess() {
        RandomStream stream = RandomStream.of(5);
        Mdp mdp = Examples.mdp(6, 2, 0.9, stream.named("mdp"));
        Demonstrations data = Examples.demonstrations(
                mdp, InformationCost.STANDARD, LinearReward.perState(6, 2), new double[6], 5, 5, stream);
        assertThatThrownBy(() -> Problem.of(mdp, LinearReward.perState(4, 2), data))
                .isInstanceOf(BadInput.class);
        assertThatThrownBy(() -> Nfxp.standard().fit(Problem.of(mdp, LinearReward.perState(8, 2), data), 1))
                .isInstanceOf(BadInput.class);
    }

    @Test
    void tripletsAreChecked() {
        int[] zero = {0};
        assertThatThrownBy(
                        () -> LinearReward.ofTriplets(2, true, 6, List.of("x"), zero, zero, new double[] {Double.NaN}))
                .isInstanceOf(BadInput.class);
        assertThatThrownBy(
                        () -> LinearReward.ofTriplets(2, true, 6, List.of("x"), zero, new int[] {3}, new double[] {1}))
                .isInstanceOf(BadInput.class);
        assertThatThrownBy(
                        () -> LinearReward.ofTriplets(2, true, 6, List.of("x"), new int[] {7}, zero, new double[] {1}))
                .isInstanceOf(BadInput.class);
    }

    @Test
    void referencePoliciesHaveWholeRows() {
        assertThatThrownBy(() -> InformationCost.of(1, 3, new double[] {0.2, 0.3, 0.5, 1}))
                .isInstanceOf(BadInput.class);
    }

    /** The sampled score is the surrogate's: on a panel it would climb another hill. */
    @Test
    void thePaperFormRefusesAPanel() {
        RandomStream stream = RandomStream.of(5);
        Mdp mdp = Examples.mdp(6, 2, 0.9, stream.named("mdp"));
        Reward reward = Examples.linear(mdp, false, 2, stream.named("f"));
        Demonstrations data = Examples.demonstrations(
                mdp, InformationCost.STANDARD, reward, new double[] {0.5, -0.5}, 50, 20, stream.named("data"));
        Problem panel = Problem.of(mdp, reward, data).withObjective(Problem.Objective.PANEL);
        assertThatThrownBy(() -> MlIrl.paper(0.5, 0.5, 100).fit(panel, 1))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("panel");
    }

    /** Features of 1e308: a refusal, not 2000 iterations of nothing. */
    @Test
    void infiniteGradientsAreRefusedByNestedFixedPoint() {
        RandomStream stream = RandomStream.of(5);
        Mdp mdp = Examples.mdp(6, 2, 0.9, stream.named("mdp"));
        double[][] huge = new double[6][1];
        java.util.Arrays.setAll(huge, s -> new double[] {s % 2 == 0 ? 1e308 : -1e308});
        Demonstrations data = Examples.demonstrations(
                mdp, InformationCost.STANDARD, LinearReward.perState(6, 2), new double[6], 5, 5, stream);
        Problem problem = Problem.of(mdp, LinearReward.ofStates(2, List.of("x"), huge), data);
        assertThatThrownBy(() -> Nfxp.standard().fit(problem, 1))
                .isInstanceOfAny(BadInput.class, ArithmeticException.class);
    }
}

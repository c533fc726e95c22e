package dev.revealed.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.Trajectory;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be estimated is refused before anything is computed. */
class ProblemTest {
    private static final Mdp MDP = Examples.mdp(4, 2, 0.9, RandomStream.of(1));
    private static final Reward TABLE = LinearReward.perStateAction(4, 2);
    private static final Reward BY_STATE = LinearReward.perState(4, 2);

    private static Demonstrations data(int[] states, int... actions) {
        return new Demonstrations(List.of(new Trajectory(states, actions)));
    }

    private static Demonstrations statesOnly(int... states) {
        return new Demonstrations(List.of(Trajectory.ofStates(states)));
    }

    @Test
    void rewardsOfActionsNeedActions() {
        assertThatThrownBy(() -> Problem.of(MDP, TABLE, statesOnly(0, 1, 2)))
                .isInstanceOf(BadInput.class)
                .hasMessageContainingAll("no actions", "state-only");
        assertThat(Problem.of(MDP, BY_STATE, statesOnly(0, 1, 2)).ridge()).isZero();
    }

    /** A slip of several people: LinearReward.ofStates takes the number of actions first. */
    @Test
    void saysThatStatesWereCountedWhereActionsAreWanted() {
        Reward slip = LinearReward.ofStates(4, List.of("x"), new double[4][1]);
        assertThatThrownBy(() -> Problem.of(MDP, slip, data(new int[] {0, 1}, 0)))
                .isInstanceOf(BadInput.class)
                .hasMessageContainingAll("made for 4 actions", "the number of states", "the number of actions, 2");
    }

    @Test
    void anEstimatePrintsAsATable() {
        Demonstrations seen = Examples.demonstrations(
                MDP, InformationCost.STANDARD, BY_STATE, new double[] {1, 0, 0, 0}, 20, 20, RandomStream.of(2));
        Problem problem = Problem.of(MDP, BY_STATE, seen).withRidge(0.1);
        assertThat(Nfxp.standard().fit(problem, 1).toString())
                .startsWith("nfxp: ")
                .containsPattern("coef +std err +z ")
                .doesNotContain("[D@");
    }

    @Test
    void choicesNeedActionsToHaveALikelihood() {
        Problem problem = Problem.of(MDP, BY_STATE, statesOnly(0, 1, 2)).withObjective(Problem.Objective.PANEL);
        assertThatThrownBy(() -> Nfxp.standard().fit(problem, 1))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("no actions");
    }

    @ParameterizedTest
    @EnumSource
    void choicesTheReferencePolicyRulesOutAreRefused(Problem.Objective objective) {
        double[] reference = {0.5, 0.5, 1, 0, 0.5, 0.5, 0.5, 0.5};
        InformationCost cost = InformationCost.of(1, 2, reference);
        assertThatThrownBy(() -> new Problem(MDP, cost, TABLE, data(new int[] {0, 1, 2}, 0, 1), objective, 0))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("trajectory 0 takes action 1 in state 1");
        assertThat(new Problem(MDP, cost, TABLE, data(new int[] {0, 1, 0}, 1, 0), objective, 0).cost())
                .isEqualTo(cost);
    }

    @Test
    void dataOutsideTheProcessAreRefused() {
        assertThatThrownBy(() -> Problem.of(MDP, TABLE, data(new int[] {0, 4}, 0)))
                .isInstanceOf(BadInput.class)
                .hasMessageContainingAll("trajectory 0", "state 4");
        assertThatThrownBy(() -> Problem.of(MDP, TABLE, data(new int[] {0, 3}, 2)))
                .isInstanceOf(BadInput.class)
                .hasMessageContainingAll("trajectory 0", "action 2");
    }

    @Test
    void trajectoriesStartWhereTheProcessDoes() {
        Mdp fromZero = MDP.withStart(new double[] {1, 0, 0, 0});
        assertThatThrownBy(() -> Problem.of(fromZero, TABLE, data(new int[] {2, 3}, 0)))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("trajectory 0 starts in state 2");
        Demonstrations elsewhere = data(new int[] {2, 3}, 0);
        Problem panel = new Problem(fromZero, InformationCost.STANDARD, TABLE, elsewhere, Problem.Objective.PANEL, 0);
        assertThat(panel.demonstrations()).isSameAs(elsewhere);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, Double.NaN, Double.POSITIVE_INFINITY})
    void ridgesAreChecked(double ridge) {
        Problem problem = Problem.of(MDP, TABLE, data(new int[] {0, 1}, 0));
        assertThatThrownBy(() -> problem.withRidge(ridge))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("the ridge is " + ridge);
    }

    /** Features of 1e308: finite themselves, but not what any step makes of them. */
    @Test
    void rewardsThatLeaveTheNumbersAreRefusedByTheSingleLoop() {
        double[][] huge = new double[4][1];
        Arrays.setAll(huge, s -> new double[] {s % 2 == 0 ? 1e308 : -1e308});
        Problem problem =
                Problem.of(MDP, LinearReward.ofStates(2, List.of("x"), huge), data(new int[] {0, 1, 2}, 0, 1));
        MlIrl estimator = MlIrl.tracked(new StepRule.Decaying(1, 0), 100, 1e-6);
        assertThatThrownBy(() -> estimator.fit(problem, 1)).isInstanceOfAny(BadInput.class, ArithmeticException.class);
    }

    /** Two states, of which the second is never left. */
    @Test
    void movesOfProbabilityZeroAreRefused() {
        Kernel kernel = Kernel.ofTriplets(
                2, 1, new int[] {0, 0, 1}, new int[3], new int[] {0, 1, 1}, new double[] {0.5, 0.5, 1});
        Mdp trap = Mdp.uniformStart(kernel, 0.9);
        Reward reward = LinearReward.perState(2, 1);
        Trajectory possible = new Trajectory(new int[] {0, 0, 1, 1}, new int[3]);
        Trajectory escape = new Trajectory(new int[] {0, 1, 0}, new int[2]);
        assertThat(Problem.of(trap, reward, new Demonstrations(List.of(possible)))
                        .ridge())
                .isZero();
        for (Problem.Objective objective : Problem.Objective.values()) {
            assertThatThrownBy(() -> new Problem(
                            trap,
                            InformationCost.STANDARD,
                            reward,
                            new Demonstrations(List.of(possible, escape)),
                            objective,
                            0))
                    .isInstanceOf(BadInput.class)
                    .hasMessageContainingAll(
                            "trajectory 1, time 2: state is 0, but after state 1 and action 0 that has probability 0",
                            "Either the kernel or the data is wrong");
        }
        assertThatThrownBy(() -> Problem.of(trap, reward, statesOnly(1, 0)))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("trajectory 0, time 1: state is 0, but after state 1 and any action");
    }

    @Test
    void searchesNeedIterationsAndSteps() {
        assertThatThrownBy(() -> new Nfxp(0, 1e-6)).hasMessageContaining("`iterations` is 0");
        assertThatThrownBy(() -> MlIrl.paper(1, 0.5, 0)).hasMessageContaining("`iterations` is 0");
        assertThatThrownBy(() -> MlIrl.paper(-1, 0.5, 10)).hasMessageContaining("`alpha0` is -1.0");
    }
}

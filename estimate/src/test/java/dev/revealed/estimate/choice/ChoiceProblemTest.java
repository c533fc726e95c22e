package dev.revealed.estimate.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.KnownProbabilities;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.numeric.BadInput;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A light that turns from green to red and stays red, built in Java: what files refuse is refused here as well. */
class ChoiceProblemTest {
    private static final KnownProbabilities TURNS = new KnownProbabilities(new double[][] {{0.5, 0.5}, {0, 1}});
    private static final TransitionLaw LAW = new TransitionLaw(
            StateSpace.of(new StateSpace.Variable("light", new double[] {0, 1})),
            2,
            List.of(new TransitionLaw.Part(TURNS, (s, a) -> s, (s, a, o) -> o)));
    private static final ChoiceModel MODEL = new ChoiceModel(
            "light",
            List.of("wait", "go"),
            LAW,
            0.9,
            LinearReward.ofRows(2, List.of("red"), new double[][] {{0}, {0}, {0}, {1}}),
            InformationCost.STANDARD);

    private static Panel.Individual hand(int[] states, int[] cells, int[] outcomes) {
        return new Panel.Individual(
                "ann", new Trajectory(states, new int[states.length]), new int[][] {cells}, new int[][] {outcomes});
    }

    private static void refused(Panel.Individual one, String... words) {
        assertThatThrownBy(() -> new ChoiceProblem(MODEL, new Panel(List.of(one))))
                .isInstanceOf(BadInput.class)
                .hasMessageContainingAll(words);
    }

    @Test
    void movesOfProbabilityZeroAreRefused() {
        Trajectory possible = new Trajectory(new int[] {0, 1, 1}, new int[3]);
        Panel good = Panel.of(LAW, new Demonstrations(List.of(possible)));
        assertThat(new ChoiceProblem(MODEL, good).visits()).containsExactly(1, 2);
        Trajectory back = new Trajectory(new int[] {0, 1, 0}, new int[3]);
        assertThatThrownBy(() -> Panel.of(LAW, new Demonstrations(List.of(possible, back))))
                .isInstanceOf(BadInput.class)
                .hasMessageContainingAll(
                        "individual 2, decision 2: light is 0, which the model rules out after light=1.0 with action 0",
                        "such a move can never be observed");
    }

    @Test
    void panelsMadeByHandAreChecked() {
        int[] states = {0, 1, 1};
        new ChoiceProblem(MODEL, new Panel(List.of(hand(states, new int[] {-1, 0, 1}, new int[] {0, 1, 1}))));
        refused(
                hand(new int[] {0, 1, 0}, new int[] {-1, 0, 0}, new int[] {0, 1, 0}),
                "individual ann, decision 2: light is 0, which the model rules out after light=1.0 with action wait");
        refused(hand(states, new int[] {-1, 0, 1}, new int[] {0, 1, 0}), "ann", "outcome 0 of cell 1", "rules out");
        refused(hand(states, new int[] {-1, 0, 5}, new int[] {0, 1, 0}), "ann", "cell 5");
        refused(hand(states, new int[] {-1, 0, 1}, new int[] {0, 1, 7}), "ann", "outcome 7");
        refused(
                hand(new int[] {0, 1, 2}, new int[] {-1, 0, 1}, new int[3]),
                "individual ann",
                "state 2 is outside 0..1");
        refused(
                new Panel.Individual(
                        "ann", new Trajectory(new int[] {0}, new int[] {2}), new int[][] {{-1}}, new int[1][1]),
                "individual ann",
                "action 2 is outside 0..1");
        refused(
                new Panel.Individual("ann", new Trajectory(new int[] {0}, new int[] {1}), new int[0][], new int[0][]),
                "individual ann",
                "0 state variables move and the model has 1");
        assertThatThrownBy(() -> hand(states, new int[] {-1}, new int[] {0}))
                .hasMessageContaining("moves of individual ann do not fit its decisions");
    }
}

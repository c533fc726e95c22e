package dev.revealed.estimate.choice.twostep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Machines;
import dev.revealed.estimate.choice.Panels;
import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.BadInput;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ChoiceProbabilitiesTest {

    static Stream<ChoiceProbabilities.Method> methods() {
        return Stream.of(new ChoiceProbabilities.Frequency(0.5), new ChoiceProbabilities.Logit(2));
    }

    /** Three states of which the last was never seen: no 7 of 10 times, yes 2 of 4. */
    private static ChoiceProblem threeStates() {
        int[] states = new int[14];
        int[] decisions = new int[14];
        for (int i = 0; i < 14; i++) {
            states[i] = i < 10 ? 0 : 1;
            decisions[i] = i < 3 || i >= 12 ? 1 : 0;
        }
        return Panels.standing(
                List.of("no", "yes"),
                List.of("bias"),
                new double[][] {{0}, {1}, {0}, {1}, {0}, {1}},
                states,
                decisions);
    }

    @Test
    void frequenciesAreDrawnTowardsTheSharesOfThePanel() {
        double[] log = new ChoiceProbabilities.Frequency(2).of(threeStates()).logarithms();
        double share = 5.5 / 15; // with half a choice of each action added
        assertThat(Math.exp(log[1])).isCloseTo((3 + 2 * share) / 12, within(1e-12));
        assertThat(Math.exp(log[3])).isCloseTo((2 + 2 * share) / 6, within(1e-12));
        assertThat(Math.exp(log[5])).isCloseTo(share, within(1e-12));
    }

    /** With as many functions as states the logit reproduces the shares, the added choices among them. */
    @Test
    void aSaturatedLogitReproducesShares() {
        double[] log = new ChoiceProbabilities.Logit(1).of(threeStates()).logarithms();
        double added = 2.0 / 14; // two parameters, fourteen choices
        double share = 5.5 / 15;
        assertThat(Math.exp(log[1])).isCloseTo((0.3 + added * share) / (1 + added), within(1e-9));
        assertThat(Math.exp(log[3])).isCloseTo((0.5 + added * share) / (1 + added), within(1e-9));
        assertThat(log[5]).as("beyond the states seen, the nearest").isCloseTo(log[3], within(1e-12));
    }

    @Test
    void aSeparatingFeatureLeavesProbabilitiesInside() {
        int[] states = IntStream.range(0, 40).map(i -> i % 4).toArray();
        int[] decisions = IntStream.range(0, 40).map(i -> i % 4 >= 2 ? 1 : 0).toArray();
        ChoiceProblem problem = Panels.standing(
                List.of("no", "yes"),
                List.of("bias"),
                new double[][] {{0}, {1}, {0}, {1}, {0}, {1}, {0}, {1}},
                states,
                decisions);
        double[] log = new ChoiceProbabilities.Logit(3).of(problem).logarithms();
        assertThat(Math.exp(log[1])).isBetween(1e-4, 0.1);
        assertThat(Math.exp(log[7])).isBetween(0.9, 1 - 1e-4);
    }

    @ParameterizedTest
    @MethodSource("methods")
    void actionsThatAreNotAvailableHaveNoChance(ChoiceProbabilities.Method method) {
        ChoiceProblem problem = Machines.problem(0.9, 50, 20, 1);
        double[] log = method.of(problem).logarithms();
        for (int s = 0; s < problem.model().states(); s++) {
            double sum = 0;
            for (int a = 0; a < 3; a++) {
                sum += Math.exp(log[3 * s + a]);
            }
            assertThat(sum).isCloseTo(1, within(1e-12));
            assertThat(log[3 * s + 1] == Double.NEGATIVE_INFINITY).isEqualTo(s < 2);
        }
    }

    @Test
    void aChoiceThatWasNotAvailableIsTold() {
        ChoiceModel model = Machines.model(0.9);
        Panel panel = new Panel(List.of(
                Panel.individual(model.law(), "7", new Trajectory(new int[] {0, 0}, new int[] {1, 0}))));
        assertThatThrownBy(() -> ChoiceProbabilities.STANDARD.of(new ChoiceProblem(model, panel)))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("'repair'")
                .hasMessageContaining("wear=0.0, rain=0.0");
    }

    @ParameterizedTest
    @MethodSource("methods")
    void gradientsAreDerivatives(ChoiceProbabilities.Method method) {
        ChoiceProblem problem = Machines.problem(0.9, 60, 20, 2);
        ChoiceProbabilities at = method.of(problem);
        double[] weight = new double[at.logarithms().length];
        for (int row = 0; row < weight.length; row++) {
            weight[row] = Math.sin(row);
        }
        double[] gradient = at.gradient(weight);
        for (int k = 0; k < gradient.length; k++) {
            double[] up = at.alpha().clone();
            double[] down = at.alpha().clone();
            up[k] += 1e-5;
            down[k] -= 1e-5;
            double difference = (sum(weight, at.at(up)) - sum(weight, at.at(down))) / 2e-5;
            assertThat(gradient[k]).isCloseTo(difference, within(1e-7));
        }
    }

    private static double sum(double[] weight, ChoiceProbabilities at) {
        double sum = 0;
        for (int row = 0; row < weight.length; row++) {
            sum += at.logarithms()[row] == Double.NEGATIVE_INFINITY ? 0 : weight[row] * at.logarithms()[row];
        }
        return sum;
    }

    /** An individual counted twice moves the log-odds by its influence, up to the square of its share in the panel. */
    @ParameterizedTest
    @MethodSource("methods")
    void influenceIsWhatAnIndividualAdds(ChoiceProbabilities.Method method) {
        ChoiceProblem problem = Machines.problem(0.9, 1000, 20, 3);
        ChoiceProbabilities at = method.of(problem);
        double[] weight = new double[at.logarithms().length];
        for (int row = 0; row < weight.length; row++) {
            weight[row] = at.logarithms()[row] == Double.NEGATIVE_INFINITY ? 0 : Math.cos(row);
        }
        double[] influence = at.influence(at.gradient(weight));
        int[][] chosen = problem.chosenRows();
        for (int i = 0; i < 5; i++) {
            int[] draw = IntStream.rangeClosed(0, 1000).toArray();
            draw[1000] = i;
            ChoiceProbabilities twice =
                    method.of(problem.withPanel(problem.panel().drawn(draw)));
            double moved = sum(weight, twice) - sum(weight, at);
            assertThat(ChoiceProblem.sum(influence, chosen[i])).isCloseTo(moved, within(0.003 + 0.1 * Math.abs(moved)));
        }
    }
}

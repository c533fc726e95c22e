package dev.revealed.mdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of a reward: values, derivative and accumulated gradient are three faces of one function. */
class RewardTest {
    private static final int STATES = 6;
    private static final int ACTIONS = 3;
    private static final int ROWS = STATES * ACTIONS;
    private static final List<String> NAMES = List.of("a", "b");

    private static double[][] features(int rows, int width) {
        var stream = RandomStream.of(rows);
        double[][] features = new double[rows][];
        Arrays.setAll(features, i -> stream.doubles(width, -1, 1).toArray());
        features[1][0] = 0;
        return features;
    }

    static Stream<Arguments> rewards() {
        LinearReward rows = LinearReward.ofRows(ACTIONS, NAMES, features(ROWS, 2));
        return Stream.of(
                Arguments.of("per state", LinearReward.perState(STATES, ACTIONS)),
                Arguments.of("per state and action", LinearReward.perStateAction(STATES, ACTIONS)),
                Arguments.of("features of states", LinearReward.ofStates(ACTIONS, NAMES, features(STATES, 2))),
                Arguments.of("features of rows", rows),
                Arguments.of("anchored", new AnchoredReward(rows, ACTIONS, 1, new double[] {1, 2, 3, 4, 5, 6})),
                Arguments.of(
                        "offset",
                        new OffsetReward(rows, RandomStream.of(5).doubles(ROWS).toArray())),
                Arguments.of("perceptron of states", PerceptronReward.ofStates(ACTIONS, features(STATES, 4), 3)),
                Arguments.of("perceptron of rows", PerceptronReward.ofRows(ACTIONS, features(ROWS, 4), 3, 2)),
                Arguments.of(
                        "anchored perceptron",
                        new AnchoredReward(
                                PerceptronReward.ofRows(ACTIONS, features(ROWS, 4), 3),
                                ACTIONS,
                                0,
                                new double[STATES])));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rewards")
    void derivativeAndAccumulatedGradientAreThoseOfTheValues(String name, Reward reward) {
        int p = reward.parameters();
        var stream = RandomStream.of(3);
        double[] theta = stream.doubles(p, -1, 1).toArray();
        double[] weight = stream.doubles(ROWS, -1, 1).toArray();
        double[] gradient = new double[p];
        Arrays.fill(gradient, 7);
        reward.accumulate(theta, weight, gradient);
        assertThat(reward.names()).hasSize(p).doesNotHaveDuplicates();
        assertThat(reward.initial(stream)).hasSize(p);
        double h = 1e-5;
        for (int j = 0; j < p; j++) {
            double[] derivative = new double[ROWS];
            double[] up = new double[ROWS];
            double[] down = new double[ROWS];
            double[] moved = theta.clone();
            reward.derivative(theta, j, derivative);
            moved[j] = theta[j] + h;
            reward.values(moved, up);
            moved[j] = theta[j] - h;
            reward.values(moved, down);
            for (int row = 0; row < ROWS; row++) {
                assertThat(derivative[row]).isCloseTo((up[row] - down[row]) / (2 * h), within(1e-8));
                if (reward.stateOnly()) {
                    assertThat(up[row]).isEqualTo(up[row / ACTIONS * ACTIONS]);
                }
            }
            assertThat(gradient[j]).isCloseTo(7 + Vec.dot(weight, derivative), within(1e-13));
        }
    }

    @Test
    void indicatorsAreTheTableItself() {
        double[] rows = new double[ROWS];
        double[] perState = {1, 2, 3, 4, 5, 6};
        LinearReward.perState(STATES, ACTIONS).values(perState, rows);
        assertThat(rows).startsWith(1, 1, 1, 2).endsWith(5, 6, 6, 6);
        double[] table = RandomStream.of(1).doubles(ROWS).toArray();
        LinearReward.perStateAction(STATES, ACTIONS).values(table, rows);
        assertThat(rows).containsExactly(table);
        assertThat(LinearReward.perStateAction(STATES, ACTIONS).names())
                .startsWith("r(s0 a0)", "r(s0 a1)", "r(s0 a2)", "r(s1 a0)");
    }

    /** The same features row by row and as entries in shuffled order, some in two parts. */
    @ParameterizedTest(name = "state-only={0}")
    @org.junit.jupiter.params.provider.ValueSource(booleans = {false, true})
    void tripletsAreTheDenseFeatures(boolean stateOnly) {
        int n = stateOnly ? STATES : ROWS;
        double[][] features = features(n, 2);
        record Entry(int index, int feature, double value) {}
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < 2; j++) {
                entries.add(new Entry(i, j, 0.25 * features[i][j]));
                entries.add(new Entry(i, j, 0.75 * features[i][j]));
            }
        }
        java.util.Collections.shuffle(entries, new java.util.Random(1));
        Reward sparse = LinearReward.ofTriplets(
                ACTIONS,
                stateOnly,
                n,
                NAMES,
                entries.stream().mapToInt(Entry::index).toArray(),
                entries.stream().mapToInt(Entry::feature).toArray(),
                entries.stream().mapToDouble(Entry::value).toArray());
        Reward dense = stateOnly
                ? LinearReward.ofStates(ACTIONS, NAMES, features)
                : LinearReward.ofRows(ACTIONS, NAMES, features);
        double[] theta = {0.7, -1.3};
        double[] weight = RandomStream.of(9).doubles(ROWS, -1, 1).toArray();
        double[] some = new double[ROWS];
        double[] others = new double[ROWS];
        sparse.values(theta, some);
        dense.values(theta, others);
        assertThat(some).containsExactly(others, within(1e-15));
        sparse.derivative(theta, 1, some);
        dense.derivative(theta, 1, others);
        assertThat(some).containsExactly(others, within(1e-15));
        double[] one = new double[2];
        double[] two = new double[2];
        sparse.accumulate(theta, weight, one);
        dense.accumulate(theta, weight, two);
        assertThat(one).containsExactly(two, within(1e-14));
        assertThat(sparse.stateOnly()).isEqualTo(stateOnly);
    }

    @Test
    void anchorHoldsItsAction() {
        double[] known = {1, 2, 3, 4, 5, 6};
        Reward reward = new AnchoredReward(LinearReward.perStateAction(STATES, ACTIONS), ACTIONS, 2, known);
        assertThat(reward.parameters()).isEqualTo(STATES * (ACTIONS - 1)); // what is known is no parameter
        assertThat(reward.names()).contains("r(s1 a1)").doesNotContain("r(s1 a2)");
        double[] theta = RandomStream.of(1).doubles(reward.parameters()).toArray();
        double[] rows = new double[ROWS];
        double[] weight = RandomStream.of(2).doubles(ROWS).toArray();
        double[] untouched = weight.clone();
        double[] gradient = new double[reward.parameters()];
        reward.values(theta, rows);
        reward.accumulate(theta, weight, gradient);
        assertThat(weight).containsExactly(untouched);
        int free = 0;
        for (int row = 0; row < ROWS; row++) {
            boolean anchored = row % ACTIONS == 2;
            assertThat(rows[row]).isEqualTo(anchored ? known[row / ACTIONS] : theta[free]);
            if (!anchored) {
                assertThat(gradient[free++]).isEqualTo(weight[row]);
            }
        }
        assertThatThrownBy(() -> new AnchoredReward(LinearReward.perState(STATES, ACTIONS), ACTIONS, 0, known))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("state-only");
        assertThatThrownBy(() -> new AnchoredReward(LinearReward.perStateAction(2, 2), 2, 2, new double[2]))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("reference action 2 is outside 0..1");
    }

    @Test
    void raggedAndInfiniteFeaturesAreRefused() {
        assertThatThrownBy(() -> LinearReward.ofStates(1, NAMES, new double[][] {{1, 2}, {3}}))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("1 values for 2 names");
        assertThatThrownBy(() -> LinearReward.ofStates(1, NAMES, new double[][] {{1, 2}, {3, Double.NaN}}))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("feature b of row 1 is NaN");
    }

    @Test
    void anOffsetAddsToEveryRow() {
        LinearReward linear = LinearReward.ofRows(2, List.of("a"), new double[][] {{1}, {2}});
        double[] rows = new double[2];
        new OffsetReward(linear, new double[] {10, -10}).values(new double[] {3}, rows);
        assertThat(rows).containsExactly(13, -4);
    }
}

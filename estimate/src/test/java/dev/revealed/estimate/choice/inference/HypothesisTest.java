package dev.revealed.estimate.choice.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.LinearReward;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HypothesisTest {
    private static final List<String> NAMES = List.of("RC", "theta11", "theta12");

    @Test
    void readsRestrictionsAsPeopleWriteThem() {
        assertRestriction("theta12=0", 0, 0, 1, 0);
        assertRestriction("theta11=theta12", 0, 1, -1, 0);
        assertRestriction("RC - 2*theta11 = 3", 1, -2, 0, 3);
        assertRestriction("RC=.5", 1, 0, 0, 0.5);
        assertRestriction(" 1.5e1 = -(RC + theta11)/2 + RC ", -0.5, 0.5, 0, -15);
        assertRestriction("2 + RC = 2*(RC - +1) - theta12", -1, 0, 1, -4);
    }

    private static void assertRestriction(String text, double... expected) {
        Hypothesis hypothesis = Hypothesis.parse(text, NAMES);
        assertThat(hypothesis.restrictions()).isEqualTo(1);
        assertThat(hypothesis.matrix()[0])
                .containsExactly(new double[] {expected[0], expected[1], expected[2]}, within(1e-15));
        assertThat(hypothesis.value()[0]).isEqualTo(expected[3]);
    }

    @Test
    void readsSeveralAndChains() {
        assertThat(Hypothesis.parse("RC=1, theta11=2,theta12 = 3", NAMES).gap(new double[] {2, 4, 6}))
                .containsExactly(1, 2, 3);
        assertThat(Hypothesis.parse("theta11=theta12=1", NAMES).gap(new double[] {0, 5, 3}))
                .containsExactly(2, 2);
    }

    @Test
    void knowsNamesThatAreNoWords() {
        Hypothesis hypothesis = Hypothesis.parse("r(s1 a0) = 2*r(s1)", List.of("r(s1)", "r(s1 a0)", "r"));
        assertThat(hypothesis.matrix()[0]).containsExactly(-2, 1, 0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "theta21=0 | there is no parameter 'theta21'",
                "theta1=0 | there is no parameter 'theta1'",
                "theta12 | there is no '='",
                "theta12=0=  | missing at the end",
                "RC*theta11=0 | multiplied",
                "RC/theta11=1 | divides",
                "RC/0=1 | divided by zero",
                "2 theta11=0 | there is no '=' before 'theta11=0'",
                "(RC=0 | bracket",
                "RC=0; theta11=0 | '; theta11=0' is not understood",
                "RC=1.2.3 | '1.2.3' is not understood",
                "RC=RC | says nothing of any parameter",
                "0=1 | says nothing of any parameter",
                "RC=1,2*RC=2 | '2*RC=2' in the hypothesis 'RC=1,2*RC=2' follows",
                "RC=1,2*RC=3 | contradicts",
                "RC=theta11,theta11=theta12,theta12=RC | 'theta12=RC' in the hypothesis 'RC=theta11,theta11=theta12,theta12=RC' follows",
                "RC=1e6,theta11=0.1,RC+theta11=1000000.1 | follows",
                "RC=1,theta11=2,theta12=3,RC=theta11 | contradicts",
            })
    void refusesWhatItCannotUse(String text, String complaint) {
        assertThatThrownBy(() -> Hypothesis.parse(text, NAMES))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining(complaint);
    }

    @Test
    void suggestsTheClosestName() {
        assertThatThrownBy(() -> Hypothesis.parse("thta12=0", NAMES))
                .hasMessageContaining("Did you mean 'theta12'? The parameters are RC, theta11, theta12.");
    }

    @Test
    void theRestrictedRewardSatisfiesTheHypothesisAndNothingElse() {
        Hypothesis hypothesis = Hypothesis.parse("RC - 2*theta11 = 3", NAMES);
        LinearReward full = LinearReward.ofRows(1, NAMES, new double[][] {{1, 2, 3}, {0, -1, 4}, {5, 0, 1}});
        RestrictedReward restricted = new RestrictedReward(full, hypothesis);
        assertThat(restricted.names()).containsExactly("RC", "theta12");
        double[] gamma = {7, -2};
        double[] theta = restricted.theta(gamma);
        assertThat(theta).containsExactly(7, 2, -2);
        assertThat(hypothesis.gap(theta)).containsExactly(0);

        double[] rows = new double[3];
        double[] expected = new double[3];
        restricted.values(gamma, rows);
        full.values(theta, expected);
        assertThat(rows).containsExactly(expected);

        double[] weight = {0.3, -1, 2};
        double[] gradient = new double[2];
        restricted.accumulate(gamma, weight, gradient);
        for (int k = 0; k < 2; k++) {
            double[] moved = gamma.clone();
            moved[k] += 1; // affine: the difference is the derivative
            double[] there = new double[3];
            restricted.values(moved, there);
            restricted.derivative(gamma, k, expected);
            double sum = 0;
            for (int row = 0; row < 3; row++) {
                assertThat(there[row] - rows[row]).isCloseTo(expected[row], within(1e-12));
                sum += weight[row] * expected[row];
            }
            assertThat(gradient[k]).isCloseTo(sum, within(1e-12));
        }
        assertThat(restricted.initial(RandomStream.of(1))).containsExactly(0, 0);
    }

    /** Each once ended in a StackOverflowError. */
    @Test
    void depthHasALimitAndLengthHasNone() {
        assertRestriction("-".repeat(100_001) + "RC=1", -1, 0, 0, 1);
        assertThatThrownBy(() -> Hypothesis.parse("(".repeat(50_000) + "RC" + ")".repeat(50_000) + "=1", NAMES))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("brackets are nested more than 200 deep");
    }

    @Test
    void equalParametersAreCalledByTheFirst() {
        LinearReward full = LinearReward.ofRows(1, NAMES, new double[][] {{1, 2, 3}});
        RestrictedReward restricted =
                new RestrictedReward(full, Hypothesis.parse("theta11=theta12, RC=theta12", NAMES));
        assertThat(restricted.names()).containsExactly("RC");
        assertThat(restricted.theta(new double[] {4})).containsExactly(4, 4, 4);
    }
}

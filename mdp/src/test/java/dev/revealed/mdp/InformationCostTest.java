package dev.revealed.mdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.BadInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class InformationCostTest {
    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void temperaturesAreChecked(double temperature) {
        assertThatThrownBy(() -> InformationCost.ofTemperature(temperature))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("temperature is " + temperature);
    }

    @Test
    void referencePoliciesAreChecked() {
        assertThatThrownBy(() -> InformationCost.of(1, 2, new double[] {0.5, 0.5, 0.5, 0.4}))
                .isInstanceOf(BadInput.class)
                .hasMessageContainingAll("state 1", "sums to 0.9");
        assertThatThrownBy(() -> InformationCost.of(1, 2, new double[] {0.5, 0.5, 1.5, -0.5}))
                .isInstanceOf(BadInput.class)
                .hasMessageContainingAll("state 1, action 1 is -0.5");
        assertThatThrownBy(() -> InformationCost.of(1, 2, new double[] {Double.NaN, 1}))
                .isInstanceOf(BadInput.class)
                .hasMessageContainingAll("state 0, action 0 is NaN");
        Mdp mdp = Truth.process(3, 2, 0.9, 1);
        assertThatThrownBy(() -> new SoftProcess(mdp, InformationCost.of(1, 2, new double[] {0.5, 0.5})))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("2 rows, the process 6");
    }

    @Test
    void theUniformReferenceIsTheDefault() {
        InformationCost uniform = InformationCost.of(1, 4, new double[] {0.25, 0.25, 0.25, 0.25});
        for (int row = 0; row < 4; row++) {
            assertThat(uniform.logWeight(row)).isZero().isEqualTo(InformationCost.STANDARD.logWeight(row));
        }
    }

    @Test
    void equalScalesAreOneTemperature() {
        InformationCost cost = InformationCost.ofTemperature(2).scaled(new double[] {1.5, 1.5, 1.5});
        assertThat(cost.temperature()).isEqualTo(3);
        assertThat(cost.scale()).isNull();
        assertThat(cost.temperature(1)).isEqualTo(3);
    }

    @Test
    void scalesKeepTheTemperatureOfEachState() {
        InformationCost cost = InformationCost.ofTemperature(2).scaled(new double[] {0.5, 1, 3});
        for (int s = 0; s < 3; s++) {
            assertThat(cost.temperature(s)).isCloseTo(2 * new double[] {0.5, 1, 3}[s], within(1e-15));
        }
        assertThat(cost.scale(0) + cost.scale(1) + cost.scale(2)).isCloseTo(3, within(1e-15));
    }

    @Test
    void scalesAreChecked() {
        assertThatThrownBy(() -> InformationCost.STANDARD.scaled(new double[] {1, 0}))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("state 1 is 0.0");
        Mdp mdp = Truth.process(3, 2, 0.9, 1);
        assertThatThrownBy(() -> new SoftProcess(mdp, InformationCost.STANDARD.scaled(new double[] {1, 2})))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("for 2 states, the process has 3");
    }

    /** An action that is ruled out is never taken, and the process is the one that never had it. */
    @ParameterizedTest
    @EnumSource
    void zeroProbabilityMakesAnActionUnavailable(SoftSolver.Method method) {
        Mdp mdp = Truth.process(8, 3, 0.95, 2);
        double[] reward = Truth.reward(mdp, 2);
        double[] reference = new double[mdp.rows()];
        for (int s = 0; s < 8; s++) {
            reference[3 * s] = 0.5;
            reference[3 * s + 2] = 0.5;
            reward[3 * s + 1] = 100; // tempting, were it allowed
        }
        SoftProcess process = new SoftProcess(mdp, InformationCost.of(1, 3, reference));
        SoftPolicy policy = SoftPolicy.start(process);
        assertThat(policy.policy()[1]).isZero();
        new SoftSolver(process, method).solve(reward, policy, 1e-11);

        Kernel two = Kernel.of(8, 2, (s, a, row) -> {
            int from = 3 * s + 2 * a;
            for (int k = mdp.kernel().rowStart()[from]; k < mdp.kernel().rowStart()[from + 1]; k++) {
                row.add(mdp.kernel().successor()[k], mdp.kernel().probability()[k]);
            }
        });
        double[] reduced = new double[16];
        for (int s = 0; s < 8; s++) {
            reduced[2 * s] = reward[3 * s];
            reduced[2 * s + 1] = reward[3 * s + 2];
        }
        Truth.Solution truth = Truth.solve(Mdp.uniformStart(two, 0.95), InformationCost.STANDARD, reduced);
        double shift = Math.log(1.5) / 0.05; // weights 3/2 instead of 1
        for (int s = 0; s < 8; s++) {
            assertThat(policy.policy()[3 * s + 1]).isZero();
            assertThat(policy.logPolicy()[3 * s + 1]).isEqualTo(Double.NEGATIVE_INFINITY);
            assertThat(policy.policy()[3 * s]).isCloseTo(truth.policy()[2 * s], within(1e-10));
            assertThat(policy.policy()[3 * s + 2]).isCloseTo(truth.policy()[2 * s + 1], within(1e-10));
            assertThat(policy.values()[s]).isCloseTo(truth.values()[s] + shift, within(1e-9));
        }
    }
}

package dev.revealed.app.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.numeric.BadInput;
import dev.revealed.train.Terminations;
import dev.revealed.train.Terminations.Known;
import java.util.List;
import org.junit.jupiter.api.Test;

class StateFormulaTest {
    @Test
    void itIsOfTheNumbersOfTheState() {
        StateFormula rule = StateFormula.of("s10 < 0.7 or abs(s2) > 0.2", 11);
        float[] states = new float[22];
        states[11 + 10] = 1;
        assertThat(rule.at(states, 0)).isTrue();
        assertThat(rule.at(states, 11)).isFalse();
        states[11 + 2] = -0.3f;
        assertThat(rule.at(states, 11)).isTrue();
    }

    @Test
    void filesSayIt() {
        for (Terminations each : List.of(Known.RULE, Known.LEARNT, Known.NONE, new Terminations.Where("s0 < s1"))) {
            assertThat(Terminations.named(each.toString())).isEqualTo(each);
        }
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Terminations.named("sometimes"))
                .withMessageContaining("sometimes");
    }

    @Test
    void contradictionsAreStepsAfterWhichTheLogSaysOtherwise() {
        StateFormula rule = StateFormula.of("s0 > 2", 1);
        Episode terminated = episode(Ending.TERMINATED, 0, 1, 3);
        Episode late = episode(Ending.TERMINATED, 0, 3, 3);
        Episode cut = episode(Ending.TRUNCATED, 0, 1, 3);
        Episode early = episode(Ending.TERMINATED, 0, 1, 2);
        assertThat(rule.contradictions(new Episodes(List.of(terminated)))).isZero();
        for (Episode one : List.of(late, cut, early)) {
            assertThat(rule.contradictions(new Episodes(List.of(terminated, one))))
                    .isOne();
        }
    }

    @Test
    void stepsAfterWhichItHasNoFiniteValueAreCounted() {
        Episodes log = new Episodes(List.of(episode(Ending.TRUNCATED, 0, 1, 0), episode(Ending.TRUNCATED, 0, 2, 3)));
        assertThat(StateFormula.of("sqrt(s0 - 5)", 1).withoutValue(log)).isEqualTo(4);
        assertThat(StateFormula.of("s0 / 0", 1).withoutValue(log)).isEqualTo(4);
        assertThat(StateFormula.of("log(s0)", 1).withoutValue(log)).isOne();
        assertThat(StateFormula.of("s0 > 2", 1).withoutValue(log)).isZero();
        assertThat(StateFormula.of("sqrt(s0 - 5)", 1).at(new float[] {0}, 0))
                .as("terminates, as the Javadoc says")
                .isTrue();
    }

    @Test
    void anUnknownNameListsTheOthersByNumber() {
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> StateFormula.of("x > 1", 12))
                .withMessageContaining("Known here: s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11.");
    }

    private static Episode episode(Ending ending, float... states) {
        return new Episode(states.length - 1, states, null, null, ending);
    }
}

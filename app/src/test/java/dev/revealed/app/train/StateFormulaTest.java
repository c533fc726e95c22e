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

    private static Episode episode(Ending ending, float... states) {
        return new Episode(states.length - 1, states, null, null, ending);
    }
}

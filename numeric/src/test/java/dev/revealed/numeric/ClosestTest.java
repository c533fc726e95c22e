package dev.revealed.numeric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClosestTest {
    private static final List<String> NAMES = List.of("state", "action", "next", "probability");

    @ParameterizedTest
    @CsvSource({"sate,state", "State,state", "sttae,state", "actions,action", "prob,probability", "p,probability"})
    void findsTheNameThatWasMeant(String typed, String meant) {
        assertThat(Closest.to(typed, NAMES)).contains(meant);
    }

    @ParameterizedTest
    @CsvSource({"price", "x", "q7", "''"})
    void saysNothingWhereNothingIsNear(String typed) {
        assertThat(Closest.to(typed, NAMES)).isEmpty();
        assertThat(Closest.question(typed, NAMES)).isEmpty();
    }

    @Test
    void countsInsertionsDeletionsReplacementsAndSwaps() {
        assertThat(Closest.distance("kitten", "sitting")).isEqualTo(3);
        assertThat(Closest.distance("ab", "ba")).isEqualTo(1);
        assertThat(Closest.distance("", "abc")).isEqualTo(3);
    }
}

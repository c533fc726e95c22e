package dev.revealed.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BadInputTest {
    @Test
    void saysWhatAndWhatToDo() {
        var bad = new BadInput("the row is odd", "Make it even.");
        assertThat(bad).hasMessage("the row is odd\n  Make it even.");
        var placed = bad.in("line 3").in("data.csv");
        assertThat(placed.problem()).isEqualTo("data.csv: line 3: the row is odd");
        assertThat(placed.remedy()).isEqualTo("Make it even.");
        assertThat(placed).hasRootCause(bad);
    }

    @Test
    void indices() {
        assertThat(BadInput.index("state", 0, 5)).isZero();
        assertThat(BadInput.index("state", 4, 5)).isEqualTo(4);
        for (long wrong : new long[] {-1, 5, 1L << 32}) {
            assertThatThrownBy(() -> BadInput.index("state", wrong, 5))
                    .isInstanceOf(BadInput.class)
                    .hasMessageContaining("state " + wrong + " is outside 0..4");
        }
    }

    @Test
    void finiteNumbers() {
        assertThat(BadInput.finite("x", -1e308)).isEqualTo(-1e308);
        assertThatThrownBy(() -> BadInput.finite("x", Double.NaN)).hasMessageContaining("x is NaN");
        assertThatThrownBy(() -> BadInput.finite("x", Double.NEGATIVE_INFINITY)).hasMessageContaining("x is -Infinity");
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 1, 1.5, Double.NaN, Double.POSITIVE_INFINITY})
    void discountsOutsideTheHalfOpenIntervalAreRefused(double discount) {
        assertThatThrownBy(() -> BadInput.discount(discount))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("the discount is " + discount);
        assertThat(BadInput.discount(0)).isZero();
        assertThat(BadInput.discount(0.9999)).isEqualTo(0.9999);
    }
}

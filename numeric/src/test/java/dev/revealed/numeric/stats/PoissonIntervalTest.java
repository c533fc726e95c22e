package dev.revealed.numeric.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Interval;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoissonIntervalTest {
    /** By sums of Poisson probabilities in 60 decimal digits, 95 %. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, 3.6889",
        "1, 0.0253, 5.5716",
        "2, 0.2422, 7.2247",
        "5, 1.6235, 11.6683",
        "10, 4.7954, 18.3904",
        "100, 81.3640, 121.6268"
    })
    void agreesWithTheTable(int events, double low, double high) {
        Interval interval = PoissonInterval.of(events, 0.95);
        assertThat(interval.low()).isCloseTo(low, within(1e-4));
        assertThat(interval.high()).isCloseTo(high, within(1e-4));
    }

    /** In closed form: no event has probability exp(-mean). */
    @Test
    void noEventsAreExponential() {
        assertThat(PoissonInterval.of(0, 0.9).high()).isCloseTo(-Math.log(0.05), within(1e-12));
        assertThat(PoissonInterval.of(1, 0.9).low()).isCloseTo(-Math.log(0.95), within(1e-12));
    }

    @Test
    void refusesWhatCannotBe() {
        assertThatThrownBy(() -> PoissonInterval.of(-1, 0.95)).isInstanceOf(BadInput.class);
        assertThatThrownBy(() -> PoissonInterval.of(1, 1)).isInstanceOf(BadInput.class);
    }
}

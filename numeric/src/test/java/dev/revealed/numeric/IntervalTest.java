package dev.revealed.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class IntervalTest {
    /** 1 ... 39: with n + 1 = 40 the 2.5th and 97.5th hundredth are the first and the last of them. */
    private final double[] draws =
            IntStream.rangeClosed(1, 39).mapToDouble(i -> 40 - i).toArray();

    @Test
    void percentileLeavesTheSameShareOnEitherSide() {
        Interval most = Interval.percentile(draws, 0.95);
        assertThat(most.low()).isCloseTo(1, within(1e-12));
        assertThat(most.high()).isCloseTo(39, within(1e-12));
        Interval half = Interval.percentile(draws, 0.5);
        assertThat(half.low()).isCloseTo(10, within(1e-12));
        assertThat(half.high()).isCloseTo(30, within(1e-12));
        assertThat(Interval.percentile(new double[] {0, 1}, 0.5).low()).isZero();
        assertThat(Interval.percentile(new double[] {4}, 0.5)).isEqualTo(Interval.UNKNOWN);
    }

    /** Draws that lie above the estimate say that the estimate lies above the truth. */
    @Test
    void basicIsMirrored() {
        Interval basic = Interval.basic(10, draws, 0.95);
        assertThat(basic.low()).isCloseTo(-19, within(1e-12));
        assertThat(basic.high()).isCloseTo(19, within(1e-12));
    }

    /** log(0.8 / 0.2) = log 4, and 0.3 / (0.8 * 0.2) = 1.875 standard errors of it. */
    @Test
    void theIntervalOfAShareStaysInsideZeroAndOne() {
        Interval interval = Interval.share(0.8, 0.3, 0.95);
        double reach = Math.exp(1.875 * 1.959963984540054);
        assertThat(interval.low()).isCloseTo(4 / (4 + reach), within(1e-12));
        assertThat(interval.high()).isCloseTo(4 * reach / (4 * reach + 1), within(1e-12));
        assertThat(Interval.normal(0.8, 0.3, 0.95).high()).isGreaterThan(1);
    }

    @Test
    void aShareAtTheBorderIsThatPoint() {
        assertThat(Interval.share(0, 0.1, 0.95)).isEqualTo(new Interval(0, 0));
        assertThat(Interval.share(1, 0.1, 0.95)).isEqualTo(new Interval(1, 1));
        assertThat(Interval.share(1, Double.NaN, 0.95)).isEqualTo(Interval.UNKNOWN);
    }

    @Test
    void normal() {
        Interval interval = Interval.normal(3, 2, 0.95);
        assertThat(interval.low()).isCloseTo(3 - 2 * 1.959963984540054, within(1e-12));
        assertThat(interval.width()).isCloseTo(4 * 1.959963984540054, within(1e-12));
    }

    @Test
    void holdsItsEnds() {
        assertThat(new Interval(1, 2).holds(1)).isTrue();
        assertThat(new Interval(1, 2).holds(2)).isTrue();
        assertThat(new Interval(1, 2).holds(2.1)).isFalse();
        assertThat(Interval.UNKNOWN.holds(0)).isFalse();
    }

    @Test
    void levelsLieBetweenZeroAndOne() {
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Interval.percentile(draws, 95))
                .withMessageContaining("95");
    }
}

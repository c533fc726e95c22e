package dev.revealed.numeric.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.numeric.stats.CensoredMedian.Time;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** By hand. A negative number is a time that was only watched so long. */
class CensoredMedianTest {
    private static CensoredMedian median(double... times) {
        List<Time> all =
                Arrays.stream(times).mapToObj(t -> new Time(Math.abs(t), t < 0)).toList();
        return CensoredMedian.of(all);
    }

    @Test
    void isTheMiddleWhereTheMiddleIsKnown() {
        assertThat(median(300, 100, -1000, 200, -1000)).isEqualTo(new CensoredMedian(300, false, 3, 5));
        assertThat(median(100, 300, -1000, 400, 200, -1000)).isEqualTo(new CensoredMedian(350, false, 4, 6));
        assertThat(median(700)).isEqualTo(new CensoredMedian(700, false, 1, 1));
    }

    @Test
    void isBeyondTheWatchWhereTheMiddleIsNot() {
        assertThat(median(300, -1000, -1000)).isEqualTo(new CensoredMedian(1000, true, 1, 3));
        assertThat(median(-1000, -1000)).isEqualTo(new CensoredMedian(1000, true, 0, 2));
        assertThat(median(100, 800, -1000, -1000))
                .isEqualTo(new CensoredMedian(900, true, 2, 4)); // (800 + over 1000) / 2
    }

    /** One that happened at the very end was seen; one that was watched as long and did not happen is later. */
    @Test
    void censoredTimesComeAfterEqualOnes() {
        assertThat(median(-1000, 1000, 500)).isEqualTo(new CensoredMedian(1000, false, 2, 3));
    }

    /** A short watch says little: the median may be 600, or 300 where the first happened just after its watch. */
    @Test
    void aShortWatchCensorsWhatComesAfter() {
        assertThat(median(-200, 300, 600)).isEqualTo(new CensoredMedian(300, true, 2, 3));
    }

    @Test
    void ofNothingIsUnknown() {
        assertThat(median().value()).isNaN();
    }
}

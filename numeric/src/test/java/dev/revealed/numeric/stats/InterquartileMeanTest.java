package dev.revealed.numeric.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.Interval;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class InterquartileMeanTest {
    private static final RandomStream STREAM = RandomStream.of(1);

    /** By hand: a quarter of ten, rounded down, goes at either end. */
    @Test
    void leavesOutAQuarterAtEitherEnd() {
        double[] ten = {100, 3, 1, 2, 4, 6, 8, 7, 5, -90};
        assertThat(InterquartileMean.of(ten)).isCloseTo((2 + 3 + 4 + 5 + 6 + 7) / 6.0, within(1e-12));
        assertThat(ten[0]).isEqualTo(100);
        assertThat(InterquartileMean.of(new double[] {1, 3, 8})).isCloseTo(4, within(1e-12));
        assertThat(InterquartileMean.of(new double[] {9, 1, 3, 8})).isCloseTo(5.5, within(1e-12));
        assertThat(InterquartileMean.of(new double[0])).isNaN();
    }

    /** Of three runs nothing is cut, and the 27 samples are listed by hand: 1 alone has 1/27, 1, 1, 3 has 3/27. */
    @Test
    void drawsRunsWithReplacement() {
        double[] runs = {8, 1, 3};
        assertThat(InterquartileMean.interval(runs, 0.95, STREAM)).isEqualTo(new Interval(1, 8));
        Interval ninety = InterquartileMean.interval(runs, 0.9, STREAM);
        assertThat(ninety.low()).isCloseTo(5 / 3.0, within(1e-12));
        assertThat(ninety.high()).isCloseTo(19 / 3.0, within(1e-12));
    }

    /**
     * A sample whose interquartile mean is the lowest run has a probability above 2.5 %: 1/4 of two runs, 1/27 of three and
     * 13/256 of four, where one goes at either end. Of five it has 21/3125.
     */
    @Test
    void ofTwoToFourRunsTheIntervalIsTheirRange() {
        double[] runs = {2, 3, 5, 9, 17};
        for (int n = 2; n <= 4; n++) {
            double[] few = Arrays.copyOf(runs, n);
            assertThat(InterquartileMean.interval(few, 0.95, STREAM)).isEqualTo(new Interval(2, few[n - 1]));
        }
        Interval five = InterquartileMean.interval(runs, 0.95, STREAM);
        assertThat(five.low()).isGreaterThan(2);
        assertThat(five.high()).isLessThan(17);
    }

    /** Five runs, one cut at either end: a sample's mean is 0 unless at least two of the five drawn are 10. */
    @Test
    void aSingleRunThatFailedSeldomCounts() {
        double[] runs = {0, 0, 10, 0, 0};
        double atMostOne = Math.pow(0.8, 5) + 5 * 0.2 * Math.pow(0.8, 4); // 0.737
        assertThat(InterquartileMean.interval(runs, 2 * atMostOne - 1 - 0.05, STREAM))
                .isEqualTo(new Interval(0, 0));
        assertThat(InterquartileMean.interval(runs, 2 * atMostOne - 1 + 0.05, STREAM)
                        .high())
                .isCloseTo(10 / 3.0, within(1e-12));
    }

    /** Tasks in which all runs are alike leave nothing to chance; drawn from all runs together they would. */
    @Test
    void keepsEveryTask() {
        List<double[]> tasks = List.of(new double[] {0, 0, 0}, new double[] {10, 10, 10});
        assertThat(InterquartileMean.interval(tasks, 0.95, STREAM)).isEqualTo(new Interval(5, 5));
    }

    /**
     * Of eight runs two go at either end, six of the one task weighing 2/3 each and two of the other 2 each: what is kept is a
     * weight of 2 of each. Of three runs nothing goes, and it is the mean of the means 1.5 and 9.
     */
    @Test
    void tasksWeighAlike() {
        List<double[]> tasks = List.of(new double[] {0, 0, 0, 0, 0, 0}, new double[] {10, 10});
        assertThat(InterquartileMean.of(tasks)).isCloseTo(5, within(1e-12));
        assertThat(InterquartileMean.interval(tasks, 0.95, STREAM).low()).isCloseTo(5, within(1e-12));
        assertThat(InterquartileMean.of(List.of(new double[] {1, 2}, new double[] {9})))
                .isCloseTo(5.25, within(1e-12));
        assertThat(InterquartileMean.of(List.of(new double[] {7, 1, 2}, new double[] {9, 3, 4})))
                .isEqualTo(InterquartileMean.of(new double[] {1, 2, 3, 4, 7, 9}));
        assertThat(InterquartileMean.of(List.of())).isNaN();
    }

    @Test
    void oneRunSaysNothingOfItself() {
        assertThat(InterquartileMean.interval(new double[] {3}, 0.95, STREAM)).isEqualTo(Interval.UNKNOWN);
        assertThat(InterquartileMean.interval(new double[0], 0.95, STREAM)).isEqualTo(Interval.UNKNOWN);
    }

    @Test
    void theSameStreamDrawsTheSame() {
        double[] runs = {1, 2, 5, 9, 30};
        assertThat(InterquartileMean.interval(runs, 0.95, RandomStream.of(7)))
                .isEqualTo(InterquartileMean.interval(runs, 0.95, RandomStream.of(7)));
    }
}

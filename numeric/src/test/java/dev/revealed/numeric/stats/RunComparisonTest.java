package dev.revealed.numeric.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Interval;
import dev.revealed.numeric.RandomStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Performance profiles and probabilities of improvement, by enumeration. */
class RunComparisonTest {
    private static final RandomStream STREAM = RandomStream.of(3);

    private static double[] runs(double... scores) {
        return scores;
    }

    /** Pairs by hand: 5 beats 1 and 4 and ties 5, 2 beats 1: 3.5 of 6; and on the second task 1 of 1. */
    @Test
    void probabilityCountsPairs() {
        ProbabilityOfImprovement found = ProbabilityOfImprovement.of(
                List.of(runs(5, 2), runs(7)), List.of(runs(1, 5, 4), runs(6)), 0.95, STREAM);
        assertThat(found.value()).isCloseTo((3.5 / 6 + 1) / 2, within(1e-12));
    }

    /**
     * Two runs beside one of 2: the draws (1,1), (1,3), (3,1), (3,3) have the probabilities 0, 1/2, 1/2 and 1, a quarter
     * each, so that 60 % of the middle reach from 0 to 1 and 40 % are the half alone.
     */
    @Test
    void intervalsComeFromAllDraws() {
        List<double[]> ones = List.of(runs(1, 3));
        List<double[]> others = List.of(runs(2));
        assertThat(ProbabilityOfImprovement.of(ones, others, 0.6, STREAM).interval())
                .isEqualTo(new Interval(0, 1));
        assertThat(ProbabilityOfImprovement.of(ones, others, 0.4, STREAM).interval())
                .isEqualTo(new Interval(0.5, 0.5));
        assertThat(ProbabilityOfImprovement.of(others, others, 0.4, STREAM))
                .isEqualTo(new ProbabilityOfImprovement(0.5, Interval.UNKNOWN));
    }

    @Test
    void bothAreDrawn() {
        assertThat(ProbabilityOfImprovement.of(List.of(runs(2)), List.of(runs(1, 3)), 0.6, STREAM)
                        .interval())
                .isEqualTo(new Interval(0, 1));
    }

    @Test
    void otherTasksAreRefused() {
        assertThatThrownBy(() -> ProbabilityOfImprovement.of(List.of(runs(1)), List.of(), 0.95, STREAM))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("runs on 1 tasks are compared with runs on 0");
    }

    /** Above 0.5: half of the first task's runs and all of the second's; a score equal to the threshold is not above. */
    @Test
    void tasksCountAlikeInAProfile() {
        List<double[]> tasks = List.of(runs(0.5, 0.6, 0.2, 0.9), runs(1));
        PerformanceProfile profile = PerformanceProfile.of(tasks, new double[] {0, 0.5, 0.95, 1}, 0.95, STREAM);
        assertThat(profile.points()).extracting(PerformanceProfile.Point::share).containsExactly(1.0, 0.75, 0.5, 0.0);
        assertThat(profile.points().getFirst().interval()).isEqualTo(new Interval(1, 1));
        // all four draws below: (1/2)^4 = 0.0625 of draws, so that 0.5 and 1 are the ends
        assertThat(profile.points().get(1).interval()).isEqualTo(new Interval(0.5, 1));
    }

    @Test
    void aSingleRunHasNoInterval() {
        assertThat(PerformanceProfile.of(List.of(runs(1)), new double[] {0}, 0.95, STREAM)
                        .points()
                        .getFirst()
                        .interval())
                .isEqualTo(Interval.UNKNOWN);
        assertThatThrownBy(() -> PerformanceProfile.of(List.of(runs()), new double[] {0}, 0.95, STREAM))
                .isInstanceOf(BadInput.class);
    }
}

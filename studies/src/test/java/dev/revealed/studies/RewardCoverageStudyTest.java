package dev.revealed.studies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.studies.RewardCoverageStudy.Coverage;
import dev.revealed.studies.RewardCoverageStudy.Result;
import dev.revealed.studies.RewardCoverageStudy.Settings;
import java.util.List;
import org.junit.jupiter.api.Test;

class RewardCoverageStudyTest {

    /**
     * Forty sets catch gross errors: with a true coverage of 95 % at most 80 % of them cover once in a thousand times, and
     * intervals twice too wide or too narrow leave the bounds on their width.
     */
    @Test
    void intervalsAreOfTheRightSize() {
        Result result = RewardCoverageStudy.run(new Settings(40, 39, 4, 0.2, 0.95, 1), ProgressListener.NONE);
        assertThat(of(result, "30 trajectories of 100", "discounted"))
                .hasSize(12)
                .allSatisfy(this::right);
        assertThat(of(result, "1 trajectory of 1000", "every choice"))
                .hasSize(12)
                .allSatisfy(this::right);
        assertThat(result.rows())
                .filteredOn(row -> row.data().startsWith("5 "))
                .hasSize(7)
                .allSatisfy(row -> assertThat(row.coverage()).as(row.toString()).isGreaterThan(0.6));
    }

    private void right(Coverage one) {
        assertThat(one.coverage()).as(one.toString()).isGreaterThan(0.8);
        assertThat(one.medianWidth() / (2 * 1.96 * one.spread()))
                .as(one.toString())
                .isBetween(0.7, 1.4);
    }

    private static List<Coverage> of(Result result, String data, String likelihood) {
        return result.rows().stream()
                .filter(row -> row.data().equals(data) && row.likelihood().equals(likelihood))
                .peek(row -> assertThat(row.failures()).as(row.toString()).isZero())
                .flatMap(row -> row.parameters().stream())
                .toList();
    }

    @Test
    void theSameNumbersWhateverTheThreads() {
        Settings few = new Settings(3, 20, 4, 0.2, 0.95, 3);
        Result two = RewardCoverageStudy.run(few, ProgressListener.NONE);
        try {
            Parallel.threads(1);
            assertThat(RewardCoverageStudy.run(few, ProgressListener.NONE).rows())
                    .isEqualTo(two.rows());
        } finally {
            Parallel.threads(Runtime.getRuntime().availableProcessors());
        }
    }
}

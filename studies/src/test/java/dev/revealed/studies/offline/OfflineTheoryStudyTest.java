package dev.revealed.studies.offline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.studies.offline.OfflineTheoryStudy.Board;
import dev.revealed.studies.offline.OfflineTheoryStudy.Coverage;
import dev.revealed.studies.offline.OfflineTheoryStudy.Result;
import dev.revealed.studies.offline.OfflineTheoryStudy.Settings;
import dev.revealed.studies.offline.OfflineTheoryStudy.Size;
import java.util.List;
import org.junit.jupiter.api.Test;

class OfflineTheoryStudyTest {
    private static Settings small(int runs, int replications) {
        return new Settings(
                1,
                new Size(8, 3, 3, 0.8),
                List.of(2000, 16_000),
                runs,
                new Board(3, 0.1, 0.9, List.of(60), 2, 6, 10, 0.01),
                new Coverage(1500, 60, 20),
                replications,
                20,
                1);
    }

    /** The error falls with the log where it covers the expert, well or badly, and stays where it does not. */
    @Test
    void theErrorFallsWithTheLog() {
        Result result = OfflineTheoryStudy.run(small(20, 20), ProgressListener.NONE);
        assertThat(result.slopes())
                .extracting(LogRates.Slope::logger)
                .containsExactly("expert", "random", "opponent", "blind");
        assertThat(result.slopes().subList(0, 3))
                .allSatisfy(slope -> assertThat(slope.slope()).isBetween(-2.0, -0.6));
        assertThat(result.slopes().get(3).slope()).isBetween(-0.3, 0.2);
        assertThat(result.slopes().get(3).concentrability()).isInfinite();
        assertThat(result.slopes().get(2).concentrability()).isBetween(20.0, 200.0);
        // 20 data sets with a true coverage of 95 %: fewer than 15 of them are seen less than once in three thousand
        assertThat(result.coverage())
                .hasSize(9)
                .allSatisfy(row -> assertThat(row.withDynamics()).isGreaterThanOrEqualTo(0.75));
        assertThat(result.penalties()).hasSize(3 * 8).allSatisfy(row -> {
            assertThat(row.loss()).isPositive();
            assertThat(row.excess()).isPositive();
        });
    }

    @Test
    void theSameNumbersWhateverTheThreads() {
        Result two = OfflineTheoryStudy.run(small(2, 2), ProgressListener.NONE);
        try {
            Parallel.threads(1);
            assertThat(OfflineTheoryStudy.run(small(2, 2), ProgressListener.NONE))
                    .isEqualTo(two);
        } finally {
            Parallel.threads(Runtime.getRuntime().availableProcessors());
        }
    }
}

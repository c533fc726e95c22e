package dev.revealed.app.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.app.Outcome;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.studies.offline.OfflineTheoryStudy;
import java.util.List;
import org.junit.jupiter.api.Test;

class OfflineTheoryViewTest {

    @Test
    void showsRatesPenaltiesAndCoverage() {
        OfflineTheoryStudy.Result result = OfflineTheoryStudy.run(
                new OfflineTheoryStudy.Settings(
                        1,
                        new OfflineTheoryStudy.Size(5, 2, 2, 0.8),
                        List.of(500, 2000),
                        2,
                        new OfflineTheoryStudy.Board(3, 0.1, 0.9, List.of(60), 2, 4, 8, 0.01),
                        new OfflineTheoryStudy.Coverage(500, 20, 10),
                        2,
                        20,
                        1),
                ProgressListener.NONE);
        Outcome outcome = OfflineTheoryView.of(result);
        assertThat(outcome.document()).isSameAs(result);
        assertThat(outcome.text())
                .contains("slope", "opponent", "carried over", "given dynamics %", "the demonstrations");
        assertThat(outcome.pictures().keySet()).containsExactly("rates");
        assertThat(outcome.files().get("rates.csv")).hasLineCount(1 + 8);
        assertThat(outcome.files().get("penalties.csv")).hasLineCount(1 + 24);
        assertThat(outcome.files().get("coverage.csv")).hasLineCount(1 + 6);
    }
}

package dev.revealed.app.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.app.Outcome;
import dev.revealed.studies.offline.LogCoverage;
import dev.revealed.studies.offline.LogRates;
import dev.revealed.studies.offline.OfflineTheoryStudy;
import dev.revealed.studies.offline.Penalties;
import java.util.List;
import org.junit.jupiter.api.Test;

class OfflineTheoryViewTest {

    @Test
    void showsRatesPenaltiesAndCoverage() {
        List<Integer> moves = OfflineTheoryStudy.Settings.STANDARD.moves();
        OfflineTheoryStudy.Result result = new OfflineTheoryStudy.Result(
                new OfflineTheoryStudy.Summary(-1.02, -1.38, 0.947, 0.9635),
                List.of(new LogRates.Slope("opponent", 65.4, -1.378)),
                List.of(
                        new LogRates.Point("opponent", moves.getFirst(), 0.972, 0.58, 0.041, 200),
                        new LogRates.Point("opponent", moves.getLast(), 0.002, 0.0001, 0, 200)),
                List.of(new Penalties.Row("opponent", 5000, "auto", 1.27, 13.1, 1.236, 1.129, 0.06, 0.987)),
                List.of(new LogCoverage.Row("the demonstrations", "x1", 0.954, 0.957, 0.0047, 2000, 3)),
                List.of(1.0, -1.0),
                OfflineTheoryStudy.Settings.STANDARD);
        Outcome outcome = OfflineTheoryView.of(result);
        assertThat(outcome.document()).isSameAs(result);
        assertThat(outcome.text())
                .containsPattern("opponent +65.4 +0.972 +0.002 +-1.378")
                .containsPattern("opponent +5000 +auto +1.27 +13.1 +1.24 +1.13 +0.06 +0.987")
                .containsPattern("the demonstrations +x1 +95.4 +0.5 +95.7 +3");
        assertThat(outcome.pictures().keySet()).containsExactly("rates");
        assertThat(outcome.files().get("rates.csv")).hasLineCount(1 + 2);
        assertThat(outcome.files().keySet()).containsExactly("rates.csv", "penalties.csv", "coverage.csv");
    }
}

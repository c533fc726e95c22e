package dev.revealed.app.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.app.Outcome;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.studies.TheoryStudy;
import java.util.List;
import org.junit.jupiter.api.Test;

class TheoryViewTest {

    @Test
    void showsEveryGuaranteeInNumbersAndPictures() {
        TheoryStudy.Result result = TheoryStudy.run(TheoryStudy.Settings.quick(), ProgressListener.NONE);
        Outcome outcome = TheoryView.of(result);
        assertThat(outcome.document()).isSameAs(result);
        assertThat(outcome.text())
                .contains("Theorem 1", "Theorem 2", "Lemma 1", "Section 3", "misread at the estimate");
        assertThat(outcome.pictures().keySet()).containsExactly("rates", "trace", "floor", "likelihoods", "lemma1");
        assertThat(outcome.report().toHtml()).contains("persistent", "guaranteed", "vacuous");
        assertThat(outcome.files().keySet()).allMatch(name -> name.endsWith(".csv"));
        // a row per number of iterations under a header, and no name twice
        assertThat(outcome.files().get("rates.csv"))
                .hasLineCount(1 + result.rates().size());
        for (String file : outcome.files().values()) {
            assertThat(List.of(file.lines().findFirst().orElseThrow().split(",", -1)))
                    .doesNotHaveDuplicates();
        }
    }
}

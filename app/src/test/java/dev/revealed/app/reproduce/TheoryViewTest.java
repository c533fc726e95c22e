package dev.revealed.app.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.app.Outcome;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.studies.theory.TheoryStudy;
import java.util.List;
import org.junit.jupiter.api.Test;

class TheoryViewTest {

    @Test
    void showsEveryGuaranteeInNumbersAndPictures() {
        TheoryStudy.Result result = TheoryStudy.run(quick(List.of(0.5)), ProgressListener.NONE);
        Outcome outcome = TheoryView.of(result);
        assertThat(outcome.document()).isSameAs(result);
        assertThat(outcome.text())
                .contains(
                        "Theorem 1",
                        "Theorem 2",
                        "Lemma 1",
                        "Section 3",
                        "Corollary 1",
                        "Corollary 2",
                        "misread at the estimate");
        assertThat(outcome.pictures().keySet())
                .containsExactly("rates", "trace", "floor", "likelihoods", "lemma1", "concavity", "convergence");
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

    private static TheoryStudy.Settings quick(List<Double> sigmas) {
        return new TheoryStudy.Settings(
                1,
                new TheoryStudy.Size(8, 3, 3, 0.8),
                50,
                1,
                sigmas,
                List.of(32, 128, 512),
                4,
                List.of(0.0, 0.1, 0.3),
                List.of(128),
                3,
                new TheoryStudy.DataSets(List.of(4, 64), 200, List.of(64), 40, 20, 500, 0.05),
                3,
                new TheoryStudy.Corollary(
                        List.of(16, 256), 60, List.of(0.02, 0.1), List.of(16, 1024), 8, List.of(0.1, 0.5)),
                TheoryStudy.Settings.STANDARD.rustData());
    }
}

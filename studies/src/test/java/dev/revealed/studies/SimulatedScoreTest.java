package dev.revealed.studies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.simulated.Bbl;
import dev.revealed.estimate.choice.simulated.Futures;
import dev.revealed.estimate.choice.simulated.Hmss;
import dev.revealed.estimate.choice.twostep.ChoiceProbabilities;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The first step's logit, of degree 3, cannot follow choices that jump where pensions rise. What that does to the estimates
 * of hmss and bbl is a quarter of a standard error with 1000 individuals and above one with 32,000, where it must be said.
 */
class SimulatedScoreTest {

    private static Fit fit(PanelMethod method, int individuals) {
        StudyModel model = StudyModels.forCoverage("retirement", CoverageStudy.Settings.STANDARD);
        ChoiceProblem problem = model.of(individuals, model.periods()).problem(RandomStream.of(3));
        return method.fit(problem, problem.firstStage(), RandomStream.of(1), ProgressListener.NONE);
    }

    @Test
    void aSmoothFirstStepIsReportedWhereItMatters() {
        for (PanelMethod method : List.of(Hmss.standard(), Bbl.standard())) {
            assertThat(fit(method, 1000).score().orElseThrow().passed()).isTrue();
            Fit large = fit(method, 32_000);
            assertThat(large.score().orElseThrow().passed()).isFalse();
            assertThat(large.warnings()).anyMatch(said -> said.contains("score of the solved model"));
        }
    }

    @Test
    void frequenciesPassOnTheSamePanel() {
        Fit fit = fit(new Hmss(new ChoiceProbabilities.Frequency(0.1), Futures.STANDARD), 32_000);
        assertThat(fit.score().orElseThrow().passed()).isTrue();
        assertThat(fit.warnings()).isEmpty();
    }
}

package dev.revealed.studies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.runs.Json;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A small run must already show what the paper promises, and what it does not. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TheoryStudyTest {
    private final Set<String> stages = ConcurrentHashMap.newKeySet();
    private TheoryStudy.Result result;

    /** Not when the class is loaded: tasks on other threads call back into it. */
    @BeforeAll
    void run() {
        result = TheoryStudy.run(quick(List.of(0.5)), (stage, done, total) -> {
            assertThat(done).isBetween(0L, total);
            stages.add(stage);
        });
    }

    @Test
    void bothQuantitiesOfTheorem1FallAtItsRates() {
        assertThat(result.summary().policyErrorSlope()).isLessThan(-0.4);
        assertThat(result.summary().gradientNormSlope()).isBetween(-0.8, -0.3);
        assertThat(result.rates()).hasSize(3).allSatisfy(rate -> {
            assertThat(rate.means().policyErrorStandardError()).isPositive();
            assertThat(rate.means().gradientNormStandardError()).isPositive();
        });
    }

    @Test
    void anErrorInQLeavesAFloorThatGrowsWithIt() {
        for (boolean persistent : new boolean[] {false, true}) {
            List<Rates.Floor> rows = result.floor().stream()
                    .filter(row -> row.persistent() == persistent)
                    .toList();
            assertThat(rows)
                    .hasSize(3)
                    .isSortedAccordingTo(
                            Comparator.comparingDouble(row -> row.means().meanPolicyError()));
            for (Rates.Floor row : rows) {
                // two policies in softmax form differ by at most twice the difference of their Q; errors of earlier
                // steps
                // add at most 2 gamma/(1-gamma)^2 more (the proof of Theorem 1), here far less
                assertThat(row.means().meanPolicyError()).isBetween(0.5 * row.epsilon(), 2 * row.epsilon() + 0.02);
            }
        }
    }

    @Test
    void bothLikelihoodsNearTheTruthLikeOneOverTheRoot() {
        for (String theta : List.of("truth", "opposite")) {
            List<Concentration.Likelihoods> rows = result.likelihoods().stream()
                    .filter(row -> row.theta().equals(theta))
                    .toList();
            // 16 times the data, a quarter of the error
            assertThat(rows.get(0).surrogateError() / rows.get(1).surrogateError())
                    .isBetween(3.2, 5.0);
            assertThat(rows.get(0).empiricalError() / rows.get(1).empiricalError())
                    .isBetween(3.2, 5.0);
        }
    }

    /** At the truth the surrogate's score is the empirical one's plus independent noise. */
    @Test
    void theEmpiricalLikelihoodHasTheBetterMaximiser() {
        assertThat(result.maximisers())
                .allSatisfy(row -> assertThat(row.surrogateExcess()).isGreaterThan(row.empiricalExcess()));
        assertThat(result.maximisers())
                .allSatisfy(row -> assertThat(row.empiricalExcess()).isPositive());
    }

    @Test
    void lemma1HoldsWhereItMayBeReadAndFailsWhereNot() {
        assertThat(result.summary().lemma1Datasets()).isEqualTo(500);
        assertThat(result.summary().lemma1Coverage())
                .isGreaterThanOrEqualTo(1 - result.summary().lemma1Delta());
        assertThat(result.summary().lemma1Tightness()).isBetween(0.01, 0.9);
        // coin tosses: the 95% quantile of |heads/20 - 1/2| is 0.2, the bound sqrt(ln 40 / 40) = 0.30368
        assertThat(result.lemma1().worstCaseTightness()).isBetween(0.6585, 0.6586);
        assertThat(result.lemma1().atEstimate().coverage()).isZero();
        assertThat(result.lemma1().atEstimate().uniformCoverage()).isEqualTo(1);
        // 1 - (1 - (1 - 1/400)^20) pairs unseen
        assertThat(result.lemma1().atEstimate().meanError())
                .isBetween(Math.pow(1 - 1 / 400.0, 20) - 1e-3, Math.pow(1 - 1 / 400.0, 20) + 1e-3);
    }

    @Test
    void theDualityGapIsRounding() {
        assertThat(result.duality()).hasSize(3).allSatisfy(row -> {
            assertThat(Math.abs(row.gap())).isLessThan(1e-8);
            assertThat(row.policyDistance()).isLessThan(1e-5);
        });
        assertThat(result.summary().dualityGap()).isLessThan(1e-8);
    }

    @Test
    void saysHowFarItHasCome() {
        assertThat(stages).contains("rates", "floor", "maximisers", "lemma 1", "duality");
    }

    @Test
    void isWrittenAsTheDocumentScriptsRead() {
        assertThat(Json.write(result))
                .contains("\"policyErrorSlope\" : ", "\"lemma1Coverage\" : ", "\"meanSquaredGradientNorm\" : ")
                .doesNotContain("null");
    }

    @Test
    void theSameSeedGivesTheSameNumbersOnAnyNumberOfThreads() {
        TheoryStudy.Settings settings = quick(List.of(0.5));
        assertThat(Threads.results(() -> TheoryStudy.run(settings, ProgressListener.NONE)))
                .containsExactly(Json.write(result));
    }

    @Test
    void refusesSettingsWithoutASlope() {
        assertThatThrownBy(() -> quick(List.of(0.25))).isInstanceOf(BadInput.class);
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
                3);
    }
}

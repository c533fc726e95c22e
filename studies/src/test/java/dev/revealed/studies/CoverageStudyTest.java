package dev.revealed.studies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.twostep.TdCcp;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CoverageStudyTest {

    /** Forty panels can only catch gross errors; the command looks at 2,000. */
    @Test
    void intervalsAreOfTheRightSize() {
        CoverageStudy.Result result =
                CoverageStudy.run(new CoverageStudy.Settings(40, "bus", 25, 0.95, 200, 50, 1), ProgressListener.NONE);
        assertThat(result.rows()).hasSize(28).allSatisfy(row -> {
            assertThat(row.failures()).as(row.method()).isZero();
            assertThat(row.coverage()).as(row.toString()).isGreaterThan(0.79);
            assertThat(row.meanStandardError()).as(row.toString()).isCloseTo(row.spread(), within(0.5 * row.spread()));
            assertThat(row.meanEstimate())
                    .as(row.toString())
                    .isCloseTo(row.truth(), within(4 * row.spread() / Math.sqrt(40)));
        });
    }

    /** Rust saw 60 replacements in 8,156 months; new engines, as these all are at first, are replaced a little less often. */
    @Test
    void aPanelOfRustsSizeHasAsFewReplacements() {
        StudyModel model = StudyModels.forCoverage("rust-size", CoverageStudy.Settings.STANDARD);
        long replacements = model.problem(RandomStream.of(1)).panel().individuals().stream()
                .flatMapToInt(bus ->
                        Arrays.stream(Objects.requireNonNull(bus.choices().actions())))
                .filter(action -> action == RustBus.REPLACE)
                .count();
        assertThat(replacements).isBetween(30L, 70L);
        assertThat(CoverageStudy.Settings.STANDARD.models()).doesNotContain("rust-size"); // it is asked for by name
    }

    /** With 40 panels an exact 95 % is observed between 88.2 and 100 %. */
    @ParameterizedTest
    @CsvSource({
        "0.95, 40, too few panels to tell",
        "1, 2, too few panels to tell",
        "0.9, 40, too few panels to tell",
        "0.7, 40, NO",
        "0.95, 2000, yes",
        "0.935, 2000, yes",
        "0.925, 2000, within Monte Carlo error",
        "0.9, 2000, NO",
        "0.99, 2000, NO"
    })
    void theVerdictKnowsItsMonteCarloError(double coverage, int panels, String verdict) {
        assertThat(CoverageStudy.verdict(coverage, panels)).isEqualTo(verdict);
    }

    /** Four estimates around (0.1, -0.2) off the truth whose covariance is 2/3 in each direction. */
    @Test
    void jointTestsAreHotellings() {
        StudyModel model = StudyModels.forCoverage("bus", CoverageStudy.Settings.STANDARD);
        List<CoverageStudy.Found> found = Stream.of(
                        new double[] {1, 0}, new double[] {-1, 0}, new double[] {0, 1}, new double[] {0, -1})
                .map(one -> Vec.plus(Vec.plus(one, 1, new double[] {0.1, -0.2}), 1, model.theta()))
                .map(values -> new CoverageStudy.Found(true, false, values, new double[2]))
                .toList();
        CoverageStudy.Joint joint = CoverageStudy.joint(model, "nfxp", found, 2).orElseThrow();
        assertThat(joint.statistic()).isCloseTo(4 * (0.01 + 0.04) / (2.0 / 3), within(1e-12));
        assertThat(joint.pValue()).isCloseTo(Math.exp(-0.15), within(1e-12)); // chi-squared of two: exp(-x / 2)
        assertThat(CoverageStudy.joint(model, "nfxp", found.subList(0, 2), 2)).isEmpty();
    }

    /** Polynomials of ranks, once the only basis, are off by more than the spread here and warn in four panels in ten. */
    @Test
    void temporalDifferencesFollowTwoAutoregressions() {
        int panels = 10;
        StudyModel model = StudyModels.forCoverage("two-ar", CoverageStudy.Settings.STANDARD);
        RandomStream stream = RandomStream.of(1).named("coverage");
        Estimate[] estimates = new Estimate[panels];
        Parallel.tasks(
                panels,
                i -> estimates[i] = new ChoiceEstimator(TdCcp.semiGradient())
                        .fit(model.problem(stream.at(i)), stream.at(i), ProgressListener.NONE)
                        .estimate()
                        .orThrow());
        assertThat(Arrays.stream(estimates)
                        .filter(estimate -> !estimate.warnings().isEmpty())
                        .count())
                .isLessThanOrEqualTo(panels / 5);
        for (int j = 0; j < model.theta().length; j++) {
            int parameter = j;
            double mean = Arrays.stream(estimates)
                    .mapToDouble(estimate -> estimate.theta()[parameter])
                    .average()
                    .orElseThrow();
            double standardError = Arrays.stream(estimates)
                    .mapToDouble(estimate ->
                            estimate.parameters().get(parameter).standardError().orElseThrow())
                    .average()
                    .orElseThrow();
            assertThat(mean)
                    .as("parameter %d", j)
                    .isCloseTo(model.theta()[j], within((0.25 + 2.5 / Math.sqrt(panels)) * standardError));
        }
    }

    @Test
    void theSameNumbersWhateverTheThreads() {
        CoverageStudy.Settings few = new CoverageStudy.Settings(3, "bus", 25, 0.95, 50, 30, 3);
        CoverageStudy.Result two = CoverageStudy.run(few, ProgressListener.NONE);
        try {
            Parallel.threads(1);
            assertThat(CoverageStudy.run(few, ProgressListener.NONE).rows()).isEqualTo(two.rows());
        } finally {
            Parallel.threads(Runtime.getRuntime().availableProcessors());
        }
    }
}

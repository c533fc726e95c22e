package dev.revealed.studies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.revealed.data.ChoiceData;
import dev.revealed.data.RustBusFiles;
import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.estimate.choice.simulated.Bbl;
import dev.revealed.estimate.choice.simulated.Hmss;
import dev.revealed.estimate.choice.twostep.Ccp;
import dev.revealed.estimate.choice.twostep.Npl;
import dev.revealed.numeric.ProgressListener;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Estimators that start from choice probabilities, on the real buses: 60 replacements, horizons of hundreds of months. */
class TwoStepBusTest {
    private static ChoiceProblem problem(int bins, double discount, String cost) {
        Path file = Shared.file("data/rust_bus_groups_1_to_4.csv");
        assumeTrue(Files.exists(file), () -> "SKIPPED, for want of " + file);
        ChoiceData data = RustBusFiles.read(
                file,
                RustBusFiles.Settings.of(Map.of("bins", "" + bins, "discount", "" + discount, "cost", cost)),
                ProgressListener.NONE);
        return new ChoiceProblem(data.model(), data.panel());
    }

    private static Estimate fit(PanelMethod method, ChoiceProblem problem, long seed) {
        return new ChoiceEstimator(method).fit(problem, seed).estimate();
    }

    @ParameterizedTest
    @CsvSource({
        "90, 0.9999, linear",
        "90, 0.99, linear",
        "175, 0.9999, linear",
        "90, 0.9999, quadratic",
        "90, 0.9999, cubic",
        "90, 0.9999, sqrt",
        "175, 0.9999, hyperbolic",
        "90, 0.9999, mixed",
        "90, 0, linear"
    })
    void nplIsMaximumLikelihood(int bins, double discount, String cost) {
        ChoiceProblem problem = problem(bins, discount, cost);
        Estimate best = fit(NestedFixedPoint.standard(), problem, 1).orThrow();
        for (Npl npl : List.of(Npl.standard(), Npl.standard().fromZero())) {
            Estimate estimate = fit(npl, problem, 1).orThrow();
            assertThat(estimate.choiceLogLikelihood().orElseThrow())
                    .isCloseTo(best.choiceLogLikelihood().orElseThrow(), within(1e-7));
            for (int j = 0; j < problem.model().utility().parameters(); j++) {
                assertThat(estimate.theta()[j])
                        .isCloseTo(best.theta()[j], within(1e-4 * Math.min(1, Math.abs(best.theta()[j]))));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"90, 0.9999, linear", "90, 0.99, linear", "175, 0.9999, linear", "90, 0.9999, sqrt", "90, 0.9999, cubic"
    })
    void theOthersAreWithinTwoStandardErrorsOfIt(int bins, double discount, String cost) {
        ChoiceProblem problem = problem(bins, discount, cost);
        double[] best = fit(NestedFixedPoint.standard(), problem, 1).orThrow().theta();
        for (PanelMethod method : List.of(Ccp.standard(), Hmss.standard(), Bbl.standard())) {
            for (long seed = 1; seed <= (method instanceof Ccp ? 1 : 3); seed++) {
                Estimate estimate = fit(method, problem, seed).orThrow();
                assertThat(estimate.warnings()).isEmpty();
                for (int j = 0; j < problem.model().utility().parameters(); j++) {
                    double standardError =
                            estimate.parameters().get(j).standardError().orElseThrow();
                    assertThat(Math.abs(estimate.theta()[j] - best[j]) / standardError)
                            .as(
                                    "%s, seed %d, %s",
                                    method.name(), seed, estimate.parameters().get(j))
                            .isLessThan(1);
                }
            }
        }
    }
}

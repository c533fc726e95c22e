package dev.revealed.studies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.revealed.data.ChoiceData;
import dev.revealed.data.RustBusFiles;
import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.estimate.choice.twostep.TdCcp;
import dev.revealed.numeric.ProgressListener;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Without any law of motion, near the maximum of the likelihood that has one. */
class TdCcpOnBusesTest {

    @ParameterizedTest
    @CsvSource({"0.99, 90", "0.9999, 90", "0.9999, 175"})
    void withinTwoStandardErrorsOfTheMaximum(String discount, String bins) {
        Path file = Shared.file("data/rust_bus_groups_1_to_4.csv");
        assumeTrue(Files.exists(file), () -> "SKIPPED, for want of " + file);
        ChoiceData data = RustBusFiles.read(
                file, RustBusFiles.Settings.of(Map.of("discount", discount, "bins", bins)), ProgressListener.NONE);
        ChoiceProblem problem = new ChoiceProblem(data.model(), data.panel());
        Estimate exact =
                new ChoiceEstimator(NestedFixedPoint.standard()).fit(problem, 1).estimate();
        for (TdCcp method : new TdCcp[] {TdCcp.semiGradient(), TdCcp.locallyRobust()}) {
            Estimate estimate = new ChoiceEstimator(method).fit(problem, 1).estimate();
            assertThat(estimate.converged()).isTrue();
            for (int j = 0; j < 2; j++) {
                double error = estimate.parameters().get(j).standardError().orElseThrow();
                assertThat(error / exact.parameters().get(j).standardError().orElseThrow())
                        .isBetween(0.3, 2.0);
                assertThat(estimate.theta()[j])
                        .as(method.name())
                        .isCloseTo(exact.theta()[j], within((method.robust() ? 2 : 1) * error));
            }
        }
    }
}

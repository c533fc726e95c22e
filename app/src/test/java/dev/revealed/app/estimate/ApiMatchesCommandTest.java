package dev.revealed.app.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.api.ChoiceEstimation;
import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.EstimateText;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** What the API and the command line both have is the same in both. */
class ApiMatchesCommandTest {
    @Test
    void methodsOfChoiceModelsHaveTheSameNames() {
        assertThat(ChoiceEstimation.methods()).isEqualTo(Methods.names());
    }

    @Test
    void coefficientsPrintAlike() {
        List<Estimate.Parameter> parameters = List.of(
                new Estimate.Parameter("RC", 10.1346, OptionalDouble.of(0.7258)),
                new Estimate.Parameter("theta11", -2.79951, OptionalDouble.empty()),
                new Estimate.Parameter("tiny", 1.5e-5, OptionalDouble.of(2.5e-6)),
                new Estimate.Parameter("zero", 0, OptionalDouble.of(0)),
                new Estimate.Parameter("huge", -3e12, OptionalDouble.of(1e11)));
        String shown = EstimateView.coefficients(parameters, 0.95).toText();
        assertThat(EstimateText.table(parameters)).isEqualTo(shown.replaceAll("(?m)^=+\n", ""));
    }
}

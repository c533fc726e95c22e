package dev.revealed.api;

import static dev.revealed.api.RewardEstimationTest.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ChoiceEstimationTest {
    /** Simulated with RC = 6 and theta11 = 20. */
    private static final Path PANEL = Path.of("..", "examples", "consumer", "buses.csv");

    private static final Path YAML = Path.of("..", "examples", "bus.yaml");

    @Test
    void findsTheParametersThatThePanelWasSimulatedWith() {
        Estimates estimates =
                ChoiceEstimation.of("rust-bus").panel(PANEL).estimate().orThrow();
        Coefficient cost = estimates.coefficient("RC");
        assertThat(cost.value()).isCloseTo(6, within(3 * cost.standardError().orElseThrow()));
        assertThat(estimates.toString()).contains("RC ", "theta11", "Standard errors: outer product");
    }

    @Test
    void takesAModelOfOnesOwnAndAMethodByName() {
        Estimates estimates = ChoiceEstimation.of(YAML.toString())
                .panel(PANEL)
                .method("npl")
                .standardErrors("cluster")
                .estimate()
                .orThrow();
        assertThat(estimates.method()).isEqualTo("npl");
        assertThat(estimates.coefficient("RC").value()).isBetween(4.0, 8.0);
    }

    @Test
    void settingsOfTheModelCount() {
        double patient = ChoiceEstimation.of("rust-bus")
                .panel(PANEL)
                .estimate()
                .coefficient("theta11")
                .value();
        double myopic = ChoiceEstimation.of("rust-bus")
                .panel(PANEL)
                .set("discount", "0")
                .estimate()
                .coefficient("theta11")
                .value();
        assertThat(myopic).isGreaterThan(2 * patient);
    }

    @Test
    void saysWhatIsMissingOrMisspelt() {
        refuses(() -> ChoiceEstimation.of("rust-buss"), "no model 'rust-buss'", "Did you mean 'rust-bus'?");
        refuses(() -> ChoiceEstimation.of("none.yaml"), "none.yaml", "Correct the path");
        refuses(() -> ChoiceEstimation.of("rust-bus").estimate(), "no panel", "panel(path)");
        refuses(() -> ChoiceEstimation.of("rust-bus").method("mepc"), "no method 'mepc'", "Did you mean 'mpec'?");
        refuses(() -> ChoiceEstimation.of("rust-bus").standardErrors("robust"), "'robust'", "sandwich");
        refuses(
                () -> ChoiceEstimation.of("rust-bus")
                        .panel(PANEL)
                        .set("bin", "90")
                        .estimate(),
                "'bin'",
                "Did you mean 'bins'?");
    }
}

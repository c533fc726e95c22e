package dev.revealed.estimate.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class IdentificationTest {
    private static final List<String> NAMES = List.of("a", "b", "c");

    @Test
    void unitsDoNotDecideWhatIsFlat() {
        // Well identified, but c is measured in units a million times too large.
        double[][] information = {{4, 1, 1e-6}, {1, 2, 0}, {1e-6, 0, 1e-12}};
        Identification found = Identification.of(information, NAMES);
        assertThat(found.complete()).isTrue();
        assertThat(found.describe()).isEmpty();
        assertThat(found.spectrum()[0]).isGreaterThan(0.1);
        assertThat(found.spectrum()[0] + found.spectrum()[1] + found.spectrum()[2])
                .isCloseTo(3, within(1e-12));
    }

    @Test
    void saysWhichCombinationIsFlatInItsOwnUnits() {
        // Scores x = (1, 1000) z for a and b: moving a by 1000 and b by -1 changes nothing.
        double[][] information = {{1, 1000, 0}, {1000, 1e6, 0}, {0, 0, 3}};
        Identification found = Identification.of(information, NAMES);
        assertThat(found.flat()).hasSize(1);
        assertThat(found.flat().getFirst()).containsExactly(new double[] {1, -0.001, 0}, within(1e-9));
        assertThat(found.describe()).isIn("1.00 a - 0.00100 b", "- 0.00100 b + 1.00 a");
    }

    @Test
    void saysWhichParameterDoesNothing() {
        Identification found = Identification.of(new double[][] {{1, 0, 0}, {0, 0, 0}, {0, 0, 2}}, NAMES);
        assertThat(found.describe()).isEqualTo("1.00 b");
    }

    @Test
    void saysWhenNothingIsIdentified() {
        Identification found = Identification.of(new double[3][3], NAMES);
        assertThat(found.flat()).hasSize(3);
        assertThat(found.complete()).isFalse();
    }

    @Test
    void noParametersAreIdentified() {
        assertThat(Identification.of(new double[0][0], List.of()).complete()).isTrue();
    }
}

package dev.revealed.numeric.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.Normal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChiSquaredTest {

    /** Expected values are from mpmath with 40 digits, at the doubles written here. */
    @ParameterizedTest
    @CsvSource({
        "3.841458820694124, 1, 0.050000000000000057435",
        "0.5, 1, 0.47950012218695346232",
        "1e-08, 1, 0.99992021154405269422",
        "60, 1, 9.4857375710738483885e-15",
        "1400, 1, 2.101014516264217495e-306",
        "5.991464547107979, 2, 0.050000000000000073572",
        "7.814727903251178, 3, 0.050000000000000037632",
        "0.001, 3, 0.99999159208094195384",
        "0.25, 3, 0.9691404042162732705",
        "500, 3, 4.7716720319127584629e-108",
        "11.070497693516351, 5, 0.050000000000000051957",
        "18.307038053275146, 10, 0.050000000000000006706",
        "2, 10, 0.99634015317265628765",
        "80, 25, 1.141061172719878249e-7",
        "1000, 1001, 0.50297421726812951204",
        "2500, 2000, 1.0740080231386176286e-13",
        "1900, 2000, 0.94494531376926196551"
    })
    void keepsItsRelativeAccuracyInTheTail(double x, int df, double expected) {
        assertThat(ChiSquared.upperTail(x, df)).isCloseTo(expected, within(1e-12 * expected));
    }

    /** The critical values every textbook prints: 1 % with 1, 4 and 9 degrees of freedom. */
    @ParameterizedTest
    @CsvSource({"6.635, 1", "13.277, 4", "21.666, 9"})
    void agreesWithPrintedTables(double critical, int df) {
        assertThat(ChiSquared.upperTail(critical, df)).isCloseTo(0.01, within(5e-6));
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e-12, 0.3, 2, 40, 1300})
    void isExponentialWithTwoDegreesOfFreedom(double x) {
        assertThat(ChiSquared.upperTail(x, 2)).isEqualTo(Math.exp(-x / 2));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, 1, 1.96, 6})
    void isTheSquareOfANormalWithOneDegreeOfFreedom(double z) {
        assertThat(ChiSquared.upperTail(z * z, 1)).isCloseTo(2 * Normal.cdf(-z), within(1e-14));
    }

    @Test
    void knowsItsEnds() {
        assertThat(ChiSquared.upperTail(0, 3)).isEqualTo(1);
        assertThat(ChiSquared.upperTail(-1, 3)).isEqualTo(1);
        assertThat(ChiSquared.upperTail(Double.POSITIVE_INFINITY, 4)).isZero();
        assertThat(ChiSquared.upperTail(5000, 3)).isZero();
        assertThat(ChiSquared.upperTail(Double.NaN, 1)).isNaN();
        assertThatThrownBy(() -> ChiSquared.upperTail(1, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}

package dev.revealed.numeric.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.Normal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StudentTTest {
    /** Of the usual table. */
    @ParameterizedTest
    @CsvSource({
        "1, 12.7062",
        "2, 4.3027",
        "3, 3.1824",
        "4, 2.7764",
        "9, 2.2622",
        "10, 2.2281",
        "30, 2.0423",
        "99, 1.9842"
    })
    void quantiles(int degrees, double expected) {
        assertThat(StudentT.quantile(0.975, degrees)).isCloseTo(expected, within(5e-5));
        assertThat(StudentT.quantile(0.025, degrees)).isCloseTo(-expected, within(5e-5));
    }

    /** One degree of freedom is Cauchy's distribution, two have a formula of their own, many are nearly normal. */
    @Test
    void knownForms() {
        assertThat(StudentT.cdf(0.7, 1)).isCloseTo(0.5 + Math.atan(0.7) / Math.PI, within(1e-14));
        assertThat(StudentT.cdf(0.7, 2)).isCloseTo(0.5 + 0.7 / (2 * Math.sqrt(2 + 0.49)), within(1e-14));
        assertThat(StudentT.cdf(0.7, 1_000_000)).isCloseTo(Normal.cdf(0.7), within(1e-6));
        assertThat(StudentT.cdf(0, 7)).isCloseTo(0.5, within(1e-15));
    }
}

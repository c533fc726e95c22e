package dev.revealed.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expected values are from mpmath with 40 digits, at the doubles written here. */
class NormalTest {

    @ParameterizedTest
    @CsvSource({
        "-37.5, 4.6053530095819548438e-308",
        "-20, 2.7536241186062336951e-89",
        "-8, 6.2209605742717841235e-16",
        "-5, 2.8665157187919391167e-7",
        "-3, 0.0013498980316300945267",
        "-2.0000001, 0.022750126549083104627",
        "-2, 0.0227501319481792072",
        "-1.9999999, 0.022750137347276401581",
        "-1, 0.15865525393145705141",
        "-0.5, 0.30853753872598689636",
        "-1e-9, 0.4999999996010577196",
        "0, 0.5",
        "0.3, 0.61791142218895263307",
        "1, 0.84134474606854294859",
        "1.959963984540054, 0.97499999999999998912",
        "2.5, 0.99379033467422386483",
        "5, 0.99999971334842812081"
    })
    void cdfKeepsItsRelativeAccuracyInTheTail(double x, double expected) {
        assertThat(Normal.cdf(x)).isCloseTo(expected, within(1e-14 * expected));
    }

    @ParameterizedTest
    @CsvSource({
        "1e-300, -37.047096299361199237",
        "1e-100, -21.273453560965324294",
        "1e-20, -9.2623400897984075796",
        "1e-10, -6.3613409024040561991",
        "0.001, -3.0902323061678135354",
        "0.005, -2.5758293035489007538",
        "0.025, -1.9599639845400542118",
        "0.05, -1.644853626951472688",
        "0.1, -1.2815515655446004353",
        "0.25, -0.6744897501960817432",
        "0.4999, -0.00025066283008800749239",
        "0.6, 0.25334710313579974132",
        "0.75, 0.6744897501960817432",
        "0.9, 1.2815515655446005935",
        "0.95, 1.6448536269514722843",
        "0.975, 1.9599639845400538556",
        "0.99, 2.3263478740408407676",
        "0.995, 2.5758293035489004539",
        "0.9999999, 5.1993375822906610937"
    })
    void quantile(double p, double expected) {
        assertThat(Normal.quantile(p)).isCloseTo(expected, within(1e-13 * Math.max(1, Math.abs(expected))));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-37, -12.3, -4, -2.01, -1.99, -0.7, -1e-6, 0, 0.1, 1.5, 3})
    void quantileUndoesCdf(double x) {
        assertThat(Normal.quantile(Normal.cdf(x))).isCloseTo(x, within(1e-12));
    }

    @Test
    void endsOfTheLine() {
        assertThat(Normal.cdf(Double.NEGATIVE_INFINITY)).isZero();
        assertThat(Normal.cdf(Double.POSITIVE_INFINITY)).isOne();
        assertThat(Normal.cdf(-1e200)).isZero();
        assertThat(Normal.cdf(Double.NaN)).isNaN();
        assertThat(Normal.density(1e200)).isZero();
        assertThat(Normal.density(0)).isCloseTo(0.3989422804014327, within(1e-16));
        assertThat(Normal.quantile(0)).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(Normal.quantile(1)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(Normal.quantile(0.5)).isZero();
        assertThat(Normal.quantile(-0.1)).isNaN();
        assertThat(Normal.quantile(1.1)).isNaN();
        assertThat(Normal.quantile(Double.NaN)).isNaN();
        assertThat(Normal.quantile(Double.MIN_VALUE)).isCloseTo(-38.467405617144344, within(1e-12));
    }
}

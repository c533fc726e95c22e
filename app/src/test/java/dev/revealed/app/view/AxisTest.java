package dev.revealed.app.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AxisTest {

    private static Axis axis(Scale scale, double... values) {
        return Axis.over(scale, DoubleStream.of(values), 0, 220, false);
    }

    private static List<String> labels(Axis axis) {
        return axis.ticks().stream().map(Axis.Tick::label).toList();
    }

    @Test
    void linearTicksAreRoundAndExact() {
        assertThat(labels(axis(Scale.LINEAR, 0, 10))).containsExactly("0", "2", "4", "6", "8", "10");
        assertThat(labels(axis(Scale.LINEAR, -0.25, 0.24))).containsExactly("−0.2", "−0.1", "0.0", "0.1", "0.2");
        assertThat(axis(Scale.LINEAR, 0, 0.3).ticks())
                .extracting(Axis.Tick::value)
                .contains(0.1, 0.2, 0.3);
        assertThat(labels(axis(Scale.LINEAR, 0, 50_000)))
                .containsExactly("0", "10,000", "20,000", "30,000", "40,000", "50,000");
    }

    @Test
    void largeAndSmallNumbersShareAFactor() {
        Axis large = axis(Scale.LINEAR, 0, 5e7);
        assertThat(labels(large)).containsExactly("0", "10", "20", "30", "40", "50");
        assertThat(large.factor()).isEqualTo("×10⁶");
        Axis small = axis(Scale.LINEAR, 0, 5e-9);
        assertThat(labels(small)).containsExactly("0", "1", "2", "3", "4", "5");
        assertThat(small.factor()).isEqualTo("×10⁻⁹");
    }

    @Test
    void logarithmicTicksAreDecadesOrTheirParts() {
        assertThat(labels(axis(Scale.LOG10, 1e-3, 10))).containsExactly("10⁻³", "10⁻²", "10⁻¹", "10⁰", "10¹");
        assertThat(labels(axis(Scale.LOG10, 1e-20, 1e20))).hasSizeBetween(3, 6).contains("10⁰");
        assertThat(labels(axis(Scale.LOG10, 1, 50))).containsExactly("1", "2", "5", "10", "20", "50");
        assertThat(labels(axis(Scale.LOG10, 3, 4))).contains("3.2", "3.4");
        assertThat(axis(Scale.LOG10, 1, 100).position(10)).isCloseTo(0.5, within(1e-15));
        assertThat(axis(Scale.LOG10, 1, 100).position(-3)).isNegative();
    }

    @Test
    void labelsOfAHorizontalAxisHaveRoom() {
        Axis axis = Axis.over(Scale.LINEAR, DoubleStream.of(1_234.5671, 1_234.5672), 0, 200, true);
        assertThat(axis.ticks().size() * axis.labelWidth()).isLessThan(200);
        assertThat(axis.ticks()).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "7, 7",
        "0, 0",
        "-3e250, -3e250",
        "5e-324, 5e-324",
        "1e-320, 3e-320",
        "-1.7e308, 1.7e308",
        "1e15, 1000000000000001",
        "1, 1.0000000000000002",
        "NaN, NaN",
        "-Infinity, Infinity",
        "NaN, 3"
    })
    void oddRangesStillMakeAnAxis(double low, double high) {
        for (Scale scale : Scale.values()) {
            Axis axis = axis(scale, low, high);
            assertThat(axis.low()).isFinite().isLessThan(axis.high());
            assertThat(axis.ticks()).hasSizeBetween(1, 12);
            assertThat(axis.ticks())
                    .extracting(Axis.Tick::value)
                    .doesNotHaveDuplicates()
                    .allSatisfy(t -> assertThat(axis.position(t)).isBetween(-1e-9, 1 + 1e-9));
        }
    }
}

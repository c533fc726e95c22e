package dev.revealed.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.mdp.route.GridCity;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RouteBenchTest {
    @Test
    void aCityIsMeasuredAndTheSameForTheSameSeed() {
        RouteBench.Result one = RouteBench.city(300, 9, 1, 1, ProgressListener.NONE);
        RouteBench.Result again = RouteBench.city(300, 9, 1, 2, ProgressListener.NONE);
        assertThat(one.rows())
                .extracting(RouteBench.Row::work)
                .containsExactly("order and fill", "factors", "likelihood and gradient");
        assertThat(one.rows()).allSatisfy(row -> assertThat(row.seconds()).isPositive());
        assertThat(one.rows().getLast().multiplyAdds()).isEqualTo(2.0 * 9 * one.factorEntries());
        assertThat(one.logLikelihood()).isNegative().isEqualTo(again.logLikelihood());
        assertThat(one.notes()).containsExactly("SciPy is not measured on generated cities.");
    }

    @Test
    void aMissingPythonIsSaid() {
        GridCity city = GridCity.of(300, 3, 2, RandomStream.of(1));
        ScipyRoutes scipy =
                ScipyRoutes.run(city.trips(), city.features(), List.of("no-such-python"), Duration.ofSeconds(10));
        assertThat(scipy.measured()).isFalse();
        assertThat(scipy.note()).isEqualTo("SciPy was NOT measured: no-such-python cannot be started.");
    }

    @Test
    void whatSciPyPrintsIsRead() {
        ScipyRoutes scipy = ScipyRoutes.read(List.of("1.17.1", "0.1", "0.25", "9.5", "22", "-6302.9"));
        assertThat(scipy.measured()).isTrue();
        assertThat(scipy.withGradient()).isEqualTo(0.25);
        assertThat(scipy.evaluations()).isEqualTo(22);
        assertThat(ScipyRoutes.read(List.of("1.17.1")).note()).contains("1 lines instead of 6");
    }

    @Test
    void aTinyCityIsRefused() {
        assertThatThrownBy(() -> RouteBench.city(10, 1, 1, 1, ProgressListener.NONE))
                .isInstanceOf(BadInput.class);
    }
}

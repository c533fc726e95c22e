package dev.revealed.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.util.List;
import org.junit.jupiter.api.Test;

class EstimateBenchTest {

    /** Small enough that all but first-order steps arrive; what was noted on the way must say so consistently. */
    @Test
    void comparesTheMethodsOnOneProblem() {
        EstimateBench bench = new EstimateBench(List.of(new EstimateBench.Size(15, 2)), List.of(0.99), 5);
        EstimateBench.Result result = bench.run(1, 1, ProgressListener.NONE);
        assertThat(result.rows())
                .extracting(EstimateBench.Row::method)
                .containsExactly("ml-irl", "npl", "npl from zero", "nfxp-nk, l-bfgs", "maxent, first order");
        for (EstimateBench.Row row : result.rows().subList(0, 4)) {
            assertThat(row.process().states()).isEqualTo(225);
            assertThat(row.process().actions()).isEqualTo(3);
            assertThat(row.process().decisions()).isEqualTo(20_000);
            assertThat(row.reached()).as(row.method()).isTrue();
            assertThat(row.gap()).isBetween(-1e-9, 1e-3);
            assertThat(row.iterations()).isPositive();
            assertThat(row.kernelPasses()).isPositive();
            assertThat(row.ratios().kernelPasses()).isGreaterThanOrEqualTo(1);
        }
        EstimateBench.Row ours = result.rows().getFirst();
        assertThat(ours.ratios().kernelPasses()).isEqualTo(1);
        assertThat(ours.iterations()).isLessThanOrEqualTo(6);
    }

    /** Time may run out anywhere, also while a method measures its first step. */
    @Test
    void aBudgetThatIsGoneAtOnceIsSaidAndNotAFailure() {
        EstimateBench bench = new EstimateBench(List.of(new EstimateBench.Size(15, 2)), List.of(0.99), 1e-9);
        EstimateBench.Result result = bench.run(1, 1, ProgressListener.NONE);
        for (String method : List.of("ml-irl", "nfxp-nk, l-bfgs", "maxent, first order")) {
            assertThat(result.rows())
                    .filteredOn(row -> row.method().equals(method))
                    .singleElement()
                    .satisfies(row -> assertThat(row.reached()).as(method).isFalse());
        }
    }

    @Test
    void sizesAreBinsToTheComponents() {
        assertThat(EstimateBench.Size.parse(" 46^3")).isEqualTo(new EstimateBench.Size(46, 3));
        assertThatThrownBy(() -> EstimateBench.Size.parse("10000"))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("10000");
    }
}

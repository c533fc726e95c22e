package dev.revealed.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.util.List;
import org.junit.jupiter.api.Test;

class SacBenchTest {

    /** The floor divides the peak by the millions of operations that others counted for these sizes. */
    @Test
    void countsOperationsAsOthersDo() {
        SacBench.Result result = new SacBench(0.01, "missing").run(1, 2, ProgressListener.NONE);
        List<SacBench.Row> floor = result.rows().stream()
                .filter(row -> row.name().equals("floor") && row.threads() == 1)
                .toList();
        double[] millions = {206, 527, 424, 1085};
        assertThat(floor).hasSameSizeAs(new int[4]);
        for (int i = 0; i < 4; i++) {
            double operations = result.peakGigaflops() * 1e3 / floor.get(i).updatesPerSecond();
            assertThat(operations).isCloseTo(millions[i], within(0.5));
        }
        assertThat(result.rows())
                .filteredOn(row -> row.name().startsWith("revealed"))
                .hasSize(16)
                .allSatisfy(row -> assertThat(row.updatesPerSecond()).isPositive())
                .filteredOn(row -> row.name().equals("revealed, layer norm"))
                .hasSize(8);
    }

    @Test
    void refusesToMeasureForNoTime() {
        assertThatThrownBy(() -> new SacBench(0, "").run(1, 1, ProgressListener.NONE))
                .isInstanceOf(BadInput.class);
    }
}

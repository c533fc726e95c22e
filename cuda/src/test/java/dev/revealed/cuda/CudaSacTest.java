package dev.revealed.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.neural.Sac;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The CPU is the truth here: it has been compared with finite differences and with PyTorch. */
class CudaSacTest {

    private static Gpu gpu() {
        Gpu.Found found = Gpu.find();
        Assumptions.assumeTrue(found.gpu().isPresent(), "SKIPPED: no GPU to compare with the CPU: " + found.reason());
        return found.gpu().orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 64})
    void updatesAreThoseOfTheCpu(int tile) {
        for (Check.Size size : Check.SIZES) {
            Sac.Settings settings = Sac.Settings.PAPER.withBatch(size.batch());
            CpuComparison comparison = CpuComparison.of(gpu(), new CpuComparison.Case(size, settings, tile, 2, 1), 20);

            assertThat(comparison.holds()).as(size + ": " + comparison).isTrue();
        }
    }

    @Test
    void everyPartOfTheCheckPasses() {
        List<String> lines = new ArrayList<>();

        List<Check.Part> parts = Check.run(gpu(), true, lines::add);

        assertThat(parts).as(String.join("\n", lines)).isNotEmpty().allMatch(Check.Part::passed);
    }
}

package dev.revealed.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.mujoco.Task;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class MujocoBenchTest {
    @Test
    void everyTaskAskedForIsMeasured() {
        needsMujoco();
        MujocoBench.Result result =
                new MujocoBench(List.of(Task.HOPPER, Task.CUSTOMANT), 60, 1).run(1, ProgressListener.NONE);
        assertThat(result.rows()).extracting(MujocoBench.Row::task).containsExactly("hopper", "customant");
        assertThat(result.rows()).allSatisfy(row -> {
            assertThat(row.stepsPerSecond()).isPositive();
            assertThat(row.nativeShare()).isPositive();
        });
    }

    @Test
    void nothingToMeasureIsRefused() {
        assertThatThrownBy(() -> new MujocoBench(List.of(Task.HOPPER), 0, 1)).isInstanceOf(BadInput.class);
        assertThatThrownBy(() -> new MujocoBench(List.of(), 10, 1)).isInstanceOf(BadInput.class);
    }

    /** Skipped without the library, but not in CI, where it must be. */
    private static void needsMujoco() {
        try {
            Task.HOPPER.simulator().close();
        } catch (BadInput e) {
            Assumptions.assumeTrue("true".equals(System.getenv("CI")), e.getMessage());
            throw e;
        }
    }
}

package dev.revealed.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.revealed.cuda.CudaFailure;
import dev.revealed.neural.Diverged;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What all commands have in common. */
class BaseCommandTest {
    @Test
    void aGpuThatGivesUpIsNoDefectOfOurs() {
        BaseCommand verb = new BaseCommand() {
            @Override
            protected Outcome outcome(ProgressListener listener) {
                throw new CudaFailure("cuLaunchGraph", 700, "an illegal memory access");
            }

            @Override
            @Nullable
            protected String defaultFolder() {
                return null;
            }
        };
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(verb::call)
                .withMessageContaining("cuLaunchGraph")
                .satisfies(e -> assertThat(e.remedy()).contains("--resume", "--device cpu"));
    }

    @Test
    void failuresThatAreNoDefectHaveARemedy() {
        assertThat(BaseCommand.remedy(new Diverged(17, "critic loss", Double.NaN)))
                .hasValueSatisfying(words ->
                        assertThat(words).startsWith("Learning diverged").contains("--learning-rate"));
        assertThat(BaseCommand.remedy(new CudaFailure("cuLaunchGraph", 700, "")).orElseThrow())
                .contains("--resume", "--device cpu");
        assertThat(BaseCommand.remedy(new IllegalStateException("broken"))).isEmpty();
    }
}

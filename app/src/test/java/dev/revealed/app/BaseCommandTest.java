package dev.revealed.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.revealed.cuda.CudaFailure;
import dev.revealed.neural.DivergenceFailure;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.runs.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

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

    /** Whatever its first word is; text that is no warning is shown alone. */
    @Test
    void cautionsAreShownAndKept() {
        BaseCommand verb = new BaseCommand() {
            @Override
            protected Outcome outcome(ProgressListener listener) {
                caution("with `after-end` mask, take care");
                notice("warning: as a word");
                return Outcome.of(Map.of("x", 1), "");
            }

            @Override
            @Nullable
            protected String defaultFolder() {
                return null;
            }
        };
        PrintStream oldOut = System.out;
        PrintStream oldErr = System.err;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        try (PrintStream newOut = new PrintStream(out, true, StandardCharsets.UTF_8);
                PrintStream newErr = new PrintStream(err, true, StandardCharsets.UTF_8)) {
            System.setOut(newOut);
            System.setErr(newErr);
            assertThat(new CommandLine(verb).execute("--json")).isZero();
        } finally {
            System.setOut(oldOut);
            System.setErr(oldErr);
        }
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("warning: with --after-end mask, take care\n", "warning: as a word\n");
        assertThat((Object) Json.read(out.toString(StandardCharsets.UTF_8), Map.class))
                .isEqualTo(Map.of("x", 1, "cautions", List.of("with --after-end mask, take care")));
    }

    @Test
    void failuresThatAreNoDefectHaveARemedy() {
        assertThat(BaseCommand.remedy(new DivergenceFailure(17, "critic loss", Double.NaN)))
                .hasValueSatisfying(words ->
                        assertThat(words).startsWith("Learning diverged").contains("--learning-rate"));
        assertThat(BaseCommand.remedy(new CudaFailure("cuLaunchGraph", 700, "")).orElseThrow())
                .contains("--resume", "--device cpu");
        assertThat(BaseCommand.remedy(new IllegalStateException("broken"))).isEmpty();
    }
}

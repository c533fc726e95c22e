package dev.revealed.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What can be read of runs from outside, while they are running and afterwards. */
class RunStateTest {
    @TempDir
    Path top;

    private Path run(String name) throws IOException {
        Path folder = Files.createDirectories(top.resolve(name));
        RunSpec.of(Provenance.of(1, List.of("expert")), Map.of()).write(RunFolder.reopen(folder));
        return folder;
    }

    @Test
    void aRunIsRunningWhileACommandWritesToIt() throws IOException {
        Path folder = run("one");
        assertThat(RunState.of(folder).kind()).isEqualTo(RunState.Kind.INTERRUPTED);
        try (Metrics metrics = Metrics.create(RunFolder.reopen(folder))) {
            metrics.add(Map.of("step", 1));
            assertThat(RunState.of(folder).kind()).isEqualTo(RunState.Kind.RUNNING);
        }
        assertThat(RunState.of(folder).kind()).isEqualTo(RunState.Kind.INTERRUPTED);
        Files.writeString(RunFiles.failure(folder), "the disk is full\n");
        assertThat(RunState.of(folder).kind()).isEqualTo(RunState.Kind.FAILED);
        assertThat(RunState.of(folder).why()).contains("the disk is full");
        RunFolder.resume(folder).tidy(); // as a command does that goes on with it
        assertThat(RunState.of(folder).kind()).isEqualTo(RunState.Kind.INTERRUPTED);
        Files.writeString(folder.resolve(RunFiles.RESULT), "{}");
        assertThat(RunState.of(folder).kind()).isEqualTo(RunState.Kind.FINISHED);
    }

    @Test
    void runsAreFoundAnywhereButNotThroughLinks() throws IOException {
        Path inside = run("a/b/many");
        Path member = run("a/b/many/seed-1");
        run("a/.hidden/run");
        run("a/b/many/checkpoint/run");
        Path elsewhere = run("elsewhere");
        Files.createSymbolicLink(top.resolve("a/link"), elsewhere);
        assertThat(RunSearch.under(top.resolve("a"), 100)).containsExactly(inside.toRealPath(), member.toRealPath());
        assertThat(RunSearch.under(top.resolve("a"), 1)).hasSize(1);
        assertThatThrownBy(() -> RunSearch.under(top.resolve("nowhere"), 1))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("nowhere");
    }

    @Test
    void wholeLinesAreReadFromWhereOneHasRead() throws IOException {
        Path folder = run("growing");
        Path file = folder.resolve(RunFiles.METRICS);
        assertThat(MetricsReader.read(folder, 0).rows()).isEmpty();
        Files.writeString(file, "{\"step\":1,\"x\":null,\"name\":\"a\"}\n{\"step\":2");
        MetricsReader.Rows first = MetricsReader.read(folder, 0);
        assertThat(first.rows()).containsExactly(Map.of("step", 1.0));
        Files.writeString(file, ",\"x\":7}\n", StandardOpenOption.APPEND);
        MetricsReader.Rows second = MetricsReader.read(folder, first.to());
        assertThat(second.from()).isEqualTo(first.to());
        assertThat(second.rows()).containsExactly(Map.of("step", 2.0, "x", 7.0));
        assertThat(MetricsReader.last(folder)).containsEntry("step", 2.0);
        Files.writeString(file, "{\"step\":5}\n");
        MetricsReader.Rows again = MetricsReader.read(folder, second.to());
        assertThat(again.from()).isZero();
        assertThat(again.rows()).containsExactly(Map.of("step", 5.0));
    }
}

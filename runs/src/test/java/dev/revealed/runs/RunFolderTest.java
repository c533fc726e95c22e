package dev.revealed.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFolderTest {
    @TempDir
    private Path folder;

    private List<String> content(Path where) throws IOException {
        try (Stream<Path> files = Files.list(where)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void takesAnAbsentFolderAndMakesItWithTheFirstFile() throws IOException {
        Path out = folder.resolve("a/b");
        RunFolder run = RunFolder.create(out);
        assertThat(folder.resolve("a")).doesNotExist();
        run.write("result.json", "{}\n");
        run.write("bytes", new byte[] {1, 2});
        assertThat(out.resolve("result.json")).hasContent("{}\n");
        run.write("result.json", "{ }\n");
        assertThat(out.resolve("result.json")).hasContent("{ }\n");
        run.write("checkpoint/7.json", "{}");
        assertThat(content(out)).containsExactly("bytes", "checkpoint", "result.json");
        assertThat(content(out.resolve("checkpoint"))).containsExactly("7.json");
        assertThat(run.path()).isEqualTo(out);
        assertThat(run.file("mdp.npz")).isEqualTo(out.resolve("mdp.npz"));
    }

    @Test
    void takesAnEmptyFolder() {
        RunFolder.create(folder).write("x", "1");
        assertThat(folder.resolve("x")).hasContent("1");
    }

    @Test
    void takesAFolderWithOnlyWhatAKilledCommandLeftHalfWritten() throws IOException {
        Files.writeString(folder.resolve(".result.json.77-1.revealed-tmp"), "{");
        assertThat(RunFolder.create(folder).path()).isEqualTo(folder);
    }

    /** Killed between locking the folder and writing the first file. */
    @Test
    void takesAFolderWithMetricsThatHaveOnlyBegun() throws IOException {
        Files.createFile(folder.resolve("metrics.jsonl"));
        assertThat(RunFolder.create(folder).path()).isEqualTo(folder);
        Files.writeString(folder.resolve("metrics.jsonl"), "{}");
        refused(() -> RunFolder.create(folder), "not empty", "metrics.jsonl");
    }

    @Test
    void whatIsAbandonedGoesButCheckpointsStay() throws IOException {
        RunFolder run = RunFolder.create(folder.resolve("run"));
        run.write("spec.json", "{}");
        Files.createDirectories(folder.resolve("run/checkpoint")); // the first one was never finished
        Files.writeString(folder.resolve("run/checkpoint/.7.json.1-2.revealed-tmp"), "{");
        run.abandon();
        assertThat(folder.resolve("run")).doesNotExist();
        run.write("checkpoint/7.json", "{}");
        run.abandon();
        assertThat(folder.resolve("run/checkpoint/7.json")).exists();
    }

    @Test
    void tidyingRemovesWhatAKilledCommandLeftHalfWritten() throws IOException {
        Files.writeString(folder.resolve(".best.safetensors.77-1.revealed-tmp"), "half");
        Files.writeString(folder.resolve("best.safetensors"), "whole");
        RunFolder.resume(folder).tidy();
        assertThat(content(folder)).containsExactly("best.safetensors");
    }

    @Test
    void refusesAFolderWithAnythingInIt() throws IOException {
        Files.writeString(folder.resolve("result.json"), "{}");
        refused(() -> RunFolder.create(folder), folder.toString(), "not empty", "result.json", "`out`");
    }

    @Test
    void refusesAFileInPlaceOfAFolder() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "precious");
        refused(() -> RunFolder.create(file), file.toString(), "`out`");
        refused(() -> RunFolder.create(file.resolve("below")), file.toString(), "`out`");
        assertThat(file).hasContent("precious");
    }

    @Test
    void aFileThatAppearsLaterIsToldToo() throws IOException {
        RunFolder run = RunFolder.create(folder.resolve("out"));
        Files.writeString(folder.resolve("out"), "in the way");
        refused(() -> run.write("x", "1"), "out", "cannot be written");
    }

    @Test
    void aWriteThatFailsHalfWayLeavesNoFile() throws IOException {
        RunFolder run = RunFolder.create(folder);
        refused(
                () -> run.write("result.json", out -> {
                    out.write('{');
                    throw new IOException("No space left on device");
                }),
                "result.json",
                "No space left",
                "disk is full");
        assertThatIllegalStateException()
                .isThrownBy(() -> run.write("result.json", out -> {
                    out.write('{');
                    throw new IllegalStateException("a bug");
                }));
        assertThat(content(folder)).isEmpty();
    }

    @Test
    void aWriteThatFailsHalfWayKeepsTheOldFile() throws IOException {
        RunFolder run = RunFolder.create(folder);
        run.write("result.json", "old");
        refused(
                () -> run.write("result.json", out -> {
                    out.write('n');
                    throw new IOException("cable pulled");
                }),
                "cable pulled");
        assertThat(folder.resolve("result.json")).hasContent("old");
        assertThat(content(folder)).containsExactly("result.json");
    }

    @Test
    void aFolderInTheWayOfAFileIsTold() throws IOException {
        RunFolder run = RunFolder.create(folder);
        Files.createDirectories(folder.resolve("result.json"));
        refused(() -> run.write("result.json", "{}"), "result.json", "in the way", "`out`");
        assertThat(content(folder)).containsExactly("result.json");
    }

    private static void refused(ThrowingCallable call, String... parts) {
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.getMessage()).contains(parts));
    }
}

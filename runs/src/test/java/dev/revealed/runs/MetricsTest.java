package dev.revealed.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsTest {
    @TempDir
    private Path folder;

    record Row(long step, double meanReturn) {}

    @Test
    void eachRowIsALineAtOnce() {
        try (Metrics metrics = Metrics.create(RunFolder.create(folder))) {
            metrics.add(new Row(1000, 2.5));
            assertThat(folder.resolve("metrics.jsonl")).hasContent("{\"step\":1000,\"meanReturn\":2.5}\n");
            metrics.add(new Row(2000, Double.NaN));
            String all = "{\"step\":1000,\"meanReturn\":2.5}\n{\"step\":2000,\"meanReturn\":null}\n";
            assertThat(folder.resolve("metrics.jsonl")).hasContent(all);
            assertThat(metrics.length()).isEqualTo(all.length());
        }
    }

    @Test
    void aRunThatGoesOnForgetsWhatCameAfterTheCheckpoint() throws IOException {
        RunFolder run = RunFolder.create(folder);
        long length;
        try (Metrics metrics = Metrics.create(run)) {
            metrics.add(new Row(1, 1));
            length = metrics.length();
            metrics.add(new Row(2, 2));
        }
        Files.writeString(folder.resolve("metrics.jsonl"), "{\"st", StandardOpenOption.APPEND);
        try (Metrics metrics = Metrics.resume(run, length)) {
            assertThat(metrics.length()).isEqualTo(length);
            metrics.add(new Row(3, 3));
        }
        assertThat(folder.resolve("metrics.jsonl"))
                .hasContent("{\"step\":1,\"meanReturn\":1.0}\n{\"step\":3,\"meanReturn\":3.0}\n");
    }

    @Test
    void aFileThatIsTooShortIsRefusedAndKept() throws IOException {
        Files.writeString(folder.resolve("metrics.jsonl"), "{}\n");
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Metrics.resume(RunFolder.resume(folder), 10).close())
                .withMessageContaining("metrics.jsonl has 3 bytes, and the checkpoint knows 10");
        assertThat(folder.resolve("metrics.jsonl")).hasContent("{}\n");
    }

    @Test
    void twoCommandsDoNotWriteToOneFolder() throws IOException {
        RunFolder run = RunFolder.create(folder);
        try (Metrics metrics = Metrics.create(run)) {
            metrics.add(new Row(1, 1));
            assertThatExceptionOfType(BadInput.class)
                    .isThrownBy(() -> Metrics.create(run).close())
                    .withMessageContaining("is in use by another command");
            metrics.add(new Row(2, 2));
        }
        assertThat(folder.resolve("metrics.jsonl"))
                .hasContent("{\"step\":1,\"meanReturn\":1.0}\n{\"step\":2,\"meanReturn\":2.0}\n");
        try (Metrics metrics = Metrics.resume(run, 0)) { // and who closes it lets the next one in
            assertThat(metrics.length()).isZero();
        }
    }

    @Test
    void aFolderInTheWayIsTold() throws IOException {
        Files.createDirectories(folder.resolve("metrics.jsonl"));
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Metrics.create(RunFolder.resume(folder)).close())
                .withMessageContaining("metrics.jsonl cannot be written");
    }

    /** Whoever opens it may find out that the run cannot go on. */
    @Test
    void nothingIsCutBeforeSomethingIsAdded() throws IOException {
        String content = "{\"step\":1}\n{\"step\":2}\n";
        Files.writeString(folder.resolve("metrics.jsonl"), content);
        Metrics.resume(RunFolder.resume(folder), 11).close();
        assertThat(folder.resolve("metrics.jsonl")).hasContent(content);
    }

    @Test
    void aFileThatIsGoneIsRefusedAndNotMade() {
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Metrics.resume(RunFolder.resume(folder), 10).close())
                .withMessageContaining("metrics.jsonl, and the checkpoint knows it");
        assertThat(folder).isEmptyDirectory();
    }
}

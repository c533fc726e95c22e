package dev.revealed.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command refuses; that its archives run is tried by scripts/smoke.sh, which has jars to pack. */
class BundleCommandTest {
    @TempDir
    private Path folder;

    private final Cli cli = new Cli();

    @Test
    void nothingIsOverwritten() throws IOException {
        Path file = Files.writeString(folder.resolve("old.tar.gz"), "precious");
        assertThat(cli.run("bundle", "--out", file.toString())).isEqualTo(2);
        assertThat(cli.err()).contains("there is already something named " + file);
        assertThat(file).hasContent("precious");
    }

    @Test
    void aPlaceThatCannotBeWrittenIsTold() {
        assertThat(cli.run("bundle", "--out", folder.resolve("absent/b.tar.gz").toString()))
                .isEqualTo(2);
        assertThat(cli.err()).contains("b.tar.gz cannot be written", "absent is no folder");
        assertThat(cli.out()).isEmpty();
    }

    @Test
    void theFileMustBeNamed() {
        assertThat(cli.run("bundle")).isEqualTo(2);
        assertThat(cli.err()).contains("--out");
    }
}

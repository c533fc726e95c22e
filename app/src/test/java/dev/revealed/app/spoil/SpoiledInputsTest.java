package dev.revealed.app.spoil;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Some of what {@code scripts/spoil.sh} does. */
class SpoiledInputsTest {
    private static final int COUNT = 500;

    @TempDir
    private Path folder = Path.of("");

    @Test
    void noFileMakesACommandFailOtherThanByOneMessage() throws IOException {
        PrintStream out = System.out;
        SpoiledInputs all = new SpoiledInputs(folder, false, Path.of("target", "spoiled"), out);
        assertThat(all.runUnspoiled())
                .as("commands must work on whole inputs, else spoiling them shows nothing")
                .isEmpty();
        all.run(1, COUNT);
        assertThat(all.failures()).as(all.table()).isEmpty();
    }
}

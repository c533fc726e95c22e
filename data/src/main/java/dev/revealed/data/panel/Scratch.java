package dev.revealed.data.panel;

import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files that last as long as the program runs, in the folder for temporary files. */
final class Scratch {
    private Scratch() {}

    static Path file(String name) {
        try {
            Path file = Files.createTempFile("revealed-" + name + "-", ".tmp");
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    static BadInput unwritable(IOException e) {
        return new BadInput(
                "the folder for temporary files, %s, cannot be used (%s)"
                        .formatted(System.getProperty("java.io.tmpdir"), BadInput.reason(e)),
                "Free some space there, or set -Djava.io.tmpdir=FOLDER in REVEALED_JAVA_OPTS.");
    }
}

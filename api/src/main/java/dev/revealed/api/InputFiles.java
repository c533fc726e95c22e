package dev.revealed.api;

import dev.revealed.numeric.BadInput;
import java.nio.file.Files;
import java.nio.file.Path;

/** Input files that must be there. */
final class InputFiles {
    private InputFiles() {}

    static Path existing(Path file) {
        BadInput.when(
                !Files.isRegularFile(file),
                "there is no file %s".formatted(file.toAbsolutePath()),
                "Correct the path; a relative one starts at the folder the program runs in.");
        return file;
    }
}

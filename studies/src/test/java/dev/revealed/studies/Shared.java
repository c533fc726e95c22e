package dev.revealed.studies;

import java.nio.file.Files;
import java.nio.file.Path;

/** The folder beside the repository that holds data of others. */
public final class Shared {
    private Shared() {}

    /** A file of it, which may be absent. */
    public static Path file(String name) {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            Path file = folder.resolve("shared").resolve(name);
            if (Files.exists(file)) {
                return file;
            }
        }
        return Path.of("shared", name);
    }
}

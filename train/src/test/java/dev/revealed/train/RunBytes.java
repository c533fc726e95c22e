package dev.revealed.train;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Compares the folders of runs by every byte that no clock is in. */
final class RunBytes {
    private RunBytes() {}

    static Map<String, byte[]> of(Path run) {
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(run)) {
            for (Path file : walk.filter(Files::isRegularFile).toList()) {
                String name = run.relativize(file).toString();
                if (!name.matches(".*(result\\.json|seconds\\.json|report\\.html|tfevents\\.revealed)")) {
                    files.put(name, Files.readAllBytes(file));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    static void assertSame(Path run, Path other) {
        assertSame(of(run), of(other));
    }

    static void assertSame(Map<String, byte[]> actual, Map<String, byte[]> expected) {
        assertThat(actual.keySet()).isEqualTo(expected.keySet());
        expected.forEach((name, bytes) -> assertThat(actual.get(name)).as(name).isEqualTo(bytes));
    }
}

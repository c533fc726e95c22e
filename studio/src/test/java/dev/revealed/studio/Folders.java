package dev.revealed.studio;

import dev.revealed.runs.Json;
import dev.revealed.runs.Provenance;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;

/** Run folders as commands leave them, for tests. */
final class Folders {
    private Folders() {}

    /** A run that has begun. */
    static Path run(Path folder, String task, long seed) throws IOException {
        Files.createDirectories(folder);
        Provenance provenance = Provenance.of(seed, List.of("expert", "--task", task, "--seed", Long.toString(seed)));
        RunSpec spec = RunSpec.of(provenance, Map.of("task", task, "seed", seed, "learning-rate", 0.001));
        Files.writeString(folder.resolve(RunFiles.SPEC), Json.write(spec));
        return folder;
    }

    static void line(Path folder, long step, double value) throws IOException {
        Files.writeString(
                folder.resolve(RunFiles.METRICS),
                "{\"step\":%d,\"testReturn\":%s,\"testStandardError\":1.5,\"entropy\":null}\n".formatted(step, value),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    /** No commands: pages of tests that only look. */
    static final class NoCommands implements Commands {
        @Override
        public List<Form> forms() {
            return List.of();
        }

        @Override
        public String document(String command, Map<String, List<String>> options) {
            return "{}";
        }

        @Override
        public void check(List<String> command) {}

        @Override
        public List<String> words(String command, Map<String, String> options) {
            return List.of(command);
        }

        @Override
        public List<String> launch(List<String> command) {
            return List.of();
        }
    }
}

package dev.revealed.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jdk.incubator.vector.FloatVector;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the quick commands of golden/commands.txt, in their order, and compares every number with the frozen one.
 * {@code scripts/golden.sh} and {@code scripts/golden.py} do the same with all of them, and freeze.
 */
class GoldenTest {
    private static final Set<String> SIMULATING = Set.of("imitate", "expert", "evaluate", "record");
    private static final Pattern OF_EARLIER = Pattern.compile("\\{out}/([^/ ]+)");

    @TempDir
    private static Path out = Path.of("");

    private final Path golden = Repository.root().resolve("app/src/test/resources/golden");
    private final GoldenNumbers frozen = GoldenNumbers.read(golden.resolve("numbers.json.gz"));

    private record Command(String name, String kind, String arguments) {
        static Command of(String line) {
            String[] parts = line.split(" ", 3);
            return new Command(parts[0], parts[1], parts[2]);
        }

        boolean isQuick() {
            return kind.endsWith("+");
        }

        String verb() {
            return arguments.split(" ", -1)[0];
        }
    }

    @TestFactory
    Stream<DynamicTest> everyFrozenNumberIsFoundAgain() throws IOException {
        return Files.readAllLines(golden.resolve("commands.txt")).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(Command::of)
                .filter(Command::isQuick)
                .map(command -> DynamicTest.dynamicTest(command.name(), () -> check(command)));
    }

    private void check(Command command) throws IOException {
        assume(command);
        Path folder = out.resolve(command.name());
        List<String> words = new ArrayList<>(List.of(filled(command.arguments()).split(" ", -1)));
        boolean text = command.kind().startsWith("text");
        if (!text) {
            words.add("--json");
        }
        words.addAll(List.of("--threads", "2", "--out", folder.resolve("out").toString()));
        Cli cli = new Cli();
        assertThat(cli.run(words.toArray(String[]::new))).as(cli.err()).isZero();
        if (command.kind().startsWith("killed")) {
            interrupt(folder.resolve("out"));
            String[] resume = {
                command.verb(),
                "--resume",
                "--json",
                "--out",
                folder.resolve("out").toString()
            };
            assertThat(cli.run(resume)).as(cli.err()).isZero();
        }
        Files.writeString(folder.resolve(text ? "stdout.txt" : "stdout.json"), cli.out());
        assertThat(frozen.missing(command.name(), folder))
                .as("frozen numbers of: revealed %s", command.arguments())
                .isEmpty();
    }

    private String filled(String arguments) {
        Path root = Repository.root();
        return arguments
                .replace("{out}", out.toString())
                .replace(
                        "{shared}", Objects.requireNonNull(shared().getParent()).toString())
                .replace("{golden}", golden.toString())
                .replace("{examples}", root.resolve("examples").toString())
                .replace("{results}", root.resolve("results").toString());
    }

    private static Path shared() {
        return Shared.file("demos");
    }

    /** Skips, loudly, what cannot run here. */
    private static void assume(Command command) {
        if (!Set.of("amd64", "x86_64").contains(System.getProperty("os.arch"))
                || FloatVector.SPECIES_PREFERRED.vectorBitSize() < 256) {
            skip(command, "the numbers were frozen on x86-64 with AVX2 or AVX-512, which give the same bits");
        }
        if (command.arguments().contains("{shared}") && !Files.exists(shared())) {
            skip(command, "there is no folder shared beside the checkout");
        }
        if (SIMULATING.contains(command.verb())) {
            MujocoHere.assume();
        }
        Matcher earlier = OF_EARLIER.matcher(command.arguments());
        while (earlier.find()) {
            if (!Files.exists(out.resolve(earlier.group(1)))) {
                skip(command, "it needs the results of " + earlier.group(1));
            }
        }
    }

    private static void skip(Command command, String why) {
        String message = "golden command %s: %s".formatted(command.name(), why);
        System.err.println("SKIPPED: " + message);
        Assumptions.abort(message);
    }

    /** Leaves a finished run as if it had been killed while it wrote its last checkpoint. */
    private static void interrupt(Path run) throws IOException {
        Files.delete(run.resolve("result.json"));
        try (Stream<Path> files = Files.list(run.resolve("checkpoint"))) {
            Path last = files.filter(file -> file.toString().endsWith(".safetensors"))
                    .max(Comparator.comparingInt(file ->
                            Integer.parseInt(file.getFileName().toString().split("\\.", -1)[0])))
                    .orElseThrow();
            Files.write(last, new byte[3]);
        }
    }
}

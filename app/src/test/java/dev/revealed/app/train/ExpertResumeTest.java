package dev.revealed.app.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.app.MujocoHere;
import dev.revealed.numeric.RandomStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that is killed, at whatever instant, and resumed leaves what one leaves that was let alone. */
class ExpertResumeTest {
    private static final List<String> RUN = List.of(
            "expert",
            "--task",
            "hopper",
            "--steps",
            "3000",
            "--random-steps",
            "200",
            "--hidden",
            "32,32",
            "--replay",
            "1000",
            "--evaluate-every",
            "700",
            "--episodes",
            "2",
            "--checkpoint-every",
            "400",
            "--seed",
            "3");

    @TempDir
    private Path folder;

    @Test
    void killedAtAnyMomentAndResumedEndsWithTheSameBytes() throws IOException, InterruptedException {
        MujocoHere.assume();
        Path alone = folder.resolve("alone");
        assertThat(start(RUN, alone, 2).waitFor()).isZero();
        Map<String, byte[]> expected = lasting(alone);
        assertThat(expected.keySet())
                .contains("checkpoint/3000.safetensors", "metrics.jsonl", "policy.safetensors", "best.safetensors");

        RandomStream stream = RandomStream.of(7);
        Path killed = folder.resolve("killed");
        List<String> command = RUN;
        int starts = 0;
        int code;
        do {
            assertThat(starts).as("see %s", folder.resolve("log")).isLessThan(10);
            Process process = start(command, killed, 1 + starts % 2);
            if (starts < 4) {
                killSomeTimeAfter(mark(killed, stream), stream.nextInt(40), process);
            }
            starts++;
            code = process.waitFor();
            command = Files.exists(killed.resolve("spec.json")) ? List.of("expert", "--resume") : RUN;
        } while (code != 0);
        assertThat(starts).as("times it was started").isGreaterThan(1);
        Map<String, byte[]> actual = lasting(killed);
        assertThat(actual.keySet()).isEqualTo(expected.keySet());
        expected.forEach((name, bytes) -> assertThat(actual.get(name)).as(name).isEqualTo(bytes));
    }

    /** Something that the run will do later: begin, or make one of its next two checkpoints. */
    private static Path mark(Path run, RandomStream stream) {
        int made = 0;
        for (int step = 400; step < 3000; step += 400) {
            made = Files.exists(run.resolve("checkpoint/%d.json".formatted(step))) ? step : made;
        }
        int ahead = stream.nextInt(3);
        return run.resolve(
                made == 0 && ahead == 0
                        ? "spec.json"
                        : "checkpoint/%d.json".formatted(made + 400 * Math.max(1, ahead)));
    }

    /** The moment depends on what the run does, so that on a machine of any speed it falls before the end. */
    private static void killSomeTimeAfter(Path mark, long milliseconds, Process process) throws InterruptedException {
        while (!Files.exists(mark) && !process.waitFor(1, TimeUnit.MILLISECONDS)) {
            Thread.onSpinWait();
        }
        if (!process.waitFor(milliseconds, TimeUnit.MILLISECONDS)) {
            process.destroyForcibly();
        }
    }

    /** The files that must be the same: all but those that tell the time. */
    private static Map<String, byte[]> lasting(Path run) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(run)) {
            walk.filter(Files::isRegularFile).forEach(file -> {
                String name = run.relativize(file).toString();
                if (name.startsWith("checkpoint/") || name.endsWith(".jsonl") || name.endsWith(".safetensors")) {
                    try {
                        files.put(name, Files.readAllBytes(file));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            });
        }
        return files;
    }

    private Process start(List<String> arguments, Path out, int threads) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx1g"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--"))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.revealed.app.Main"));
        command.addAll(arguments);
        command.addAll(List.of("--out", out.toString(), "--threads", Integer.toString(threads)));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                .start();
    }
}

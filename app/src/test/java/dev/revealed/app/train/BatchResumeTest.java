package dev.revealed.app.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.app.Cli;
import dev.revealed.app.MujocoHere;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many runs that are killed together, and resumed, leave what they leave that are let alone. */
class BatchResumeTest {
    private static final String RUNS = "expert --task hopper --seeds 1-3 --steps 2000 --random-steps 200 --hidden 32,32"
            + " --replay 1000 --evaluate-every 700 --episodes 2 --checkpoint-every 400";

    @TempDir
    private Path folder = Path.of("");

    /** When it is killed, the first two are under way at the same time, and the third has not started. */
    @Test
    void killedAndResumedTheyEndWithTheSameBytes() throws IOException, InterruptedException {
        MujocoHere.assume();
        Path alone = folder.resolve("alone");
        Cli cli = new Cli();
        cli.done(RUNS + " --out " + alone);

        Path killed = folder.resolve("killed");
        Process process = start(RUNS + " --at-once 2 --out " + killed);
        Path mark = killed.resolve("seed-2/checkpoint/400.json");
        while (!Files.exists(mark) && !process.waitFor(1, TimeUnit.MILLISECONDS)) {
            Thread.onSpinWait();
        }
        process.destroyForcibly().waitFor();
        assertThat(killed.resolve("result.json"))
                .as("see %s", folder.resolve("log"))
                .doesNotExist();

        assertThat(cli.run("expert", "--resume", "--out", killed.toString()))
                .as(cli.err())
                .isZero();
        for (int seed = 1; seed <= 3; seed++) {
            for (String name : List.of(
                    "metrics.jsonl",
                    "policy.safetensors",
                    "best.safetensors",
                    "curve.csv",
                    "curve.svg",
                    "checkpoint/2000.json",
                    "checkpoint/2000.safetensors")) {
                String file = "seed-%d/%s".formatted(seed, name);
                assertThat(killed.resolve(file)).hasSameBinaryContentAs(alone.resolve(file));
            }
        }
    }

    private Process start(String arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx1g"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--"))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.revealed.app.Main"));
        command.addAll(List.of(arguments.split(" ")));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }
}

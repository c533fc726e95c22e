package dev.revealed.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.data.EpisodeFiles;
import dev.revealed.mdp.Episodes;
import dev.revealed.runs.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Experts on the command line: trained, scored, recorded; and what is said of commands that cannot work. */
class ExpertCommandTest {
    private static final String SMALL = "expert --task hopper --steps 1200 --random-steps 200 --hidden 16,16"
            + " --evaluate-every 600 --episodes 2 --checkpoint-every 400";

    @TempDir
    private static Path made = Path.of("");

    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    @BeforeAll
    static void train() {
        MujocoHere.assume();
        Cli cli = new Cli();
        assertThat(run(cli, SMALL + " --threads 1 --out " + made.resolve("hopper")))
                .as(cli.err())
                .isZero();
    }

    private static int run(Cli cli, String command) {
        return cli.run(command.split(" "));
    }

    @Test
    void leavesWhatItPromises() throws IOException {
        assertThat(made.resolve("hopper"))
                .isDirectoryContaining("glob:**/result.json")
                .isDirectoryContaining("glob:**/spec.json")
                .isDirectoryContaining("glob:**/metrics.jsonl")
                .isDirectoryContaining("glob:**/policy.safetensors")
                .isDirectoryContaining("glob:**/policy.onnx")
                .isDirectoryContaining("glob:**/curve.svg")
                .isDirectoryContaining("glob:**/events.out.tfevents*");
        Map<?, ?> result = Json.read(Files.readString(made.resolve("hopper/result.json")), Map.class);
        assertThat(result.get("steps")).isEqualTo(1200);
        assertThat(result.get("updates")).isEqualTo(1000);
        assertThat((List<?>) result.get("returns")).hasSize(2);
        assertThat((List<?>) result.get("curve")).hasSize(2);
    }

    @Test
    void twoThreadsGiveTheSameMetricsAndPolicy() throws IOException {
        Path two = folder.resolve("two");
        assertThat(run(cli, SMALL + " --threads 2 --out " + two)).as(cli.err()).isZero();
        for (String name : List.of("metrics.jsonl", "policy.safetensors", "checkpoint/1200.safetensors")) {
            assertThat(two.resolve(name))
                    .hasSameBinaryContentAs(made.resolve("hopper").resolve(name));
        }
    }

    @Test
    void scoresAPolicyTheSameWayEveryTime() {
        String command = "evaluate --policy %s --task hopper --episodes 3 --json".formatted(made.resolve("hopper"));
        assertThat(run(cli, command)).as(cli.err()).isZero();
        String once = cli.out();
        Map<?, ?> result = Json.read(once, Map.class);
        List<?> returns = Objects.requireNonNull((List<?>) result.get("returns"));
        assertThat(returns).hasSize(3);
        assertThat((List<?>) result.get("lengths")).hasSize(3);
        double sum = 0;
        for (Object one : returns) {
            sum += ((Number) one).doubleValue();
        }
        assertThat(result.get("meanReturn"))
                .asInstanceOf(InstanceOfAssertFactories.DOUBLE)
                .isCloseTo(sum / 3, within(1e-9));
        assertThat(run(cli, command + " --threads 1")).isZero();
        assertThat(cli.out()).isEqualTo(once);
    }

    @Test
    void recordsWhatWasPlayed() {
        Path demos = folder.resolve("demos");
        assertThat(run(cli, "record --policy %s --episodes 2 --out %s".formatted(made.resolve("hopper"), demos)))
                .as(cli.err())
                .isZero();
        Episodes npz = EpisodeFiles.read(demos.resolve("demonstrations.npz"));
        Episodes hdf5 = EpisodeFiles.read(demos.resolve("demonstrations.hdf5"));
        assertThat(npz.size()).isEqualTo(2);
        assertThat(npz.observationSize()).isEqualTo(11);
        assertThat(npz.actionSize()).isEqualTo(3);
        assertThat(hdf5.all().getFirst().observations())
                .isEqualTo(npz.all().getFirst().observations());
    }

    @Test
    void tooHighAReturnIsSaidWithWhatWasReached() {
        Path demos = folder.resolve("demos");
        assertThat(run(
                        cli,
                        "record --policy %s --episodes 1 --attempts 3 --min-return 1e6 --out %s"
                                .formatted(made.resolve("hopper"), demos)))
                .isEqualTo(2);
        assertThat(cli.err()).contains("0 of 3 episodes").contains("--min-return");
        assertThat(demos).doesNotExist();
    }

    @Test
    void aPolicyOfAnotherTaskIsRefusedWithBothSizes() {
        assertThat(run(cli, "evaluate --policy %s --task walker2d".formatted(made.resolve("hopper"))))
                .isEqualTo(2);
        assertThat(cli.err()).contains("11").contains("17").contains("trained on hopper");
    }

    /** The newest checkpoint is damaged, so the one before is used, and the end is the same. */
    @Test
    void aDamagedCheckpointIsPassedOver() throws IOException {
        Path run = folder.resolve("run");
        assertThat(run(cli, SMALL + " --out " + run)).as(cli.err()).isZero();
        byte[] whole = Files.readAllBytes(run.resolve("checkpoint/1200.safetensors"));
        byte[] damaged = whole.clone();
        damaged[damaged.length / 2] ^= 1;
        Files.write(run.resolve("checkpoint/1200.safetensors"), damaged);
        Files.delete(run.resolve("result.json"));
        assertThat(run(cli, "expert --resume --out " + run)).as(cli.err()).isZero();
        assertThat(cli.err() + cli.out()).contains("step 1200 is damaged");
        assertThat(Files.readAllBytes(run.resolve("checkpoint/1200.safetensors")))
                .isEqualTo(whole);
        assertThat(run.resolve("metrics.jsonl")).hasSameBinaryContentAs(made.resolve("hopper/metrics.jsonl"));
    }

    @Test
    void whatIsTypedAgainMustBeAsItWas() throws IOException {
        Path run = folder.resolve("run");
        assertThat(run(cli, SMALL + " --out " + run)).as(cli.err()).isZero();
        Files.delete(run.resolve("result.json"));
        assertThat(run(cli, "expert --resume --steps 5000 --out " + run)).isEqualTo(2);
        assertThat(cli.err()).contains("--steps is 5000").contains("begun with 1200");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "expert --task hoper | hopper",
                "expert | --task",
                "expert --task hopper --steps 0 | --steps is 0",
                "expert --task hopper --batch 0 | batch is 0",
                "expert --task hopper --temperature warm | --temperature is warm",
                "expert --task hopper --discount 1 | discount",
                "expert --task hopper --update-ratio 0 | --update-ratio is 0",
                "expert --task hopper --replay 100 --checkpoint-every 200 | --checkpoint-every",
                "expert --resume | --out",
                "evaluate --policy nowhere --task hopper | nowhere",
                "evaluate --policy README.md | README.md"
            })
    void badInputIsOneClearMessage(String command, String says) {
        assertThat(run(
                        cli,
                        command
                                + (command.contains("--resume") || !command.startsWith("expert")
                                        ? ""
                                        : " --out " + folder.resolve("run"))))
                .isEqualTo(2);
        assertThat(cli.err()).contains(says).doesNotContain("Exception");
        assertThat(folder.resolve("run")).doesNotExist();
    }
}

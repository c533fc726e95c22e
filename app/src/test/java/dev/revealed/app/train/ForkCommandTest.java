package dev.revealed.app.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.app.Cli;
import dev.revealed.app.MujocoHere;
import dev.revealed.data.EpisodeFiles;
import dev.revealed.mdp.Simulator;
import dev.revealed.mujoco.Task;
import dev.revealed.neural.Rollouts;
import dev.revealed.neural.Sac;
import dev.revealed.numeric.RandomStream;
import dev.revealed.runs.Json;
import dev.revealed.runs.RunSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Forks on the command line: one and many, resumed; and what is said of those that cannot be. */
class ForkCommandTest {
    @TempDir
    private static Path data = Path.of("");

    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    /** The original: 6 iterations, of which each leaves a checkpoint. */
    @BeforeAll
    static void original() {
        MujocoHere.assume();
        try (Simulator simulator = Task.HOPPER.simulator()) {
            RandomStream stream = RandomStream.of(4);
            try (Sac sac = new Sac(simulator.space(), Sac.Settings.PAPER.withHidden(8, 8), stream, 1)) {
                EpisodeFiles.write(
                        data.resolve("demos.npz"), Rollouts.through(sac.actor(), List.of(simulator), 2, stream));
            }
        }
        Cli cli = new Cli();
        String command = "imitate --task hopper --demos " + data.resolve("demos.npz")
                + " --iterations 6 --block 150 --recent 300 --random-steps 100 --hidden 16,16 --reward-hidden 8,8"
                + " --evaluate-every 2 --episodes 2 --checkpoint-every 1 --keep-checkpoints all --seed 7 --out "
                + data.resolve("run");
        cli.done(command);
        assertThat(data.resolve("run/checkpoint/150.json")).exists();
    }

    private String fork(String at) {
        return "imitate --fork " + data.resolve("run") + at;
    }

    private static List<String> folders(Path batch) throws IOException {
        try (Stream<Path> files = Files.list(batch)) {
            return files.filter(Files::isDirectory)
                    .map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void oneThatChangesNothingRepeatsTheOriginal() {
        Path out = folder.resolve("fork");
        cli.done(fork("@3") + " --fork-streams none --out " + out);
        for (String name : List.of("metrics.jsonl", "policy.safetensors", "reward.safetensors", "curve.csv")) {
            assertThat(out.resolve(name))
                    .as(name)
                    .hasSameBinaryContentAs(data.resolve("run").resolve(name));
        }
        assertThat(RunSpec.read(out).settings())
                .containsEntry("fork", data.resolve("run") + "@3")
                .containsEntry("intervene", "none")
                .containsEntry("seed", 7)
                .containsEntry("block", 150);
    }

    /** Arms side by side, all of one seed; a fork that was not finished is resumed alone. */
    @Test
    void manyAreABatchOfRuns() throws IOException {
        Path out = folder.resolve("forks");
        String command = fork("@3,4") + " --forks 2 --intervene placebo,freeze-reward --iterations 5 --out " + out;
        cli.done(command + " --json");
        assertThat(folders(out))
                .containsExactly(
                        "fork-3-freeze-reward-1",
                        "fork-3-freeze-reward-2",
                        "fork-3-placebo-1",
                        "fork-3-placebo-2",
                        "fork-4-freeze-reward-1",
                        "fork-4-freeze-reward-2",
                        "fork-4-placebo-1",
                        "fork-4-placebo-2");
        Map<?, ?> document = Json.read(cli.out(), Map.class);
        assertThat((List<?>) document.get("groups")).hasSize(4);
        Path one = out.resolve("fork-3-placebo-1");
        assertThat(RunSpec.read(one).settings())
                .containsEntry("fork-streams", "none")
                .containsEntry("iterations", 5);
        assertThat(RunSpec.read(out.resolve("fork-4-freeze-reward-2")).settings())
                .containsEntry("fork-streams", "all")
                .containsEntry("fork-number", 2);
        byte[] policy = Files.readAllBytes(one.resolve("policy.safetensors"));
        assertThat(policy).isNotEqualTo(Files.readAllBytes(out.resolve("fork-3-placebo-2/policy.safetensors")));

        Files.delete(out.resolve("result.json"));
        Files.delete(one.resolve("result.json"));
        Files.delete(one.resolve("policy.safetensors"));
        Files.delete(one.resolve("checkpoint/750.json"));
        cli.done("imitate --resume --out " + out);
        assertThat(Files.readAllBytes(one.resolve("policy.safetensors"))).isEqualTo(policy);
    }

    @Test
    void theLastCheckpointIsForkedUnlessOneIsNamed() {
        Path out = folder.resolve("fork");
        cli.done(fork("") + " --iterations 7 --out " + out);
        assertThat(RunSpec.read(out).settings()).containsEntry("fork", data.resolve("run") + "@6");
    }

    @Test
    void whatCannotBeForkedIsNamed() {
        refused(fork("@9"), "no checkpoint of step 1350", "150, 300, 450", "--keep-checkpoints");
        refused(fork("@6"), "the fork ends at step 900", "--iterations");
        refused(fork("@3 --seed 2"), "--seed is given together with --fork");
        refused(fork("@3,4"), "'3,4' is not an iteration", "--forks");
        refused(fork("@3 --forks 2 --seeds 1-2"), "--forks and --seeds");
        refused(fork("@3 --intervene freeze"), "--intervene is 'freeze'", "freeze-reward");
        refused(fork("@3 --hidden 8,8"), "values where", "other settings");
        refused("imitate --forks 2 --task hopper --demos " + data.resolve("demos.npz"), "--forks has no effect");
        refused(
                "imitate --intervene placebo --task hopper --demos " + data.resolve("demos.npz"),
                "--intervene has no effect");
        refused("imitate --fork " + folder.resolve("nothing") + "@3", "is not the folder of a run");
    }

    private void refused(String command, String... words) {
        Path out = folder.resolve("refused");
        assertThat(cli.type(command + " --out " + out)).as(command).isEqualTo(2);
        assertThat(cli.err()).contains(words).doesNotContain("Exception", "defect");
        assertThat(out).doesNotExist();
    }
}

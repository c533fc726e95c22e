package dev.revealed.app.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.app.Cli;
import dev.revealed.app.MujocoHere;
import dev.revealed.data.EpisodeFiles;
import dev.revealed.mdp.Episodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that tables print: whoever runs them makes the same runs. */
class PrintedCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    @Test
    void aStrangersCellHasTheSameBytes() throws IOException {
        MujocoHere.assume();
        Path demos = folder.resolve("demos.npz");
        EpisodeFiles.write(demos, new Episodes(List.of(StageRunnerTest.episode())));
        Path runs = folder.resolve("runs");
        String cell = "imitate --method gail --task hopper --demos %s --iterations 2 --block 80 --recent 80 --batch 16"
                        .formatted(demos)
                + " --random-steps 60 --hidden 8 --reward-hidden 8,8 --episodes 1";
        cli.done(cell + " --seeds 3,5 --threads 2 --out " + runs.resolve("learnt"));
        cli.done(cell + " --seed 4 --threads 1 --out " + runs.resolve("later"));

        cli.done("reproduce table1 --from " + runs);
        List<String> printed = cli.out()
                .lines()
                .filter(line -> line.contains("./revealed imitate"))
                .map(line -> line.substring(line.indexOf("./revealed ") + "./revealed ".length())
                        .strip())
                .toList();
        assertThat(printed).hasSize(2); // options in another order
        Path again = folder.resolve("again");
        cli.done(printed.getFirst() + " --out " + again);
        Path learnt = runs.resolve("learnt");
        assertSame(member(again, 3), member(learnt, 3));
        assertSame(member(again, 5), member(learnt, 5));
        Path later = folder.resolve("again-later");
        cli.done(printed.getLast() + " --out " + later);
        assertSame(later, runs.resolve("later"));
    }

    /** The folder of the run with a seed. */
    private static Path member(Path many, int seed) throws IOException {
        try (Stream<Path> all = Files.list(many)) {
            return all.filter(each -> each.toString().endsWith("seed-" + seed))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void assertSame(Path run, Path other) throws IOException {
        for (String file : List.of(
                "policy.safetensors",
                "chosen.safetensors",
                "reward.safetensors",
                "reward-last.safetensors",
                "metrics.jsonl")) {
            assertThat(run.resolve(file)).hasBinaryContent(Files.readAllBytes(other.resolve(file)));
        }
    }

    @Test
    void runsThatDifferInTheirSeedsAloneAreMadeTogether() {
        assertThat(RunCommands.again(List.of(
                        List.of("imitate", "--task", "hopper", "--seed", "2", "--out", "a"),
                        List.of("imitate", "--task", "hopper", "--threads", "4", "--seed", "3"),
                        List.of("imitate", "--task", "ant", "--seed", "2"),
                        List.of("imitate", "--task", "ant"),
                        List.of("reward", "--reward", "my run", "--seed", "1"),
                        List.of("reward", "--reward", "other", "--seed", "1"),
                        List.of())))
                .containsExactly(
                        "./revealed imitate --task hopper --seeds 2,3",
                        "./revealed imitate --task ant --seed 2",
                        "./revealed imitate --task ant",
                        "./revealed reward --reward 'my run' --seed 1",
                        "./revealed reward --reward other --seed 1");
    }
}

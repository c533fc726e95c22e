package dev.revealed.app.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.app.Cli;
import dev.revealed.app.MujocoHere;
import dev.revealed.runs.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shards of a command, put together, are the command on one machine. */
class GatherCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    private int run(String words) {
        return cli.run(words.replace("$", folder + "/").split(" "));
    }

    private void buses() {
        assertThat(run("simulate --model rust-bus --individuals 30 --periods 40 --out $buses"))
                .as(cli::err)
                .isZero();
    }

    /** The document in a folder, without what clocks say. */
    private Map<?, ?> document(String name) throws IOException {
        String text = Files.readString(folder.resolve(name).resolve("result.json"));
        return Json.read(
                text.replaceAll("(?i)\"[a-z]*(seconds|milliseconds)\" : [^,\\n]*", "\"clock\" : 0"), Map.class);
    }

    private void shardsEqualOneMachine(String command, String shards) throws IOException {
        assertThat(run(command + " --out $one")).as(cli::err).isZero();
        String first = shards.split(" ", -1)[0];
        assertThat(run(command + " --out $parts --shard " + first)).as(cli::err).isZero();
        assertThat(cli.err() + cli.out()).contains("Shard %s is done".formatted(first), "./revealed gather");
        assertThat(folder.resolve("parts/result.json")).doesNotExist();
        assertThat(run("gather $parts")).isEqualTo(2);
        List<String> rest = new ArrayList<>(List.of(shards.split(" ")));
        rest.removeFirst();
        for (String shard : rest) {
            assertThat(cli.err()).contains("--shard " + shard);
        }
        assertThat(cli.err()).doesNotContain("--shard " + first);
        for (String shard : rest) {
            assertThat(run(command + " --out $parts --shard " + shard))
                    .as(cli::err)
                    .isZero();
        }
        assertThat(run("gather $parts --json")).as(cli::err).isZero();
        assertThat(cli.out()).isEqualTo(Files.readString(folder.resolve("parts/result.json")));
        assertThat(document("parts")).isEqualTo(document("one"));
    }

    @Test
    void bootstrapAndProfile() throws IOException {
        buses();
        shardsEqualOneMachine(
                "estimate --model rust-bus --data $buses/panel.csv --method nfxp --bootstrap 7 --profile RC=5:15:3",
                "2/3 1/3 3/3");
    }

    @Test
    void profileAlone() throws IOException {
        buses();
        shardsEqualOneMachine(
                "estimate --model rust-bus --data $buses/panel.csv --method nfxp --profile RC=5:15:3 --profile discount=0.9:0.99:2",
                "1/2 2/2");
    }

    @Test
    void coverage() throws IOException {
        shardsEqualOneMachine(
                "reproduce coverage --panels 2 --models bus,two-ar --buses 20 --months 20 --seed 3", "2/3 3/3 1/3");
    }

    @Test
    void monteCarlo() throws IOException {
        shardsEqualOneMachine("reproduce nfxp-vs-mpec --replications 1 --discounts 0.975,0.99", "2/2 1/2");
    }

    @Test
    void trainingRuns() throws IOException {
        MujocoHere.assume();
        String command = "expert --task hopper --seeds 1-3 --steps 600 --random-steps 200 --hidden 16,16 --replay 1000"
                + " --evaluate-every 300 --episodes 1 --checkpoint-every 300";
        assertThat(run(command + " --out $one")).as(cli::err).isZero();
        assertThat(run(command + " --out $parts --shard 2/2")).as(cli::err).isZero();
        assertThat(run("gather $parts")).isEqualTo(2);
        assertThat(cli.err()).contains("2 tasks are not done yet, of the shards 1/2", "--shard 1/2");
        assertThat(run(command + " --out $parts --shard 1/2")).as(cli::err).isZero();
        assertThat(run("gather $parts")).as(cli::err).isZero();
        for (int seed = 1; seed <= 3; seed++) {
            for (String name : List.of("policy.safetensors", "metrics.jsonl", "curve.csv")) {
                Path file = Path.of("seed-" + seed, name);
                assertThat(folder.resolve("parts").resolve(file))
                        .hasSameBinaryContentAs(folder.resolve("one").resolve(file));
            }
        }
        assertThat(folder.resolve("parts/result.json")).exists();
    }

    @Test
    void whatMakesNoSenseIsRefusedAndLeavesNothing() throws IOException {
        buses();
        String estimate = "estimate --model rust-bus --data $buses/panel.csv ";
        for (Map.Entry<String, String> each : Map.of(
                        "--bootstrap 4 --shard 3/2 --out $no", "--shard is 3/2",
                        "--bootstrap 4 --shard two --out $no", "--shard is 'two'",
                        "--bootstrap 4 --shard 1/2", "--shard without a folder",
                        "--shard 1/2 --out $no", "--shard has no effect",
                        "--engine spark --out $no", "started without Spark",
                        "--bootstrap 4 --master local --out $no", "--master has no effect without --engine spark",
                        "--bootstrap 4 --engine hadoop --out $no", "There is local, spark",
                        "--bootstrap 4 --engine spark --out $no", "started without Spark",
                        "--bootstrap 4 --engine spark --shard 1/2 --out $no", "are given together")
                .entrySet()) {
            assertThat(run(estimate + each.getKey())).as(each.getKey()).isEqualTo(2);
            assertThat(cli.err()).contains(each.getValue());
            assertThat(folder.resolve("no")).doesNotExist();
        }
        assertThat(run("gather $buses")).isEqualTo(2);
        assertThat(run("gather $nowhere")).isEqualTo(2);
        assertThat(run(estimate + "--bootstrap 4 --shard 1/2 --out $a")).isZero();
        assertThat(run(estimate + "--bootstrap 5 --shard 2/2 --out $a")).isEqualTo(2);
        assertThat(cli.err()).contains("holds shards of another command");
        try (Stream<Path> files = Files.list(folder.resolve("a"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("spec.json", "shard-1-of-2.jsonl");
        }
    }
}

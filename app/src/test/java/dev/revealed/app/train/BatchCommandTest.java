package dev.revealed.app.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.app.Cli;
import dev.revealed.app.Main;
import dev.revealed.app.MujocoHere;
import dev.revealed.cuda.Gpu;
import dev.revealed.runs.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many experts in one command. */
class BatchCommandTest {
    private static final String SMALL = "--hidden 16,16 --steps 600 --random-steps 100 --checkpoint-every 200"
            + " --evaluate-every 300 --episodes 1";

    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    @BeforeAll
    static void needsPhysics() {
        MujocoHere.assume();
    }

    private Map<?, ?> json(String file) throws IOException {
        return Json.read(Files.readString(folder.resolve(file)), Map.class);
    }

    private static Map<?, ?> map(Map<?, ?> in, String name) {
        return (Map<?, ?>) Objects.requireNonNull(in.get(name));
    }

    private static List<?> list(Map<?, ?> in, String name) {
        return (List<?>) Objects.requireNonNull(in.get(name));
    }

    private void assertSameRun(String run, String other) {
        for (String name :
                List.of("metrics.jsonl", "policy.safetensors", "best.safetensors", "checkpoint/600.safetensors")) {
            assertThat(folder.resolve(run).resolve(name))
                    .hasSameBinaryContentAs(folder.resolve(other).resolve(name));
        }
    }

    @Test
    void seedsAreRunsOfTheirOwn() throws IOException {
        Path many = folder.resolve("many");
        cli.done("expert --task hopper --seeds 1,3 --layer-norm --threads 2 --json " + SMALL + " --out " + many);
        assertThat(cli.err())
                .contains("2 runs, 2 at a time", "of replay each")
                .contains("2 runs  1,200/1,200 (100%)")
                .contains("seed-3 done")
                .contains("hopper, 2 runs: mean ");
        Map<?, ?> result = json("many/result.json");
        assertThat(cli.out()).isEqualTo(Files.readString(many.resolve("result.json")));
        assertThat(result.get("failed")).isEqualTo(0);
        Map<?, ?> three = (Map<?, ?>) list(result, "each").getLast();
        assertThat(three.get("name")).isEqualTo("seed-3");
        assertThat(three.get("settings")).isEqualTo(Map.of("seed", 3, "task", "hopper"));
        double first = mean(json("many/seed-1/result.json"));
        double third = mean(json("many/seed-3/result.json"));
        Map<?, ?> group = (Map<?, ?>) list(result, "groups").getFirst();
        assertThat(group.get("mean")).isEqualTo((first + third) / 2);
        assertThat(map(three, "result").get("meanReturn")).isEqualTo(third);
        assertThat(Files.readAllLines(many.resolve("runs.csv")))
                .hasSize(3)
                .last()
                .asString()
                .startsWith("seed-3," + third);
        assertThat(many.resolve("curves.svg")).content().contains("seed-1", "seed-3");
        assertThat(many.resolve("report.html")).content().contains("--seeds 1,3");
        assertThat(many.resolve("seed-3/report.html"))
                .content()
                .contains("--seed 3")
                .doesNotContain("--seeds");

        cli.done("expert --task hopper --seed 3 --layer-norm " + SMALL + " --out " + folder.resolve("alone"));
        assertSameRun("many/seed-3", "alone");
        cli.done("evaluate --episodes 1 --policy " + many.resolve("seed-3"));
        Files.delete(many.resolve("seed-3/result.json"));
        Files.delete(many.resolve("seed-3/checkpoint/600.json"));
        cli.done("expert --resume --out " + many.resolve("seed-3"));
        assertSameRun("many/seed-3", "alone");
        assertThat(cli.type("expert --resume --out " + many)).isEqualTo(2);
        assertThat(cli.err()).contains("complete");
    }

    private static double mean(Map<?, ?> result) {
        return ((Number) Objects.requireNonNull(result.get("meanReturn"))).doubleValue();
    }

    @Test
    void aLineThatFailsIsToldAndTheOthersEnd() throws IOException {
        Path runs = folder.resolve("runs.txt");
        Files.writeString(runs, """
                # two that learn and one that cannot

                --task hopper --seeds 4-5
                --task hopper --seed 4 --learning-rate 1e30
                --task halfcheetah --temperature auto --steps 400
                """);
        Path many = folder.resolve("many");
        assertThat(cli.type("expert --runs " + runs + " --at-once 3 --json " + SMALL + " --out " + many))
                .as(cli.err())
                .isEqualTo(2);
        assertThat(cli.err())
                .contains("03-hopper-seed-4 failed: update ", "--learning-rate")
                .doesNotContain("defect");
        Map<?, ?> result = Json.read(cli.out(), Map.class);
        assertThat(result.get("finished")).isEqualTo(3);
        assertThat(result.get("failed")).isEqualTo(1);
        assertThat(list(result, "each"))
                .extracting(each -> String.valueOf(((Map<?, ?>) each).get("name")))
                .containsExactly("01-hopper-seed-4", "02-hopper-seed-5", "03-hopper-seed-4", "04-halfcheetah-seed-1");
        Map<?, ?> broken = (Map<?, ?>) list(result, "each").get(2);
        assertThat(broken.get("state")).isEqualTo("failed");
        assertThat(broken.get("failure")).asString().contains("update ");
        assertThat(map(broken, "settings").get("learning-rate")).isEqualTo(1e30);
        assertThat(list(result, "groups"))
                .extracting(group -> String.valueOf(((Map<?, ?>) group).get("name")))
                .as("what was typed, and no setting that only the task or the preset has otherwise")
                .containsExactly(
                        "hopper, steps 600",
                        "hopper, learning-rate 1.0E30, steps 600",
                        "halfcheetah, steps 400, temperature auto");
        assertThat(many.resolve("report.html")).content().contains("03-hopper-seed-4 failed");
        assertThat(json("many/04-halfcheetah-seed-1/result.json").get("steps")).isEqualTo(400);

        Files.delete(runs); // what was started is remembered
        assertThat(cli.type("expert --resume --out " + many)).isEqualTo(2);
        assertThat(cli.err()).contains("03-hopper-seed-4 failed").doesNotContain("01-hopper-seed-4 failed");
    }

    @Test
    void killedRunsGoOn() throws IOException {
        Path whole = folder.resolve("whole");
        Path cut = folder.resolve("cut");
        String command = "expert --task hopper --seeds 1-3 " + SMALL + " --out ";
        cli.done(command + whole);
        cli.done(command + cut);
        Files.delete(cut.resolve("result.json")); // as if killed in the midst of the second run
        Files.delete(cut.resolve("seed-2/result.json"));
        Files.delete(cut.resolve("seed-2/checkpoint/600.json"));
        deleteAll(cut.resolve("seed-3"));
        assertThat(cli.type("expert --resume --steps 700 --out " + cut)).isEqualTo(2);
        assertThat(cli.err()).contains("--steps is 700");
        String kept = Files.readString(cut.resolve("seed-1/result.json"));
        cli.done("expert --resume --at-once 1 --out " + cut);
        assertThat(cut.resolve("seed-1/result.json")).hasContent(kept);
        for (int seed = 1; seed <= 3; seed++) {
            assertSameRun("cut/seed-" + seed, "whole/seed-" + seed);
        }
        assertThat(cut.resolve("report.html")).content().contains("--seeds 1-3");
    }

    private static void deleteAll(Path path) throws IOException {
        try (var files = Files.walk(path)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--task hopper --seeds 1-3 --seed 4 | --seed",
                "--task hopper --seeds 1-3 --runs x | --runs",
                "--seed 3 --runs x | --seed",
                "--task hopper --seeds 3-1 | backwards",
                "--seeds 1-3 | --task",
                "--task hopper --at-once 2 | --at-once has no effect",
                "--task hopper --seeds 1-3 --at-once 0 | --at-once is 0",
                "--task hopper --seeds 1-3 --steps 0 | --steps is 0",
                "--task humanoid --seeds 1-100 --threads 100 --replay 500000000 --steps 500000000 | 100 runs at a time come to",
                "--runs nowhere.txt | nowhere.txt"
            })
    void whatCannotWorkIsOneMessage(String options, String says) {
        assertThat(cli.type("expert " + options + " --out " + folder.resolve("many")))
                .isEqualTo(2);
        assertThat(cli.err()).contains(says).doesNotContain("Exception", "defect");
        assertThat(folder.resolve("many")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--task hoper | hopper",
                "--seed 3 | --task",
                "--task hopper --stepz 100 | --stepz",
                "--task hopper --steps many | --steps",
                "--task hopper --steps 0 | --steps is 0",
                "--task hopper --seeds 1-x | --seeds is '1-x'",
                "--task hopper --seeds 1-2 --seed 1 | --seed and --seeds",
                "--task hopper --seed 9 | the same run as",
                "--task hopper --seed 9 --seed 8 | --seed",
                "--task hopper --out x | --out is not for one run",
                "--task hopper --out=x | --out is not for one run",
                "--task hopper --json | --json is not for one run",
                "--task hopper --device cuda | --device is not for one run",
                "hopper | hopper",
                "--help | --help is not for one run"
            })
    void aBadLineIsNamedBeforeAnythingStarts(String line, String says) throws IOException {
        Path runs = Files.writeString(folder.resolve("runs.txt"), "--task hopper --seed 9\n# next\n" + line + "\n");
        assertThat(cli.type("expert --runs " + runs + " " + SMALL + " --out " + folder.resolve("many")))
                .isEqualTo(2);
        assertThat(cli.err()).contains(runs + ", line 3").contains(says).doesNotContain("Exception", "defect");
        assertThat(folder.resolve("many")).doesNotExist();
    }

    /** No GPU is a fact about the machine, told before anything is written. */
    @Test
    void withoutAGpuNothingIsLeft() {
        Assumptions.assumeTrue(Gpu.find().gpu().isEmpty(), "there is a GPU here");
        assertThat(cli.type("expert --task hopper --seeds 1-3 --device cuda --out " + folder.resolve("many")))
                .isEqualTo(2);
        assertThat(cli.err()).contains("no GPU can be used");
        assertThat(folder.resolve("many")).doesNotExist();
    }

    /** Runs that are finished are read and summed up wherever the command is. */
    @Test
    void whereNothingIsLeftToTrainNoGpuIsNeeded() throws IOException {
        Path many = folder.resolve("many");
        cli.done("expert --task hopper --seeds 1-2 " + SMALL + " --out " + many);
        Files.delete(many.resolve("result.json"));
        cli.done("expert --resume --device cuda --out " + many);
        assertThat(cli.err()).doesNotContain("GPU", "runs at once");
        assertThat(json("many/result.json").get("finished")).isEqualTo(2);
    }

    @Test
    void whatIsNoTextFileIsSaidToBeNone() throws IOException {
        Path binary = Files.write(folder.resolve("runs.bin"), new byte[] {(byte) 0xff, 0, (byte) 0xfe});
        assertThat(cli.type("expert --runs " + binary + " --out " + folder.resolve("many")))
                .isEqualTo(2);
        assertThat(cli.err()).contains(binary + " is not a text file").doesNotContain("Exception");
        assertThat(cli.type("expert --runs " + folder + " --out " + folder.resolve("many")))
                .isEqualTo(2);
        assertThat(cli.err()).contains(folder + " is a folder");
    }

    @Test
    void aFileWithoutRunsIsRefused() throws IOException {
        Path runs = Files.writeString(folder.resolve("runs.txt"), "\n  # nothing\n");
        assertThat(cli.type("expert --runs " + runs + " --out " + folder.resolve("many")))
                .isEqualTo(2);
        assertThat(cli.err()).contains("names no run");
    }

    @Test
    void theHelpShowsAnExample() {
        String help = Objects.requireNonNull(Main.commandLine().getSubcommands().get("expert"))
                .getUsageMessage();
        assertThat(help).contains("--seeds 1-14", "--runs runs.txt", "--at-once");
    }
}

package dev.revealed.app.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.app.Cli;
import dev.revealed.app.MujocoHere;
import dev.revealed.app.Words;
import dev.revealed.app.world.Tasks;
import dev.revealed.cuda.Gpu;
import dev.revealed.data.EpisodeFiles;
import dev.revealed.mdp.Episodes;
import dev.revealed.mujoco.Mujoco;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.Json;
import dev.revealed.runs.Metrics;
import dev.revealed.runs.RunFolder;
import dev.revealed.runs.Safetensors;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Assumptions;
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
        cli.done(SMALL + " --threads 1 --out " + made.resolve("hopper"));
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
        cli.done(SMALL + " --threads 2 --out " + two);
        for (String name : List.of("metrics.jsonl", "policy.safetensors", "checkpoint/1200.safetensors")) {
            assertThat(two.resolve(name))
                    .hasSameBinaryContentAs(made.resolve("hopper").resolve(name));
        }
    }

    @Test
    void scoresAPolicyTheSameWayEveryTime() {
        String command = "evaluate --policy %s --task hopper --episodes 3 --json".formatted(made.resolve("hopper"));
        cli.done(command);
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
        cli.done(command + " --threads 1");
        assertThat(cli.out()).isEqualTo(once);
    }

    @Test
    void recordsWhatWasPlayed() {
        Path demos = folder.resolve("demos");
        cli.done("record --policy %s --episodes 2 --out %s".formatted(made.resolve("hopper"), demos));
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
        assertThat(cli.type("record --policy %s --episodes 1 --attempts 3 --min-return 1e6 --out %s"
                        .formatted(made.resolve("hopper"), demos)))
                .isEqualTo(2);
        assertThat(cli.err()).contains("0 of 3 episodes").contains("--min-return");
        assertThat(demos).doesNotExist();
    }

    @Test
    void aPolicyOfAnotherTaskIsRefusedWithBothSizes() {
        assertThat(cli.type("evaluate --policy %s --task walker2d".formatted(made.resolve("hopper"))))
                .isEqualTo(2);
        assertThat(cli.err()).contains("11").contains("17").contains("trained on hopper");
    }

    /** The newest checkpoint is damaged, so the one before is used, and the end is the same. */
    @Test
    void aDamagedCheckpointIsPassedOver() throws IOException {
        Path run = folder.resolve("run");
        cli.done(SMALL + " --out " + run);
        byte[] whole = Files.readAllBytes(run.resolve("checkpoint/1200.safetensors"));
        byte[] damaged = whole.clone();
        damaged[damaged.length / 2] ^= 1;
        Files.write(run.resolve("checkpoint/1200.safetensors"), damaged);
        Files.delete(run.resolve("result.json"));
        cli.done("expert --resume --out " + run);
        assertThat(cli.err() + cli.out()).contains("warning: the checkpoint of step 1200 is damaged");
        assertThat(String.valueOf(Json.read(Files.readString(run.resolve("result.json")), Map.class)
                        .get("cautions")))
                .startsWith("[the checkpoint of step 1200 is damaged");
        assertThat(Files.readAllBytes(run.resolve("checkpoint/1200.safetensors")))
                .isEqualTo(whole);
        assertThat(run.resolve("metrics.jsonl")).hasSameBinaryContentAs(made.resolve("hopper/metrics.jsonl"));
    }

    @Test
    void whatIsTypedAgainMustBeAsItWas() throws IOException {
        Path run = folder.resolve("run");
        cli.done(SMALL + " --seed 3 --out " + run);
        Files.delete(run.resolve("result.json"));
        assertThat(cli.type("expert --resume --steps 5000 --out " + run)).isEqualTo(2);
        assertThat(cli.err()).contains("--steps is 5000").contains("started with 1200");
        assertThat(cli.type("expert --resume --hidden 16,8 --out " + run)).isEqualTo(2);
        assertThat(cli.err()).contains("--hidden is 16,8").contains("started with 16,16");
        // however it is spelt, and whether it was typed at first or not
        cli.done("expert --resume --learning-rate 0.0010 --seed 3 --hidden 16,16 --out " + run);
    }

    @Test
    void aRoundIsSharedByNoMoreSimulatorsThanItHasSteps() {
        Path run = folder.resolve("run");
        assertThat(cli.type(SMALL + " --simulators 51 --out " + run)).isEqualTo(2);
        assertThat(cli.err()).contains("--simulators is 51", "at most 50");
        assertThat(run).doesNotExist();
    }

    @Test
    void whatCannotBeGoneOnWithIsSaid() throws IOException {
        assertThat(cli.type("expert --resume --out " + folder)).isEqualTo(2);
        assertThat(cli.err()).contains("there is no " + folder.resolve("spec.json"));
        Assumptions.assumeTrue(Gpu.find().gpu().isEmpty(), "SKIPPED: there is a GPU");
        Path run = folder.resolve("run");
        assertThat(cli.type(SMALL + " --device cuda --out " + run)).isEqualTo(2);
        assertThat(cli.err())
                .contains("Leave --device out", Words.options(Gpu.find().remedy()));
        assertThat(run).doesNotExist();
        cli.done(SMALL + " --seed 3 --out " + run);
        Files.delete(run.resolve("result.json"));
        assertThat(cli.type("expert --resume --device cuda --out " + run)).isEqualTo(2);
        assertThat(cli.err()).contains("--resume --device cpu").doesNotContain("Leave --device out");
    }

    @Test
    void theReportOfAResumedRunTellsHowItWasBegun() throws IOException {
        Path run = folder.resolve("run");
        cli.done(SMALL + " --seed 3 --out " + run);
        String before = Files.readString(run.resolve("report.html"));
        assertThat(before).contains("--seed 3");
        Files.delete(run.resolve("result.json"));
        Files.delete(run.resolve("report.html"));
        cli.done("expert --resume --out " + run);
        String clock = "(?s)updates per second.*?</table>"; // what comes of the clock
        assertThat(Files.readString(run.resolve("report.html")).replaceFirst(clock, ""))
                .isEqualTo(before.replaceFirst(clock, ""));
    }

    /** Two starts in one new folder: the second is refused, and takes nothing away from the first. */
    @Test
    void aFolderInUseIsRefusedAndLeftAlone() throws IOException {
        Path run = folder.resolve("run");
        RunFolder first = RunFolder.create(run);
        try (Metrics metrics = Metrics.create(first)) {
            assertThat(cli.type(SMALL + " --out " + run)).isEqualTo(2);
            assertThat(cli.err()).contains("in use by another command");
            assertThat(run.resolve("spec.json")).doesNotExist();
            first.write("spec.json", "mine");
            metrics.add(Map.of("step", 1));
        }
        assertThat(run.resolve("spec.json")).hasContent("mine");
        assertThat(run.resolve("metrics.jsonl")).hasContent("{\"step\":1}\n");
    }

    @Test
    void aFullDiskCostsNothingThatWasThere() throws IOException {
        Path full = Path.of("/dev/full");
        Assumptions.assumeTrue(Files.isWritable(full), "a disk that is always full");
        Path run = Files.createDirectories(folder.resolve("run"));
        Files.createSymbolicLink(run.resolve("metrics.jsonl"), full);
        String often = SMALL.replace("--evaluate-every 600", "--evaluate-every 300");
        assertThat(cli.type(often + " --out " + run)).isEqualTo(2);
        assertThat(cli.err()).contains("metrics.jsonl", "The disk is full", "--resume");
        assertThat(run.resolve("best.safetensors")).exists();
        Files.delete(run.resolve("metrics.jsonl"));
        cli.done("expert --resume --out " + run);
        assertThat(Files.readAllLines(run.resolve("metrics.jsonl"))).hasSize(4);
    }

    @Test
    void learningThatDivergesIsToldAndWhatWasMeasuredStays() {
        Path run = folder.resolve("run");
        assertThat(cli.type(SMALL.replace("--evaluate-every 600", "--evaluate-every 200")
                        + " --learning-rate 1e30 --out " + run))
                .isEqualTo(2);
        assertThat(cli.err())
                .contains("update ", "--learning-rate", run.toString())
                .doesNotContain("defect");
        assertThat(run.resolve("metrics.jsonl")).content().contains("\"step\":200");
    }

    /** A policy's file says in which flavour it was trained, and is tried in that. */
    @Test
    void aPolicyIsTriedInTheFlavourItWasTrainedIn() throws IOException {
        Safetensors.Content policy = Safetensors.read(made.resolve("hopper/policy.safetensors"));
        assertThat(policy.metadata())
                .containsEntry("task", "hopper")
                .containsEntry("inertia", "legacy")
                .containsEntry("contactForces", "real");
        Path modern = folder.resolve("modern.safetensors");
        write(modern, policy.tensors(), Map.of("task", "hopper", "inertia", "modern"));
        String evaluate = "evaluate --episodes 2 --json --policy ";
        Map<?, ?> result = document(evaluate + modern);
        assertThat(result.get("inertia")).isEqualTo("modern");
        assertThat(result.get("contactForces")).isEqualTo("real");
        assertThat(result.get("mujoco")).isEqualTo(Mujoco.version());
        Map<?, ?> asked = document(evaluate + made.resolve("hopper") + " --inertia modern");
        assertThat(cli.err()).contains("warning", "trained with --inertia legacy");
        assertThat(result.get("returns")).isEqualTo(asked.get("returns"));
        assertThat(document(evaluate + made.resolve("hopper")).get("returns")).isNotEqualTo(asked.get("returns"));
        assertThat(cli.err()).doesNotContain("--inertia");
        write(modern, policy.tensors(), Map.of("task", "hopper", "inertia", "heavy"));
        assertThat(cli.type(evaluate + modern)).isEqualTo(2);
        assertThat(cli.err()).contains("--inertia is 'heavy'");
    }

    private Map<?, ?> document(String command) {
        cli.done(command);
        return Json.read(cli.out(), Map.class);
    }

    private static void write(Path file, Tensors tensors, Map<String, String> metadata) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            Safetensors.write(out, tensors, metadata);
        }
    }

    @Test
    void anotherMujocoIsCautionedOf() {
        assertThat(Tasks.caution("2.2.2")).isEmpty();
        assertThat(Tasks.caution("3.14.0")).get().asString().contains("MuJoCo 3.14.0", "2.2.2");
    }

    @Test
    void aPolicyThatCannotActIsBadInput() throws IOException {
        Safetensors.Content policy = Safetensors.read(made.resolve("hopper/policy.safetensors"));
        Path file = folder.resolve("bad.safetensors");
        String weights = policy.tensors().names().stream()
                .filter(name -> !name.endsWith("bound"))
                .findFirst()
                .orElseThrow();
        float[] values = policy.tensors().floats(weights);
        values[3] = Float.NaN;
        write(file, policy.tensors(), policy.metadata());
        assertThat(cli.type("evaluate --policy " + file)).isEqualTo(2);
        assertThat(cli.err()).contains(file + ": tensor '" + weights + "' holds NaN at place 3");
        Arrays.fill(values, Float.MAX_VALUE); // finite, but what is made of it is not
        write(file, policy.tensors(), policy.metadata());
        assertThat(cli.type("evaluate --policy " + file)).isEqualTo(2);
        assertThat(cli.err()).contains("action 0 is NaN", "another policy").doesNotContain("defect");
    }

    @Test
    void whatIsRecordedIsWhatIsScored() {
        Path demos = folder.resolve("demos");
        Map<?, ?> scored =
                document("evaluate --stochastic --episodes 3 --seed 8 --json --policy " + made.resolve("hopper"));
        Map<?, ?> recorded = document("record --episodes 3 --seed 8 --threads 1 --json --policy %s --out %s"
                .formatted(made.resolve("hopper"), demos));
        assertThat(recorded.get("returns")).isEqualTo(scored.get("returns"));
        double best = ((List<?>) Objects.requireNonNull(scored.get("returns")))
                .stream().mapToDouble(one -> ((Number) one).doubleValue()).max().orElseThrow();
        for (int threads = 1; threads <= 2; threads++) { // the same episodes are kept, and the same number counted
            Map<?, ?> good =
                    document("record --episodes 1 --min-return %s --seed 8 --threads %d --json --policy %s --out %s%d"
                            .formatted(best, threads, made.resolve("hopper"), demos, threads));
            assertThat(good.get("returns")).isEqualTo(List.of(best));
            assertThat(good.get("attempts"))
                    .isEqualTo(((List<?>) Objects.requireNonNull(scored.get("returns"))).indexOf(best) + 1);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "record --attempts 5 | --attempts has no effect",
                "record --min-return 1 --attempts 0 | --attempts is 0, and 10",
                "record --episodes 0 | --episodes is 0",
                "evaluate --episodes 0 | --episodes is 0",
                "evaluate --checkpoint best | --checkpoint best has no effect"
            })
    void optionsThatDoNothingAreRefused(String command, String says) {
        assertThat(cli.type(command + " --policy " + made.resolve("hopper/policy.safetensors") + " --out "
                        + folder.resolve("never")))
                .isEqualTo(2);
        assertThat(cli.err()).contains(says);
        assertThat(folder.resolve("never")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "expert --task hoper | hopper",
                "expert | --task",
                "expert --task hopper --steps 0 | --steps is 0",
                "expert --task hopper --batch 0 | batch is 0",
                "expert --task hopper --batch 2000000000 | at most 1000000",
                "expert --task hopper --batch 1000000 --hidden 16384 | at most 1,073,741,824: lower one",
                "expert --task hopper --hidden 50000,50000 | from 1 and at most 16384",
                "expert --task hopper --hidden 16384,16384,16384,16384,16384,16384 | A network has at most 1,073,741,824",
                "expert --task hopper --temperature warm | --temperature is 'warm'",
                "expert --task hopper --temperature-halving 0.5 | halving",
                "expert --task hopper --temperature auto --temperature-halving 9 | --temperature-halving has no effect",
                "expert --task hopper --discount 1 | discount",
                "expert --task hopper --update-ratio 0 | --update-ratio is 0",
                "expert --task hopper --replay 100 --checkpoint-every 200 | --checkpoint-every",
                "expert --resume | --out",
                "evaluate --policy nowhere --task hopper | nowhere",
                "evaluate --policy README.md | README.md"
            })
    void badInputIsOneClearMessage(String command, String says) {
        assertThat(cli.type(command
                        + (command.contains("--resume") || !command.startsWith("expert")
                                ? ""
                                : " --out " + folder.resolve("run"))))
                .isEqualTo(2);
        assertThat(cli.err()).contains(says).doesNotContain("Exception");
        assertThat(folder.resolve("run")).doesNotExist();
    }
}

package dev.revealed.app.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.app.Cli;
import dev.revealed.app.Main;
import dev.revealed.app.MujocoHere;
import dev.revealed.app.Repository;
import dev.revealed.cuda.Gpu;
import dev.revealed.data.EpisodeFiles;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.mujoco.Task;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Rollouts;
import dev.revealed.neural.Sac;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.Json;
import dev.revealed.runs.RunSpec;
import dev.revealed.runs.Safetensors;
import dev.revealed.settings.Item;
import dev.revealed.train.SettingResolution;
import dev.revealed.train.TrainingPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Imitation on the command line: one run and many, resumed, scored; and what is said of commands that cannot work. */
class ImitateCommandTest {
    private static final String SMALL = " --iterations 4 --block 150 --recent 300 --random-steps 100 --hidden 16,16"
            + " --reward-hidden 8,8 --evaluate-every 2 --episodes 2 --checkpoint-every 2";

    @TempDir
    private static Path data = Path.of("");

    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    /** Trajectories of an actor that knows nothing; all fall. */
    @BeforeAll
    static void record() {
        MujocoHere.assume();
        try (Simulator simulator = Task.HOPPER.simulator()) {
            RandomStream stream = RandomStream.of(4);
            try (Sac sac = new Sac(simulator.space(), Sac.Settings.PAPER.withHidden(8, 8), stream, 1)) {
                GaussianActor actor = sac.actor();
                Episodes fallen = Rollouts.of(actor, List.of(simulator), 0, 3, false, stream);
                EpisodeFiles.write(data.resolve("fallen.npz"), fallen);
                Episodes whole = Rollouts.through(actor, List.of(simulator), 2, stream);
                EpisodeFiles.write(data.resolve("whole.npz"), whole);
                EpisodeFiles.write(data.resolve("states.npz"), states(whole));
            }
        }
    }

    private static Episodes states(Episodes from) {
        return new Episodes(from.all().stream()
                .map(one -> new Episode(one.length(), one.observations(), null, null, Ending.UNKNOWN))
                .toList());
    }

    private String imitate(String demos) {
        return "imitate --task hopper --demos " + data.resolve(demos) + SMALL;
    }

    private Map<?, ?> json(String file) throws IOException {
        return Json.read(Files.readString(folder.resolve(file)), Map.class);
    }

    /** Another policy to diverge from is another run; resumed it has the same bytes, and a changed one is refused. */
    @Test
    void learnsRelativeToAReferencePolicy() throws IOException {
        Path plain = folder.resolve("plain");
        cli.done(imitate("whole.npz") + " --out " + plain);
        Path run = folder.resolve("run");
        String reference = " --reference " + plain.resolve("policy.safetensors");
        cli.done(imitate("whole.npz") + reference + " --out " + run);
        byte[] policy = Files.readAllBytes(run.resolve("policy.safetensors"));
        assertThat(policy).isNotEqualTo(Files.readAllBytes(plain.resolve("policy.safetensors")));

        Files.delete(run.resolve("result.json")); // as if killed after the first checkpoint
        Files.delete(run.resolve("checkpoint/600.json"));
        cli.done("imitate --resume --out " + run);
        assertThat(run.resolve("policy.safetensors")).hasBinaryContent(policy);

        Files.delete(run.resolve("result.json"));
        Files.delete(run.resolve("checkpoint/600.json"));
        Files.copy(
                run.resolve("policy.safetensors"),
                plain.resolve("policy.safetensors"),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        assertThat(cli.type("imitate --resume --out " + run)).isEqualTo(2);
        assertThat(cli.err()).contains("the reference policy is another");

        Path refused = folder.resolve("refused");
        assertThat(cli.type(imitate("whole.npz") + reference + " --device cuda --out " + refused))
                .isEqualTo(2);
        assertThat(cli.err())
                .contains("a reference policy is known to Soft Actor-Critic on the processor alone", "--device");
        assertThat(cli.type(imitate("whole.npz") + reference + "x --out " + refused))
                .isEqualTo(2);
        assertThat(cli.err()).contains("there is no policy", "--reference");
        assertThat(cli.type(imitate("whole.npz") + reference + " --temperature auto --out " + refused))
                .isEqualTo(2);
        assertThat(cli.err()).contains("no entropy to tune");
        assertThat(cli.type("imitate --method bc --task hopper --demos " + data.resolve("whole.npz") + reference
                        + " --out " + refused))
                .isEqualTo(2);
        assertThat(cli.err()).contains("--reference has no effect");
    }

    @Test
    void leavesWhatItPromises() throws IOException {
        Path run = folder.resolve("run");
        cli.done(imitate("whole.npz") + " --trajectories 1 --json --out " + run);
        assertThat(run)
                .isDirectoryContaining("glob:**/spec.json")
                .isDirectoryContaining("glob:**/metrics.jsonl")
                .isDirectoryContaining("glob:**/policy.safetensors")
                .isDirectoryContaining("glob:**/chosen.safetensors")
                .isDirectoryContaining("glob:**/reward.safetensors")
                .isDirectoryContaining("glob:**/policy.onnx")
                .isDirectoryContaining("glob:**/curve.svg")
                .isDirectoryContaining("glob:**/events.out.tfevents*");
        Map<?, ?> result = Json.read(cli.out(), Map.class);
        assertThat(result.get("iterations")).isEqualTo(4);
        assertThat(result.get("steps")).isEqualTo(600);
        assertThat(result.get("countedSteps")).isEqualTo(600);
        assertThat(result.get("trajectories")).isEqualTo(1);
        assertThat(result.get("reward")).isEqualTo("state-action");
        assertThat(result.get("preset")).isEqualTo("revealed");
        assertThat((List<?>) result.get("returns")).hasSize(2);
        double expert = EpisodeFiles.read(data.resolve("whole.npz")).first(1).meanReturn();
        assertThat(result.get("expertReturn")).isEqualTo(expert);
        Map<?, ?> settings =
                (Map<?, ?>) Objects.requireNonNull(json("run/spec.json").get("settings"));
        assertThat(settings.get("after-end")).isEqualTo("mask"); // what the preset says is told, too
        assertThat(settings.get("block")).isEqualTo(150);

        Object last = returns(run);
        cli.done("evaluate --episodes 2 --checkpoint best --json --policy " + run);
        assertThat(cli.out()).contains("chosen.safetensors");

        // of a run that has not ended it is that of the last checkpoint, averaged as it is in the end
        Path ended = run.resolve("policy.safetensors");
        byte[] policy = Files.readAllBytes(ended);
        Files.delete(ended);
        assertThat(returns(run)).isEqualTo(last);
        Path chosen = run.resolve("chosen.safetensors");
        Files.move(chosen, folder.resolve("aside"));
        assertThat(cli.type("evaluate --checkpoint best --policy " + run)).isEqualTo(2);
        assertThat(cli.err()).contains("no evaluation yet to choose a policy by", "Leave --checkpoint out");
        Files.move(folder.resolve("aside"), chosen);

        Files.delete(run.resolve("result.json")); // as if killed after the first checkpoint
        Files.delete(run.resolve("checkpoint/600.json"));
        byte[] metrics = Files.readAllBytes(run.resolve("metrics.jsonl"));
        assertThat(cli.type("imitate --resume --iterations 9 --out " + run)).isEqualTo(2);
        assertThat(cli.err()).contains("--iterations is 9", "started with 4");
        cli.done("imitate --resume --block 150 --threads 1 --out " + run);
        assertThat(run.resolve("policy.safetensors")).hasBinaryContent(policy);
        assertThat(run.resolve("metrics.jsonl")).hasBinaryContent(metrics);
        assertThat(cli.type("expert --resume --out " + run)).isEqualTo(2);
    }

    private Object returns(Path run) {
        cli.done("evaluate --episodes 2 --seed 3 --json --policy " + run);
        return Objects.requireNonNull(Json.read(cli.out(), Map.class).get("returns"));
    }

    @Test
    void statesAloneAreEnoughForARewardOfStates() throws IOException {
        cli.done(imitate("states.npz") + " --reward state --out " + folder.resolve("run"));
        Map<?, ?> result = json("run/result.json");
        assertThat(result.get("reward")).isEqualTo("state");
        assertThat(result.get("expertReturn")).isNull();
        assertThat(cli.out() + cli.err()).contains("true return", "(hidden)").doesNotContain("of the expert's");
        assertThat(cli.type(imitate("states.npz") + " --out " + folder.resolve("other")))
                .isEqualTo(2);
        assertThat(cli.err()).contains("no actions", "--reward state").doesNotContain("Exception");
        assertThat(folder.resolve("other")).doesNotExist();
        Path whole = folder.resolve("whole");
        cli.done(imitate("whole.npz") + " --out " + whole);
        assertThat(cli.type("reward --reward " + whole + " --data " + data.resolve("states.npz")))
                .isEqualTo(2);
        assertThat(cli.err()).contains("there are no actions to evaluate it with", "reward.safetensors");
    }

    @Test
    void seedsAreRunsOfTheirOwnWithAnInterval() throws IOException {
        Path many = folder.resolve("many");
        String command = imitate("fallen.npz") + " --rollouts 1 --after-end mask";
        cli.done(command + " --seeds 1-2 --threads 2 --out " + many);
        assertThat(cli.err() + cli.out())
                .contains("warning: the demonstrations have from", "95 % interval", "of the expert's");
        assertThat(cli.err() + cli.out()).containsOnlyOnce("warning: the demonstrations");
        assertThat(cli.err()).doesNotContain("warning: warning");
        for (String result : List.of("many/result.json", "many/seed-1/result.json")) {
            assertThat(String.valueOf(json(result).get("cautions")))
                    .as(result)
                    .startsWith("[the demonstrations have from");
        }
        Map<?, ?> group = (Map<?, ?>)
                ((List<?>) Objects.requireNonNull(json("many/result.json").get("groups"))).getFirst();
        Map<?, ?> interval = (Map<?, ?>) Objects.requireNonNull(group.get("interval"));
        double middle = number(group, "interquartileMean");
        assertThat(middle).isBetween(number(interval, "low"), number(interval, "high"));
        double expert = number(json("many/seed-1/result.json"), "expertReturn");
        assertThat(number(group, "ofExpert")).isEqualTo(middle / expert);
        Map<?, ?> evaluation = (Map<?, ?>) Objects.requireNonNull(group.get("evaluation"));
        assertThat(number(evaluation, "interquartileMean")).isCloseTo(middle / expert, within(1e-12));
        assertThat(number((Map<?, ?>) Objects.requireNonNull(evaluation.get("falls")), "runs"))
                .isEqualTo(2); // by their metrics
        assertThat(cli.out()).contains("In % of the expert's return", "mean of its demonstrations");
        assertThat(many.resolve("evaluation.csv")).isRegularFile();

        cli.done(command + " --seed 2 --out " + folder.resolve("alone"));
        Path runs = Files.writeString(
                folder.resolve("runs.txt"), "--task hopper --seed 2\n--task hopper --seed 2 --pairing shifted\n");
        cli.done(command.replace(" --task hopper", "") + " --runs " + runs + " --out " + folder.resolve("lines"));
        for (String file : List.of("metrics.jsonl", "policy.safetensors", "reward.safetensors")) {
            Path alone = folder.resolve("alone").resolve(file);
            assertThat(many.resolve("seed-2").resolve(file)).hasSameBinaryContentAs(alone);
            assertThat(folder.resolve("lines/01-hopper-seed-2").resolve(file)).hasSameBinaryContentAs(alone);
        }
        assertThat(Files.readAllBytes(folder.resolve("lines/02-hopper-seed-2/reward.safetensors")))
                .isNotEqualTo(Files.readAllBytes(folder.resolve("alone/reward.safetensors")));
    }

    private static double number(Map<?, ?> in, String name) {
        return ((Number) Objects.requireNonNull(in.get(name))).doubleValue();
    }

    /** Each quirk of the reference code changes what is learnt: the reward after a few steps. */
    @ParameterizedTest
    @CsvSource({
        "--pairing shifted",
        "--reward-discount 0.5",
        "--after-end absorb",
        "--after-end simulate",
        "--loss-scale 1e-6",
        "--first-activation none",
        "--reward-clamp 0.01",
        "--optimiser sgd-constant",
        "--optimiser sgd-decaying",
        "--expert-sample one",
        "--reward-decay 10",
        "--reward-learning-rate 1e-2",
        "--reward-inputs standardised",
        "--rollouts 2",
        "--reward-roughness 1",
        "--ground off",
        "--temperature 0.2",
        "--temperature-halving 100"
    })
    void aQuirkMakesADifference(String quirk) throws IOException {
        String command = imitate("whole.npz").replace("--iterations 4", "--iterations 2") + " --rollouts 1 ";
        cli.done(command + "--out " + folder.resolve("plain"));
        String other = quirk.startsWith("--rollouts") ? command.replace(" --rollouts 1", "") : command;
        cli.done(other + quirk + " --out " + folder.resolve("quirk"));
        assertThat(weights("quirk")).isNotEqualTo(weights("plain"));
    }

    /** What learning moved: shapes, clamps and notes, which tell the option itself, are left out. */
    private List<Float> weights(String run) {
        Tensors reward = Safetensors.read(folder.resolve(run).resolve("reward.safetensors"))
                .tensors();
        List<Float> all = new ArrayList<>();
        for (String name : reward.names()) {
            if (name.matches("reward\\.(weight|bias)\\d")) {
                for (float each : reward.floats(name)) {
                    all.add(each);
                }
            }
        }
        assertThat(all).hasSize((14 + 1) * 8 + (8 + 1) * 8 + 8 + 1);
        return all;
    }

    @Test
    void thePaperHasItsOwnNumbers() throws IOException {
        Path run = folder.resolve("run");
        assertThat(cli.type("imitate --task hopper --preset paper --iterations 0 --demos %s --out %s"
                        .formatted(data.resolve("whole.npz"), run)))
                .isEqualTo(2);
        assertThat(cli.err()).contains("--iterations is 0");
        ImitateCommand command = parse("--preset paper --critics 3");
        TrainCommand.ResolvedRun paper = command.resolve(SettingResolution.typed(command.typedSettings()));
        assertThat(paper.settings())
                .containsEntry("block", 5000)
                .containsEntry("rollouts", 10)
                .containsEntry("iterations", 200L)
                .containsEntry("reward-discount", 0.99)
                .containsEntry("pairing", "aligned")
                .containsEntry("after-end", "mask")
                .containsEntry("first-activation", "none")
                .containsEntry("ground", true)
                .containsEntry("reward-learning-rate", 1e-4)
                .containsEntry("random-steps", 1000L)
                .containsEntry("temperature", 0.2)
                .containsEntry("critics", 3);
        TrainingPlan plan = paper.plan();
        assertThat(plan.steps()).isEqualTo(1_000_000);
        assertThat(plan.sac()).isEqualTo(Sac.Settings.PAPER.withCritics(3));
        assertThat(plan.timetable().evaluateEvery()).isEqualTo(50_000);
        assertThat(plan.timetable().checkpointEvery()).isEqualTo(20_000);
        assertThat(plan.timetable().episodes()).isEqualTo(5);
        assertThat(plan.timetable().lastEpisodes()).isEqualTo(20);
    }

    /** The settings of the preset are those of rows that we publish: whoever changes them makes results/table1 again. */
    @Test
    void thePresetIsThatOfThePublishedRows() throws IOException {
        Path rows = Repository.root().resolve("results/table1/rows");
        RunSpec published = RunSpec.read(rows.resolve("15-hopper-seed-1"));
        ImitateCommand command =
                parse("--preset revealed-1 --trajectories 1 --device cuda --evaluate-every 50 --checkpoint-every 900");
        Map<String, Object> now = new TreeMap<>(command.resolve(SettingResolution.typed(command.typedSettings()))
                .settings());
        Set<String> newer = Set.of( // than the rows
                "bootstrap-block",
                "ground-pace",
                "keep-checkpoints",
                "diagnose",
                "actor-learning-rate",
                "actor-halving",
                "critic-decay",
                "feature-norm",
                "expert-rows",
                "cloning",
                "demo-bound",
                "policy-inputs",
                "reward-halvings",
                "actor-every",
                "skip");
        now.keySet().removeAll(newer);
        now.remove("demos");
        assertThat(now).hasSizeGreaterThan(40);
        now.forEach((name, value) -> assertThat(
                        Item.text(published.settings().get(name)).toLowerCase(Locale.ROOT))
                .as(name)
                .isEqualTo(Item.text(value).toLowerCase(Locale.ROOT)));
    }

    private static ImitateCommand parse(String options) {
        CommandLine line = Main.commandLine();
        line.parseArgs(("imitate --task hopper --demos " + data.resolve("whole.npz") + " " + options).split(" "));
        return (ImitateCommand) line.getParseResult().subcommand().commandSpec().userObject();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--demos whole.npz | --task",
                "--task hopper | --demos",
                "--task hopper --demos nowhere.npz | nowhere.npz",
                "--task walker2d --demos whole.npz | observations have 11 columns",
                "--task hopper --demos whole.npz --trajectories 3 | --trajectories: 3 trajectories are asked for",
                "--task hopper --demos whole.npz --trajectories 0 | --trajectories is 0",
                "--task hopper --demos whole.npz --reward action | There is state, state-action",
                "--task hopper --demos whole.npz --after-end simulate | --rollouts",
                "--task hopper --demos fallen.npz --after-end simulate --rollouts 2 | terminated after",
                "--task hopper --demos whole.npz --reward-discount 1.5 | --reward-discount is 1.5",
                "--task hopper --demos whole.npz --block 0 | --block is 0",
                "--task hopper --demos whole.npz --evaluate-every 0 | --evaluate-every is 0",
                "--task hopper --demos whole.npz --replay 1000 --recent 1000 | --checkpoint-every",
                "--task hopper --demos whole.npz --replay 1000 | --recent is 5000, and the replay keeps 1000",
                "--task hopper --demos whole.npz --replay 1500 --recent 900 --simulators 2 | a whole episode lies within 2000",
                "--task hopper --demos whole.npz --replay 2147483647 --recent 2147483647 | can be read at once",
                "--task hopper --demos whole.npz --recent 10 | --recent is 10: most episodes would end unseen",
                "--task hopper --demos whole.npz --block 2000000 --recent 999 | Give at least 1000, the steps of",
                "--task hopper --demos whole.npz --reward-hidden 50000,50000 | from 1 and at most 16384",
                "--task hopper --demos whole.npz --method bc --hidden 50000,50000 | from 1 and at most 16384",
                "--task hopper --demos whole.npz --ground sometimes | on or off",
                "--task hopper --demos whole.npz --ground on --after-end absorb | --ground has no effect with absorb",
                "--task hopper --demos whole.npz --trajectories 1 --bootstrap --bootstrap-block 1000 | all of a demonstration",
                "--task hopper --demos whole.npz --policy-inputs standardised | There is plain, scaled",
                "--task hopper --demos whole.npz --preset theirs | paper, revealed",
                "--task hopper --demos whole.npz --rollouts -1 | --rollouts is -1",
                "--task hopper --demos whole.npz --seeds 1-2 --seed 3 | --seed"
            })
    void badInputIsOneClearMessage(String options, String says) {
        String command = options.replaceAll(
                "(whole|fallen)", data.resolve("$1").toString().replace("\\", "\\\\"));
        assertThat(cli.type("imitate %s --out %s".formatted(command, folder.resolve("run"))))
                .isEqualTo(2);
        assertThat(cli.err()).contains(says).doesNotContain("Exception", "defect");
        assertThat(folder.resolve("run")).doesNotExist();
    }

    @Test
    void withoutAGpuThatIsSaid() {
        Assumptions.assumeTrue(Gpu.find().gpu().isEmpty(), "SKIPPED: there is a GPU");
        assertThat(cli.type(imitate("whole.npz") + " --device cuda --out " + folder.resolve("run")))
                .isEqualTo(2);
        assertThat(cli.err()).contains("no GPU can be used", "Leave --device out");
        assertThat(folder.resolve("run")).doesNotExist();
    }

    @Test
    void theHelpExplainsItself() {
        String help = Objects.requireNonNull(Main.commandLine().getSubcommands().get("imitate"))
                .getUsageMessage();
        assertThat(help)
                .contains("absorb", "mask", "simulate", "--preset", "--demos demonstrations.npz", "true return");
    }
}

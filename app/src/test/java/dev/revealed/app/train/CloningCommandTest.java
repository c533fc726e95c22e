package dev.revealed.app.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.app.Cli;
import dev.revealed.app.MujocoHere;
import dev.revealed.data.EpisodeFiles;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.GaussianActor;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.Json;
import dev.revealed.runs.Safetensors;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Behaviour cloning on the command line, of an expert whose actions are a function of the state. */
class CloningCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    @BeforeAll
    static void here() {
        MujocoHere.assume();
    }

    private Path demonstrations(boolean withActions) {
        RandomStream stream = RandomStream.of(4);
        int length = 300;
        float[] states = new float[11 * (length + 1)];
        float[] actions = new float[3 * length];
        for (int i = 0; i < states.length; i++) {
            states[i] = (float) stream.nextGaussian();
        }
        for (int i = 0; i < actions.length; i++) {
            actions[i] = (float) Math.tanh(states[i / 3 * 11 + i % 3]);
        }
        Path file = folder.resolve(withActions ? "demos.npz" : "blind.npz");
        EpisodeFiles.write(
                file,
                new Episodes(
                        List.of(new Episode(length, states, withActions ? actions : null, null, Ending.TRUNCATED))));
        return file;
    }

    @Test
    void makesAPolicyWithoutAStepOfTheSimulator() throws IOException {
        Path one = folder.resolve("one");
        Path two = folder.resolve("two");
        String words = "imitate --method bc --task hopper --demos %s --iterations 400 --evaluate-every 200 --episodes 4"
                        .formatted(demonstrations(true))
                + " --hidden 32,32 --threads %d --out %s";
        cli.done(words.formatted(1, one));
        cli.done(words.formatted(2, two));
        for (String name : List.of("metrics.jsonl", "policy.safetensors", "curve.csv")) {
            assertThat(two.resolve(name)).hasSameBinaryContentAs(one.resolve(name));
        }
        Map<?, ?> result = Json.read(Files.readString(one.resolve("result.json")), Map.class);
        assertThat(result.get("method")).isEqualTo("bc");
        assertThat(result.get("steps")).isEqualTo(0);
        assertThat(result.get("updates")).isEqualTo(400);
        assertThat((List<?>) result.get("returns")).hasSize(4);
        List<String> lines = Files.readAllLines(one.resolve("metrics.jsonl"));
        assertThat(lines).hasSize(2);
        assertThat(likelihood(lines.get(1))).isGreaterThan(4);
        assertThat(one).isDirectoryContaining("glob:**/policy.onnx").isDirectoryContaining("glob:**/curve.svg");
        assertThat(one.resolve("reward.safetensors")).doesNotExist();
        cli.done("evaluate --policy %s --episodes 2 --json".formatted(one));
    }

    /** By hand from the files: the density of a tanh of normals, summed over the actions of a step. */
    @Test
    void theLikelihoodIsThatOfTheSavedPolicyHoweverOftenItIsAsked() throws IOException {
        Path demos = demonstrations(true);
        Episode shown = EpisodeFiles.read(demos).all().getFirst();
        float[] actions = Objects.requireNonNull(shown.actions());
        for (String every : List.of("10", "290", "300")) {
            Path run = folder.resolve("every-" + every);
            cli.done("imitate --method bc --task hopper --demos %s --iterations 300 --evaluate-every %s --episodes 1"
                            .formatted(demos, every)
                    + " --hidden 16 --out " + run);
            assertThat(cli.out()).contains("log-likelihood per step of the demonstrations under the last policy");
            GaussianActor policy = GaussianActor.load(
                    Safetensors.read(run.resolve("policy.safetensors")).tensors());
            double sum = 0;
            for (int t = 0; t < shown.length(); t++) {
                float[] action = new float[3];
                for (int j = 0; j < 3; j++) {
                    action[j] = Math.clamp(actions[3 * t + j], -0.999f, 0.999f);
                }
                sum += policy.logDensity(shown.observations(), 11 * t, action, 0);
            }
            assertThat(likelihood(Files.readString(run.resolve("result.json"))))
                    .as("evaluated every " + every)
                    .isCloseTo(sum / shown.length(), within(1e-5));
            List<String> lines = Files.readAllLines(run.resolve("metrics.jsonl"));
            assertThat(likelihood(lines.getLast())).isCloseTo(sum / shown.length(), within(1e-5));
        }
    }

    /** The last checkpoint is damaged, so that it goes on from the one before. */
    @Test
    void goesOnWhereItStopped() throws IOException {
        Path run = folder.resolve("run");
        cli.done("imitate --method bc --task hopper --demos %s --iterations 60 --episodes 2 --hidden 8"
                        .formatted(demonstrations(true))
                + " --evaluate-every 30 --checkpoint-every 20 --out " + run);
        Map<String, byte[]> left = new TreeMap<>();
        for (String name : List.of("metrics.jsonl", "policy.safetensors", "curve.csv", "checkpoint/60.safetensors")) {
            left.put(name, Files.readAllBytes(run.resolve(name)));
        }
        Files.delete(run.resolve("result.json"));
        Files.write(run.resolve("checkpoint/60.safetensors"), new byte[3]);
        cli.done("imitate --resume --out " + run);
        left.forEach((name, bytes) -> assertThat(run.resolve(name)).as(name).hasBinaryContent(bytes));
    }

    private static double likelihood(String line) {
        return ((Number) Objects.requireNonNull(Json.read(line, Map.class).get("logLikelihood"))).doubleValue();
    }

    @Test
    void seedsAreRunsOfTheirOwn() throws IOException {
        Path out = folder.resolve("seeds");
        cli.done(
                "imitate --method bc --task hopper --demos %s --iterations 20 --episodes 2 --hidden 8 --seeds 1-3 --out %s"
                        .formatted(demonstrations(true), out));
        assertThat(cli.err()).contains("3 runs, ").doesNotContain("replay");
        assertThat(cli.out()).contains("last true return");
        assertThat(Json.read(Files.readString(out.resolve("result.json")), Map.class)
                        .get("finished"))
                .isEqualTo(3);
        assertThat(Files.readAllBytes(out.resolve("seed-1/policy.safetensors")))
                .isNotEqualTo(Files.readAllBytes(out.resolve("seed-2/policy.safetensors")));
    }

    @Test
    void whatCannotBeClonedIsRefused() {
        Path out = folder.resolve("none");
        assertThat(cli.type(
                        "imitate --method bc --task hopper --demos %s --out %s".formatted(demonstrations(false), out)))
                .isEqualTo(2);
        assertThat(cli.err()).contains("no actions");
        assertThat(cli.type("imitate --method bc --task hopper --demos %s --reward state --out %s"
                        .formatted(demonstrations(true), out)))
                .isEqualTo(2);
        assertThat(cli.err()).contains("--reward has no effect on behaviour cloning");
        for (String option : List.of("--temperature 0.1", "--batch 5", "--layer-norm", "--block 7", "--ground off")) {
            assertThat(cli.type("imitate --method bc --task hopper --demos %s --out %s %s"
                            .formatted(demonstrations(true), out, option)))
                    .isEqualTo(2);
            assertThat(cli.err()).contains(option.split(" ", -1)[0] + " has no effect on behaviour cloning");
        }
        assertThat(out).doesNotExist();
    }

    /** A path as it is typed holds only in the folder where it was typed. */
    @Test
    void aRunKnowsWhereItsDemonstrationsAreAndThemAgainElsewhere() throws IOException {
        Path demos = demonstrations(true);
        Path relative = Path.of("").toAbsolutePath().relativize(demos.toAbsolutePath());
        Path run = folder.resolve("run");
        String small =
                " --iterations 20 --episodes 1 --hidden 8 --evaluate-every 10 --checkpoint-every 10 --out " + run;
        cli.done("imitate --method bc --task hopper --demos " + relative + small);
        Map<?, ?> spec = Json.read(Files.readString(run.resolve("spec.json")), Map.class);
        assertThat(((Map<?, ?>) Objects.requireNonNull(spec.get("settings"))).get("demos"))
                .isEqualTo(demos.toAbsolutePath().normalize().toString());
        Path moved = Files.move(demos, folder.resolve("moved.npz"));
        Files.delete(run.resolve("result.json"));
        assertThat(cli.type("imitate --resume --out " + run)).isEqualTo(2);
        assertThat(cli.err()).contains("the demonstrations are no longer in " + demos, "with --demos");
        Path others = folder.resolve("others.npz");
        EpisodeFiles.write(
                others, new Episodes(List.of(new Episode(1, new float[22], new float[3], null, Ending.TRUNCATED))));
        byte[] metrics = Files.readAllBytes(run.resolve("metrics.jsonl"));
        assertThat(cli.type("imitate --resume --demos " + others + " --out " + run))
                .isEqualTo(2);
        assertThat(run.resolve("metrics.jsonl"))
                .as("of a run that did not go on")
                .hasBinaryContent(metrics);
        assertThat(cli.err()).contains("others.npz holds other demonstrations than when the run was started");
        cli.done("imitate --resume --demos " + moved + " --out " + run);
    }

    @Test
    void recordingsSayHowActionsWereChosen() {
        Path run = folder.resolve("run");
        cli.type("imitate --method bc --task hopper --demos %s --iterations 5 --episodes 1 --hidden 8 --out %s"
                .formatted(demonstrations(true), run));
        cli.done("record --episodes 1 --policy %s --out %s".formatted(run, folder.resolve("a")));
        assertThat(cli.out()).containsPattern("actions +drawn at random");
        cli.done("record --episodes 1 --deterministic --policy %s --out %s".formatted(run, folder.resolve("b")));
        assertThat(cli.out()).containsPattern("actions +deterministic");
    }

    @Test
    void aPolicyOfAnotherSimulatorIsNotAskedForItsTask() throws IOException {
        Path file = folder.resolve("cart.safetensors");
        Simulator.Space cart = new Simulator.Space("cart", 2, new Simulator.Actions.Box(1, 1), 50);
        GaussianActor actor = GaussianActor.random(cart, new int[] {4}, false, RandomStream.of(1));
        try (OutputStream out = Files.newOutputStream(file)) {
            Safetensors.write(out, Tensors.of(actor::save), Map.of("task", "cart"));
        }
        assertThat(cli.type("evaluate --policy " + file)).isEqualTo(2);
        assertThat(cli.err())
                .contains("was trained on 'cart', a simulator that this command does not have", "own-simulator");
        assertThat(cli.type("evaluate --task hopper --policy " + file)).isEqualTo(2);
        assertThat(cli.err()).contains("takes 2 observations to 1 actions");
    }
}

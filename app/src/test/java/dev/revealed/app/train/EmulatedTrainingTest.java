package dev.revealed.app.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.app.Main;
import dev.revealed.app.MujocoHere;
import dev.revealed.data.EpisodeFiles;
import dev.revealed.imitate.RewardModel;
import dev.revealed.imitate.Visits;
import dev.revealed.mdp.Simulator;
import dev.revealed.mujoco.Task;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Rollouts;
import dev.revealed.neural.Sac;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.Safetensors;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** {@code --device cuda} from the command line to the kernels, on the emulated GPU of module cuda's tests. */
class EmulatedTrainingTest {
    private static final Path CUDA = Path.of("../cuda").toAbsolutePath().normalize();
    private static final String SMALL = " --task hopper --device cuda --random-steps 100 --hidden 16,16 --batch 16"
            + " --update-ratio 0.5 --episodes 1 --seed 3";
    private static final String EXPERT = "expert --steps 200 --evaluate-every 100 --checkpoint-every 50" + SMALL;
    private static final String IMITATE =
            "imitate --iterations 4 --recent 200 --evaluate-every 2 --checkpoint-every 1 --block 50 --demos " + SMALL;
    private static final String ML_IRL = " --preset revealed-1 --reward-hidden 8,8";

    /** A run of each kind of objective and network, every one in a launch of its own. */
    private static final List<String> METHODS = List.of(
            ML_IRL,
            ML_IRL + " --layer-norm --feature-norm --critic-decay 0.01 --actor-learning-rate 1e-4 --expert-rows 0.25"
                    + " --policy-inputs scaled --diagnose 2",
            "--method gail --reward-hidden 8,8 --discriminator-updates 2",
            "--method gail --reward-hidden 8,8 --discriminator-updates 2 --gail-reward logit --after-end absorb",
            "--method sqil",
            "--method airl --reward-hidden 8,8 --shaping-hidden 8,8 --discriminator-updates 2",
            "--method f-irl --reward-hidden 8,8 --discriminator-updates 2",
            "--offline --method iq-learn --reward-hidden 8,8 --reward-updates 5 --critics 2 --iq-term value");

    @TempDir
    private static Path emulator = Path.of("");

    @TempDir
    private Path folder = Path.of("");

    @Test
    void killedAndResumedEndsWithTheSameBytes() throws IOException, InterruptedException {
        Map<String, byte[]> files = endsWithTheSameBytes(EXPERT, "");
        assertThat(log()).contains("runs at once 1 of hopper");
        assertThat(files).containsKeys("checkpoint/200.safetensors", "metrics.jsonl", "policy.safetensors");
    }

    @Test
    void runsOfEveryMethodDoSoTogether() throws IOException, InterruptedException {
        Path runs = folder.resolve("runs.txt");
        Files.write(runs, METHODS);
        String command = IMITATE.replace("--demos", "--runs %s --demos %s".formatted(runs, demonstrations()))
                .replace(" --seed 3", "");
        Map<String, byte[]> files = endsWithTheSameBytes(command, "0%d-hopper-seed-1".formatted(METHODS.size() / 2));
        assertThat(log()).contains("runs at once" + " 1 of hopper,".repeat(METHODS.size() - 1) + " 1 of hopper;");
        assertThat(files.keySet().stream().filter(name -> name.endsWith("policy.safetensors")))
                .hasSize(METHODS.size());
    }

    /** A trajectory of an actor that knows nothing. */
    private Path demonstrations() {
        Path file = folder.resolve("demos.npz");
        try (Simulator simulator = Task.HOPPER.simulator()) {
            RandomStream stream = RandomStream.of(4);
            try (Sac sac = new Sac(simulator.space(), Sac.Settings.PAPER.withHidden(8, 8), stream, 1)) {
                EpisodeFiles.write(file, Rollouts.through(sac.actor(), List.of(simulator), 1, stream));
            }
        }
        return file;
    }

    /**
     * Runs a command to its end, and again with a kill on the way.
     *
     * @param member the folder of the run whose last checkpoint but one is waited for before the kill
     * @return what both leave
     */
    private Map<String, byte[]> endsWithTheSameBytes(String command, String member)
            throws IOException, InterruptedException {
        List<String> words = List.of(command.split(" +"));
        Path alone = folder.resolve("alone");
        assertThat(start(alone, words).waitFor()).as(log()).isZero();
        Map<String, byte[]> expected = lasting(alone);

        Path killed = folder.resolve("killed");
        Path near = killed.resolve(member).resolve("checkpoint/150.json");
        Process process = start(killed, words);
        while (!Files.exists(near) && !process.waitFor(1, TimeUnit.MILLISECONDS)) {
            Thread.onSpinWait();
        }
        process.destroyForcibly();
        assertThat(process.waitFor()).as("killed before its end").isNotZero();
        assertThat(start(killed, List.of(words.getFirst(), "--resume")).waitFor())
                .as(log())
                .isZero();
        Map<String, byte[]> actual = lasting(killed);
        assertThat(actual.keySet()).isEqualTo(expected.keySet());
        expected.forEach((name, bytes) -> assertThat(actual.get(name)).as(name).isEqualTo(bytes));
        return expected;
    }

    /** On the device a fork that changes nothing repeats its original, too; one that does goes elsewhere. */
    @Test
    void forksOfACheckpoint() throws IOException, InterruptedException {
        Path run = folder.resolve("run");
        String command = IMITATE.replace("--block 50 --demos", "--block 100 --demos " + demonstrations())
                .replace("--update-ratio 0.5", "--update-ratio 1"); // fewer updates do not tell all interventions apart
        List<String> words = new ArrayList<>(List.of((command + ML_IRL).split(" +")));
        words.addAll(List.of("--keep-checkpoints", "all", "--diagnose", "2"));
        assertThat(start(run, words).waitFor()).as(log()).isZero();
        Path forks = folder.resolve("forks");
        assertThat(start(
                                forks,
                                List.of(
                                        "imitate",
                                        "--fork",
                                        run + "@2",
                                        "--forks",
                                        "1",
                                        "--fork-streams",
                                        "none",
                                        "--intervene",
                                        "none,placebo,shift-critics,reset-moments,act-by-average,drop-oldest-half"))
                        .waitFor())
                .as(log())
                .isZero();
        Path same = forks.resolve("fork-2-none-none-1");
        for (String name : List.of("metrics.jsonl", "policy.safetensors", "reward.safetensors")) {
            assertThat(same.resolve(name)).as(name).hasSameBinaryContentAs(run.resolve(name));
        }
        List<Integer> policies = new ArrayList<>();
        try (Stream<Path> all = Files.list(forks)) {
            for (Path fork : all.filter(Files::isDirectory).toList()) {
                policies.add(Arrays.hashCode(Files.readAllBytes(fork.resolve("policy.safetensors"))));
                assertThat(Files.readAllLines(fork.resolve("diagnose.csv"))).hasSize(3); // where it begins, and the end
            }
        }
        assertThat(policies).hasSize(6).doesNotHaveDuplicates();
    }

    /** Held-out likelihoods are those of the processor, and a world that is finished on it is one too. */
    @Test
    void aWorldIsLearntThere() throws IOException, InterruptedException {
        String command =
                "worldmodel --members 2 --elites 1 --hidden 8,8 --batch 8 --epochs 2 --data " + demonstrations();
        Path there = folder.resolve("there");
        Path here = folder.resolve("here");
        assertThat(start(there, List.of((command + " --device cuda").split(" +")))
                        .waitFor())
                .as(log())
                .isZero();
        assertThat(start(here, List.of(command.split(" +"))).waitFor())
                .as(log())
                .isZero();
        double[] one = heldOut(there);
        assertThat(one).hasSize(4).containsExactly(heldOut(here), within(1e-4));
        assertThat(one).as("two seeds").doesNotHaveDuplicates();
    }

    /** Held-out losses of all members in all epochs. */
    private static double[] heldOut(Path run) throws IOException {
        List<Double> found = new ArrayList<>();
        for (String line : Files.readAllLines(run.resolve("metrics.jsonl"))) {
            new JsonMapper().readTree(line).path("heldOut").forEach(each -> found.add(each.asDouble()));
        }
        return found.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** Two rewards, and the task's own: three policies. */
    @Test
    void aRecoveredRewardIsLearntThere() throws IOException, InterruptedException {
        Path runs = folder.resolve("runs.txt");
        Files.write(runs, List.of("--seed 3", "--seed 3 --reward " + reward(1), "--seed 3 --reward " + reward(2)));
        Path out = folder.resolve("three");
        String command = EXPERT.replace("--steps 200", "--steps 150").replace("--seed 3", "--runs " + runs);
        assertThat(start(out, List.of(command.split(" +"))).waitFor()).as(log()).isZero();
        Map<String, byte[]> files = lasting(out);
        assertThat(files.keySet().stream()
                        .filter(name -> name.endsWith("policy.safetensors"))
                        .map(name -> Arrays.hashCode(files.get(name))))
                .hasSize(3)
                .doesNotHaveDuplicates();
    }

    private Path reward(long seed) throws IOException {
        Simulator.Space hopper = new Simulator.Space("hopper", 11, new Simulator.Actions.Box(3, 1), 1000);
        Tensors tensors = new Tensors();
        RewardModel.random(Mlp.relu(14, 8, 8, 1).withClamp(10), hopper, 0, Visits.none(14), RandomStream.of(seed))
                .save(tensors);
        Path file = folder.resolve("reward%d.safetensors".formatted(seed));
        try (OutputStream out = Files.newOutputStream(file)) {
            Safetensors.write(out, tensors, Map.of("task", "hopper", "afterEnd", "absorb"));
        }
        return file;
    }

    /** Its builder is a test class of another module, hence started from its source. */
    @BeforeAll
    static void buildEmulator() throws IOException, InterruptedException {
        MujocoHere.assume();
        List<String> command = List.of(
                CUDA.resolve("src/test/java/dev/revealed/cuda/Emulator.java").toString(), emulator.toString(), "900");
        int code = java(List.of(), command, emulator)
                .directory(CUDA.toFile())
                .start()
                .waitFor();
        String log = log(emulator);
        Assumptions.assumeFalse(log.contains("SKIPPED"), () -> "no emulator of a GPU here: see " + CUDA);
        assertThat(code).as(log).isZero();
    }

    private Process start(Path out, List<String> arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of(Main.class.getName()));
        words.addAll(arguments);
        words.addAll(List.of("--threads", "2", "--out", out.toString()));
        List<String> flags = ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--"))
                .toList();
        ProcessBuilder builder = java(flags, words, folder);
        builder.environment().merge("LD_LIBRARY_PATH", emulator.toString(), (had, gpu) -> gpu + ":" + had);
        builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        return builder.start();
    }

    private static ProcessBuilder java(List<String> flags, List<String> words, Path logs) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx1g"));
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(words);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(logs.resolve("log").toFile()));
    }

    private String log() throws IOException {
        return log(folder);
    }

    private static String log(Path logs) throws IOException {
        return Files.readString(logs.resolve("log"));
    }

    /** All but what tells the time. */
    private static Map<String, byte[]> lasting(Path run) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(run)) {
            for (Path file : walk.filter(Files::isRegularFile).toList()) {
                String name = run.relativize(file).toString();
                if (name.contains("checkpoint/") || name.endsWith(".jsonl") || name.endsWith(".safetensors")) {
                    files.put(name, Files.readAllBytes(file));
                }
            }
        }
        return files;
    }
}

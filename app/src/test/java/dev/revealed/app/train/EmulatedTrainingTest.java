package dev.revealed.app.train;

import static org.assertj.core.api.Assertions.assertThat;

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

/** {@code --device cuda} from the command line to the kernels, on the emulated GPU of module cuda's tests. */
class EmulatedTrainingTest {
    private static final Path CUDA = Path.of("../cuda").toAbsolutePath().normalize();
    private static final String SMALL =
            " --task hopper --device cuda --random-steps 100 --hidden 16,16 --batch 16" + " --episodes 1 --seed 3";
    private static final String EXPERT = "expert --steps 400 --evaluate-every 150 --checkpoint-every 100" + SMALL;
    private static final String IMITATE =
            "imitate --preset revealed-1 --iterations 4 --block 100 --recent 200 --evaluate-every 2"
                    + " --checkpoint-every 1 --reward-hidden 8,8 --demos " + SMALL;

    private static final String NORMED = " --layer-norm --feature-norm --critic-decay 0.01 --actor-learning-rate 1e-4"
            + " --expert-rows 0.25 --diagnose 2";

    @TempDir
    private static Path emulator = Path.of("");

    @TempDir
    private Path folder = Path.of("");

    @Test
    void killedAndResumedEndsWithTheSameBytes() throws IOException, InterruptedException {
        Path demos = demonstrations();
        String imitate = IMITATE.replace("--demos", "--demos " + demos);
        String inverse = imitate.replace("--preset revealed-1", "--method iq-learn --reward-updates 5");
        for (String command : List.of(EXPERT, imitate, imitate + NORMED, inverse)) {
            endsWithTheSameBytes(List.of(command.split(" +")));
        }
    }

    /** One of each kind of objective, all at once, and each in a launch of its own. */
    @Test
    void everyMethodRunsThere() throws IOException, InterruptedException {
        Path runs = folder.resolve("runs.txt");
        Files.write(
                runs,
                List.of(
                        "--method gail --reward-hidden 8,8 --discriminator-updates 2 --seed 1",
                        "--method gail --reward-hidden 8,8 --discriminator-updates 2 --gail-reward logit"
                                + " --after-end absorb --seed 2",
                        "--method sqil --seed 3",
                        "--method airl --reward-hidden 8,8 --shaping-hidden 8,8 --discriminator-updates 2 --seed 4",
                        "--method f-irl --reward-hidden 8,8 --discriminator-updates 2 --seed 5",
                        "--method iq-learn --reward-hidden 8,8 --critics 2 --iq-term value --seed 6"));
        Path out = folder.resolve("batch");
        String words = "imitate --runs " + runs + " --demos " + demonstrations()
                + " --task hopper --device cuda --random-steps 100 --hidden 16,16"
                + " --batch 16 --episodes 1 --iterations 2 --block 100 --recent 200 --evaluate-every 2";
        assertThat(start(out, List.of(words.split(" +"))).waitFor()).as(log()).isZero();
        assertThat(log()).contains("runs at once" + " 1 of hopper,".repeat(5) + " 1 of hopper;");
        try (Stream<Path> all = Files.walk(out)) {
            assertThat(all.filter(file -> file.endsWith("policy.safetensors"))).hasSize(6);
        }
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

    private void endsWithTheSameBytes(List<String> run) throws IOException, InterruptedException {
        String verb = run.getFirst();
        Path alone = folder.resolve(verb + run.size() + "-alone");
        assertThat(start(alone, run).waitFor()).as(log()).isZero();
        assertThat(log()).contains("runs at once 1 of hopper");
        Map<String, byte[]> expected = lasting(alone);
        assertThat(expected).containsKeys("checkpoint/400.safetensors", "metrics.jsonl", "policy.safetensors");

        Path killed = folder.resolve(verb + run.size() + "-killed");
        Process process = start(killed, run);
        while (!Files.exists(killed.resolve("checkpoint/200.json")) && !process.waitFor(1, TimeUnit.MILLISECONDS)) {
            Thread.onSpinWait();
        }
        process.destroyForcibly();
        assertThat(process.waitFor()).as("killed before its end").isNotZero();
        assertThat(start(killed, List.of(verb, "--resume")).waitFor()).as(log()).isZero();
        Map<String, byte[]> actual = lasting(killed);
        assertThat(actual.keySet()).isEqualTo(expected.keySet());
        expected.forEach((name, bytes) -> assertThat(actual.get(name)).as(name).isEqualTo(bytes));
    }

    /** On the device a fork that changes nothing repeats its original, too; one that does goes elsewhere. */
    @Test
    void forksOfACheckpoint() throws IOException, InterruptedException {
        Path run = folder.resolve("run");
        List<String> words = new ArrayList<>(List.of(
                IMITATE.replace("--demos", "--demos " + demonstrations()).split(" +")));
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

    /** Two rewards, and the task's own: three policies. */
    @Test
    void aRecoveredRewardIsLearntThere() throws IOException, InterruptedException {
        List<byte[]> policies = new ArrayList<>();
        for (long seed = 0; seed < 3; seed++) {
            List<String> words = new ArrayList<>(List.of(EXPERT.split(" +")));
            words.set(words.indexOf("400"), "200");
            if (seed > 0) {
                words.addAll(List.of("--reward", reward(seed).toString()));
            }
            Path out = folder.resolve("run" + seed);
            assertThat(start(out, words).waitFor()).as(log()).isZero();
            policies.add(Files.readAllBytes(out.resolve("policy.safetensors")));
        }
        assertThat(policies.stream().map(Arrays::hashCode)).doesNotHaveDuplicates();
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
                CUDA.resolve("src/test/java/dev/revealed/cuda/Emulator.java").toString(),
                emulator.toString(),
                CUDA.resolve("src/main/resources/dev/revealed/cuda/sac.cu").toString(),
                "900");
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
                if (name.startsWith("checkpoint/") || name.endsWith(".jsonl") || name.endsWith(".safetensors")) {
                    files.put(name, Files.readAllBytes(file));
                }
            }
        }
        return files;
    }
}

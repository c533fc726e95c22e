package dev.revealed.app.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.app.Cli;
import dev.revealed.app.MujocoHere;
import dev.revealed.data.EpisodeFiles;
import dev.revealed.data.npz.Npz;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recovered reward along trajectories; it is linear here, so that everything about it is known. */
class RewardCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    /** weights (x - shift) scale + 1, as imitation saves it. */
    private Path reward(float[] weights, float[] shift, float[] scale) throws IOException {
        Tensors tensors = new Tensors()
                .put("reward.weight0", weights, weights.length, 1)
                .put("reward.bias0", new float[] {1})
                .put("reward.shift", shift)
                .put("reward.scale", scale)
                .put("reward.activations", 0L)
                .put("reward.clamp", new float[] {100});
        Path run = Files.createDirectories(folder.resolve("run"));
        try (OutputStream out = Files.newOutputStream(run.resolve("reward.safetensors"))) {
            Safetensors.write(out, tensors, Map.of("task", "hopper", "reward", "state-action", "discount", "0.9"));
        }
        return run;
    }

    /** 2 s - a + 3 of one state and one action. */
    private Path linear() throws IOException {
        return reward(new float[] {1, -2}, new float[] {-1, 0}, new float[] {2, 0.5f});
    }

    /** Trajectories of unlike lengths whose true rewards are a scale times that reward, plus 40. */
    private Path data(double scale) {
        RandomStream stream = RandomStream.of(5);
        List<Episode> episodes = new ArrayList<>();
        for (int length : new int[] {30, 50, 40, 10}) {
            float[] states = new float[length + 1];
            float[] actions = new float[length];
            double[] rewards = new double[length];
            for (int t = 0; t <= length; t++) {
                states[t] = (float) stream.nextGaussian();
            }
            for (int t = 0; t < length; t++) {
                actions[t] = (float) stream.nextDouble(-1, 1);
                rewards[t] = scale * (2 * states[t] - actions[t] + 3) + 40;
            }
            episodes.add(new Episode(length, states, actions, rewards, Ending.TRUNCATED));
        }
        Path file = folder.resolve("data%s.npz".formatted(scale));
        EpisodeFiles.write(file, new Episodes(episodes));
        return file;
    }

    private Map<?, ?> along(int source) {
        List<?> along =
                Objects.requireNonNull((List<?>) Json.read(cli.out(), Map.class).get("along"));
        return (Map<?, ?>) along.get(source);
    }

    private static double number(Map<?, ?> map, String name) {
        return Objects.requireNonNull((Number) map.get(name), name).doubleValue();
    }

    @Test
    void theTrueRewardUpToScaleAndConstantIsRecognised() throws IOException {
        Path out = folder.resolve("out");
        String run = linear().toString();
        assertThat(cli.run("reward", "--reward", run, "--data", data(3).toString(), "--json", "--out", out.toString()))
                .as(cli.err())
                .isZero();
        assertThat(number(along(0), "pearson")).isCloseTo(1, within(1e-6));
        assertThat(number(along(0), "spearman")).isCloseTo(1, within(1e-4));
        assertThat(number(along(0), "epic")).isCloseTo(0, within(2e-2));
        assertThat(number(along(0), "explained")).isCloseTo(1, within(1e-5));
        Npz written = Npz.read(out.resolve("rewards-data.npz"));
        assertThat(written.array("rewards").shape()).containsExactly(4, 50);
        double[] rewards = written.numbers("rewards");
        double[] truth = written.numbers("trueRewards");
        for (int i = 0; i < rewards.length; i++) {
            if (i / 50 == 0 && i % 50 >= 30) {
                assertThat(rewards[i]).isNaN();
            } else if (i < 100) {
                assertThat(3 * rewards[i] + 40).isCloseTo(truth[i], within(1e-4));
            }
        }
        assertThat(Files.readAllLines(out.resolve("rewards.csv"))).hasSize(131);
        assertThat(out)
                .isDirectoryContaining("glob:**/reward.onnx")
                .isDirectoryContaining("glob:**/trajectory-data.svg")
                .isDirectoryContaining("glob:**/trajectories.csv")
                .isDirectoryContaining("glob:**/report.html");

        assertThat(cli.run("reward", "--reward", run, "--data", data(-1).toString(), "--skip", "1", "--json"))
                .isZero();
        assertThat(number(along(0), "trajectories")).isEqualTo(3);
        assertThat(number(along(0), "pearson")).isCloseTo(-1, within(1e-6));
        assertThat(number(along(0), "epic")).isCloseTo(1, within(1e-3));
    }

    @Test
    void whatDoesNotFitIsRefusedWithARemedy() throws IOException {
        String data = data(1).toString();
        String run = linear().toString();
        assertThat(cli.run("reward", "--reward", run)).isEqualTo(2);
        assertThat(cli.err()).contains("no trajectories").contains("--data");
        assertThat(cli.run("reward", "--reward", run, "--data", data, "--trajectory", "4"))
                .isEqualTo(2);
        assertThat(cli.err()).contains("--trajectory is 4");
        assertThat(cli.run("reward", "--reward", run, "--data", data, "--skip", "4"))
                .isEqualTo(2);
        assertThat(cli.err()).contains("4 trajectories are to be left out");
        assertThat(cli.run("reward", "--reward", folder.toString(), "--data", data))
                .isEqualTo(2);
        assertThat(cli.err()).contains("there is no reward").contains("reward.safetensors");
        assertThat(cli.run("reward", "--reward", data, "--data", data)).isEqualTo(2);
        reward(new float[] {Float.NaN, 1}, new float[2], new float[2]);
        assertThat(cli.run("reward", "--reward", run, "--data", data)).isEqualTo(2);
        assertThat(cli.err()).contains("tensor 'reward.weight0' holds NaN");
        reward(new float[3], new float[3], new float[3]);
        assertThat(cli.run("reward", "--reward", run, "--data", data)).isEqualTo(2);
        assertThat(cli.err()).contains("a reward of 3 numbers for states of 1 and actions of 1");
    }

    /** Hopper is paid by how fast it goes forward: so is anybody who reads that off the observation. */
    @Test
    void freshTrajectoriesOfAPolicyHaveTrueRewards() throws IOException {
        MujocoHere.assume();
        float[] weights = new float[11];
        weights[5] = 1;
        float[] ones = new float[11];
        Arrays.fill(ones, 1);
        Path run = reward(weights, new float[11], ones);
        Tensors policy = new Tensors();
        GaussianActor.random(
                        new Simulator.Space("hopper", 11, new Simulator.Actions.Box(3, 1), 1000),
                        new int[] {8},
                        false,
                        RandomStream.of(3))
                .save(policy);
        Path file = folder.resolve("policy.safetensors");
        try (OutputStream out = Files.newOutputStream(file)) {
            Safetensors.write(out, policy, Map.of("task", "hopper"));
        }
        String words = "reward --reward %s --policy %s --episodes 4 --stochastic --json".formatted(run, file);
        cli.done(words);
        String once = cli.out();
        assertThat(number(along(0), "pearson")).isGreaterThan(0.95);
        assertThat(number(along(0), "epic")).isLessThan(0.5);
        cli.done(words + " --threads 1");
        assertThat(cli.out()).isEqualTo(once);
    }
}

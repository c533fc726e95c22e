package dev.revealed.app.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.app.Cli;
import dev.revealed.data.EpisodeFiles;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.Json;
import dev.revealed.runs.Safetensors;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Intervals from rewards that are linear, so that everything about them is known. */
class RewardIntervalsCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    /** A reward of a state of two numbers. */
    private void reward(String name, float first, float second, Map<String, String> notes) throws IOException {
        reward(name, first, second, 100, notes);
    }

    private void reward(String name, float first, float second, float clamp, Map<String, String> notes)
            throws IOException {
        Tensors tensors = new Tensors()
                .put("reward.weight0", new float[] {first, second}, 2, 1)
                .put("reward.bias0", new float[] {7})
                .put("reward.shift", new float[2])
                .put("reward.scale", new float[] {1, 1})
                .put("reward.activations", 0L)
                .put("reward.clamp", new float[] {clamp});
        Path run = Files.createDirectories(folder.resolve("runs").resolve(name));
        try (OutputStream out = Files.newOutputStream(run.resolve("reward.safetensors"))) {
            Safetensors.write(out, tensors, notes);
        }
    }

    /** Four steps, the corners of a square: the two numbers do not correlate, and each has deviation 1. */
    @BeforeEach
    void data() {
        float[] states = {-1, -1, -1, 1, 1, -1, 1, 1, 0, 0};
        EpisodeFiles.write(
                folder.resolve("data.npz"),
                new Episodes(List.of(new Episode(4, states, null, null, Ending.TRUNCATED))));
    }

    private int run(String... more) {
        return cli.run(("reward-intervals --reward %s/runs --data %s/data.npz ".formatted(folder, folder)
                        + String.join(" ", more))
                .split(" +"));
    }

    private double number(String name) {
        return ((Number) Objects.requireNonNull(Json.read(cli.out(), Map.class).get(name))).doubleValue();
    }

    /**
     * By hand: rewards x and 5 x + 5 y; standardised x, and (x + y) / sqrt 2. Their correlation is 1 / sqrt 2, and at (-1, -1)
     * they are -1 and -sqrt 2.
     */
    @Test
    void rewardsOfAFolderAreCompared() throws IOException {
        reward("seed-1", 1, 0, Map.of("bootstrap", "trajectories"));
        reward("seed-2", 5, 5, Map.of("bootstrap", "trajectories"));
        Path out = folder.resolve("out");
        assertThat(run("--json --level 0.5 --out " + out)).as(cli.err()).isZero();
        assertThat(cli.err()).doesNotContain("as they are");
        assertThat(number("agreement")).isCloseTo(Math.sqrt(0.5), within(1e-6));
        List<String> csv = Files.readAllLines(out.resolve("intervals.csv"));
        assertThat(csv).hasSize(5);
        double[] first = Arrays.stream(csv.get(1).split(","))
                .mapToDouble(Double::parseDouble)
                .toArray();
        double deviation = (Math.sqrt(2) - 1) / Math.sqrt(2); // of two numbers, by one less than two
        assertThat(first[2]).isCloseTo(-(1 + Math.sqrt(2)) / 2, within(1e-6));
        assertThat(first[4] - first[2]).isCloseTo(deviation, within(1e-6)); // t of one degree and a half is 1
        assertThat(out).isDirectoryContaining("glob:**/intervals.svg");
        assertThat(number("decided")).isEqualTo(0.5); // at the other two corners the second reward pays nothing
    }

    @Test
    void rewardsOfTheSameDemonstrationsAreToldOf() throws IOException {
        reward("seed-1", 1, 0, Map.of());
        reward("seed-2", 5, 5, Map.of("bootstrap", "trajectories"));
        assertThat(run()).as(cli.err()).isZero();
        assertThat(cli.err()).contains("1 of 2 rewards").contains("as they are");
    }

    @Test
    void whatDoesNotFitIsRefusedWithARemedy() throws IOException {
        assertThat(run()).isEqualTo(2);
        reward("seed-1", 1, 0, Map.of());
        assertThat(run()).isEqualTo(2);
        assertThat(cli.err()).contains("one reward").contains("--bootstrap");
        reward("seed-2", 1, 1, 0, Map.of());
        assertThat(run()).isEqualTo(2);
        assertThat(cli.err()).contains("seed-2", "tensor 'reward.clamp' is [0.0]");
        reward("seed-2", 1, 1, Map.of());
        assertThat(run("--trajectory 1")).isEqualTo(2);
        assertThat(cli.err()).contains("--trajectory is 1");
        assertThat(run("--level 95")).isEqualTo(2);
        assertThat(cli.err()).contains("--level is 95");
        Files.createDirectories(folder.resolve("empty"));
        assertThat(cli.run(
                        "reward-intervals", "--reward", folder.resolve("empty").toString(), "--data", "x.npz"))
                .isEqualTo(2);
        assertThat(cli.err()).contains("there is no reward");
    }
}

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
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.Json;
import dev.revealed.runs.Safetensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rewards of other methods than ML-IRL, on the command line: recovered, looked at, and trained on. */
class RivalRewardCommandTest {
    private static final int STATES = 11; // of Hopper
    private static final int ACTIONS = 3;
    private static final int LENGTH = 40;

    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    @BeforeAll
    static void here() {
        MujocoHere.assume();
    }

    /** One trajectory of random numbers. */
    private Path demonstrations() {
        RandomStream random = RandomStream.of(3);
        float[] observations = new float[STATES * (LENGTH + 1)];
        float[] actions = new float[ACTIONS * LENGTH];
        for (int i = 0; i < observations.length; i++) {
            observations[i] = (float) random.nextGaussian();
        }
        for (int i = 0; i < actions.length; i++) {
            actions[i] = (float) random.nextDouble(-1, 1);
        }
        Path file = folder.resolve("demos.npz");
        EpisodeFiles.write(
                file,
                new Episodes(
                        List.of(new Episode(LENGTH, observations, actions, new double[LENGTH], Ending.TRUNCATED))));
        return file;
    }

    /** With rewards of states and of states and actions, whichever is the method's default. */
    @ParameterizedTest
    @CsvSource({
        "gail, state-action",
        "gail, state",
        "airl, state",
        "airl, state-action",
        "f-irl, state",
        "f-irl, state-action",
        "iq-learn, state-action",
        "iq-learn, state"
    })
    void areUsedAsOurs(String method, String of) throws IOException {
        Path demos = demonstrations();
        Path run = folder.resolve("run");
        cli.done(("imitate --method %s --reward %s --task hopper --demos %s --iterations 2 --block 60 --recent 60"
                        + " --random-steps 60 --batch 16 --hidden 8 --reward-hidden 8,8 --episodes 1 --out %s")
                .formatted(method, of, demos, run));

        Path judged = folder.resolve("judged");
        cli.done("reward --reward %s --data %s --out %s".formatted(run, demos, judged));
        double[] paid = Npz.read(judged.resolve("rewards-data.npz")).numbers("rewards");
        double[] byHand = byHand(
                Safetensors.read(run.resolve("reward.safetensors")).tensors(),
                EpisodeFiles.read(demos).all().getFirst(),
                of.equals("state"),
                method.equals("gail"));
        assertThat(paid).hasSize(LENGTH);
        for (int t = 0; t < LENGTH; t++) {
            assertThat(paid[t]).isCloseTo(byHand[t], within(1e-4 * (1 + Math.abs(byHand[t]))));
        }
        assertThat(Arrays.stream(paid).distinct().count()).isGreaterThan(LENGTH / 2);

        Path fresh = folder.resolve("fresh");
        cli.done(
                "expert --task hopper --reward %s --steps 120 --random-steps 60 --evaluate-every 120 --episodes 1 --out %s"
                        .formatted(run, fresh));
        Map<?, ?> result = Json.read(Files.readString(fresh.resolve("result.json")), Map.class);
        assertThat(String.valueOf(result.get("reward"))).startsWith(run.toString());
        Tensors learntOn = Safetensors.read(fresh.resolve("reward.safetensors")).tensors();
        assertThat(byHand(
                        learntOn, EpisodeFiles.read(demos).all().getFirst(), of.equals("state"), method.equals("gail")))
                .isEqualTo(byHand);
    }

    /** The network as its file holds it: y = x W + b of scaled inputs, layer by layer; GAIL's gives -log(1 - D) of a logit. */
    private static double[] byHand(Tensors file, Episode along, boolean states, boolean softplus) {
        float[] shift = file.floats("reward.shift");
        float[] scale = file.floats("reward.scale");
        long[] activations = file.longs("reward.activations");
        int width = STATES + (states ? 0 : ACTIONS);
        assertThat(shift).hasSize(width);
        float[] actions = Objects.requireNonNull(along.actions());
        double[] rewards = new double[LENGTH];
        for (int t = 0; t < LENGTH; t++) {
            double[] values = new double[width];
            for (int i = 0; i < width; i++) {
                float input = i < STATES ? along.observations()[t * STATES + i] : actions[t * ACTIONS + i - STATES];
                values[i] = (input - shift[i]) * scale[i];
            }
            for (int layer = 0; layer < activations.length; layer++) {
                float[] weights = file.floats("reward.weight" + layer);
                double[] next = new double[file.floats("reward.bias" + layer).length];
                for (int j = 0; j < next.length; j++) {
                    next[j] = file.floats("reward.bias" + layer)[j];
                    for (int i = 0; i < values.length; i++) {
                        next[j] += values[i] * weights[i * next.length + j];
                    }
                    next[j] = activations[layer] == 0
                            ? next[j]
                            : activations[layer] == 1 ? Math.max(next[j], 0) : Math.tanh(next[j]);
                }
                values = next;
            }
            double clamp = file.floats("reward.clamp")[0];
            double cut = Math.clamp(values[0], -clamp, clamp);
            rewards[t] = softplus ? Math.log(1 + Math.exp(cut)) : cut;
        }
        return rewards;
    }

    @Test
    void sqilHasNone() {
        Path run = folder.resolve("run");
        cli.done(("imitate --method sqil --task hopper --demos %s --iterations 1 --block 60 --recent 60"
                        + " --random-steps 60 --batch 16 --hidden 8 --episodes 1 --out %s")
                .formatted(demonstrations(), run));
        for (String command : List.of(
                "reward --data %s --reward %s".formatted(folder.resolve("demos.npz"), run),
                "expert --task hopper --steps 120 --reward " + run)) {
            assertThat(cli.type(command)).isEqualTo(2);
            assertThat(cli.err()).contains("there is no reward " + run, "bc and sqil recover no reward");
        }
    }
}

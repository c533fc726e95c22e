package dev.revealed.app.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.revealed.app.Cli;
import dev.revealed.app.Main;
import dev.revealed.app.MujocoHere;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Temperature;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.Json;
import dev.revealed.runs.Safetensors;
import dev.revealed.settings.Item;
import dev.revealed.settings.Settings;
import dev.revealed.train.SettingResolution;
import dev.revealed.train.TrainingPlan;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code expert --reward} on a reward that is linear. */
class RecoveredRewardCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    /** The sum of the first inputs times a weight each. */
    private Path reward(String name, String task, int inputs, float... first) throws IOException {
        return reward(name, Map.of("task", task, "afterEnd", "absorb", "preset", "paper"), inputs, first);
    }

    private Path reward(String name, Map<String, String> notes, int inputs, float... first) throws IOException {
        float[] weights = new float[inputs];
        System.arraycopy(first, 0, weights, 0, first.length);
        float[] ones = new float[inputs];
        Arrays.fill(ones, 1);
        Tensors tensors = new Tensors()
                .put("reward.weight0", weights, inputs, 1)
                .put("reward.bias0", new float[1])
                .put("reward.shift", new float[inputs])
                .put("reward.scale", ones)
                .put("reward.activations", 0L)
                .put("reward.clamp", new float[] {100});
        Path file = folder.resolve(name + ".safetensors");
        try (OutputStream out = Files.newOutputStream(file)) {
            Safetensors.write(out, tensors, notes);
        }
        return file;
    }

    @Test
    void onTheCommandLine() throws IOException {
        MujocoHere.assume();
        String words = "expert --task hopper --steps 800 --random-steps 200 --hidden 16,16 --evaluate-every 400"
                + " --episodes 2 --checkpoint-every 400";
        Path file = reward("hopper", "hopper", 14, 0, 0, 0, 0, 0, 1);
        Path fresh = folder.resolve("fresh");
        Path plain = folder.resolve("plain");
        cli.done("%s --reward %s --out %s".formatted(words, file, fresh));
        assertThat(cli.out()).contains("true return");
        cli.done("%s --out %s".formatted(words, plain));
        assertThat(Json.read(Files.readString(fresh.resolve("result.json")), Map.class)
                        .get("reward"))
                .isEqualTo(file.toString());
        assertThat(Json.read(Files.readString(plain.resolve("result.json")), Map.class)
                        .get("reward"))
                .isNull();
        assertThat(Files.readAllBytes(fresh.resolve("policy.safetensors")))
                .isNotEqualTo(Files.readAllBytes(plain.resolve("policy.safetensors")));

        Path none = folder.resolve("none");
        assertThat(cli.type("expert --task ant --reward %s --out %s".formatted(file, none)))
                .isEqualTo(2);
        assertThat(cli.err()).contains("a reward of 14 numbers").contains(file.toString());
        assertThat(none).doesNotExist();
    }

    /** What was typed goes first, then the file's notes; older files have none, and agents were all alike then. */
    @Test
    void theLearnerIsTheOneItWasLearntWith() throws IOException {
        MujocoHere.assume();
        Sac.Settings then = Sac.Settings.PAPER
                .withHidden(32, 16)
                .withTemperature(Temperature.halving(0.05, 500))
                .withLearningRate(3e-4)
                .withCritics(3)
                .with(Map.of("polyak", 0.99, "discount", 0.97, "layer-norm", true))
                .withBatch(64);
        assertThat(plan(noted(then), "").sac()).isEqualTo(then);
        assertThat(plan(noted(then), "").sac().batch()).isEqualTo(64);
        assertThat(plan(noted(then), " --temperature 0.1").sac())
                .isEqualTo(then.withTemperature(Temperature.halving(0.1, 500)));
        assertThat(plan(noted(then), " --temperature auto").sac()).isEqualTo(then.withTemperature(Temperature.TUNED));
        Sac.Settings tuned = then.withTemperature(Temperature.TUNED);
        assertThat(plan(noted(tuned), "").sac()).isEqualTo(tuned);
        assertThat(plan(Map.of("preset", "paper"), "").sac()).isEqualTo(Sac.Settings.PAPER);
        Map<String, String> damaged = noted(then);
        damaged.put("batch", "many");
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> plan(damaged, ""))
                .withMessageContaining("`batch` is 'many'");
    }

    private static Map<String, String> noted(Sac.Settings sac) {
        Map<String, String> notes = new TreeMap<>();
        Settings.values(sac).forEach((name, value) -> notes.put(name, Item.text(value)));
        return notes;
    }

    /** Of an expert on Hopper who learns a reward with these notes. */
    private TrainingPlan plan(Map<String, String> notes, String options) throws IOException {
        Path file = reward("noted", notes, 14, 1);
        CommandLine line = Main.commandLine();
        line.parseArgs(("expert --task hopper --reward " + file + options).split(" "));
        ExpertCommand command =
                (ExpertCommand) line.getParseResult().subcommand().commandSpec().userObject();
        return command.plan(SettingResolution.typed(command.typedSettings()));
    }
}

package dev.revealed.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.revealed.neural.Batch;
import dev.revealed.neural.CpuTraining;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Temperature;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.Json;
import dev.revealed.runs.RunFolder;
import dev.revealed.runs.Safetensors;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Fresh policies on a recovered reward, which is linear here. */
class RecoveredRewardTest {
    private static final Sac.Settings SMALL =
            Sac.Settings.PAPER.withHidden(16).withBatch(32).withLearningRate(3e-3);
    private static final Training.Schedule SCHEDULE = new Training.Schedule(200, 1, 5000);

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

    /** A point that is paid for where it is goes there as fast as it can, whatever its task would pay for. */
    @ParameterizedTest
    @ValueSource(floats = {1, -1})
    void thePolicyLearnsWhatTheRewardPaysFor(float direction) throws IOException {
        RewardFile file = RewardFile.read(reward("way", "point", 1, direction));
        TrainingPlan plan = new TrainingPlan(
                new Physics("point", "none", "none", "none"),
                Point::new,
                1,
                SMALL,
                SCHEDULE,
                new RewardLesson(file, "point"),
                1500,
                500,
                2,
                2,
                500,
                3);
        RunFolder run = RunFolder.create(folder.resolve("run"));
        Trained result = TrainingRun.begin(
                plan, run, () -> {}, Backend.processor(), 1, TrainingRun.Listener.of((what, done, of) -> {}));
        assertThat(((ExpertResult) result).reward()).hasValue(file.file().toString());
        GaussianActor policy = GaussianActor.load(
                Safetensors.read(folder.resolve("run/policy.safetensors")).tensors());
        float[] action = new float[1];
        policy.actDeterministic(new float[] {0}, 0, action, 0);
        assertThat(direction * action[0]).isGreaterThan(0.5f);
        assertThat(RewardFile.read(folder.resolve("run")).fingerprint()).isEqualTo(file.fingerprint());
        assertThat(folder.resolve("run/reward.onnx")).exists();
    }

    @Test
    void anotherRewardIsNoneToGoOnWith() throws IOException {
        RewardFile one = RewardFile.read(reward("one", "point", 1, 1));
        RewardFile other = RewardFile.read(reward("other", "point", 1, 1.5f));
        Tensors saved = new Tensors();
        RandomStream stream = RandomStream.of(1);
        try (Sac sac = new Sac(new Point().space(), SMALL, stream, 1);
                Training training = new CpuTraining(List.of(new Point()), sac, SCHEDULE, stream)) {
            new Expertise(training, Batch.Rewards.STORED, Optional.of(one)).save(saved);
            new Expertise(training, Batch.Rewards.STORED, Optional.of(one)).restore(saved);
            assertThatExceptionOfType(BadInput.class)
                    .isThrownBy(() -> new Expertise(training, Batch.Rewards.STORED, Optional.of(other)).restore(saved))
                    .withMessageContaining("another reward");
        }
    }

    @Test
    void onTheCommandLine() throws IOException {
        MujocoHere.assume();
        String words = "expert --task hopper --steps 800 --random-steps 200 --hidden 16,16 --evaluate-every 400"
                + " --episodes 2 --checkpoint-every 400";
        Path file = reward("hopper", "hopper", 14, 0, 0, 0, 0, 0, 1);
        Path fresh = folder.resolve("fresh");
        Path plain = folder.resolve("plain");
        assertThat(cli.run(
                        "%s --reward %s --out %s".formatted(words, file, fresh).split(" ")))
                .as(cli.err())
                .isZero();
        assertThat(cli.out()).contains("true return");
        assertThat(cli.run("%s --out %s".formatted(words, plain).split(" "))).isZero();
        assertThat(Json.read(Files.readString(fresh.resolve("result.json")), Map.class)
                        .get("reward"))
                .isEqualTo(file.toString());
        assertThat(Json.read(Files.readString(plain.resolve("result.json")), Map.class)
                        .get("reward"))
                .isNull();
        assertThat(Files.readAllBytes(fresh.resolve("policy.safetensors")))
                .isNotEqualTo(Files.readAllBytes(plain.resolve("policy.safetensors")));

        Path none = folder.resolve("none");
        assertThat(cli.run("expert --task ant --reward %s --out %s"
                        .formatted(file, none)
                        .split(" ")))
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
                .withPolyak(0.99)
                .withDiscount(0.97)
                .withBatch(64)
                .withLayerNorm();
        assertThat(plan(noted(then), "").sac()).isEqualTo(then);
        assertThat(plan(noted(then), "").schedule().batch()).isEqualTo(64);
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
                .withMessageContaining("its batch is noted as 'many'");
    }

    private static Map<String, String> noted(Sac.Settings sac) {
        Map<String, String> notes = new TreeMap<>();
        RewardFile.note(sac, notes);
        return notes;
    }

    /** Of an expert on Hopper who learns a reward with these notes. */
    private TrainingPlan plan(Map<String, String> notes, String options) throws IOException {
        Path file = reward("noted", notes, 14, 1);
        CommandLine line = Main.commandLine();
        line.parseArgs(("expert --task hopper --reward " + file + options).split(" "));
        return ((ExpertCommand) line.getParseResult().subcommand().commandSpec().userObject()).plan();
    }

    /** HalfCheetah and Walker2d have states of 17 numbers and actions of 6. */
    @Test
    void aRewardFromElsewhereIsTold() throws IOException {
        RewardFile file = RewardFile.read(reward("cheetah", "halfcheetah", 17, 1));
        assertThat(new RewardLesson(file, "walker2d").cautions())
                .singleElement()
                .asString()
                .contains("recovered on halfcheetah")
                .contains("tried on walker2d");
        assertThat(new RewardLesson(file, "halfcheetah").cautions()).isEmpty();
        Point point = new Point();
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> file.model(point.space()))
                .withMessageContaining("a reward of 17 numbers for states of 1");
        assertThat(file.absorbs()).isTrue();
    }
}

package dev.revealed.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.revealed.imitate.Agent;
import dev.revealed.imitate.Learning;
import dev.revealed.imitate.world.LearntWorld;
import dev.revealed.imitate.world.OfflineData;
import dev.revealed.imitate.world.Penalty;
import dev.revealed.imitate.world.Rollouts;
import dev.revealed.imitate.world.TransitionRows;
import dev.revealed.imitate.world.WorldTraining;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.CpuTraining;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Temperature;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.RunFolder;
import dev.revealed.runs.Safetensors;
import dev.revealed.settings.Item;
import dev.revealed.settings.Settings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fresh policies on a recovered reward, which is linear here. */
class RecoveredRewardTest {
    private static final Sac.Settings SMALL =
            Sac.Settings.PAPER.withHidden(16).withBatch(32).withLearningRate(3e-3);
    private static final Training.Schedule SCHEDULE = new Training.Schedule(200, 1, 5000);

    @TempDir
    private Path folder = Path.of("");

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
                Environment.of("point", Point::new),
                1,
                SMALL,
                SCHEDULE,
                new SacProblem(Optional.of(file)),
                new Timetable(1500, 500, 2, 2, 500),
                3);
        RunFolder run = RunFolder.create(folder.resolve("run"));
        TrainingResult result =
                TrainingRun.begin(plan, TrainingRunTest.spec(3), run, Backend.processor(), 1, TrainingRunTest.QUIET);
        assertThat(SacProblem.rewardOf(result)).hasValue(file.file().toString());
        GaussianActor policy = GaussianActor.load(
                Safetensors.read(folder.resolve("run/policy.safetensors")).tensors());
        float[] action = new float[1];
        policy.actDeterministic(new float[] {0}, 0, action, 0);
        assertThat(direction * action[0]).isGreaterThan(0.5f);
        assertThat(RewardFile.read(folder.resolve("run")).fingerprint()).isEqualTo(file.fingerprint());
        assertThat(folder.resolve("run/reward.onnx")).exists();
    }

    /** It does so in a world that was learnt from random moves, too, without a step of the point. */
    @Test
    void soItDoesInALearntWorld() throws IOException {
        RandomStream stream = RandomStream.of(5);
        List<Episode> moves = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            float[] states = new float[21];
            float[] actions = new float[20];
            states[0] = (float) stream.nextDouble(-1, 1);
            for (int t = 0; t < 20; t++) {
                actions[t] = (float) stream.nextDouble(-1, 1);
                states[t + 1] = states[t] + 0.1f * actions[t];
            }
            moves.add(new Episode(20, states, actions, new double[20], Episode.Ending.TRUNCATED));
        }
        TransitionRows log = TransitionRows.of(new Episodes(moves));
        WorldTraining.Settings small = new WorldTraining.Settings(2, 2, new int[] {16}, 10, 10, 0.1, 0.25, 32, 1e-2, 0);
        LearntWorld world;
        try (WorldTraining learning = new WorldTraining(small, log, false, stream)) {
            while (!learning.finished()) {
                learning.epoch();
            }
            world = new LearntWorld(
                    new OfflineData(learning.world(), Optional.empty(), log),
                    new Rollouts(20, 5, Penalty.ENSEMBLE_STD, 1));
        }
        RewardFile file = RewardFile.read(reward("way", "point", 1, -1));
        TrainingPlan plan = new TrainingPlan(
                Environment.of("point", Point::new),
                1,
                SMALL,
                SCHEDULE,
                new SacProblem(Optional.of(file), Optional.of(world)),
                new Timetable(1500, 1500, 2, 2, 1500),
                3);
        RunFolder run = RunFolder.create(folder.resolve("run"));
        TrainingRun.begin(plan, TrainingRunTest.spec(3), run, Backend.processor(), 1, TrainingRunTest.QUIET);
        GaussianActor policy = GaussianActor.load(
                Safetensors.read(folder.resolve("run/policy.safetensors")).tensors());
        float[] action = new float[1];
        policy.actDeterministic(new float[] {0}, 0, action, 0);
        assertThat(action[0]).isLessThan(-0.5f);
    }

    /** Two ants have the same sizes, and their motors come in different orders. */
    @Test
    void aRewardOfActionsDoesNotGoToAnotherRobot() throws IOException {
        Simulator.Space disabled = new Simulator.Space("disabledant", 2, new Simulator.Actions.Box(1, 1), 500);
        SacProblem ofActions = new SacProblem(Optional.of(RewardFile.read(reward("sa", "customant", 3, 1))));
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> ofActions.check(disabled, 1, 1000))
                .withMessageContaining("actions of 'customant'");
        new SacProblem(Optional.of(RewardFile.read(reward("s", "customant", 2, 1)))).check(disabled, 1, 1000);
        new SacProblem(Optional.of(RewardFile.read(reward("same", "disabledant", 3, 1)))).check(disabled, 1, 1000);
    }

    @Test
    void anotherRewardIsNoneToGoOnWith() throws IOException {
        RewardFile one = RewardFile.read(reward("one", "point", 1, 1));
        RewardFile other = RewardFile.read(reward("other", "point", 1, 1.5f));
        Tensors saved = new Tensors();
        RandomStream stream = RandomStream.of(1);
        try (Sac sac = new Sac(new Point().space(), SMALL, stream, 1);
                Training training = new CpuTraining(List.of(new Point()), sac, SCHEDULE, stream)) {
            Agent agent = new Agent(training, 0.99, Temperature.fixed(1), List.of(), stream);
            learning(one, agent).save(saved);
            learning(one, agent).restore(saved);
            assertThatExceptionOfType(BadInput.class)
                    .isThrownBy(() -> learning(other, agent).restore(saved))
                    .withMessageContaining("another reward");
        }
    }

    private static Learning learning(RewardFile reward, Agent agent) {
        return new SacProblem(Optional.of(reward)).begin(new Point().space(), agent);
    }

    /** Before settings had one name everywhere, notes were in camel case; both give the learner of then. */
    @Test
    void notesOfBeforeGiveTheSameLearner() throws IOException {
        Sac.Settings then = Sac.Settings.PAPER
                .withHidden(32, 16)
                .withTemperature(Temperature.halving(0.05, 500))
                .withLearningRate(3e-4)
                .withCritics(3)
                .with(Map.of("polyak", 0.99, "discount", 0.97, "layer-norm", true))
                .withBatch(64);
        Map<String, String> before = new TreeMap<>(Map.of(
                "hidden", "32,16",
                "learningRate", "3.0E-4",
                "discount", "0.97",
                "polyak", "0.99",
                "batch", "64",
                "temperature", "0.05",
                "halving", "500.0",
                "critics", "3",
                "layerNorm", "true",
                "afterEnd", "absorb"));
        RewardFile old = RewardFile.read(reward("old", before, 1, 1));
        assertThat(old.sac()).isEqualTo(then);
        assertThat(old.absorbs()).isTrue();
        Map<String, String> now = new TreeMap<>();
        Settings.values(then).forEach((name, value) -> now.put(name, Item.text(value)));
        assertThat(RewardFile.read(reward("new", now, 1, 1)).sac()).isEqualTo(then);
        before.put("temperature", "auto");
        before.put("halving", "0.0");
        assertThat(RewardFile.read(reward("tuned", before, 1, 1)).sac())
                .isEqualTo(then.withTemperature(Temperature.TUNED));
        assertThat(RewardFile.read(reward("none", Map.of("preset", "paper"), 1, 1))
                        .sac())
                .isEqualTo(Sac.Settings.PAPER);
        RewardFile damaged = RewardFile.read(reward("damaged", Map.of("batch", "many"), 1, 1));
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(damaged::sac)
                .withMessageContaining(damaged.file() + ": `batch` is 'many'");
    }

    /** HalfCheetah and Walker2d have states of 17 numbers and actions of 6. */
    @Test
    void aRewardFromElsewhereIsCautionedOf() throws IOException {
        RewardFile file = RewardFile.read(reward("cheetah", "halfcheetah", 17, 1));
        SacProblem problem = new SacProblem(Optional.of(file));
        assertThat(problem.cautions(space("walker2d")))
                .singleElement()
                .asString()
                .contains("recovered on halfcheetah")
                .contains("tried on walker2d");
        assertThat(problem.cautions(space("halfcheetah"))).isEmpty();
        Point point = new Point();
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> file.model(point.space()))
                .withMessageContaining("a reward of 17 numbers for states of 1");
        assertThat(file.absorbs()).isTrue();
    }

    private static Simulator.Space space(String task) {
        return new Simulator.Space(task, 17, new Simulator.Actions.Box(6, 1), 1000);
    }
}

package dev.revealed.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.imitate.Demonstrations;
import dev.revealed.imitate.Imitation;
import dev.revealed.imitate.Intervention;
import dev.revealed.imitate.MlIrl;
import dev.revealed.imitate.RewardModel;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.neural.Network;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Tape;
import dev.revealed.neural.Temperature;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Tensors;
import dev.revealed.numeric.Tensors.Tensor;
import dev.revealed.runs.Checkpoints;
import dev.revealed.runs.RunFolder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Forks of an imitation on a task without MuJoCo; the original keeps all its checkpoints. */
class ForkTest {
    private static final int BLOCK = 70; // no multiple of the 20 steps of an episode
    private static final long END = 12L * BLOCK;
    private static final long AT = 6L * BLOCK;

    @TempDir
    private static Path origin = Path.of("");

    @TempDir
    private Path folder = Path.of("");

    @BeforeAll
    static void original() {
        RunFolder run = RunFolder.create(origin.resolve("run"));
        TrainingRun.begin(plan(Optional.empty(), 0), TrainingRunTest.spec(5), run, Backend.processor(), 2, quiet());
    }

    private static RunListener quiet() {
        return TrainingRunTest.QUIET;
    }

    private static TrainingPlan plan(Optional<Fork> fork, long diagnoseEvery) {
        float[] observations = new float[21];
        Arrays.fill(observations, 0.4f);
        Episodes expert =
                new Episodes(List.of(new Episode(20, observations, new float[20], new double[20], Ending.TRUNCATED)));
        Imitation.Settings settings = Imitation.Settings.USUAL
                .with(Map.of("block", BLOCK, "recent", BLOCK))
                .with(Map.of("reward-hidden", "8,8", "average-policy", 3));
        return new TrainingPlan(
                Environment.of("point", Point.Falling::new),
                2,
                Sac.Settings.PAPER.withHidden(8, 8).withBatch(8),
                new Training.Schedule(100, 1, 300), // so that rows are forgotten, too
                new MlIrl()
                        .problem(settings, "revealed", Demonstrations.of("demos.npz", expert))
                        .under(fork.map(Fork::intervention).orElse(Intervention.NONE)),
                new Timetable(END, 3 * BLOCK, 1, 3, 2 * BLOCK, Integer.MAX_VALUE, diagnoseEvery),
                5,
                fork);
    }

    private static Fork at(int number, ForkStreams streams, Intervention intervention) {
        return new Fork(origin.resolve("run"), AT, number, streams, intervention);
    }

    private Path run(String name, Fork fork, long diagnoseEvery) {
        RunFolder run = RunFolder.create(folder.resolve(name));
        TrainingRun.begin(
                plan(Optional.of(fork), diagnoseEvery), TrainingRunTest.spec(5), run, Backend.processor(), 1, quiet());
        return run.path();
    }

    private static Tensors state(Path run, long step) {
        return Checkpoints.at(run, step).state();
    }

    private static byte[] rows(Path run, long step) throws IOException {
        ByteArrayOutputStream rows = new ByteArrayOutputStream();
        for (Checkpoints.StoredBlock block : Checkpoints.at(run, step).blocks()) {
            try (InputStream in = block.open()) {
                in.transferTo(rows);
            }
        }
        return rows.toByteArray();
    }

    /** The names of tensors whose bits differ. */
    private static Set<String> differing(Tensors one, Tensors other) {
        Set<String> names = new TreeSet<>(other.names());
        names.removeAll(one.names());
        for (String name : one.names()) {
            boolean same = other.has(name)
                    && switch (one.get(name)) {
                        case Tensor.Floats(int[] _, float[] values) -> Arrays.equals(values, other.floats(name));
                        case Tensor.Doubles(int[] _, double[] values) -> Arrays.equals(values, other.doubles(name));
                        case Tensor.Longs(int[] _, long[] values) -> Arrays.equals(values, other.longs(name));
                    };
            if (!same) {
                names.add(name);
            }
        }
        return names;
    }

    private static void assertSame(Path one, Path other) {
        for (String name : List.of(
                "metrics.jsonl",
                "policy.safetensors",
                "chosen.safetensors",
                "reward.safetensors",
                "checkpoint/840.safetensors")) {
            assertThat(one.resolve(name)).as(name).hasSameBinaryContentAs(other.resolve(name));
        }
    }

    @Test
    void aForkThatChangesNothingRepeatsTheOriginal() throws IOException {
        Path same = run("same", at(1, ForkStreams.NONE, Intervention.NONE), 0);
        assertSame(same, origin.resolve("run"));
        assertThat(rows(same, END)).isEqualTo(rows(origin.resolve("run"), END));
    }

    @ParameterizedTest
    @EnumSource(
            value = ForkStreams.class,
            names = {"MINIBATCH", "EXPLORATION", "STARTS", "REWARD"})
    void aForkDiffersInTheStreamsThatAreNamed(ForkStreams streams) {
        Path run = run("run", at(1, streams, Intervention.NONE), 0);
        Set<String> expected = switch (streams) {
            case MINIBATCH -> Set.of("training.rows", "sac.noise");
            case EXPLORATION -> Set.of("environment0.explore", "environment1.explore");
            case STARTS -> Set.of("environment0.reset", "environment1.reset");
            default -> Set.of("imitate.stream");
        };
        assertThat(differing(state(run, AT), state(origin.resolve("run"), AT))).isEqualTo(expected);
        assertThat(differing(state(run, END), state(origin.resolve("run"), END)))
                .as("what follows")
                .contains("actor.weight0", "reward.weight0");
        Path other = run("other", at(2, streams, Intervention.NONE), 0);
        assertThat(differing(state(other, AT), state(run, AT))).isEqualTo(expected);
    }

    @Test
    void aPlaceboMovesOneWeightByOneUnitInTheLastPlace() {
        Path run = run("run", at(1, ForkStreams.NONE, Intervention.PLACEBO), 0);
        Tensors before = state(origin.resolve("run"), AT);
        Tensors after = state(run, AT);
        assertThat(differing(after, before)).containsExactly("actor.weight2");
        float[] from = before.floats("actor.weight2");
        float[] to = after.floats("actor.weight2");
        int moved = 0;
        for (int i = 0; i < to.length; i++) {
            if (to[i] != from[i]) {
                moved++;
                assertThat(to[i]).isEqualTo(Math.nextUp(from[i]));
            }
        }
        assertThat(moved).isOne();
        assertThat(differing(state(run, END), state(origin.resolve("run"), END)))
                .as("what follows")
                .contains("actor.weight0", "critic0.weight0", "reward.adam.first");
    }

    @Test
    void aKilledForkGoesOnToTheSameEnd() {
        Fork fork = at(3, ForkStreams.ALL, Intervention.ACT_BY_AVERAGE);
        Path alone = run("alone", fork, 0);
        RunFolder killed = RunFolder.create(folder.resolve("killed"));
        TrainingPlan plan = plan(Optional.of(fork), 0);
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> TrainingRun.begin(
                        plan, TrainingRunTest.spec(5), killed, Backend.processor(), 1, (stage, done, total) -> {
                            if (done == AT + 3 * BLOCK + 1) {
                                throw new IllegalStateException("killed");
                            }
                        }));
        TrainingRun.resume(plan, RunFolder.resume(killed.path()), Backend.processor(), 1, words -> {}, quiet());
        assertSame(killed.path(), alone);
    }

    @Test
    void whatIsFrozenStays() {
        Set<String> reward = Set.of("reward.weight0", "reward.weight1", "reward.weight2", "reward.bias2");
        Tensors before = state(origin.resolve("run"), AT);
        assertThat(differing(state(origin.resolve("run"), END), before)).containsAll(reward);
        Tensors frozen = state(run("reward", at(1, ForkStreams.NONE, Intervention.FREEZE_REWARD), 0), END);
        assertThat(differing(frozen, before))
                .doesNotContainAnyElementsOf(reward)
                .contains("actor.weight0");
        Tensors constant = state(run("constant", at(1, ForkStreams.NONE, Intervention.FREEZE_CONSTANT), 0), END);
        assertThat(differing(constant, before))
                .doesNotContain("reward.bias2")
                .contains("reward.weight0", "reward.weight2");
        Tensors slopes = state(run("slopes", at(1, ForkStreams.NONE, Intervention.FREEZE_SLOPES), 0), END);
        assertThat(differing(slopes, before))
                .doesNotContain("reward.weight0", "reward.weight1", "reward.weight2", "reward.bias1")
                .contains("reward.bias2");
    }

    @Test
    void optimisersThatBeginAnewHaveMadeNoSteps() {
        Path run = run("run", at(1, ForkStreams.NONE, Intervention.RESET_MOMENTS), 0);
        Tensors begun = state(run, AT);
        for (String name : List.of("actor", "critic0", "critic1")) {
            assertThat(begun.longs(name + ".adam.steps")).containsExactly(0);
            assertThat(begun.floats(name + ".adam.first")).containsOnly(0);
            assertThat(begun.floats(name + ".adam.second")).containsOnly(0);
        }
        assertThat(differing(begun, state(origin.resolve("run"), AT)))
                .allMatch(name -> name.contains(".adam.") || name.equals("sac.updates"))
                .noneMatch(name -> name.startsWith("reward"));
        assertThat(state(run, END).longs("actor.adam.steps")).containsExactly(END - AT);
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Intervention.RESET_MOMENTS.check(
                        Sac.Settings.PAPER.withTemperature(Temperature.halving(0.2, 1000))))
                .withMessageContaining("halving");
    }

    @Test
    void theOlderHalfOfTheReplayIsReplacedByTheNewer() throws IOException {
        Path run = run("run", at(1, ForkStreams.NONE, Intervention.DROP_OLDEST_HALF), 0);
        byte[] all = rows(run, AT);
        byte[] before = rows(origin.resolve("run"), AT);
        int row = (1 + 1 + 2 + 1) * Float.BYTES;
        assertThat(all).hasSize(300 * row);
        byte[] newer = Arrays.copyOfRange(before, before.length - 150 * row, before.length);
        assertThat(Arrays.copyOfRange(all, 150 * row, 300 * row)).isEqualTo(newer);
        assertThat(Arrays.copyOfRange(all, 0, 150 * row)).isEqualTo(newer);
        long[] episodes = state(run, AT).longs("environment0.episodes");
        for (int i = 0; i < episodes.length; i += 3) {
            assertThat(episodes[i] < AT - 300 || episodes[i] - 2 * (episodes[i + 1] - 1) >= AT - 150)
                    .as("an episode of %d steps that ended in row %d", episodes[i + 1], episodes[i])
                    .isTrue();
        }
        assertThat(episodes).hasSizeLessThan(state(origin.resolve("run"), AT).longs("environment0.episodes").length);
    }

    /** Critics of other initial weights learn the same values of the policy; those of the original had 320 updates only. */
    @Test
    void freshCriticsLearnTheValuesOfThePolicy() {
        Path run = run("run", at(1, ForkStreams.NONE, Intervention.FRESH_CRITICS), 0);
        Tensors begun = state(run, AT);
        Tensors before = state(origin.resolve("run"), AT);
        assertThat(differing(begun, before))
                .contains("critic0.weight0", "target1.weight0", "critic1.adam.second")
                .allMatch(name -> name.matches("(critic|target)\\d\\..*") && !name.endsWith("steps"));
        Tensors other = state(run("other", at(2, ForkStreams.NONE, Intervention.FRESH_CRITICS), 0), AT);
        assertThat(differing(other, begun)).contains("critic0.weight0", "critic1.weight0");
        assertThat(meanValue(begun)).isCloseTo(meanValue(other), within(0.5)).isGreaterThan(meanValue(before) + 5);
    }

    /** Of the first critic, over a grid of positions and actions. */
    private static double meanValue(Tensors saved) {
        Tape tape = Network.load("critic0", saved).tape(1);
        double sum = 0;
        for (int i = 0; i < 441; i++) {
            tape.forward(new float[] {(i / 21 - 10) / 10f, (i % 21 - 10) / 10f}, 1);
            sum += tape.output()[0];
        }
        return sum / 441;
    }

    @Test
    void actingByTheAverageLeadsElsewhere() {
        Path run = run("run", at(1, ForkStreams.NONE, Intervention.ACT_BY_AVERAGE), 0);
        assertThat(differing(state(run, AT), state(origin.resolve("run"), AT))).isEmpty();
        assertThat(differing(state(run, END), state(origin.resolve("run"), END)))
                .contains("environment0.state");
    }

    @Test
    void whereThereIsNoCheckpointNothingIsLeft() {
        Fork none = new Fork(origin.resolve("run"), AT + 1, 1, ForkStreams.NONE, Intervention.NONE);
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> run("run", none, 0))
                .withMessageContaining("no checkpoint of step 421");
        Fork late = new Fork(origin.resolve("run"), END, 1, ForkStreams.NONE, Intervention.NONE);
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> run("late", late, 0))
                .withMessageContaining("ends at step 840");
        assertThat(folder).isEmptyDirectory();
    }

    /** What is measured says where it began, and costs no bit of what is learnt. */
    @Test
    void measuringChangesNothing() throws IOException {
        Path run = run("run", at(1, ForkStreams.NONE, Intervention.NONE), BLOCK);
        for (String name : List.of("metrics.jsonl", "policy.safetensors", "reward.safetensors")) {
            assertThat(run.resolve(name))
                    .hasSameBinaryContentAs(origin.resolve("run").resolve(name));
        }
        assertThat(Files.readAllLines(run.resolve("policies.csv")).getFirst())
                .isEqualTo("step,averaged,averagedWithNoise,acting,actingWithNoise");
        List<String> lines = Files.readAllLines(run.resolve("diagnose.csv"));
        List<String> names = List.of(lines.getFirst().split(",", -1));
        assertThat(names).startsWith("step", "valueMean").endsWith("trainingReturn", "trainingLength");
        assertThat(lines.stream().skip(1).map(line -> line.substring(0, line.indexOf(','))))
                .as("where it begins, and after every block")
                .containsExactly("420", "490", "560", "630", "700", "770", "840");
        List<String> first = List.of(lines.get(1).split(",", -1));
        List<String> last = List.of(lines.getLast().split(",", -1));
        assertThat(first.get(names.indexOf("criticStep")))
                .as("there is none before")
                .isEmpty();
        assertThat(Double.parseDouble(last.get(names.indexOf("criticStep")))).isPositive();
        Tensors end = state(run, END);
        assertThat(Float.parseFloat(last.get(names.indexOf("constant")))).isEqualTo(end.floats("reward.bias2")[0]);
        double squares = 0;
        for (String name : end.names()) {
            if (name.matches("actor\\.(weight|bias)\\d")) {
                for (float value : end.floats(name)) {
                    squares += (double) value * value;
                }
            }
        }
        assertThat(Double.parseDouble(last.get(names.indexOf("actorNorm"))))
                .isCloseTo(Math.sqrt(squares), within(1e-5));
        assertThat(Double.parseDouble(last.get(names.indexOf("expertReward")))).isCloseTo(reward(end), within(1e-5));
    }

    /** What the reward pays the expert, who stays at 0.4 and does nothing. */
    private static double reward(Tensors saved) {
        Tape tape =
                RewardModel.load(saved, new Point.Falling().space(), 0).plain().tape(1);
        tape.forward(new float[] {0.4f, 0}, 1);
        return tape.output()[0];
    }

    /** The same rows, and as many lines, as in a run that nobody killed. */
    @Test
    void measurementsGoOnWhereAKilledRunDoes() throws IOException {
        Fork fork = at(1, ForkStreams.NONE, Intervention.NONE);
        Path alone = run("alone", fork, BLOCK);
        RunFolder killed = RunFolder.create(folder.resolve("killed"));
        TrainingPlan plan = plan(Optional.of(fork), BLOCK);
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> TrainingRun.begin(
                        plan, TrainingRunTest.spec(5), killed, Backend.processor(), 1, (stage, done, total) -> {
                            if (done == AT + 3 * BLOCK + 1) {
                                throw new IllegalStateException("killed");
                            }
                        }));
        TrainingRun.resume(plan, RunFolder.resume(killed.path()), Backend.processor(), 1, words -> {}, quiet());
        assertThat(killed.path().resolve("probe.safetensors"))
                .hasSameBinaryContentAs(alone.resolve("probe.safetensors"));
        assertThat(killed.path().resolve("policies.csv")).hasSameBinaryContentAs(alone.resolve("policies.csv"));
        List<String> lines = Files.readAllLines(killed.path().resolve("diagnose.csv"));
        List<String> expected = Files.readAllLines(alone.resolve("diagnose.csv"));
        assertThat(lines).hasSameSizeAs(expected);
        assertThat(lines.getLast()).isEqualTo(expected.getLast());
        assertThat(lines.get(4))
                .as("the step from the measurement before is not known")
                .isNotEqualTo(expected.get(4));
    }
}

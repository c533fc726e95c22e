package dev.revealed.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.imitate.AfterEnd;
import dev.revealed.imitate.Ascent;
import dev.revealed.imitate.Imitation;
import dev.revealed.imitate.Preset;
import dev.revealed.imitate.RewardModel;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Mlp.Activation;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Scores;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.runs.Json;
import dev.revealed.runs.RunFolder;
import dev.revealed.runs.Safetensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An imitation as a run with its folder, on a task without MuJoCo. */
class ImitationRunTest {
    private static final Physics PHYSICS = new Physics("point", "none", "none", "none");
    private static final TrainingRun.Listener QUIET = (stage, done, total) -> {};
    private static final int BLOCK = 70; // no multiple of the 20 steps of an episode

    @TempDir
    private Path folder = Path.of("");

    /** A point that ends for good where it comes too far. */
    private static class Falling extends Point {
        private final float[] seen = new float[1];

        @Override
        public boolean terminated() {
            observe(seen, 0);
            return Math.abs(seen[0]) > 1.2;
        }
    }

    /** The same with a reward of its own. */
    private static final class Paid extends Falling {
        @Override
        public double reward() {
            return 1e6;
        }
    }

    private static Episodes expert(float place) {
        float[] observations = new float[21];
        Arrays.fill(observations, place);
        return new Episodes(List.of(new Episode(20, observations, new float[20], new double[20], Ending.TRUNCATED)));
    }

    private static Imitation.Settings settings(int rollouts, AfterEnd afterEnd) {
        return new Imitation.Settings(
                new RewardModel.Settings(false, new int[] {8, 8}, Activation.RELU, 10, RewardModel.Inputs.SCALED),
                new Ascent.Settings(Ascent.Kind.ADAM_L2, 1e-3, 1e-3, 20),
                0.04,
                1,
                Imitation.Sampling.of(BLOCK, rollouts, BLOCK),
                afterEnd,
                true,
                3);
    }

    private static TrainingPlan plan(
            Imitation.Settings settings, Episodes demonstrations, Supplier<Simulator> simulators, int copies) {
        return new TrainingPlan(
                PHYSICS,
                simulators,
                copies,
                Sac.Settings.PAPER.withHidden(8, 8).withBatch(8),
                FleetTest.schedule(100, 1, 1000),
                new ImitationLesson(settings, Preset.REVEALED, "demos.npz", demonstrations, new Point().space(), null),
                12 * BLOCK,
                3 * BLOCK,
                1,
                3,
                2 * BLOCK,
                5);
    }

    private ImitationResult begin(String name, TrainingPlan plan, Backend backend, TrainingRun.Listener listener) {
        RunFolder run = RunFolder.create(folder.resolve(name));
        return (ImitationResult) TrainingRun.begin(plan, run, () -> {}, backend, 2, listener);
    }

    private void resume(String name, TrainingPlan plan, Backend backend) {
        TrainingRun.resume(plan, RunFolder.resume(folder.resolve(name)), backend, 2, words -> {}, QUIET);
    }

    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Everything that no clock is in. */
    private Map<String, byte[]> lasting(String name) throws IOException {
        Path run = folder.resolve(name);
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(run)) {
            for (Path file : walk.filter(Files::isRegularFile).toList()) {
                String relative = run.relativize(file).toString();
                if (!relative.equals("seconds.json") && !relative.contains("tfevents")) {
                    files.put(relative, Files.readAllBytes(file));
                }
            }
        }
        return files;
    }

    private void assertSame(String name, String other) throws IOException {
        Map<String, byte[]> expected = lasting(other);
        Map<String, byte[]> actual = lasting(name);
        assertThat(actual.keySet()).isEqualTo(expected.keySet());
        expected.forEach((file, bytes) -> assertThat(actual.get(file)).as(file).isEqualTo(bytes));
    }

    /** Within a block, at its end, after a checkpoint, with a test under way; with rollouts and with episodes of training. */
    @ParameterizedTest
    @CsvSource({"0, ABSORB", "2, MASK", "2, SIMULATE"})
    void killedAndResumedEndsTheSame(int rollouts, AfterEnd afterEnd) throws IOException {
        TrainingPlan plan = plan(settings(rollouts, afterEnd), expert(0.4f), Falling::new, 2);
        begin("alone", plan, Backend.processor(), QUIET);
        assertThat(lasting("alone"))
                .containsKeys(
                        "metrics.jsonl",
                        "chosen.safetensors",
                        "policy.safetensors",
                        "policy.onnx",
                        "reward.safetensors",
                        "checkpoint/840.safetensors")
                .doesNotContainKey("best.safetensors");
        begin("again", plan, Backend.processor(), QUIET);
        assertSame("again", "alone");
        for (long step : new long[] {30, 3 * BLOCK + 1, 6 * BLOCK - 1, 6 * BLOCK, 6 * BLOCK + 1, 12 * BLOCK}) {
            String name = "killed-" + step;
            assertThatExceptionOfType(Killed.class)
                    .isThrownBy(() -> begin(name, plan, TrainingRunTest.beside("cpu"), (stage, done, total) -> {
                        if (done == step) {
                            throw new Killed();
                        }
                    }));
            resume(name, plan, TrainingRunTest.beside("cpu"));
            assertSame(name, "alone");
        }
    }

    @Test
    void theTasksOwnRewardChangesNothingButWhatTestsMeasure() throws IOException {
        Imitation.Settings settings = settings(0, AfterEnd.MASK);
        ImitationResult own = begin("own", plan(settings, expert(0.4f), Falling::new, 1), Backend.processor(), QUIET);
        ImitationResult paid = begin("paid", plan(settings, expert(0.4f), Paid::new, 1), Backend.processor(), QUIET);
        for (String file : List.of("policy.safetensors", "chosen.safetensors", "reward.safetensors")) {
            assertThat(folder.resolve("paid").resolve(file))
                    .hasSameBinaryContentAs(folder.resolve("own").resolve(file));
        }
        assertThat(paid.lengths()).isEqualTo(own.lengths());
        assertThat(paid.meanReturn()).isNotEqualTo(own.meanReturn());
        assertThat(paid.chosenStep()).isEqualTo(own.chosenStep());
    }

    /** By hand: 12 blocks of training; for each of them 2 rollouts, which last 20 steps where no fall ends them. */
    @Test
    void everyStepIsCountedWhereItBelongs() throws IOException {
        ImitationResult result = begin(
                "run", plan(settings(2, AfterEnd.SIMULATE), expert(0.4f), Falling::new, 1), Backend.processor(), QUIET);
        assertThat(result.iterations()).isEqualTo(12);
        assertThat(result.steps()).isEqualTo(12 * BLOCK);
        assertThat(result.countedSteps()).isEqualTo(12 * BLOCK + 12 * 2 * 20);
        assertThat(result.returns()).hasSize(3); // the last test is larger than those on the way
        List<String> lines = Files.readAllLines(folder.resolve("run/metrics.jsonl"));
        assertThat(lines).hasSize(4);
        Map<?, ?> first = Json.read(lines.getFirst(), Map.class);
        assertThat(first.get("iteration")).isEqualTo(3);
        assertThat(first.get("steps")).isEqualTo(3 * BLOCK);
        assertThat(first.get("countedSteps")).isEqualTo(3 * BLOCK + 3 * 2 * 20);
        assertThat(first.get("evaluationSteps")).isEqualTo(length(first));
        Map<?, ?> last = Json.read(lines.getLast(), Map.class);
        int tested = lines.subList(0, 3).stream()
                .mapToInt(line -> length(Json.read(line, Map.class)))
                .sum();
        int lastTest = Arrays.stream(result.lengths()).sum();
        assertThat(last.get("evaluationSteps")).isEqualTo(tested + lastTest);
        assertThat(result.evaluationSteps()).isGreaterThan(tested + lastTest); // and the test of the chosen one
        assertThat(last.get("likelihoodGap")).isEqualTo(result.likelihoodGap());
        assertThat(last.keySet().stream().map(String::valueOf))
                .contains("expertReward", "agentReward", "featureDistance", "agentLength", "entropy", "trueReturn");
    }

    /** One episode of a test on the way. */
    private static int length(Map<?, ?> line) {
        return ((Number) Objects.requireNonNull(line.get("trueLength"))).intValue();
    }

    @Test
    void theChosenPolicyIsTheLeastUnlike() throws IOException {
        TrainingPlan plan = plan(settings(0, AfterEnd.ABSORB), expert(0.4f), Falling::new, 1);
        ImitationResult result = begin("run", plan, Backend.processor(), QUIET);
        Imitator.Mark least = result.marks().stream()
                .min(Comparator.comparingDouble(Imitator.Mark::unlikeness))
                .orElseThrow();
        assertThat(result.chosenStep()).isEqualTo(least.step());
        List<Double> alone = new ArrayList<>(); // what the guide says, worked out from the other columns
        for (String line : Files.readAllLines(folder.resolve("run/metrics.jsonl"))) {
            Map<?, ?> told = Json.read(line, Map.class);
            alone.add(number(told, "featureDistance") + Math.abs(1 - number(told, "agentLength")));
            double last = alone.subList(Math.max(0, alone.size() - 3), alone.size()).stream()
                    .mapToDouble(each -> each)
                    .average()
                    .orElseThrow();
            assertThat(number(told, "unlikeness")).isCloseTo(last, within(1e-12));
        }
        assertThat(alone).hasSizeGreaterThan(3).doesNotHaveDuplicates();
        Map<String, String> notes =
                Safetensors.read(folder.resolve("run/reward.safetensors")).metadata();
        assertThat(notes)
                .containsEntry("task", "point")
                .containsEntry("reward", "state-action")
                .containsEntry("discount", "0.99")
                .containsEntry("afterEnd", "absorb");
        assertThat(RewardFile.read(folder.resolve("run")).sac()).isEqualTo(plan.sac());
        assertThat(result.expertReturn()).isZero();
    }

    private static double number(Map<?, ?> line, String name) {
        return ((Number) Objects.requireNonNull(line.get(name))).doubleValue();
    }

    /** Nor is one chosen after which nothing is known any more, or before anything was. */
    @Test
    void whatIsNoNumberIsNotChosen() {
        TrainingPlan plan = plan(settings(0, AfterEnd.MASK), expert(0.4f), Falling::new, 1);
        RandomStream stream = RandomStream.of(1);
        try (Training training = Backend.processor().training(plan, List.of(new Falling()), stream, 1)) {
            Pupil pupil = plan.lesson().pupil(plan, training, List.of(), stream);
            assertThat(tested(pupil, Double.NaN)).isTrue(); // there is no other yet
            assertThat(tested(pupil, Double.NaN)).isFalse();
            assertThat(tested(pupil, 0.5)).isTrue();
            assertThat(tested(pupil, Double.NaN)).isFalse();
            assertThat(tested(pupil, 0.6)).isFalse();
            assertThat(tested(pupil, 0.4)).isTrue();
        }
    }

    private static boolean tested(Pupil pupil, double unlikeness) {
        Map<String, Object> line = pupil.line();
        line.put("unlikeness", unlikeness);
        return pupil.tested(line, new Scores(new double[] {1, 2}, new int[] {20, 20}), List.of());
    }

    @Test
    void otherDemonstrationsAreNotGoneOnWith() {
        Imitation.Settings settings = settings(0, AfterEnd.MASK);
        TrainingPlan plan = plan(settings, expert(0.4f), Falling::new, 1);
        assertThatExceptionOfType(Killed.class)
                .isThrownBy(() -> begin("run", plan, Backend.processor(), (stage, done, total) -> {
                    if (done == 5 * BLOCK) {
                        throw new Killed();
                    }
                }));
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> resume("run", plan(settings, expert(0.3f), Falling::new, 1), Backend.processor()))
                .withMessageContaining("demos.npz holds other demonstrations");
    }

    @Test
    void lengthsThatDifferAreCautionedOf() {
        Episode whole = expert(0).all().getFirst();
        Episode cut = new Episode(5, new float[6], new float[5], new double[5], Ending.TRUNCATED);
        Episode fallen = new Episode(5, new float[6], new float[5], new double[5], Ending.TERMINATED);
        assertThat(cautions(AfterEnd.ABSORB, whole, whole)).isEmpty();
        assertThat(cautions(AfterEnd.ABSORB, whole, cut))
                .singleElement()
                .asString()
                .contains("from 5 to 20", "none is known to have ended");
        assertThat(cautions(AfterEnd.ABSORB, whole, fallen))
                .singleElement()
                .asString()
                .contains("1 of them ended for good", "absorb");
        assertThat(cautions(AfterEnd.ABSORB, cut, cut))
                .singleElement()
                .asString()
                .contains("at most 5 steps", "of this task 20", "first 5");
        Episode later = new Episode(9, new float[10], new float[9], new double[9], Ending.TERMINATED);
        assertThat(cautions(AfterEnd.MASK, cut, later))
                .hasSize(3)
                .anyMatch(line -> line.contains("from 5 to 9"))
                .anyMatch(line -> line.contains("compared on the first 9"))
                .anyMatch(line -> line.contains("ended for good (1 of 2)") && line.contains("consider"));
    }

    private static List<String> cautions(AfterEnd afterEnd, Episode... episodes) {
        return plan(settings(0, afterEnd), new Episodes(List.of(episodes)), Point::new, 1)
                .lesson()
                .cautions();
    }
}

package dev.revealed.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.imitate.AfterEnd;
import dev.revealed.imitate.Demonstrations;
import dev.revealed.imitate.Imitation;
import dev.revealed.imitate.MlIrl;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
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
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An imitation as a run with its folder, on a task without MuJoCo. */
class ImitationRunTest {
    private static final RunListener QUIET = TrainingRunTest.QUIET;
    private static final int BLOCK = 70; // no multiple of the 20 steps of an episode

    @TempDir
    private Path folder = Path.of("");

    /** The same with a reward of its own. */
    private static final class Paid extends Point.Falling {
        @Override
        protected double pay(double from, double action, double to) {
            return 1e6;
        }
    }

    private static Episodes expert(float place) {
        float[] observations = new float[21];
        Arrays.fill(observations, place);
        return new Episodes(List.of(new Episode(20, observations, new float[20], new double[20], Ending.TRUNCATED)));
    }

    /** An expert whose observations have a standard deviation of 3. */
    private static Episodes swinging() {
        float[] observations = expert(0.4f).all().getFirst().observations();
        for (int t = 0; t < observations.length; t++) {
            observations[t] += t % 2 == 0 ? 3 : -3;
        }
        return new Episodes(List.of(new Episode(20, observations, new float[20], new double[20], Ending.TRUNCATED)));
    }

    private static Imitation.Settings settings(int rollouts, AfterEnd afterEnd) {
        return Imitation.Settings.USUAL
                .with(Map.of("rollouts", rollouts, "after-end", afterEnd, "block", BLOCK, "recent", BLOCK))
                .with(Map.of("reward-hidden", "8,8", "reward-clamp", 10, "loss-scale", 20))
                .with(Map.of("reward-roughness", 0.04, "average-policy", 3));
    }

    private static TrainingPlan plan(
            Imitation.Settings settings, Episodes demonstrations, Supplier<Simulator> simulators, int copies) {
        return new TrainingPlan(
                Environment.of("point", simulators),
                copies,
                Sac.Settings.PAPER.withHidden(8, 8).withBatch(8),
                new Training.Schedule(100, 1, 1000),
                new MlIrl().problem(settings, "revealed", Demonstrations.of("demos.npz", demonstrations)),
                new Timetable(12 * BLOCK, 3 * BLOCK, 1, 3, 2 * BLOCK),
                5);
    }

    private TrainingResult begin(String name, TrainingPlan plan, Backend backend, RunListener listener) {
        RunFolder run = RunFolder.create(folder.resolve(name));
        return TrainingRun.begin(plan, TrainingRunTest.spec(5), run, backend, 2, listener);
    }

    private void resume(String name, TrainingPlan plan, Backend backend) {
        TrainingRun.resume(plan, RunFolder.resume(folder.resolve(name)), backend, 2, words -> {}, QUIET);
    }

    private void assertSame(String name, String other) {
        RunBytes.assertSame(folder.resolve(name), folder.resolve(other));
    }

    /** Within a block, at its end, after a checkpoint, with an evaluation under way; with rollouts and with episodes of training. */
    @ParameterizedTest
    @CsvSource({"0, ABSORB, plain", "2, MASK, scaled", "2, SIMULATE, plain"})
    void killedAndResumedEndsTheSame(int rollouts, AfterEnd afterEnd, String inputs) throws IOException {
        Imitation.Settings settings = settings(rollouts, afterEnd).with(Map.of("policy-inputs", inputs));
        Episodes demonstrations = inputs.equals("scaled") ? swinging() : expert(0.4f);
        TrainingPlan plan = plan(settings, demonstrations, Point.Falling::new, 2);
        begin("alone", plan, Backend.processor(), QUIET);
        assertThat(RunBytes.of(folder.resolve("alone")))
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
                    .isThrownBy(() -> begin(name, plan, TrainingRunTest.alongside(), Killed.at(step)));
            resume(name, plan, TrainingRunTest.alongside());
            assertSame(name, "alone");
        }
    }

    @Test
    void theTasksOwnRewardChangesNothingButWhatEvaluationsMeasure() throws IOException {
        Imitation.Settings settings = settings(0, AfterEnd.MASK);
        TrainingResult own =
                begin("own", plan(settings, expert(0.4f), Point.Falling::new, 1), Backend.processor(), QUIET);
        TrainingResult paid = begin("paid", plan(settings, expert(0.4f), Paid::new, 1), Backend.processor(), QUIET);
        for (String file : List.of("policy.safetensors", "chosen.safetensors", "reward.safetensors")) {
            assertThat(folder.resolve("paid").resolve(file))
                    .hasSameBinaryContentAs(folder.resolve("own").resolve(file));
        }
        assertThat(paid.last().lengths()).isEqualTo(own.last().lengths());
        assertThat(paid.meanReturn()).isNotEqualTo(own.meanReturn());
        assertThat(Json.fields(paid))
                .containsEntry("chosenStep", Json.fields(own).get("chosenStep"));
    }

    /** By hand: 12 blocks of training; for each of them 2 rollouts, which last 20 steps where no fall ends them. */
    @Test
    void everyStepIsCountedWhereItBelongs() throws IOException {
        TrainingResult result = begin(
                "run",
                plan(settings(2, AfterEnd.SIMULATE), expert(0.4f), Point.Falling::new, 1),
                Backend.processor(),
                QUIET);
        Map<String, Object> fields = Json.fields(result);
        assertThat(number(fields, "iterations")).isEqualTo(12);
        assertThat(result.work().steps()).isEqualTo(12 * BLOCK);
        assertThat(result.countedSteps()).isEqualTo(12 * BLOCK + 12 * 2 * 20);
        assertThat(result.last().returns()).hasSize(3); // the last evaluation is larger than those on the way
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
        int lastTest = Arrays.stream(result.last().lengths()).sum();
        assertThat(last.get("evaluationSteps")).isEqualTo(tested + lastTest);
        assertThat(number(fields, "evaluationSteps")).isGreaterThan(tested + lastTest); // and that of the chosen one
        assertThat(last.get("likelihoodGap")).isEqualTo(fields.get("likelihoodGap"));
        assertThat(last.keySet().stream().map(String::valueOf))
                .contains("expertReward", "agentReward", "featureDistance", "agentLength", "entropy", "trueReturn");
    }

    /** One episode of an evaluation on the way. */
    private static int length(Map<?, ?> line) {
        return ((Number) Objects.requireNonNull(line.get("trueLength"))).intValue();
    }

    @Test
    void theChosenPolicyIsTheLeastUnlike() throws IOException {
        TrainingPlan plan = plan(settings(0, AfterEnd.ABSORB), expert(0.4f), Point.Falling::new, 1);
        TrainingResult result = begin("run", plan, Backend.processor(), QUIET);
        Map<String, Object> least = result.details().marks().stream()
                .map(Json::fields)
                .min(Comparator.comparingDouble(mark -> number(mark, "unlikeness")))
                .orElseThrow();
        assertThat(number(Json.fields(result), "chosenStep")).isEqualTo(number(least, "step"));
        List<Double> alone = new ArrayList<>(); // what the guide says, worked out from the other columns
        for (String text : Files.readAllLines(folder.resolve("run/metrics.jsonl"))) {
            Map<?, ?> line = Json.read(text, Map.class);
            alone.add(number(line, "featureDistance") + Math.abs(1 - number(line, "agentLength")));
            double last = alone.subList(Math.max(0, alone.size() - 3), alone.size()).stream()
                    .mapToDouble(each -> each)
                    .average()
                    .orElseThrow();
            assertThat(number(line, "unlikeness")).isCloseTo(last, within(1e-12));
        }
        assertThat(alone).hasSizeGreaterThan(3).doesNotHaveDuplicates();
        Map<String, String> notes =
                Safetensors.read(folder.resolve("run/reward.safetensors")).metadata();
        assertThat(notes)
                .containsEntry("task", "point")
                .containsEntry("reward", "state-action")
                .containsEntry("discount", "0.99")
                .containsEntry("after-end", "absorb");
        assertThat(RewardFile.read(folder.resolve("run")).sac()).isEqualTo(plan.sac());
        assertThat(result.expertReturn()).isZero();
    }

    private static double number(Map<?, ?> line, String name) {
        return ((Number) Objects.requireNonNull(line.get(name))).doubleValue();
    }

    @Test
    void otherDemonstrationsAreNotGoneOnWith() {
        Imitation.Settings settings = settings(0, AfterEnd.MASK);
        TrainingPlan plan = plan(settings, expert(0.4f), Point.Falling::new, 1);
        assertThatExceptionOfType(Killed.class)
                .isThrownBy(() -> begin("run", plan, Backend.processor(), Killed.at(5 * BLOCK)));
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(
                        () -> resume("run", plan(settings, expert(0.3f), Point.Falling::new, 1), Backend.processor()))
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
                .contains("from 5 to 20", "none is known to have terminated");
        assertThat(cautions(AfterEnd.ABSORB, whole, fallen))
                .singleElement()
                .asString()
                .contains("1 of them terminated", "absorb");
        assertThat(cautions(AfterEnd.ABSORB, cut, cut))
                .singleElement()
                .asString()
                .contains("at most 5 steps", "of this task 20", "first 5");
        Episode later = new Episode(9, new float[10], new float[9], new double[9], Ending.TERMINATED);
        assertThat(cautions(AfterEnd.MASK, cut, later))
                .hasSize(2)
                .anyMatch(line -> line.contains("from 5 to 9"))
                .anyMatch(line -> line.contains("compared on the first 9"));
    }

    private static List<String> cautions(AfterEnd afterEnd, Episode... episodes) {
        return plan(settings(0, afterEnd), new Episodes(List.of(episodes)), Point::new, 1)
                .problem()
                .cautions(new Point().space());
    }
}

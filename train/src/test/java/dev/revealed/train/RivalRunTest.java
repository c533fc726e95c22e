package dev.revealed.train;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.revealed.imitate.Demonstrations;
import dev.revealed.imitate.ImitationMethod;
import dev.revealed.imitate.LearningProblem;
import dev.revealed.imitate.Preset;
import dev.revealed.imitate.rivals.OfflineIqLearn;
import dev.revealed.imitate.world.OfflineData;
import dev.revealed.imitate.world.OfflineMlIrl;
import dev.revealed.imitate.world.TransitionRows;
import dev.revealed.imitate.world.WorldTraining;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.DivergenceFailure;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.numeric.RandomStream;
import dev.revealed.runs.Json;
import dev.revealed.runs.RunFolder;
import dev.revealed.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every method that acts, as a run with its folder, on a task without MuJoCo. */
class RivalRunTest {
    private static final RunListener QUIET = TrainingRunTest.QUIET;
    private static final int BLOCK = 70; // no multiple of the 20 steps of an episode

    /** Those without a reward to recover. */
    private static final List<String> WITHOUT_REWARD = List.of("sqil");

    @TempDir
    private Path folder = Path.of("");

    static Stream<String> methods() {
        return ImitationMethod.all().stream().filter(ImitationMethod::acts).map(ImitationMethod::name);
    }

    private static Episodes expert() {
        float[] observations = new float[21];
        Arrays.fill(observations, 0.4f);
        return new Episodes(List.of(new Episode(20, observations, new float[20], new double[20], Ending.TRUNCATED)));
    }

    private static <S extends Record> LearningProblem problem(ImitationMethod<S> method) {
        S usual = method.preset(Preset.REVEALED, new Point().space());
        Map<String, Object> small = new TreeMap<>(Map.of("block", BLOCK, "recent", BLOCK, "average-policy", 3));
        small.putAll(Map.of("reward-hidden", "8,8", "discriminator-updates", 5, "discriminator-batch", 16));
        small.putAll(Map.of("shaping-hidden", "8,8", "classifier-hidden", "8,8", "reward-updates", 5));
        small.putAll(Map.of("rollout-batch", 40, "rollout-length", 3, "window", 10));
        if (method.needsWorld()) {
            small.put("rollouts", 4);
        }
        S settings = Settings.of(usual).with(usual, small);
        Demonstrations demonstrations = Demonstrations.of("demos.npz", expert());
        return method.needsWorld()
                ? method.problem(settings, "revealed", demonstrations, world())
                : method.problem(settings, "revealed", demonstrations);
    }

    /** Learnt from random moves of the point. */
    static OfflineData world() {
        RandomStream stream = RandomStream.of(8);
        List<Episode> episodes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            float[] seen = new float[21];
            float[] acts = new float[20];
            seen[0] = (float) stream.nextDouble(-1, 1);
            for (int t = 0; t < 20; t++) {
                acts[t] = (float) stream.nextDouble(-1, 1);
                seen[t + 1] = seen[t] + 0.1f * acts[t];
            }
            episodes.add(new Episode(20, seen, acts, null, Ending.TRUNCATED));
        }
        TransitionRows log = TransitionRows.of(new Episodes(episodes));
        WorldTraining training = new WorldTraining(
                new WorldTraining.Settings(2, 2, new int[] {8, 8}, 3, 3, 0.1, 0.25, 32, 3e-3, 0), log, false, stream);
        while (!training.finished()) {
            training.epoch();
        }
        return new OfflineData(training.world(), Optional.of((seen, at) -> Math.abs(seen[at]) > 1.2), log);
    }

    /** A point whose own reward is anything. */
    private static final class Misleading extends Point {
        @Override
        protected double pay(double from, double action, double to) {
            return 1e6;
        }
    }

    /** As the plan's point, but every step pays NaN: whatever computes with it becomes NaN. */
    private static final class Unpaid extends Point.Falling {
        @Override
        protected double pay(double from, double action, double to) {
            return Double.NaN;
        }
    }

    /** A world that is learnt in and never evaluated in: returns of evaluations must be numbers. */
    private static Environment unevaluated(Supplier<Simulator> simulators) {
        return new Environment("point", Map.of(), simulators, false, Optional.empty());
    }

    /** In a simulator that pays NaN every method learns the same policy and reward: none reads the task's own reward. */
    @ParameterizedTest
    @MethodSource("methods")
    void theTasksOwnRewardIsNeverLearntFrom(String method) throws IOException {
        TrainingPlan plan = plan(ImitationMethod.named(method));
        begin("paid", in(unevaluated(Point.Falling::new), plan), 2, QUIET);
        begin("unpaid", in(unevaluated(Unpaid::new), plan), 2, QUIET);
        Map<String, byte[]> paid = learnt("paid");
        assertThat(paid)
                .containsKeys("policy.safetensors", "chosen.safetensors", "metrics.jsonl")
                .hasSize(WITHOUT_REWARD.contains(method) ? 5 : 8);
        RunBytes.assertSame(learnt("unpaid"), paid);
    }

    /** Every byte of a run except the simulator's own reward: it is in the stored transitions and in a field of the metrics. */
    private Map<String, byte[]> learnt(String name) {
        Map<String, byte[]> files = RunBytes.of(folder.resolve(name));
        files.keySet().removeIf(file -> file.startsWith("checkpoint"));
        files.computeIfPresent(
                "metrics.jsonl",
                (file, bytes) -> new String(bytes, UTF_8)
                        .replaceAll("\"episodeTrueReturn\":[^,]*,", "")
                        .getBytes(UTF_8));
        return files;
    }

    /** Policies trained on the task's own reward fail there, which shows that it is there to be read. */
    @Test
    void aLearnerOfTheTasksOwnRewardFailsOnIt() throws IOException {
        TrainingPlan plan = plan(new OfflineIqLearn());
        TrainingPlan expert = new TrainingPlan(
                unevaluated(Unpaid::new),
                1,
                plan.sac(),
                plan.schedule(),
                SacProblem.expert(),
                plan.timetable(),
                plan.seed());
        assertThatExceptionOfType(DivergenceFailure.class).isThrownBy(() -> begin("expert", expert, 2, QUIET));
    }

    static Stream<ImitationMethod<?>> offline() {
        return Stream.of(new OfflineMlIrl(), new OfflineIqLearn());
    }

    /** Offline, the simulator is only evaluated in: with another reward, or without any, policy and reward are the same. */
    @ParameterizedTest
    @MethodSource("offline")
    void offlineNothingComesFromTheSimulator(ImitationMethod<?> method) throws IOException {
        TrainingPlan plan = plan(method);
        begin("true", plan, 2, QUIET);
        List<Environment> others =
                List.of(Environment.of("point", Misleading::new), Environment.recorded(new Point().space()));
        for (int i = 0; i < others.size(); i++) {
            begin("other-" + i, in(others.get(i), plan), 2, QUIET);
            for (String file : List.of("policy.safetensors", "chosen.safetensors", "reward.safetensors")) {
                assertThat(RunBytes.of(folder.resolve("other-" + i)).get(file))
                        .as(file)
                        .isEqualTo(RunBytes.of(folder.resolve("true")).get(file));
            }
        }
    }

    /** Rows of the expert have actions, which a reward of states has no use for. */
    @Test
    void thatNothingIsClonedIsSaid() {
        OfflineMlIrl method = new OfflineMlIrl();
        Simulator.Space space = new Point().space();
        OfflineMlIrl.Settings usual = method.preset(Preset.REVEALED, space);
        Sac.Settings usualSac = method.sac(Preset.REVEALED, space);
        Demonstrations demonstrations = Demonstrations.of("demos.npz", expert());
        OfflineData world = world();
        Map<Map<String, Object>, String> whys = Map.of(
                Map.of("reward", "state"), "the reward is of states alone",
                Map.of("expert-rows", 0), "`expert-rows` is 0");
        whys.forEach((changed, why) -> {
            OfflineMlIrl.Settings settings = Settings.of(usual).with(usual, changed);
            assertThat(method.problem(settings, "revealed", demonstrations, world)
                            .cautions(space, usualSac))
                    .anyMatch(each -> each.startsWith("`cloning` has no effect, because " + why)
                            && each.contains("`actor-learning-rate` 6e-5 with `actor-every` 2"));
            Sac.Settings slow = usualSac.with(Map.of("actor-learning-rate", 6e-5, "actor-every", 2));
            assertThat(method.problem(settings, "revealed", demonstrations, world)
                            .cautions(space, slow))
                    .noneMatch(each -> each.contains("`cloning`"));
        });
        for (Map<String, Object> changed :
                List.<Map<String, Object>>of(Map.of(), Map.of("cloning", 0, "reward", "state"))) {
            OfflineMlIrl.Settings settings = Settings.of(usual).with(usual, changed);
            assertThat(method.problem(settings, "revealed", demonstrations, world)
                            .cautions(space, usualSac))
                    .noneMatch(each -> each.contains("`cloning`"));
        }
    }

    /** A run of 100 random steps makes its first update in the step after them. */
    @Test
    void aRunWithoutUpdatesIsWarnedOf() throws IOException {
        TrainingPlan plan = plan(new OfflineIqLearn());
        assertThat(lasting(100, plan).cautions())
                .anyMatch(each -> each.startsWith("`random-steps` is 100, and the run has 100 steps in all"));
        assertThat(lasting(101, plan).cautions()).noneMatch(each -> each.contains("random-steps"));
        TrainingPlan tooShort = lasting(BLOCK, plan);
        assertThat(tooShort.cautions()).anyMatch(each -> each.contains("it ends before its first update"));
        assertThat(begin("short", tooShort, 1, QUIET).work().updates()).isZero();
        TrainingPlan enough = lasting(2 * BLOCK, plan);
        assertThat(begin("enough", enough, 1, QUIET).work().updates()).isPositive();
    }

    private static TrainingPlan lasting(long steps, TrainingPlan plan) {
        return new TrainingPlan(
                plan.environment(),
                plan.environments(),
                plan.sac(),
                plan.schedule(),
                plan.problem(),
                new Timetable(steps, steps, 1, 1, steps),
                plan.seed());
    }

    @Test
    void aResultWithoutEvaluationsIsReadAgain() throws IOException {
        TrainingPlan plan = plan(new OfflineIqLearn());
        TrainingPlan recorded = in(Environment.recorded(new Point().space()), plan);
        TrainingResult result = begin("recorded", recorded, 1, QUIET);
        assertThat(result.meanReturn()).isNaN();
        assertThat(recorded.cautions()).anyMatch(each -> each.startsWith("no task is named"));
        Files.writeString(folder.resolve("recorded").resolve("result.json"), Json.write(result));
        assertThat(Json.write(TrainingResult.read(folder.resolve("recorded")))).isEqualTo(Json.write(result));
    }

    private static <S extends Record> TrainingPlan plan(ImitationMethod<S> method) {
        Sac.Settings usual = method.sac(Preset.REVEALED, new Point().space());
        return new TrainingPlan(
                Environment.of("point", Point.Falling::new),
                2,
                usual.with(Map.of("hidden", "8,8", "batch", 8)),
                new Training.Schedule(100, 1, 1000),
                problem(method),
                new Timetable(12 * BLOCK, 3 * BLOCK, 1, 3, 2 * BLOCK),
                5);
    }

    /** The same plan elsewhere. */
    private static TrainingPlan in(Environment environment, TrainingPlan plan) {
        return new TrainingPlan(
                environment,
                plan.environments(),
                plan.sac(),
                plan.schedule(),
                plan.problem(),
                plan.timetable(),
                plan.seed());
    }

    private TrainingResult begin(String name, TrainingPlan plan, int threads, RunListener listener) {
        RunFolder run = RunFolder.create(folder.resolve(name));
        return TrainingRun.begin(plan, TrainingRunTest.spec(5), run, Backend.processor(), threads, listener);
    }

    private void assertSame(String name, String other) {
        RunBytes.assertSame(folder.resolve(name), folder.resolve(other));
    }

    /** Within a block, after a checkpoint and an evaluation, and at the end; on one thread or two. */
    @ParameterizedTest
    @MethodSource("methods")
    void killedAndResumedEndsTheSame(String method) throws IOException {
        TrainingPlan plan = plan(ImitationMethod.named(method));
        TrainingResult result = begin("alone", plan, 2, QUIET);
        assertThat(RunBytes.of(folder.resolve("alone")).containsKey("reward.safetensors"))
                .isEqualTo(!WITHOUT_REWARD.contains(method));
        begin("one-thread", plan, 1, QUIET);
        assertSame("one-thread", "alone");
        for (long step : new long[] {3 * BLOCK + 1, 6 * BLOCK + 1, 12 * BLOCK}) {
            String name = "killed-" + step;
            assertThatExceptionOfType(Killed.class).isThrownBy(() -> begin(name, plan, 2, Killed.at(step)));
            TrainingRun.resume(
                    plan, RunFolder.resume(folder.resolve(name)), Backend.processor(), 2, words -> {}, QUIET);
            assertSame(name, "alone");
        }
        Files.writeString(folder.resolve("alone").resolve("result.json"), Json.write(result));
        assertThat(Json.write(TrainingResult.read(folder.resolve("alone")))).isEqualTo(Json.write(result));
        if (!WITHOUT_REWARD.contains(method)) {
            RewardFile reward = RewardFile.read(folder.resolve("alone"));
            assertThat(reward.sac()).isEqualTo(plan.sac());
            assertThat(reward.model(new Point().space()).plain().parameters()).doesNotContain(Float.NaN);
        }
    }
}

package dev.revealed.api;

import static dev.revealed.api.RewardEstimationTest.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Dynamics;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;
import dev.revealed.runs.RunFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImitationRunTest {
    @TempDir
    private Path folder;

    /** A point on a line that the action moves; it is paid for being near 1, which nobody tells the learner. */
    private static Simulator line(Runnable stepped) {
        Dynamics dynamics = new Dynamics() {
            @Override
            public double[] start(RandomStream random) {
                return new double[] {random.nextDouble(-1, 1)};
            }

            @Override
            public void step(double[] state, float[] action) {
                stepped.run();
                state[0] = Math.clamp(state[0] + 0.2 * action[0], -2, 2);
            }

            @Override
            public double reward(double[] state, float[] action) {
                return -Math.abs(state[0] - 1);
            }
        };
        return dynamics.simulator("line", new Simulator.Actions.Box(1, 1), 20);
    }

    private static final Policy EXPERT = seen -> new float[] {Math.clamp(5 * (1 - seen[0]), -1, 1)};

    private static List<Episode> shown(long seed) {
        try (Simulator line = line(() -> {})) {
            return List.of(EXPERT.play(line, seed), EXPERT.play(line, seed + 1));
        }
    }

    private static ImitationRun run(Supplier<Simulator> simulators) {
        return ImitationRun.on(simulators)
                .demonstrations(shown(1))
                .set("iterations", 6)
                .set("block", 100)
                .set("recent", 200)
                .set("random-steps", 150)
                .set("hidden", "8,8")
                .set("reward-hidden", new int[] {8, 8})
                .set("batch", 16)
                .set("evaluate-every", 2)
                .set("checkpoint-every", 2)
                .set("episodes", 4)
                .threads(2);
    }

    private static ImitationRun run() {
        return run(() -> line(() -> {}));
    }

    @Test
    void anInterruptedRunGoesOnToTheSameNumbers() {
        ImitationResult whole = run().runIn(folder.resolve("whole"));
        assertThat(whole.evaluations()).extracting(EvaluationResult::step).containsExactly(200L, 400L, 600L);
        AtomicInteger left = new AtomicInteger(700); // steps of learning and of evaluations until the power fails
        ImitationRun failing = run(() -> line(() -> {
            if (left.getAndDecrement() <= 0) {
                throw new IllegalStateException("the power failed");
            }
        }));
        Path broken = folder.resolve("broken");
        assertThatIllegalStateException().isThrownBy(() -> failing.runIn(broken));
        assertThat(broken.resolve(RunFiles.CHECKPOINT)).isNotEmptyDirectory();
        assertThat(broken.resolve(RunFiles.RESULT)).doesNotExist();
        left.set(Integer.MAX_VALUE);
        ImitationResult resumed = failing.runIn(broken);
        assertThat(resumed.evaluations()).isEqualTo(whole.evaluations());
        float[] seen = {0.3f};
        assertThat(resumed.policy().act(seen)).containsExactly(whole.policy().act(seen));
        assertThat(resumed.reward().of(seen, new float[] {1}))
                .isEqualTo(whole.reward().of(seen, new float[] {1}));
        assertThat(failing.runIn(broken)).isEqualTo(resumed); // it is finished: even its seconds are those of before
    }

    @Test
    void printsItsEvaluations() {
        ImitationResult result = run().set("iterations", 2).runIn(folder);
        assertThat(result.toString())
                .startsWith("Imitation on line by ml-irl, in ")
                .containsPattern("(?m)^ +step +mean return +std err$")
                .containsPattern("(?m)^ +200 +-?\\d+\\.\\d{3} +\\d+\\.\\d{3}$")
                .containsPattern("Mean return of the demonstrations: -\\d");
        assertThat(result.expertReturn()).isCloseTo(expertReturn(), within(1e-9));
    }

    private static double expertReturn() {
        return shown(1).stream().mapToDouble(Episode::total).average().orElseThrow();
    }

    @Test
    void clonesBehaviour() {
        ImitationResult result = ImitationRun.on(() -> line(() -> {}))
                .demonstrations(shown(1))
                .method("bc")
                .set("iterations", 2_000)
                .set("hidden", "16,16")
                .set("episodes", 4)
                .runIn(folder);
        assertThat(result.meanReturn()).isCloseTo(result.expertReturn(), within(3.0));
        refuses(result::reward, "bc recovers none", "ml-irl");
    }

    @Test
    void aFolderBelongsToOneRun() {
        run().set("iterations", 2).runIn(folder);
        refuses(
                () -> run().set("iterations", 2)
                        .set("reward-learning-rate", 0.5)
                        .runIn(folder),
                "`reward-learning-rate` is 0.5",
                "another folder");
        refuses(
                () -> run().set("iterations", 2).demonstrations(shown(5)).runIn(folder),
                "other demonstrations",
                "another folder");
    }

    @Test
    void saysWhatIsMissingOrMisspelt() {
        refuses(() -> ImitationRun.on(() -> line(() -> {})).runIn(folder), "no demonstrations", "demonstrations(...)");
        refuses(() -> run().set("iteration", 3).runIn(folder), "no setting 'iteration'", "Did you mean 'iterations'?");
        refuses(() -> run().set("block", "many").runIn(folder), "`block` is 'many'", "whole number");
        refuses(() -> run().method("dagger"), "'dagger'", "ml-irl, bc, gail");
        Simulator one = line(() -> {});
        refuses(() -> run(() -> one).runIn(folder), "same simulator twice", "new one at every call");
        Policy wide = seen -> new float[3];
        refuses(() -> wide.play(one, 1), "gives 3 numbers", "one number for each");
        assertThat(folder).isEmptyDirectory();
    }
}

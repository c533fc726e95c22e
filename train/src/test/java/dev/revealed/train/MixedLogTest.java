package dev.revealed.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.runs.Json;
import dev.revealed.runs.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MixedLogTest {
    @TempDir
    private Path folder = Path.of("");

    /** A point's episodes have 20 steps, of which each moves it by a tenth of the action. */
    @Test
    void replaysAreTheEpisodesThatWerePlayed() throws IOException {
        TrainingPlan plan = new TrainingPlan(
                Environment.of("point", Point::new),
                1,
                Sac.Settings.PAPER.with(Map.of("hidden", "8,8", "batch", 8)),
                new Training.Schedule(50, 1, 1000),
                SacProblem.expert(),
                new Timetable(130, 65, 1, 3, 65),
                5);
        Path run = folder.resolve("run");
        TrainingResult result = TrainingRun.begin(
                plan, TrainingRunTest.spec(5), RunFolder.create(run), Backend.processor(), 1, TrainingRunTest.QUIET);
        Files.writeString(run.resolve("result.json"), Json.write(result));
        Episodes log = MixedLog.replay(run, 65, new Point().space());
        assertThat(log.all()).extracting(Episode::length).containsExactly(20, 20, 20, 5);
        for (Episode one : log.all()) {
            float[] actions = Objects.requireNonNull(one.actions());
            for (int t = 0; t < one.length(); t++) {
                float moved = one.observations()[t + 1] - one.observations()[t];
                assertThat(moved).isCloseTo(0.1f * actions[t], within(1e-5f));
            }
        }
        double first = result.curve().getFirst().meanReturn();
        assertThat(MixedLog.medium(run, first * 0.4).step()).isEqualTo(65); // returns are negative: never too good
    }
}

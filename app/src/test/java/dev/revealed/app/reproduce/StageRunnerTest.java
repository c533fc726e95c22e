package dev.revealed.app.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.app.Device;
import dev.revealed.app.MujocoHere;
import dev.revealed.data.EpisodeFiles;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.studies.tables.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stages of a table, begun, interrupted and gone on with. */
class StageRunnerTest {
    @TempDir
    private Path folder = Path.of("");

    private final List<String> notices = new ArrayList<>();

    @Test
    void whatIsMissingIsMadeAndWhatIsThereIsLeft() throws IOException {
        MujocoHere.assume();
        Path top = folder.resolve("table");
        Path demos = folder.resolve("demos.npz");
        EpisodeFiles.write(demos, new Episodes(List.of(episode())));
        Stage stage = new Stage(
                "cloned",
                "imitate",
                Map.of("method", "bc", "task", "hopper", "demos", demos.toString(), "iterations", "2"),
                List.of(Map.of("seed", "1", "method", "bc"), Map.of("seed", "2", "method", "bc")));
        assertThat(stage.state(top)).isEqualTo(Stage.State.MISSING);
        StageRunner runner = new StageRunner(top, Device.CUDA, 1, 1, notices::add);
        runner.run(List.of(stage));
        assertThat(stage.state(top)).isEqualTo(Stage.State.FINISHED);
        assertThat(stage.onDevice()).isFalse();
        assertThat(notices).hasSize(1).first().asString().doesNotContain("cuda");
        Path second = top.resolve(stage.member(1));
        byte[] policy = Files.readAllBytes(second.resolve("policy.safetensors"));

        runner.run(List.of(stage));
        assertThat(notices).hasSize(1);

        Files.delete(top.resolve("cloned/result.json"));
        Files.delete(second.resolve("result.json"));
        Files.delete(second.resolve("policy.safetensors"));
        assertThat(stage.state(top)).isEqualTo(Stage.State.INTERRUPTED);
        runner.run(List.of(stage));
        assertThat(notices).hasSize(2).last().asString().contains("--resume");
        assertThat(second.resolve("policy.safetensors")).hasBinaryContent(policy);
    }

    @Test
    void whatTrainsNothingBeginsAgain() throws IOException {
        Stage stage = Stage.of(
                "certified",
                "certify",
                Map.of("trajectories", "100", "discount", "0.9", "reward-range", "2", "actions", "5"));
        StageRunner runner = new StageRunner(folder, Device.CPU, null, 1, notices::add);
        runner.run(List.of(stage));
        Path result = folder.resolve("certified/result.json");
        String before = Files.readString(result);
        Files.delete(result);
        Files.writeString(folder.resolve("certified/half.npz"), "of the interrupted command");
        assertThat(stage.state(folder)).isEqualTo(Stage.State.INTERRUPTED);
        runner.run(List.of(stage));
        assertThat(result).hasContent(before);
        assertThat(folder.resolve("certified/half.npz")).doesNotExist();
        assertThat(notices).hasSize(2);
    }

    @Test
    void aStageThatFailsStopsTheOthers() {
        Stage bad = Stage.of(
                "bad", "evaluate", Map.of("policy", folder.resolve("nothing").toString()));
        StageRunner runner = new StageRunner(folder, Device.CPU, null, 1, notices::add);
        assertThatThrownBy(() -> runner.run(List.of(bad, bad)))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("did not finish");
        assertThat(notices).hasSize(1);
    }

    static Episode episode() {
        RandomStream random = RandomStream.of(1);
        float[] observations = new float[21 * 11];
        float[] actions = new float[20 * 3];
        for (int i = 0; i < observations.length; i++) {
            observations[i] = (float) random.nextDouble(-1, 1);
        }
        for (int i = 0; i < actions.length; i++) {
            actions[i] = (float) random.nextDouble(-1, 1);
        }
        return new Episode(20, observations, actions, new double[20], Episode.Ending.TRUNCATED);
    }
}

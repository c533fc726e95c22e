package dev.revealed.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.data.EpisodeFiles;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.mujoco.Options;
import dev.revealed.mujoco.Task;
import dev.revealed.numeric.BadInput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recorded elsewhere, by others: each begins where its own task does, and where no other of the same sizes does. */
class InitialStatesTest {
    @ParameterizedTest
    @CsvSource({
        "hopper, HOPPER, true",
        "hopper-firl, HOPPER, true",
        "halfcheetah, HALFCHEETAH, true",
        "walker2d, WALKER2D, true",
        "ant, ANT, true",
        "humanoid, HUMANOID, true",
        "halfcheetah, WALKER2D, false",
        "walker2d, HALFCHEETAH, false"
    })
    void demonstrationsBeginWhereTheirTaskDoes(String demos, Task task, boolean own) {
        Path file = Path.of("..", "..", "shared", "demos", demos + ".npz");
        Assumptions.assumeTrue(Files.exists(file), "SKIPPED: there is no " + file);
        Episodes episodes = EpisodeFiles.read(file);
        try (Simulator simulator = simulator(task)) {
            Optional<String> caution = InitialStates.caution(episodes, simulator);
            assertThat(caution.isEmpty()).as(caution.toString()).isEqualTo(own);
        }
    }

    /** Skips, loudly, where MuJoCo is not installed; in CI it must be. */
    private static Simulator simulator(Task task) {
        try {
            return task.simulator(Options.STANDARD);
        } catch (BadInput e) {
            if (!"true".equals(System.getenv("CI"))) {
                System.err.println("SKIPPED: " + e.getMessage());
                Assumptions.abort(String.valueOf(e.getMessage()));
            }
            throw e;
        }
    }
}

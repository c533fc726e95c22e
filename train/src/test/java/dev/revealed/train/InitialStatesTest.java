package dev.revealed.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.data.EpisodeFiles;
import dev.revealed.mdp.Dynamics;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.mujoco.Options;
import dev.revealed.mujoco.Task;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recorded elsewhere, by others: each begins where its own task does, and where no other of the same sizes does. */
class InitialStatesTest {
    @ParameterizedTest
    @CsvSource({
        "hopper, HOPPER, true",
        "hopper-firl, HOPPER, true",
        "halfcheetah, HALFCHEETAH, true",
        "halfcheetah-strong, HALFCHEETAH, true",
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

    /** One dimension, which episodes begin from -1 to 1; two numbers are seen, the second always 5 at first. */
    private static final Dynamics LINE = new Dynamics() {
        @Override
        public double[] start(RandomStream chance) {
            return new double[] {chance.nextDouble(-1, 1), 5};
        }

        @Override
        public void step(double[] state, float[] action) {
            state[0] += 0.01 * action[0];
        }
    };

    private static Optional<String> caution(float... firsts) {
        List<Episode> episodes = new ArrayList<>();
        for (float first : firsts) {
            episodes.add(episode(first, 5, first + 0.5f, 5));
        }
        return InitialStates.caution(new Episodes(episodes), line());
    }

    private static Simulator line() {
        return LINE.simulator("line", new Simulator.Actions.Box(1, 1), 50);
    }

    private static Episode episode(float... observations) {
        int length = observations.length / 2 - 1;
        return new Episode(length, observations, new float[length], null, Episode.Ending.TRUNCATED);
    }

    /** The range is from about -1 to 1, so that 2.7 is within its width of it and 3.2 is not. */
    @Test
    void eachThatBeginsElsewhereIsNamedAndTheFarthestShown() {
        assertThat(caution(0, 0.9f, -0.9f, 2.7f)).isEmpty();
        assertThat(caution(0.1f, 3.2f, -0.2f, 9, 0.3f))
                .hasValueSatisfying(words -> assertThat(words)
                        .contains(
                                "2 of 5 demonstrations begin elsewhere than episodes of line do: 1, 3, counted from 0")
                        .contains("The farthest is 3, where observation 0 is 9.000; episodes begin from -0.9")
                        .doesNotContain("pieces"));
        assertThat(InitialStates.caution(new Episodes(List.of(episode(0, 5, 0, 5), episode(0, 5.1f, 0, 5))), line()))
                .as("an observation that is always the same at first")
                .hasValueSatisfying(
                        words -> assertThat(words).contains("The farthest is 1, where observation 1 is 5.1"));
        float[] many = new float[30];
        Arrays.fill(many, 7);
        assertThat(caution(many)).hasValueSatisfying(words -> assertThat(words).contains("8, 9 and 20 more"));
    }

    /** What lies outside by a little is no sign of anything by itself. */
    @Test
    void aPieceIsKnownByWhereTheOneBeforeStopped() {
        Episode first = episode(0, 5, 0.7f, 5, 1.5f, 5);
        assertThat(InitialStates.caution(new Episodes(List.of(first, episode(1.5f, 5, 1, 5))), line()))
                .hasValueSatisfying(words -> assertThat(words)
                        .contains("1 of 2 demonstrations")
                        .contains("Demonstration 1 begins where the one before stopped"));
        assertThat(InitialStates.caution(new Episodes(List.of(first, episode(1.6f, 5, 1, 5))), line()))
                .isEmpty();
    }

    @Test
    void demonstrationsWithAColumnTooManyAreRefused() {
        Episode wide = new Episode(1, new float[6], new float[1], null, Episode.Ending.TRUNCATED);
        assertThatThrownBy(() -> InitialStates.caution(new Episodes(List.of(wide)), line()))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("observations have 3 columns where line needs 2");
    }

    /** Every episode cut in two, and one of ten. */
    @ParameterizedTest
    @CsvSource({"hopper, HOPPER", "halfcheetah, HALFCHEETAH", "walker2d, WALKER2D", "ant, ANT", "humanoid, HUMANOID"})
    void piecesOfRecordedEpisodesAreFound(String demos, Task task) {
        Path file = Path.of("..", "..", "shared", "demos", demos + ".npz");
        Assumptions.assumeTrue(Files.exists(file), "SKIPPED: there is no " + file);
        List<Episode> whole = EpisodeFiles.read(file).all();
        List<Episode> cut = new ArrayList<>();
        for (int i = 0; i < whole.size(); i++) {
            if (i == 1) {
                cut.add(part(whole.get(i), 0, 300));
                cut.add(part(whole.get(i), 300, whole.get(i).length()));
            } else {
                cut.add(part(whole.get(i), 0, whole.get(i).length()));
            }
        }
        try (Simulator simulator = simulator(task)) {
            assertThat(InitialStates.caution(new Episodes(cut), simulator))
                    .hasValueSatisfying(words -> assertThat(words)
                            .contains("1 of %d demonstrations".formatted(cut.size()))
                            .contains("The farthest is 2,")
                            .contains("Demonstration 2 begins where the one before stopped"));
        }
    }

    private static Episode part(Episode of, int from, int to) {
        int width = of.observationSize();
        return new Episode(
                to - from,
                Arrays.copyOfRange(of.observations(), from * width, (to + 1) * width),
                null,
                null,
                Episode.Ending.TRUNCATED);
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

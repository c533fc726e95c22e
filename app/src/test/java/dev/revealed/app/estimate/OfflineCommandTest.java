package dev.revealed.app.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.app.Cli;
import dev.revealed.runs.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log of moves in the place of a kernel. */
class OfflineCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    /** Two states in turn; action 1 has a reward in each, taken in 3 of 4 decisions and in 1 of 4. */
    @BeforeEach
    void files() throws IOException {
        write("log.csv", "state,action,next\n0,0,1\n0,1,1\n1,0,0\n1,1,0\n1,1,0\n");
        write("features.csv", "state,action,feature,value\n0,1,first,1\n1,1,second,1\n");
        StringBuilder rows = new StringBuilder("trajectory,time,state,action\n");
        int[][] actions = {{1, 1}, {1, 0}, {1, 0}, {0, 0}};
        for (int i = 0; i < 8; i++) {
            rows.append("%d,0,0,%d\n%d,1,1,%d\n%d,2,0,\n".formatted(i, actions[i % 4][0], i, actions[i % 4][1], i));
        }
        write("trajectories.csv", rows.toString());
    }

    /** Where every move is certain, rewards are log odds, as with a kernel. */
    @Test
    void estimatesInTheWorldOfTheLog() throws IOException {
        assertThat(estimate("--caution", "0")).as(cli.err()).isZero();
        List<?> parameters = (List<?>) Objects.requireNonNull(document().get("parameters"));
        assertThat(value(parameters.get(0), "value")).isCloseTo(Math.log(3), within(1e-4));
        assertThat(value(parameters.get(1), "value")).isCloseTo(-Math.log(3), within(1e-4));
        assertThat(value(parameters.get(0), "standardError")).isPositive();
        Map<?, ?> offline = offline();
        assertThat(offline.get("loggedMoves")).isEqualTo(5);
        assertThat(offline.get("unvisitedPairs")).isEqualTo(0);
        assertThat(offline.get("caution")).isEqualTo(0.0);
        assertThat(Files.readString(folder.resolve("out/uncertainty.csv")))
                .startsWith("state,action,visits,uncertainty\n0,0,1")
                .hasLineCount(5);
    }

    /**
     * A penalty on what was logged once, and not on what was logged twice: the agent avoids what it is unsure of, so that the
     * same choices need a larger reward.
     */
    @Test
    void cautionMovesTheReward() {
        assertThat(estimate("--caution", "4", "--bootstrap", "0")).as(cli.err()).isZero();
        List<?> parameters = (List<?>) Objects.requireNonNull(document().get("parameters"));
        // U of one and of two certain moves among two states with prior 1: means (3/4, 1/4) and (5/6, 1/6)
        double once = Math.sqrt((1 - 10.0 / 16) / 3);
        double twice = Math.sqrt((1 - 26.0 / 36) / 4);
        assertThat(value(parameters.get(0), "value")).isCloseTo(Math.log(3), within(1e-4));
        assertThat(value(parameters.get(1), "value")).isCloseTo(-Math.log(3) + 4 * (twice - once), within(1e-4));
    }

    @Test
    void theCautionIsChosenAndWhatWasNeverLoggedIsReported() throws IOException {
        write("log.csv", "state,action,next\n0,0,1\n0,1,1\n1,0,0\n");
        assertThat(estimate("--dynamics", "smoothed", "--actions", "3", "--reference-action", "2"))
                .as(cli.err())
                .isZero();
        assertThat((List<?>) Objects.requireNonNull(offline().get("heldOut"))).hasSize(7);
        assertThat(offline().get("unvisitedPairs")).isEqualTo(3);
        assertThat(Objects.requireNonNull(document().get("warnings")).toString())
                .contains("3 of 6 pairs of state and action were never logged: (0, 2), (1, 1), (1, 2)")
                .contains("the demonstrations choose 1 of these pairs");
    }

    /** Rewards in the log are never read: whatever they are, the same bytes. */
    @Test
    void rewardsInTheLogChangeNothing() throws IOException {
        write("log.csv", "state,action,next,reward\n0,0,1,1\n0,1,1,2\n1,0,0,3\n1,1,0,4\n1,1,0,5\n");
        assertThat(estimate("--out", at("a"))).as(cli.err()).isZero();
        write("log.csv", "state,action,next,reward\n0,0,1,NaN\n0,1,1,NaN\n1,0,0,NaN\n1,1,0,inf\n1,1,0,\n");
        assertThat(estimate("--out", at("b"))).as(cli.err()).isZero();
        for (String file : List.of("estimate.csv", "uncertainty.csv")) {
            assertThat(folder.resolve("a/" + file)).hasSameBinaryContentAs(folder.resolve("b/" + file));
        }
        assertThat(timeless("a")).isEqualTo(timeless("b"));
    }

    private String timeless(String run) throws IOException {
        return Files.readString(folder.resolve(run + "/result.json")).replaceAll("(?m)^.*[sS]econds.*$", "");
    }

    /** The demonstrations may be the log, or part of it; their moves are then drawn together with them. */
    @Test
    void theDemonstrationsMayBeTheLog() {
        assertThat(run("--transitions", at("trajectories.csv"), "--caution", "0"))
                .as(cli.err())
                .isZero();
        assertThat(offline().get("demonstrationsInLog")).isEqualTo(true);
        assertThat(offline().get("loggedMoves")).isEqualTo(16);
        assertThat(run("--transitions", at("log.csv"), "--transitions", at("trajectories.csv")))
                .as(cli.err())
                .isZero();
        assertThat(offline().get("loggedMoves")).isEqualTo(21);
        refuses(
                "is given twice as --transitions",
                "--transitions",
                at("trajectories.csv"),
                "--transitions",
                at("trajectories.csv"));
        refuses("is given twice as --transitions", "--transitions", at("log.csv"), "--transitions", at("./log.csv"));
    }

    @Test
    void badInputIsRefused() throws IOException {
        write("kernel.csv", "state,action,next,probability\n0,0,0,1\n");
        String log = at("log.csv");
        refuses(
                "both a kernel (--mdp) and a log of moves (--transitions)",
                "--transitions",
                log,
                "--mdp",
                at("kernel.csv"));
        refuses("--caution is 'some'", "--transitions", log, "--caution", "some");
        refuses("--caution is -1", "--transitions", log, "--caution", "-1");
        refuses("--prior is 0", "--transitions", log, "--prior", "0");
        refuses("--bootstrap is 3", "--transitions", log, "--bootstrap", "3");
        refuses("--states is 1, but the log numbers them up to 1", "--transitions", log, "--states", "1");
        refuses("--terminal is 5, outside 0..1", "--transitions", log, "--terminal", "5");
        refuses("state 1 is given as terminal, but the log leaves it", "--transitions", log, "--terminal", "1");
        refuses("absent.csv", "--transitions", at("absent.csv"));
        refuses("has no effect without --transitions", "--mdp", at("kernel.csv"), "--caution", "1");
        refuses("--bootstrap has no effect without --transitions", "--mdp", at("kernel.csv"), "--bootstrap", "100");
        write("log.csv", "state,action,next\n0,0,1\n0,1,1\n1,0,1\n1,1,1\n");
        refuses("trajectories.csv, line 4: state is 0, but after state 1", "--transitions", log);
        assertThat(cli.err()).contains("The log has no such move", "--dynamics smoothed");
        write("log.csv", "state,action,next\n0,0,0\n0,1,0\n");
        refuses("trajectories.csv, line 3: state is 1, outside 0..0", "--transitions", log, "--reward", "state");
    }

    private void refuses(String words, String... options) {
        assertThat(run(options)).as(cli.err()).isEqualTo(2);
        assertThat(cli.err()).contains(words);
    }

    private int estimate(String... more) {
        List<String> words = new ArrayList<>(List.of("--transitions", at("log.csv")));
        words.addAll(List.of(more));
        return run(words.toArray(String[]::new));
    }

    private int run(String... options) {
        List<String> words = new ArrayList<>(List.of("estimate", "--discount", "0.9", "--json"));
        words.addAll(List.of("--trajectories", at("trajectories.csv")));
        if (!List.of(options).contains("--bootstrap")) {
            words.addAll(List.of("--bootstrap", "40"));
        }
        if (!List.of(options).contains("--reward")) {
            words.addAll(List.of("--features", at("features.csv")));
        }
        if (!List.of(options).contains("--out")) {
            delete(folder.resolve("out"));
            words.addAll(List.of("--out", at("out")));
        }
        words.addAll(List.of(options));
        return cli.run(words.toArray(String[]::new));
    }

    private static void delete(Path run) {
        try {
            if (Files.exists(run)) {
                try (var files = Files.list(run)) {
                    for (Path file : files.toList()) {
                        Files.delete(file);
                    }
                }
                Files.delete(run);
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private Map<?, ?> document() {
        return Json.read(cli.out(), Map.class);
    }

    private Map<?, ?> offline() {
        return (Map<?, ?>) Objects.requireNonNull(document().get("offline"));
    }

    private static double value(Object parameter, String field) {
        return ((Number) Objects.requireNonNull(((Map<?, ?>) parameter).get(field))).doubleValue();
    }

    private String at(String name) {
        return folder.resolve(name).toString();
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }
}

package dev.revealed.app.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.app.Cli;
import dev.revealed.runs.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shocks whose scale depends on the state, and the value gap, as the commands offer them. */
class ShockScaleCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    /** Two states in turn; action 1 has a reward in each, taken in 3 of 4 decisions and in 1 of 4. */
    @BeforeEach
    void files() throws IOException {
        write("kernel.csv", """
                state,action,next,probability
                0,0,1,1
                0,1,1,1
                1,0,0,1
                1,1,0,1
                """);
        write("features.csv", "state,action,feature,value\n0,1,first,1\n1,1,second,1\n");
        write("scale.csv", "state,scale\n0,0.5\n1,2\n");
        StringBuilder rows = new StringBuilder("trajectory,time,state,action\n");
        int[][] actions = {{1, 1}, {1, 0}, {1, 0}, {0, 0}};
        for (int i = 0; i < 4; i++) {
            rows.append("%d,0,0,%d\n%d,1,1,%d\n%d,2,0,\n".formatted(i, actions[i][0], i, actions[i][1], i));
        }
        write("trajectories.csv", rows.toString());
    }

    /** Rewards are log odds times the scale of their state. */
    @Test
    void estimatesInUnitsOfTheScale() {
        assertThat(estimate("--shock-scale", at("scale.csv"))).as(cli.err()).isZero();
        List<?> parameters = parameters();
        assertThat(value(parameters.get(0))).isCloseTo(0.5 * Math.log(3), within(1e-4));
        assertThat(value(parameters.get(1))).isCloseTo(-2 * Math.log(3), within(1e-4));
        assertThat(estimate()).isZero();
        List<?> plain = parameters();
        assertThat(value(plain.get(0))).isCloseTo(Math.log(3), within(1e-4));
    }

    /** The scales travel with the process that simulate writes. */
    @Test
    void simulateWritesThemAndEstimateReadsThem() throws IOException {
        assertThat(cli.run(
                        "simulate",
                        "--mdp",
                        at("kernel.csv"),
                        "--features",
                        at("features.csv"),
                        "--discount",
                        "0.9",
                        "--parameters",
                        "first=0.5,second=-2",
                        "--shock-scale",
                        at("scale.csv"),
                        "--trajectories",
                        "2000",
                        "--out",
                        at("drawn")))
                .as(cli.err())
                .isZero();
        assertThat(Files.readString(folder.resolve("drawn/shock-scale.csv"))).contains("0,0.5", "1,2.0");
        assertThat(cli.run(
                        "estimate",
                        "--mdp",
                        at("drawn/mdp.npz"),
                        "--trajectories",
                        at("drawn/trajectories.csv"),
                        "--json"))
                .as(cli.err())
                .isZero();
        List<?> parameters = parameters();
        // action 1 has log odds 0.5 / 0.5 and -2 / 2: 30,000 decisions in each state put a standard error near 0.013 on
        // them
        assertThat(value(parameters.get(0))).isCloseTo(0.5, within(0.03));
        assertThat(value(parameters.get(1))).isCloseTo(-2, within(0.12));
    }

    @Test
    void wrongScalesAreRefused() throws IOException {
        write("scale.csv", "state,scale\n0,0.5\n1,-2\n");
        assertThat(estimate("--shock-scale", at("scale.csv"))).isEqualTo(2);
        assertThat(cli.err()).contains("scale.csv, line 3", "scale is -2.0");
        write("scale.csv", "state,scale\n0,0.5\n0,2\n");
        assertThat(estimate("--shock-scale", at("scale.csv"))).isEqualTo(2);
        assertThat(cli.err()).contains("line 3", "state 0 is given again");
        assertThat(cli.run("simulate", "--model", "gridworld", "--shock-scale", at("scale.csv"), "--out", at("x")))
                .isEqualTo(2);
        assertThat(cli.err()).contains("--shock-scale has no effect with --model gridworld");
    }

    /** Lemma 4's gap stands in the document and in the text of a state-only estimate, and in no other. */
    @Test
    void theValueGapIsReportedForStateOnlyRewards() throws IOException {
        write("features.csv", "state,feature,value\n0,first,1\n");
        assertThat(estimate("--ridge", "1")).as(cli.err()).isZero();
        Map<?, ?> gap = (Map<?, ?>)
                Objects.requireNonNull(Json.read(cli.out(), Map.class).get("valueGap"));
        // nothing depends on the action: log 2 less the entropy of 1/4, in every period from now on
        double missed = (Math.log(2) + 0.25 * Math.log(0.25) + 0.75 * Math.log(0.75)) / (1 - 0.9);
        assertThat(((Number) Objects.requireNonNull(gap.get("gap"))).doubleValue())
                .isCloseTo(missed, within(1e-6));
        assertThat(cli.run(
                        "estimate",
                        "--mdp",
                        at("kernel.csv"),
                        "--discount",
                        "0.9",
                        "--trajectories",
                        at("trajectories.csv"),
                        "--out",
                        at("text")))
                .isZero();
        assertThat(cli.out()).contains("Value gap (Lemma 4)", "sampling alone");
        files();
        assertThat(estimate()).isZero();
        assertThat(Json.read(cli.out(), Map.class).get("valueGap")).isNull();
    }

    private int estimate(String... more) {
        List<String> words = new java.util.ArrayList<>(
                List.of("estimate", "--mdp", at("kernel.csv"), "--features", at("features.csv"), "--discount", "0.9"));
        words.addAll(List.of("--trajectories", at("trajectories.csv"), "--json"));
        words.addAll(List.of(more));
        return cli.run(words.toArray(String[]::new));
    }

    private List<?> parameters() {
        return (List<?>) Objects.requireNonNull(Json.read(cli.out(), Map.class).get("parameters"));
    }

    private static double value(Object parameter) {
        return ((Number) Objects.requireNonNull(((Map<?, ?>) parameter).get("value"))).doubleValue();
    }

    private String at(String name) {
        return folder.resolve(name).toString();
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }
}

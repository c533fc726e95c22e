package dev.revealed.app.certify;

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

/** Numbers that certify reads off files, against those counted by hand. */
class CertifyCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    /** Two states, two actions; two features with widths 3 and 1; three trajectories of 2, 3 and 3 decisions. */
    @BeforeEach
    void files() throws IOException {
        write("kernel.csv", """
                state,action,next,probability
                0,0,0,0.7
                0,0,1,0.3
                0,1,0,0.5
                0,1,1,0.5
                1,0,0,0.4
                1,0,1,0.6
                1,1,0,0.2
                1,1,1,0.8
                """);
        write("features.csv", """
                state,action,feature,value
                0,0,wide,-1
                0,1,wide,2
                1,1,narrow,1
                """);
        write("trajectories.csv", """
                trajectory,time,state,action
                a,0,0,0
                a,1,0,1
                a,2,1,
                b,0,0,1
                b,1,1,1
                b,2,1,0
                b,3,0,
                c,0,1,0
                c,1,0,1
                c,2,1,1
                c,3,1,
                """);
    }

    @Test
    void readsWhatTheBoundsNeed() {
        Map<?, ?> document = json("--l1-norm", "2", "--radius", "1.5");
        // the widest reward with |theta|_1 at most 2 puts all of it on the feature of width 3
        assertThat(number(document, "rewardRange")).isCloseTo(6, within(1e-12));
        assertThat(number(document, "discount")).isEqualTo(0.9);
        assertThat(number(document, "actions")).isEqualTo(2);
        Map<?, ?> data = part(document, "data");
        assertThat(number(data, "trajectories")).isEqualTo(3);
        assertThat(number(data, "shortest")).isEqualTo(2);
        assertThat(number(data, "longest")).isEqualTo(3);
        assertThat(number(data, "parameters")).isEqualTo(2);
        assertThat(number(data, "featureWidth")).isEqualTo(3);
        assertThat(number(data, "slope")).isEqualTo(2);
        // rows (0.7, 0.3), (0.5, 0.5) against (0.4, 0.6), (0.2, 0.8): at most 0.5 apart
        Map<?, ?> ergodicity = part(data, "ergodicity");
        assertThat(number(ergodicity, "kappa")).isEqualTo(1);
        assertThat(number(ergodicity, "rho")).isCloseTo(0.5, within(1e-12));
        List<?> bounds = bounds(document);
        // Lemma 1: B sqrt(ln(2/delta) / 2N) with B = 6 / 0.1
        double lemma = 60 * Math.sqrt(Math.log(40) / 6);
        assertThat(number(bounds.getFirst(), "error")).isCloseTo(lemma, within(1e-9));
        // uniform, linear: the first two decisions by Hoeffding for two features, what was cut in full
        double cut = 0.81;
        double linear = 60 * ((1 - cut) * Math.sqrt(Math.log(2 * 2 / 0.05) / 6) + cut);
        assertThat(number(bounds.get(2), "error")).isCloseTo(linear, within(1e-9));
    }

    @Test
    void optionsOverrideWhatWasRead() {
        Map<?, ?> document = json(
                "--reward-range", "1", "--actions", "5", "--horizon", "7", "--l1-norm", "2", "--feature-width", "1");
        assertThat(number(document, "rewardRange")).isEqualTo(1);
        assertThat(number(document, "actions")).isEqualTo(5);
        double linear = 20 * ((1 - Math.pow(0.9, 7)) * Math.sqrt(Math.log(80) / 6) + Math.pow(0.9, 7));
        assertThat(number(bounds(document).get(2), "error")).isCloseTo(linear, within(1e-9));
        assertThat(cli.out()).contains("cut at 7 decisions");
    }

    /** Without a norm the reward is estimated, and the caveat said. */
    @Test
    void estimatesTheRangeWhereNothingBoundsIt() {
        Map<?, ?> document = json();
        assertThat(number(document, "rewardRange")).isPositive();
        assertThat(part(document, "data").get("rewardRangeFrom")).isEqualTo("the estimated reward");
        assertThat(cli.out()).contains("fixed before the data were seen");
    }

    @Test
    void saysWhatIsMissing() {
        assertThat(cli.run("certify", "--trajectories", "10")).isEqualTo(2);
        assertThat(cli.err()).contains("the range of the reward is not known", "--reward-range", "--mdp");
        assertThat(cli.run(
                        "certify",
                        "--reward-range",
                        "1",
                        "--discount",
                        "0.9",
                        "--actions",
                        "2",
                        "--trajectories",
                        "x.csv"))
                .isEqualTo(2);
        assertThat(cli.err()).contains("--trajectories FILE has no effect without --mdp");
        assertThat(cli.run("certify", "--mdp", at("kernel.csv"), "--discount", "0.9", "--trajectories", "10"))
                .isEqualTo(2);
        assertThat(cli.err()).contains("the range of the reward is not known", "--l1-norm");
    }

    private Map<?, ?> json(String... more) {
        List<String> words = new java.util.ArrayList<>(
                List.of("certify", "--mdp", at("kernel.csv"), "--features", at("features.csv"), "--discount", "0.9"));
        words.addAll(List.of("--trajectories", at("trajectories.csv"), "--json"));
        words.addAll(List.of(more));
        assertThat(cli.run(words.toArray(String[]::new))).as(cli.err()).isZero();
        return Json.read(cli.out(), Map.class);
    }

    private static double number(Object document, String name) {
        return ((Number) Objects.requireNonNull(((Map<?, ?>) document).get(name), name)).doubleValue();
    }

    private static Map<?, ?> part(Map<?, ?> document, String name) {
        return (Map<?, ?>) Objects.requireNonNull(document.get(name), name);
    }

    private static List<?> bounds(Map<?, ?> document) {
        return (List<?>) Objects.requireNonNull(document.get("bounds"));
    }

    private String at(String name) {
        return folder.resolve(name).toString();
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }
}

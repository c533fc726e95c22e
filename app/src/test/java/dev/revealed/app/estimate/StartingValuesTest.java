package dev.revealed.app.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.app.Cli;
import dev.revealed.runs.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Starting values on the command line: wherever a search begins, what is printed is a maximum or is called none. */
class StartingValuesTest {
    @TempDir
    private static Path made = Path.of("");

    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();
    private int runs;

    @BeforeAll
    static void simulate() {
        Cli cli = new Cli();
        String truth = "fixed=1.5,size=1,rivalry=0.8,entry=1.2,mu=0,rho=0.8,sigma=0.4";
        assertThat(cli.run(
                        ("simulate --model ../examples/entry.yaml --individuals 100 --periods 20 --seed 4 --parameters "
                                        + truth + " --out " + made.resolve("entry"))
                                .split(" ")))
                .as(cli::err)
                .isZero();
    }

    private Map<?, ?> estimate(String... options) {
        List<String> args = new ArrayList<>(List.of(
                "estimate",
                "--model",
                "../examples/entry.yaml",
                "--data",
                made.resolve("entry/panel.csv").toString(),
                "--json",
                "--out",
                folder.resolve("out-" + runs++).toString()));
        args.addAll(List.of(options));
        assertThat(cli.run(args.toArray(String[]::new))).as(cli::err).isZero();
        return (Map<?, ?>) Json.read(cli.out(), Object.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"fixed=50,entry=-50", "fixed=100,size=100", "fixed=1e300"})
    void aFarStartIsNotCalledConverged(String start) {
        Map<?, ?> once = estimate("--method", "nfxp", "--start", start, "--iterations", "50");
        assertThat(once.get("converged")).isEqualTo(false);
        assertThat((List<?>) once.get("parameters"))
                .isNotEmpty()
                .allSatisfy(
                        p -> assertThat(((Map<?, ?>) p).get("standardError")).isNull());
        assertThat(cli.err()).contains("not converged");
    }

    @Test
    void aParameterOfTheLawHasNoStart() {
        String panel = made.resolve("entry/panel.csv").toString();
        assertThat(cli.run("estimate", "--model", "../examples/entry.yaml", "--data", panel, "--start", "fixed=1,mu=0"))
                .isEqualTo(2);
        assertThat(cli.err())
                .contains(
                        "--start names 'mu', a parameter of the transition law",
                        "--likelihood full starts at that estimate",
                        "fixed, size, rivalry, entry");
    }

    @Test
    void theHelpSaysWhatIsTyped() {
        assertThat(cli.run("estimate", "--help")).isZero();
        assertThat(cli.out())
                .contains("--start=NAME=VALUE,...", "--initial=FILE|NAME=VALUE,...", "one search: without a maximum");
    }

    private static double logLikelihood(Map<?, ?> document) {
        return (double) Objects.requireNonNull(document.get("choiceLogLikelihood"));
    }

    private static List<String> methods() {
        return Methods.names();
    }

    @ParameterizedTest
    @MethodSource("methods")
    void everyMethodTakesAStart(String method) {
        double own = logLikelihood(estimate("--method", method));
        Map<?, ?> far = estimate("--method", method, "--start", "fixed=50,entry=-50");
        assertThat(far.get("converged")).as(cli::err).isEqualTo(true);
        assertThat(logLikelihood(far)).isCloseTo(own, within(1e-4));
    }

    @Test
    void noOutputShowsStandardErrorsOfASearchThatFailed() throws Exception {
        Map<?, ?> once = estimate("--method", "nfxp", "--start", "fixed=50,entry=-50", "--iterations", "1");
        assertThat(String.valueOf(once.get("status"))).contains("after 1 iteration of");
        String table = Files.readString(folder.resolve("out-0/estimate.csv"));
        assertThat(table.lines().skip(1))
                .isNotEmpty()
                .allSatisfy(line ->
                        assertThat(line).as("nothing follows the coefficient").matches("[^,]+,[^,]+,*"));
    }
}

package dev.revealed.app.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.app.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parameters that no data decide, and likelihoods without a maximum: every method says so, and none breaks down. */
class UndecidedDataTest {
    private static final String MODEL = """
            discount: 0.99
            states: {stock: 0..4}
            actions: [wait, sell, give]
            parameters: [gain, effort, kindness]
            utility:
              wait: "0"
              sell: gain * stock - effort
              give: kindness * (1 + stock)
            transitions:
              stock:
                wait: {shift: [0, 1], probabilities: [calm]}
                sell: "max(stock - 1, 0)"
                give: "max(stock - 1, 0)"
            """;

    @TempDir
    private static Path folder = Path.of("");

    private static final Cli CLI = new Cli();

    private static Map<?, ?> run(String line) {
        return CLI.document(folder, line);
    }

    @BeforeAll
    static void draw() throws IOException {
        Files.writeString(folder.resolve("model.yaml"), MODEL);
        String constant = MODEL.replace("kindness]", "kindness, base]")
                .replace("wait: \"0\"", "wait: base")
                .replace("gain *", "base + gain *")
                .replace("give: kindness", "give: base + kindness");
        Files.writeString(folder.resolve("constant.yaml"), constant);
        String drawn = "simulate --model @model.yaml --parameters gain=0.35,effort=0.5,kindness=%s,calm=0.5"
                + " --individuals 100 --periods 20 --seed 3 --out @%s";
        run(drawn.formatted("-0.2", "all"));
        run(drawn.formatted("-60", "none"));
    }

    private static Map<?, ?> estimate(String model, String panel, String method) {
        return run("estimate --model @%s --data @%s/panel.csv --method %s".formatted(model, panel, method));
    }

    private static List<Map<?, ?>> parameters(Map<?, ?> fit) {
        return ((List<?>) Objects.requireNonNull(fit.get("parameters")))
                .stream().<Map<?, ?>>map(one -> (Map<?, ?>) one).toList();
    }

    private static void refusesErrors(Map<?, ?> fit) {
        assertThat(fit.get("converged")).isEqualTo(false);
        assertThat(parameters(fit))
                .allSatisfy(p -> assertThat(p.get("standardError"))
                        .as(String.valueOf(p.get("name")))
                        .isNull());
    }

    private static String warnings(Map<?, ?> fit) {
        return ((List<?>) Objects.requireNonNull(fit.get("warnings")))
                .stream().map(String::valueOf).collect(Collectors.joining("\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"nfxp", "ml-irl", "npl", "mpec", "ccp", "hmss", "bbl", "td-ccp"})
    void aConstantInEveryUtilityIsNamed(String method) {
        Map<?, ?> fit = estimate("constant.yaml", "all", method);
        refusesErrors(fit);
        assertThat(warnings(fit)).contains("are not identified by any data", "1.00 base");
        Map<?, ?> without = estimate("model.yaml", "all", method);
        assertThat(Cli.number(fit, "gain", "value")).isCloseTo(Cli.number(without, "gain", "value"), within(1e-6));
    }

    @ParameterizedTest
    @ValueSource(strings = {"nfxp", "ml-irl", "npl", "ccp", "hmss", "bbl", "td-ccp"})
    void anActionNeverChosenLeavesNoStandardErrors(String method) {
        Map<?, ?> fit = estimate("model.yaml", "none", method);
        refusesErrors(fit);
        assertThat(warnings(fit)).contains("nobody ever chooses 'give'", "(kindness to -infinity)");
    }

    /** The sum of two expectations that cancel is shown as zero. */
    @Test
    void anExpectationOfZeroIsZero() throws IOException {
        Files.writeString(folder.resolve("price.yaml"), """
                discount: 0.9
                states: {price: -1..1 by 0.1}
                actions: [wait, sell]
                parameters: [gain]
                utility: {wait: "0", sell: gain * exp(price)}
                transitions: {price: {autoregressive: [0, rho, sigma]}}
                """);
        run("simulate --model @price.yaml --parameters gain=0.1,rho=0.7,sigma=0.3 --individuals 50 --periods 20"
                + " --out @prices");
        run("estimate --model @price.yaml --data @prices/panel.csv --method nfxp --out @fit");
        run("predict --from @fit --out @predicted");
        assertThat(Files.readString(folder.resolve("predicted/predictions.csv")))
                .doesNotContain("E-1");
    }
}

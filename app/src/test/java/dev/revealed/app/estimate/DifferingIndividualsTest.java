package dev.revealed.app.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.app.Cli;
import dev.revealed.numeric.Interval;
import java.io.IOException;
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

/** Dealers of two kinds, whose effort is 1 or 3, by all commands that know individuals who differ. */
class DifferingIndividualsTest {
    private static final String MODEL = """
            discount: 0.9
            states: {stock: 0..4, season: [0, 1]}
            actions: [wait, sell]
            parameters: [storage, effort, margin]
            utility:
              wait: -storage * stock
              sell: -storage * stock - effort + margin * season
            available: {sell: stock > 0}
            transitions:
              stock:
                wait: {shift: [0, 1], probabilities: [quiet]}
                sell: stock - 1
              season: {matrix: [[0.7, 0.3], [0.3, 0.7]]}
            data: {covariates: [kind], cluster: town, weight: {column: w, kind: frequency}}
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
        List<String> rows = new ArrayList<>(List.of("individual,period,action,stock,season,kind,town,w"));
        for (int kind = 0; kind < 2; kind++) {
            run(
                    "simulate --model @model.yaml --parameters storage=0.1,effort=%d,margin=1.5,quiet=0.6 --individuals 100 --periods 25 --seed %d --out @drawn%d"
                            .formatted(1 + 2 * kind, kind + 11, kind));
            for (String row : Files.readAllLines(folder.resolve("drawn%d/panel.csv".formatted(kind)))) {
                String[] cells = row.split(",", -1);
                if (!cells[0].equals("individual")) {
                    int i = Integer.parseInt(cells[0]);
                    String seen = String.join(",", List.of(cells).subList(0, 5));
                    rows.add("%d-%s,%d,%d,%d".formatted(kind, seen, kind, i % 25, 1 + i % 2));
                }
            }
        }
        Files.write(folder.resolve("panel.csv"), rows);
    }

    private static void near(Map<?, ?> document, String name, double truth) {
        double error = Cli.number(document, name, "standardError");
        assertThat(error).isPositive();
        assertThat(Math.abs(Cli.number(document, name, "value") - truth))
                .as(name)
                .isLessThan(3.5 * error);
    }

    private static String estimate(String more) {
        return "estimate --model @model.yaml --data @panel.csv " + more;
    }

    @Test
    void typesHaveClusteredErrorsAndCounterfactuals() {
        Map<?, ?> fit = run(estimate("--types 2 --type-parameters effort --se cluster --out @types"));
        near(fit, "effort[1]", 1);
        near(fit, "effort[2]", 3);
        near(fit, "share[1]", 0.5);
        assertThat(fit.get("standardErrors")).isEqualTo("sandwich, clustered by the panel's clusters");
        double low = share(run("counterfactual --from @types --set effort=1 --draws 100 --out @low"));
        double high = share(run("counterfactual --from @types --set effort=3 --draws 100 --out @high"));
        double now = baseline(run("counterfactual --from @types --set effort[1]=2 --draws 100 --out @one"));
        assertThat(now).isBetween(high, low);
        run("predict --from @types --data @panel.csv --out @predicted");
    }

    /** Who takes the w of the panel for sampling weights, and looks for types among individuals who are alike. */
    @Test
    void aTypeThatHoldsNobodyIsSaid() throws IOException {
        Files.writeString(folder.resolve("sampled.yaml"), MODEL.replace("frequency", "sampling"));
        List<String> alike = Files.readAllLines(folder.resolve("panel.csv")).stream()
                .filter(row -> !row.startsWith("1-"))
                .toList();
        Files.write(folder.resolve("alike.csv"), alike);
        Map<?, ?> fit = run(
                "estimate --model @sampled.yaml --data @alike.csv --types 2 --type-parameters effort --out @nobody");
        assertThat(String.valueOf(fit.get("warnings"))).contains("try fewer types");
        assertThat(String.valueOf(run("predict --from @nobody --out @of-nobody").get("notes")))
                .contains("try fewer types");
        String result = folder.resolve("nobody").toString();
        assertThat(CLI.run(
                        "table",
                        "--from",
                        result,
                        "--latex",
                        "--out",
                        folder.resolve("table").toString()))
                .isZero();
        assertThat(CLI.out()).startsWith("% warning: ").contains("try fewer types");
        assertThat(CLI.err()).contains("try fewer types");
    }

    /** After twenty periods a type is as good as seen, and its choices as well predicted as by the kind itself. */
    @Test
    void periodsHeldOutAreJudgedGivenThoseBefore() {
        double byTypes = heldOut("--types 2 --type-parameters effort");
        assertThat(byTypes).isCloseTo(heldOut("--interact effort:kind"), within(0.02));
    }

    /** Per decision. */
    private static double heldOut(String more) {
        Map<?, ?> fit =
                run(estimate("--method nfxp --held-out-periods 5 " + more).strip());
        Map<?, ?> judgement = (Map<?, ?>) Objects.requireNonNull(fit.get("judgement"));
        Map<?, ?> score = (Map<?, ?>) Objects.requireNonNull(judgement.get("heldOut"));
        return ((Number) Objects.requireNonNull(score.get("perDecision"))).doubleValue();
    }

    private static double share(Map<?, ?> document) {
        return number(document, "counterfactual");
    }

    private static double baseline(Map<?, ?> document) {
        return number(document, "baseline");
    }

    private static double number(Map<?, ?> document, String side) {
        List<?> actions = (List<?>) Objects.requireNonNull(document.get("actions"));
        Map<?, ?> last = (Map<?, ?>) actions.getLast();
        Map<?, ?> longRun = (Map<?, ?>) Objects.requireNonNull(last.get("share"));
        Object value = Objects.requireNonNull(longRun.get(side));
        return value instanceof Map<?, ?> detailed
                ? ((Number) Objects.requireNonNull(detailed.get("value"))).doubleValue()
                : ((Number) value).doubleValue();
    }

    @Test
    void randomCoefficientsAreResampledAndCovariatesExplain() {
        Map<?, ?> random = run(estimate("--random effort --bootstrap 10 --points 7 --out @random"));
        assertThat(Cli.number(random, "sd(effort)", "value")).isBetween(0.5, 1.6);
        assertThat(Cli.number(random, "sd(effort)", "standardError")).isPositive();
        run("counterfactual --from @random --set effort=3 --intervals delta --out @randomly");
        Map<?, ?> explained = run(estimate("--interact effort:kind --estimate-discount --held-out 0.2 --out @kinds"));
        near(explained, "effort:kind", 2);
        near(explained, "discount", 0.9);
        Interval normal = Interval.normal(
                Cli.number(explained, "discount", "value"), Cli.number(explained, "discount", "standardError"), 0.95);
        assertThat(Cli.number(explained, "discount", "high"))
                .isLessThan(normal.high())
                .isBetween(0.9, 1.0);
        Map<?, ?> plain = run(estimate("--method nfxp --profile discount=0.5:0.99:4 --out @profile"));
        Map<?, ?> judgement = (Map<?, ?>) Objects.requireNonNull(plain.get("judgement"));
        assertThat((List<?>) judgement.get("profiles")).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--random effrt | 'effrt' is not a parameter of the utility | The parameters are storage, effort, margin",
                "--interact effort:age | 'age' is not a covariate | The covariates are kind",
                "--interact effort | --interact is 'effort' | RC:income",
                "--random effort --method npl | do not go with --method npl | use --method nfxp",
                "--random effort --fit-by stock | --fit-by has no effect where individuals differ | Drop it",
                "--points 5 | --points has no effect without --random | normal coefficient",
                "--types 2 --type-parameters effort --types-by-start | --types-by-start goes only with | Drop",
                "--profile price | --profile names 'price' | discount, storage, effort, margin",
                "--profile discount=1:0:5 | --profile is 'discount=1:0:5' | a smaller and a larger"
            })
    void refusesInOneSentence(String more, String problem, String remedy) {
        assertThat(CLI.type(folder, estimate(more))).isEqualTo(2);
        assertThat(CLI.err()).contains(problem, remedy);
    }
}

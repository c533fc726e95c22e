package dev.revealed.app.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.app.Cli;
import dev.revealed.app.Repository;
import dev.revealed.runs.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of the page that leads to a LaTeX table, as they stand there. */
class JudgingCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    private String run(String line) {
        String[] words = Arrays.stream(line.replaceFirst(" > .*", "").split(" (?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1))
                .map(word -> word.replace("\"", ""))
                .map(word -> word.matches("(dealer\\.yaml|drawn.*|dynamic|myopic|out[0-9])")
                        ? folder.resolve(word).toString()
                        : word)
                .toArray(String[]::new);
        assertThat(cli.run(words)).as(() -> line + "\n" + cli.err()).isZero();
        return cli.out();
    }

    private Map<?, ?> result(String name) throws IOException {
        return Json.read(Files.readString(folder.resolve(name + "/result.json")), Map.class);
    }

    @Test
    void theGuideLeadsFromAModelToATable() throws IOException {
        String page = Files.readString(Repository.root().resolve("docs/guide/first-paper-table.md"));
        String yaml = page.substring(page.indexOf("```yaml dealer.yaml\n") + 20);
        Files.writeString(folder.resolve("dealer.yaml"), yaml.substring(0, yaml.indexOf("```")));
        List<String> commands = page.lines()
                .filter(line -> line.startsWith("    ./revealed "))
                .map(line -> line.substring("    ./revealed ".length()))
                .toList();
        assertThat(commands).hasSize(4);
        String last = "";
        for (String command : commands) {
            last = run(command + (command.startsWith("table") ? " --out out1" : ""));
        }
        assertThat(last)
                .contains("\\label{tab:dealers}", " & Dynamic & Myopic", "storage & $0.", "200 dealers, 50 weeks.");
        Map<?, ?> judgement =
                (Map<?, ?>) Objects.requireNonNull(result("dynamic").get("judgement"));
        Map<?, ?> test = (Map<?, ?>) ((List<?>) Objects.requireNonNull(judgement.get("fitTests"))).getFirst();
        assertThat((Double) test.get("pValue")).isGreaterThan(0.001);
        assertThat(Files.exists(folder.resolve("dynamic/estimate.dta"))).isTrue();

        run("predict --from dynamic --data drawn/panel.csv --out out2");
        double predicted = (Double) Objects.requireNonNull(result("out2").get("logLikelihood"));
        double fitted = (Double) Objects.requireNonNull(result("dynamic").get("choiceLogLikelihood"));
        assertThat(predicted).isCloseTo(fitted, within(1e-6)); // the likelihood of what was predicted
        assertThat(Files.readAllLines(folder.resolve("out2/predictions.csv")).getFirst())
                .startsWith("individual,week,action,stock");
        assertThat(last).containsPattern("\\$[0-9.]+\\^\\{\\*+\\}\\$"); // stars are raised
        run("estimate --model dealer.yaml --data drawn/panel.csv --method nfxp --held-out-periods 10 --out out3");
        Map<?, ?> aside = (Map<?, ?>) Objects.requireNonNull(
                ((Map<?, ?>) Objects.requireNonNull(result("out3").get("judgement"))).get("heldOut"));
        assertThat(aside.get("decisions")).isEqualTo(2000);
        assertThat((Double) aside.get("logLikelihood")).isGreaterThan((Double) aside.get("uniform"));
    }
}

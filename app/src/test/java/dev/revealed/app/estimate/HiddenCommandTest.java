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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model with a hidden variable, from its panel to what follows from the estimate. */
class HiddenCommandTest {
    private static final String BUS = """
            discount: 0.9
            states: {mileage: 0..5}
            hidden: {shock: rho, nodes: 2}
            actions: [keep, replace]
            parameters: [upkeep, RC, sigma]
            utility: {keep: -upkeep * mileage, replace: -RC - sigma * shock}
            transitions:
              mileage: {shift: [0, 1], probabilities: [holds], from: {replace: 0}}
            """;

    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private Map<?, ?> document(String line) {
        return cli.document(folder, line);
    }

    private static double number(Object at, Object... keys) {
        Object here = at;
        for (Object key : keys) {
            here = Objects.requireNonNull(
                    here instanceof List<?> list ? list.get((int) key) : ((Map<?, ?>) here).get(key), key::toString);
        }
        return ((Number) here).doubleValue();
    }

    @Test
    void whatFollowsFromAHiddenState() throws IOException {
        Files.writeString(folder.resolve("bus.yaml"), BUS);
        document(
                "simulate --model @bus.yaml --parameters upkeep=0.4,RC=2,sigma=1.5,rho=0.5,holds=0.4 --initial mileage=0"
                        + " --individuals 200 --periods 40 --out @drawn");
        Map<?, ?> fit = document(
                "estimate --model @bus.yaml --data @drawn/panel.csv --method recursive --se cluster --out @fit");
        // two nodes are too few: they were doubled, and what follows has as many
        double nodes = number(fit, "hidden", "nodes");
        assertThat(nodes).isGreaterThan(2);
        assertThat(Math.abs(number(fit, "hidden", "error"))).isLessThan(0.01);
        assertThat(number(fit, "states")).isEqualTo(6 * nodes);
        assertThat(folder.resolve("fit/choices.svg")).exists();

        // what is predicted of each choice from those before multiplies to the likelihood of all
        Map<?, ?> predicted = document("predict --from @fit --data @drawn/panel.csv --out @predicted");
        assertThat(number(predicted, "logLikelihood")).isCloseTo(number(fit, "choiceLogLikelihood"), within(1e-6));

        // fewer replacements where they cost more, and as many as were observed where nothing changes
        Map<?, ?> dear = document("counterfactual --from @fit --set RC=3 --intervals delta --out @dear");
        double before = number(dear, "actions", 1, "share", "baseline", "value");
        assertThat(number(dear, "actions", 1, "share", "counterfactual", "value"))
                .isLessThan(before);
        long replaced = Files.readAllLines(folder.resolve("drawn/panel.csv")).stream()
                .filter(line -> line.contains("replace"))
                .count();
        assertThat(before).isCloseTo(replaced / 8000.0, within(0.02));
        assertThat(cli.run("estimate", "--model", path("bus.yaml"), "--data", path("drawn/panel.csv")))
                .isEqualTo(2);
        assertThat(cli.err()).contains("--method recursive");
    }
}

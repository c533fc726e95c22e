package dev.revealed.app.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.revealed.app.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A price that is the same for all dealers: its law is a coin tossed once a week, whatever the number of dealers. */
class AggregateVariablesTest {
    private static final String MODEL = """
            discount: 0.9
            states: {stock: 0..4, price: [0, 1]}
            actions: [wait, sell]
            parameters: [storage, effort, margin]
            utility:
              wait: -storage * stock
              sell: -storage * stock - effort + margin * price
            available: {sell: stock > 0}
            transitions:
              stock:
                wait: {shift: [0, 1], probabilities: [quiet]}
                sell: stock - 1
              price: {probabilities: [low]}
            data: {aggregate: [price]}
            """;

    @TempDir
    private static Path folder = Path.of("");

    private static final Cli CLI = new Cli();
    private static double share;
    private static double error;

    @BeforeAll
    static void draw() throws IOException {
        Files.writeString(folder.resolve("model.yaml"), MODEL);
        CLI.document(
                folder,
                "simulate --model @model.yaml --parameters storage=0.1,effort=1,margin=1.5,quiet=0.6,low=0.3 --individuals 30 --periods 80 --out @drawn");
        Map<String, Boolean> low = new HashMap<>();
        for (String line : Files.readAllLines(folder.resolve("drawn/panel.csv"))) {
            String[] cells = line.split(",", -1);
            low.put(cells[1], cells[4].equals("0"));
        }
        low.remove("period");
        low.remove("0"); // nothing led there
        assertThat(low).hasSize(80);
        share = low.values().stream().filter(x -> x).count() / 80.0;
        error = Math.sqrt(share * (1 - share) / 80);
    }

    private static double law(String more, String key) {
        return Cli.number(
                CLI.document(folder, "estimate --model @model.yaml --data @drawn/panel.csv " + more), "low", key);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nfxp --se opg",
                "nfxp --se sandwich",
                "nfxp --se cluster",
                "ccp",
                "hmss",
                "td-ccp",
                "maxent",
                "nfxp --random effort",
                "nfxp --random effort --se cluster"
            })
    void theLawHasTheErrorOfACoin(String method) {
        String line = "--method " + method;
        assertThat(law(line, "value")).isCloseTo(share, within(1e-9));
        assertThat(law(line, "standardError")).isCloseTo(error, within(1e-9));
    }

    /** Choices tell of the law too, so that the error is a little smaller at most. */
    @Test
    void theFullLikelihoodKnowsPeriods() {
        assertThat(law("--method nfxp --likelihood full --se cluster", "standardError"))
                .isCloseTo(error, withinPercentage(10));
    }

    /** With 300 draws a standard error is known to 4 %. */
    @Test
    void theBootstrapDrawsPeriods() {
        assertThat(law("--method nfxp --bootstrap 300", "standardError")).isCloseTo(error, withinPercentage(15));
    }

    /** Whoever is kept aside, everybody saw the price. */
    @Test
    void heldOutIndividualsLeaveTheLawAlone() {
        assertThat(law("--method nfxp --held-out 0.5", "value")).isCloseTo(share, within(1e-9));
        String line = "estimate --model @model.yaml --data @drawn/panel.csv --held-out-periods 5";
        assertThat(CLI.type(folder, line)).isEqualTo(2);
        assertThat(CLI.err()).contains("periods cannot be held out where variables are aggregate");
    }
}

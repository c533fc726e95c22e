package dev.revealed.app.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.revealed.app.Cli;
import dev.revealed.app.Shared;
import dev.revealed.runs.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Commands on the trips of Borlänge. Truth: a prototype in another language. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BorlangeCommandsTest {
    @TempDir
    private static Path folder = Path.of("");

    private final Cli cli = new Cli();

    private static String path(String name) {
        return folder.resolve(name).toString();
    }

    private Map<?, ?> document(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.add("--json");
        assertThat(cli.run(all.toArray(String[]::new))).as(cli::err).isZero();
        return Json.read(cli.out(), Map.class);
    }

    private Map<?, ?> estimate(String... more) {
        Path data = Shared.file("data/borlange");
        List<String> all = new ArrayList<>(List.of(
                "estimate",
                "--network",
                data.resolve("link_pairs.csv.gz").toString(),
                "--destinations",
                data.resolve("destinations.csv.gz").toString(),
                "--trips",
                data.resolve("trips.csv.gz").toString(),
                "--feature",
                "time=travel_time",
                "--feature",
                "left=turn_angle < -0.5236 and turn_angle > -3.1",
                "--feature",
                "constant=1",
                "--feature",
                "uturn=abs(turn_angle) > 3.1"));
        all.addAll(List.of(more));
        return document(all.toArray(String[]::new));
    }

    private static double number(Object document, String key) {
        return ((Number) Objects.requireNonNull(((Map<?, ?>) document).get(key), key)).doubleValue();
    }

    private static List<?> list(Map<?, ?> document, String key) {
        return (List<?>) Objects.requireNonNull(document.get(key), key);
    }

    @BeforeAll
    void estimateRecursiveLogit() {
        assumeThat(Shared.file("data/borlange")).as("the Borlänge data").exists();
        Map<?, ?> found = estimate("--out", path("city"));
        assertThat(number(found, "logLikelihood")).isCloseTo(-6302.929422, within(1e-6));
        assertThat(number(found, "spectralRadius")).isCloseTo(0.846062, within(1e-6));
        assertThat(number(found, "steps")).isEqualTo(37_167);
        assertThat(number(found, "originDestinationPairs")).isEqualTo(1420);
        double[] values = {-2.4941209, -0.9330810, -0.4111231, -4.4588232};
        double[] errors = {.0979735, .0297197, .0127030, .1140039};
        for (int j = 0; j < values.length; j++) {
            Object own = list(found, "parameters").get(j);
            assertThat(number(own, "value")).isCloseTo(values[j], within(1e-6));
            assertThat(number(own, "robustStandardError")).isCloseTo(errors[j], within(1e-6));
        }
        double[] ratios = {0.374112, 0.164837, 1.787733};
        double[] ratioErrors = {.020187, .010826, .086222};
        for (int j = 0; j < ratios.length; j++) {
            Object own = list(found, "ratios").get(j);
            assertThat(number(own, "value")).isCloseTo(ratios[j], within(1e-6));
            assertThat(number(own, "standardError")).isCloseTo(ratioErrors[j], within(1e-6));
        }
    }

    /** The search begins at the maximum, and has only to confirm it: with a discount every step takes seconds. */
    @Test
    void aDiscountChangesTheLikelihood() {
        String maximum = "time=-2.4988035,left=-0.9361921,constant=-0.4238274,uturn=-4.4593377";
        Map<?, ?> found = estimate("--discount", "0.999", "--start", maximum, "--out", path("discounted"));
        assertThat(number(found, "logLikelihood")).isCloseTo(-6291.332038, within(1e-5));
    }

    @Test
    void flowsAreThePrototypes() {
        Map<?, ?> flows = document("flows", "--from", path("city"), "--out", path("flows"));
        assertThat(number(flows, "totalFlow")).isCloseTo(37_167, within(1e-3));
        assertThat(number(flows, "correlationWithCounts")).isCloseTo(.926, within(5e-4));
        Object busiest = list(flows, "links").stream()
                .max((a, b) -> Double.compare(number(a, "flow"), number(b, "flow")))
                .orElseThrow();
        assertThat(((Map<?, ?>) busiest).get("link")).isEqualTo("3337");
        assertThat(number(busiest, "flow")).isCloseTo(112.78815, within(1e-4));
        assertThat(number(busiest, "observed")).isEqualTo(115);
    }

    @Test
    void changesAreThePrototypes() {
        Map<?, ?> slower = document(
                "counterfactual",
                "--from",
                path("city"),
                "--change",
                "3337:travel_time=travel_time * 1.1",
                "--out",
                path("slower"));
        assertThat(number(slower, "loss")).isCloseTo(3.918902, within(1e-5));
        Object elasticity = list(slower, "elasticities").getFirst();
        assertThat(number(elasticity, "arc")).isCloseTo(-0.1300, within(1e-4));
        assertThat(number(elasticity, "point")).isCloseTo(-0.1230, within(1e-4));
        Map<?, ?> closed =
                document("counterfactual", "--from", path("city"), "--close", "3337", "--out", path("closed"));
        assertThat(number(closed, "trips") - number(closed, "impossibleTrips")).isEqualTo(1816);
        assertThat(number(closed, "loss")).isCloseTo(164.539, within(1e-3));
    }
}

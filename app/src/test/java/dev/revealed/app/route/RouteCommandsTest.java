package dev.revealed.app.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.app.Cli;
import dev.revealed.runs.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Road networks as a user types them, on a generated city. Truth: the parameters that trips were drawn with. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RouteCommandsTest {
    @TempDir
    private static Path folder = Path.of("");

    private final Cli cli = new Cli();
    private List<String> options = List.of();
    private String demand = "";

    private static String path(String name) {
        return folder.resolve(name).toString();
    }

    private static String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private int run(String verb, List<String> first, String... more) {
        List<String> all = new ArrayList<>(List.of(verb));
        all.addAll(first);
        all.addAll(List.of(more));
        return cli.run(all.toArray(String[]::new));
    }

    private Map<?, ?> document(String verb, List<String> first, String... more) {
        List<String> all = new ArrayList<>(first);
        all.add("--json");
        assertThat(run(verb, all, more)).as(cli::err).isZero();
        return Json.read(cli.out(), Map.class);
    }

    private static double number(Object document, String key) {
        return ((Number) Objects.requireNonNull(((Map<?, ?>) document).get(key), key)).doubleValue();
    }

    private static List<?> list(Map<?, ?> document, String key) {
        return (List<?>) Objects.requireNonNull(document.get(key), key);
    }

    @BeforeAll
    void simulateAndEstimate() throws IOException {
        City city = new City(folder);
        options = city.options();
        demand = city.demand.toString();
        document("simulate", options, "--parameters", City.TRUTH, "--demand", demand, "--out", path("drawn"));
        document("estimate", options, "--trips", path("drawn/trips.csv"), "--out", path("city"));
    }

    @Test
    void estimationFindsTheParametersOfDrawnTrips() {
        Map<?, ?> found = document("estimate", options, "--trips", path("drawn/trips.csv"), "--out", path("again"));
        List<?> parameters = list(found, "parameters");
        for (int j = 0; j < City.VALUES.length; j++) {
            double error = number(parameters.get(j), "standardError");
            assertThat(number(parameters.get(j), "value")).isCloseTo(City.VALUES[j], within(3 * error));
            assertThat(error).isEqualTo(number(parameters.get(j), "robustStandardError"));
        }
        assertThat(number(found, "links")).isEqualTo(120);
        assertThat(number(found, "spectralRadius")).isBetween(0.1, 0.999);
        assertThat(number(found, "logLikelihood"))
                .isCloseTo(number(found, "logLikelihoodPerTrip") * number(found, "trips"), within(1e-6));
        List<?> ratios = list(found, "ratios");
        assertThat(((Map<?, ?>) ratios.getFirst()).get("to")).isEqualTo("minutes");
        assertThat(number(ratios.getFirst(), "value"))
                .isCloseTo(number(parameters.get(1), "value") / number(parameters.get(0), "value"), within(1e-12));
        assertThat(folder.resolve("again/estimate.tex")).exists();
        assertThat(folder.resolve("again/ratios.csv")).exists();
    }

    @Test
    void everyModelAndKindOfErrorIsEstimated() throws IOException {
        List<String> trips = Files.readAllLines(Path.of(path("drawn/trips.csv")));
        StringBuilder driven = new StringBuilder("trip,destination,links,driver\n");
        for (int i = 1; i < trips.size(); i++) {
            driven.append(trips.get(i)).append(",d").append(i % 50).append('\n');
        }
        String clustered = file("clustered.csv", driven.toString());
        double simple =
                number(document("estimate", options, "--trips", clustered, "--out", path("m0")), "logLikelihood");
        for (String model : List.of("rl-ls", "nrl", "nrl-ls")) {
            Map<?, ?> found =
                    document("estimate", options, "--trips", clustered, "--model", model, "--out", path("m-" + model));
            assertThat(number(found, "logLikelihood")).as(model).isGreaterThanOrEqualTo(simple - 1e-6);
            assertThat(found.get("converged")).isEqualTo(true);
        }
        double discounted = number(
                document("estimate", options, "--trips", clustered, "--discount", "0.9", "--out", path("m-d")),
                "logLikelihood");
        assertThat(discounted).isNotEqualTo(simple);
        for (String kind : List.of("hessian", "opg", "cluster")) {
            List<String> more =
                    new ArrayList<>(List.of("--trips", clustered, "--se", kind, "--out", path("se-" + kind)));
            if (kind.equals("cluster")) {
                more.addAll(List.of("--cluster", "driver"));
            }
            Map<?, ?> found = document("estimate", options, more.toArray(String[]::new));
            String field = Map.of("hessian", "hessianStandardError", "opg", "outerProductStandardError")
                    .getOrDefault(kind, "clusteredStandardError");
            Object first = list(found, "parameters").getFirst();
            assertThat(number(first, "standardError")).isCloseTo(number(first, field), within(1e-12));
        }
        Map<?, ?> held = document(
                "estimate",
                options,
                "--trips",
                clustered,
                "--splits",
                "2",
                "--split-by",
                "destinations",
                "--out",
                path("h"));
        Object outOfSample = Objects.requireNonNull(held.get("outOfSample"));
        assertThat(number(outOfSample, "testLogLikelihoodPerTrip")).isNegative();
    }

    /** Observed and expected passages agree in sum: the moment of the constant. */
    @Test
    void flowsOfAnEstimateAddUpToTheCounts() throws IOException {
        Map<?, ?> flows =
                document("flows", List.of("--from", path("city")), "--select", "street.22-32", "--out", path("flows"));
        List<?> links = list(flows, "links");
        double expected = links.stream().mapToDouble(own -> number(own, "flow")).sum();
        double counted =
                links.stream().mapToDouble(own -> number(own, "observed")).sum();
        assertThat(expected).isCloseTo(counted, within(1e-4 * counted));
        Map<?, ?> selected = (Map<?, ?>) Objects.requireNonNull(flows.get("selected"));
        double own = links.stream()
                .filter(link -> "street.22-32".equals(((Map<?, ?>) link).get("link")))
                .mapToDouble(link -> number(link, "flow"))
                .sum();
        assertThat(number(selected, "flow")).isCloseTo(own, within(1e-6));
        assertThat(Files.readString(folder.resolve("flows/map.svg")))
                .startsWith("<svg")
                .contains("Flow on links");
        Map<?, ?> geo = Json.read(Files.readString(folder.resolve("flows/flows.geojson")), Map.class);
        assertThat(list(geo, "features")).hasSize(120);
        Map<?, ?> asked = document("flows", List.of("--from", path("city")), "--demand", demand, "--out", path("f2"));
        assertThat(number(asked, "totalFlow")).isCloseTo(number(flows, "totalFlow"), within(1e-6 * expected));
    }

    @Test
    void predictionsArePathsWithProbabilities() throws IOException {
        Map<?, ?> found = document(
                "predict",
                List.of("--from", path("city")),
                "--origin",
                "street.00-10",
                "--destination",
                "street.21-22",
                "--likeliest",
                "3",
                "--paths",
                path("drawn/trips.csv"),
                "--towards",
                "street.21-22",
                "--out",
                path("predicted"));
        List<?> likeliest = list(found, "likeliest");
        assertThat(likeliest).hasSize(3);
        assertThat(number(likeliest.get(0), "probability"))
                .isGreaterThanOrEqualTo(number(likeliest.get(1), "probability"));
        double sum = list(found, "paths").stream()
                .mapToDouble(own -> number(own, "logProbability"))
                .sum();
        Map<?, ?> estimate = Json.read(Files.readString(folder.resolve("city/result.json")), Map.class);
        assertThat(sum).isCloseTo(number(estimate, "logLikelihood"), within(1e-6 * Math.abs(sum)));
        assertThat(Files.readAllLines(folder.resolve("predicted/values.csv"))).hasSize(121);
        String drawn = Files.readString(folder.resolve("drawn/trips.csv"));
        List<String> other = List.of(
                "predict",
                "--from",
                path("city"),
                "--paths",
                file("ways.csv", drawn.replace("destination,links", "z,way")));
        refused(other, "ways.csv: no column for 'links' among trip, z, way", "--column links=NAME");
        Map<?, ?> named = document("predict", other.subList(1, other.size()), "--column", "links=way");
        assertThat(list(named, "paths")).isEqualTo(list(found, "paths"));
        refused(
                Stream.concat(other.stream(), Stream.of("--column", "links=wya"))
                        .toList(),
                "--column is links=wya, and no file has a column 'wya'",
                "ways.csv has trip, z, way",
                "Did you mean 'way'?");
    }

    @Test
    void impossiblePathsAreLeftOutWhereThatIsAskedFor() throws IOException {
        String paths = file("some.csv", "trip,links\n1,street.00-10 street.10-20\n2,street.00-10 street.55-54\n");
        List<String> asked = List.of("predict", "--from", path("city"), "--paths", paths);
        refused(asked, "some.csv, line 3", "--drop-impossible leaves such trips out");
        Map<?, ?> found = document("predict", asked.subList(1, asked.size()), "--drop-impossible");
        assertThat(list(found, "paths")).hasSize(1);
        assertThat(list(found, "notes").toString()).contains("1 trip that the network does not allow was left out: 2.");
    }

    @Test
    void changesMoveFlowsAndCostTime() throws IOException {
        Map<?, ?> closed = document(
                "counterfactual", List.of("--from", path("city")), "--close", "street.22-32", "--out", path("closed"));
        assertThat(number(closed, "loss")).isPositive();
        Map<?, ?> slower = document(
                "counterfactual",
                List.of("--from", path("city")),
                "--change",
                "street.22-32:minutes=minutes * 1.1",
                "--out",
                path("slower"));
        Object elasticity = list(slower, "elasticities").getFirst();
        assertThat(number(elasticity, "point")).isNegative();
        assertThat(number(elasticity, "arc")).isCloseTo(number(elasticity, "point"), within(0.1));
        assertThat(number(slower, "loss")).isBetween(0.0, number(closed, "loss"));
        String shortcut = file(
                "shortcut.csv", "from,to,minutes,kind\nstreet.00-10,bridge,0.2,side\nbridge,street.45-55,1,side\n");
        Map<?, ?> faster =
                document("counterfactual", List.of("--from", path("city")), "--add", shortcut, "--out", path("faster"));
        assertThat(number(faster, "loss")).isNegative();
        assertThat(list(faster, "links")).hasSize(121);
        assertThat(list(faster, "notes")).hasSize(2); // on angle and uturn
        assertThat(run("counterfactual", List.of("--from", path("city")), "--add", shortcut))
                .isZero();
        assertThat(cli.out() + cli.err()).contains("remain possible and gain ");
        refused(
                List.of(
                        "counterfactual",
                        "--from",
                        path("city"),
                        "--add",
                        file("misspelt.csv", "from,to,mins,kind\nstreet.00-10,bridge,0.2,side\n")),
                "misspelt.csv: there is no column 'minutes', which feature 'minutes' needs, among mins, kind");
    }

    /** Trips that are no longer possible count on neither side. Truth: the flows of the others alone. */
    @Test
    void flowsBeforeAndAfterAreThoseOfTheSameTrips() throws IOException {
        List<String> rows = Files.readAllLines(Path.of(demand));
        String closed = rows.get(1).split(",", -1)[0];
        String others = file(
                "others.csv",
                String.join(
                        "\n",
                        rows.stream()
                                .filter(row -> !List.of(row.split(",", -1)).contains(closed))
                                .toList()));
        Map<?, ?> all =
                document("counterfactual", List.of("--from", path("city"), "--demand", demand), "--close", closed);
        assertThat(number(all, "impossibleTrips")).isPositive();
        double before = list(all, "links").stream()
                .mapToDouble(own -> number(own, "before"))
                .sum();
        Map<?, ?> flows = document("flows", List.of("--from", path("city"), "--demand", others));
        assertThat(before).isCloseTo(number(flows, "totalFlow"), within(1e-6 * before));
        assertThat(run("counterfactual", List.of("--from", path("city"), "--demand", demand), "--close", closed))
                .isZero();
        assertThat(cli.out() + cli.err()).contains("Before and after are those of the");
    }

    /** A street whose closing touches nobody else: flows do not change, and the pairs it cuts off are named. */
    @Test
    void pairsThatAreCutOffAreNamed() throws IOException {
        String one = file("one.csv", "ori,des,volume\nstreet.00-10,street.10-20,3\nstreet.45-55,street.55-54,2\n");
        List<String> asked = List.of("--from", path("city"), "--demand", one, "--close", "street.00-10");
        assertThat(run("counterfactual", asked, "--out", path("cut")))
                .as(cli::err)
                .isZero();
        assertThat(cli.out() + cli.err())
                .contains("2 of 5 trips remain possible", "No longer possible: street.00-10 to street.10-20.");
        assertThat(Files.readString(folder.resolve("cut/report.html"))).contains("2 of 5 trips remain possible");
        assertThat(Files.readString(folder.resolve("cut/losses.csv"))).contains("street.00-10,street.10-20,3.0,\n");
    }

    @Test
    void filesThatChangedSinceAreToldOf() throws IOException {
        String result = Files.readString(folder.resolve("city/result.json"));
        assertThat(list(document("flows", List.of("--from", path("city"))), "notes"))
                .isEmpty();
        String changed = result.replaceFirst("\"dataHash\" ?: ?\"..", "\"dataHash\":\"zz");
        Map<?, ?> flows = document("flows", List.of("--from", file("changed.json", changed)));
        assertThat(list(flows, "notes").toString()).contains("have changed since");
    }

    /** Names of files in a result are those of the folder where it was made. */
    @Test
    void resultsFindTheirFilesFromEveryFolder() throws IOException {
        String result = Files.readString(folder.resolve("city/result.json"));
        String moved = result.replace(folder + "/", "")
                .replaceFirst("\"folder\" ?: ?\"[^\"]*\"", "\"folder\":\"%s\"".formatted(folder));
        assertThat(moved).contains("\"edges.csv\"", "\"drawn/trips.csv\"");
        Map<?, ?> flows = document("flows", List.of("--from", file("moved.json", moved)));
        assertThat(number(flows, "totalFlow"))
                .isEqualTo(number(document("flows", List.of("--from", path("city"))), "totalFlow"));
        String gone = file("gone.json", moved.replace("nodes.csv", "gone.csv"));
        refused(List.of("flows", "--from", gone), "gone.json names the file gone.csv", "--nodes FILE");
        document("flows", List.of("--from", gone, "--nodes", path("nodes.csv")));
    }

    @Test
    void theSameSeedDrawsTheSameTripsOnAnyNumberOfThreads() throws IOException {
        for (String threads : List.of("1", "2")) {
            document(
                    "simulate",
                    List.of("--from", path("city")),
                    "--threads",
                    threads,
                    "--seed",
                    "9",
                    "--out",
                    path("threads" + threads));
            document("flows", List.of("--from", path("city")), "--threads", threads, "--out", path("flows" + threads));
        }
        assertThat(Files.readString(folder.resolve("threads1/trips.csv")))
                .isEqualTo(Files.readString(folder.resolve("threads2/trips.csv")));
        assertThat(Files.readString(folder.resolve("flows1/flows.csv")))
                .isEqualTo(Files.readString(folder.resolve("flows2/flows.csv")));
    }

    private void refused(List<String> first, String... parts) {
        String verb = first.getFirst();
        assertThat(run(verb, first.subList(1, first.size()), "--out", path("refused")))
                .as(cli::err)
                .isEqualTo(2);
        assertThat(cli.err()).contains(parts);
        assertThat(folder.resolve("refused")).doesNotExist();
    }

    private List<String> estimate(String... more) {
        List<String> all = new ArrayList<>(List.of("estimate"));
        all.addAll(options);
        all.addAll(List.of("--trips", path("drawn/trips.csv")));
        all.addAll(List.of(more));
        return all;
    }

    @Test
    void badInputIsRefusedWithWhatToDo() throws IOException {
        List<String> network = options.subList(0, 4);
        List<String> none = new ArrayList<>(List.of("estimate", "--trips", path("drawn/trips.csv")));
        none.addAll(network);
        refused(none, "no features are given", "minutes", "--feature");
        refused(
                estimate("--start", "minutes=-0.1,main=0.5"),
                "the spectral radius is",
                "must be below 1",
                "stronger penalties in --start",
                "'constant' of -",
                "no penalty: main.");
        refused(estimate("--feature", "nothing=0"), "feature 'nothing' is 0 on every pair");
        refused(estimate("--feature", "twice=2 * minutes"), "'minutes', 'twice' is singular", "Leave one of them out");
        refused(estimate("--feature", "wrong=minuts"), "feature 'wrong'", "Did you mean 'minutes'?");
        refused(estimate("--model", "probit"), "--model is 'probit'", "rl, rl-ls, nrl, nrl-ls, neural");
        refused(estimate("--scale", "minutes"), "--scale has no effect", "nrl");
        refused(estimate("--se", "cluster"), "--se cluster without clusters", "--cluster COLUMN");
        refused(estimate("--cluster", "driver"), "no column 'driver'", "--cluster names a column");
        refused(estimate("--mdp", "x.npz"), "--mdp has no effect with --network");
        refused(List.of("estimate", "--feature", "x"), "--feature has no effect without --network");
        List<String> jump = new ArrayList<>(
                List.of("estimate", "--trips", file("jump.csv", "trip,links\n7,street.00-10 street.55-54\n")));
        jump.addAll(options);
        refused(jump, "jump.csv, line 2", "trip '7'", "do not touch");
        refused(List.of("flows", "--from", path("drawn")), "not the result of an estimation on a road network");
        refused(
                List.of("flows", "--from", path("city"), "--select", "street.22-33"),
                "--select names link",
                "Did you mean");
        refused(List.of("predict", "--from", path("city")), "nothing is asked for");
        refused(List.of("counterfactual", "--from", path("nosuch"), "--close", "x"), "there is no file", "nosuch");
        refused(List.of("counterfactual", "--from", path("city")), "nothing is changed", "--close");
        refused(List.of("counterfactual", "--from", path("city"), "--set", "x=1"), "--set has no effect");
        refused(
                List.of("counterfactual", "--from", path("city"), "--change", "street.22-32"),
                "--change is",
                "LINK:COLUMN=FORMULA");
        refused(
                List.of("simulate", "--from", path("city"), "--length", "3"),
                "--length has no effect on a road network");
    }

    /** A feature that no trip meets would run off to infinity. */
    @Test
    void featuresThatSeparateAreRefused() throws IOException {
        String pairs =
                file("toy.csv", "from,to,cost,rare\n1,2,1,0\n1,3,1.5,1\n2,3,0.5,0\n3,2,0.5,0\n2,4,2,0\n3,4,1,0\n");
        String trips = file("toy-trips.csv", "trip,links\na,1 2 4\nb,1 2 3 4\n");
        refused(
                List.of(
                        "estimate",
                        "--network",
                        pairs,
                        "--trips",
                        file("still.csv", "trip,links\na,1\nb,2\n"),
                        "--feature",
                        "cost"),
                "no trip has a step");
        refused(
                List.of("estimate", "--network", pairs, "--trips", trips, "--feature", "cost", "--feature", "rare"),
                "feature 'rare' is 0 on every step of every trip",
                "Leave it out");
        refused(
                List.of(
                        "estimate",
                        "--network",
                        pairs,
                        "--trips",
                        trips,
                        "--feature",
                        "cost",
                        "--feature",
                        "first=cost * 0 + (cost == 1)"),
                "singular");
    }

    /** Half of the drivers are in a hurry. Each makes five trips, and all of them are of his type. */
    @Test
    void typesOfDriversAreFound() throws IOException {
        StringBuilder trips = new StringBuilder("trip,driver,links\n");
        String[] minutes = {"-3", "-0.7"};
        for (int type = 0; type < 2; type++) {
            String truth = City.TRUTH.replace("minutes=-1.5", "minutes=" + minutes[type]);
            String out = path("type" + type);
            document("simulate", options, "--parameters", truth, "--demand", demand, "--seed", "" + type, "--out", out);
            List<String> lines = Files.readAllLines(Path.of(out, "trips.csv"));
            for (int i = 1; i < lines.size(); i++) {
                String links = lines.get(i).split(",", -1)[2];
                trips.append("%d.%d,%d.%d,%s\n".formatted(type, i, type, i / 5, links));
            }
        }
        String file = file("typed.csv", trips.toString());
        Map<?, ?> found = document(
                "estimate",
                options,
                "--trips",
                file,
                "--cluster",
                "driver",
                "--types",
                "2",
                "--type-parameters",
                "minutes",
                "--out",
                path("typed"));
        List<?> parameters = list(found, "parameters");
        double[] truth = {-3, -0.7, -0.5, -1, -2, 0.4, 0.5};
        for (int j = 0; j < truth.length; j++) {
            assertThat(number(parameters.get(j), "value"))
                    .isCloseTo(truth[j], within(3 * number(parameters.get(j), "standardError")));
        }
        Object share = parameters.getLast();
        double middle = logOdds(number(share, "value"));
        assertThat(logOdds(number(share, "high")) - middle)
                .isCloseTo(middle - logOdds(number(share, "low")), within(1e-9))
                .isPositive();
        assertThat(list(found, "ratios").stream()
                        .map(ratio -> ((Map<?, ?>) ratio).get("name") + " to " + ((Map<?, ?>) ratio).get("to")))
                .contains("left to minutes[1]", "left to minutes[2]");
        predictionsAreMeansOverTypes(parameters);
    }

    private static double logOdds(double share) {
        return Math.log(share / (1 - share));
    }

    /** Truth: the same commands for each type alone, given its parameters. */
    private void predictionsAreMeansOverTypes(List<?> parameters) throws IOException {
        double[] value =
                parameters.stream().mapToDouble(own -> number(own, "value")).toArray();
        double share = value[6];
        List<String> typed = List.of("--from", path("typed"), "--demand", demand);
        double flow = number(document("flows", typed), "totalFlow");
        double loss = number(document("counterfactual", typed, "--close", "street.22-32"), "loss");
        List<String> paths = List.of("--paths", path("drawn/trips.csv"));
        List<?> mixed =
                list(document("predict", List.of("--from", path("typed")), paths.toArray(String[]::new)), "paths");
        double[] probability = new double[mixed.size()];
        for (int type = 0; type < 2; type++) {
            double weight = type == 0 ? share : 1 - share;
            List<String> alone = new ArrayList<>(options);
            alone.addAll(List.of(
                    "--parameters",
                    "minutes=%s,left=%s,constant=%s,uturn=%s,main=%s"
                            .formatted(value[type], value[2], value[3], value[4], value[5])));
            flow -= weight * number(document("flows", alone, "--demand", demand), "totalFlow");
            List<?> own = list(document("predict", alone, paths.toArray(String[]::new)), "paths");
            for (int i = 0; i < probability.length; i++) {
                probability[i] += weight * number(own.get(i), "probability");
            }
            String file = file("type%d.json".formatted(type), resultOf(type, value));
            loss -= weight
                    * number(
                            document(
                                    "counterfactual",
                                    List.of("--from", file, "--demand", demand),
                                    "--close",
                                    "street.22-32"),
                            "loss");
        }
        assertThat(flow).isCloseTo(0, within(1e-6));
        assertThat(loss).isCloseTo(0, within(1e-6));
        for (int i = 0; i < probability.length; i++) {
            assertThat(number(mixed.get(i), "probability")).isCloseTo(probability[i], within(1e-9));
        }
        assertThat(run("simulate", typed, "--out", path("typed-drawn")))
                .as(cli::err)
                .isZero();
        assertThat(Files.readAllLines(folder.resolve("typed-drawn/trips.csv")))
                .hasSameSizeAs(Files.readAllLines(folder.resolve("drawn/trips.csv")));
        String broken = Files.readString(folder.resolve("typed/result.json")).replace("share[1]", "share[2]");
        refused(List.of("flows", "--from", file("broken.json", broken)), "do not fit together", "Estimate again");
    }

    /** The estimate of the city with the parameters of one type. */
    private static String resultOf(int type, double[] value) throws IOException {
        Map<String, Object> all = new LinkedHashMap<>();
        Map<?, ?> city = Json.read(Files.readString(folder.resolve("city/result.json")), Map.class);
        Map<Object, Object> route = new LinkedHashMap<>((Map<?, ?>) Objects.requireNonNull(city.get("route")));
        route.put("theta", List.of(value[type], value[2], value[3], value[4], value[5]));
        route.remove("neural"); // as earlier versions wrote it
        all.put("route", route);
        return Json.line(all);
    }

    /** Trips were drawn with a linear reward: a network finds what is like it, and predicts alike. */
    @Test
    void aNeuralRewardIsEstimatedAndUsed() throws IOException {
        List<String> features = new ArrayList<>(options);
        int constant = features.indexOf("constant=1");
        features.subList(constant - 1, constant + 1).clear(); // with its --feature
        Map<?, ?> found = document(
                "estimate",
                features,
                "--trips",
                path("drawn/trips.csv"),
                "--model",
                "neural",
                "--hidden",
                "6",
                "--out",
                path("neural"));
        Map<?, ?> linear = Json.read(Files.readString(folder.resolve("city/result.json")), Map.class);
        double best = number(linear, "logLikelihood");
        assertThat(number(found, "logLikelihood")).isBetween(best - 20, best + 40);
        assertThat(found.get("standardErrors")).isEqualTo("none");
        assertThat(number(list(found, "effects").getFirst(), "meanEffect")).isCloseTo(-1.5, within(0.3));
        List<String> from = List.of("--from", path("neural"));
        double sum = list(document("predict", from, "--paths", path("drawn/trips.csv")), "paths").stream()
                .mapToDouble(own -> number(own, "logProbability"))
                .sum();
        assertThat(sum).isCloseTo(number(found, "logLikelihood"), within(1e-6 * Math.abs(sum)));
        double flow = number(document("flows", from), "totalFlow");
        assertThat(flow)
                .isCloseTo(
                        number(document("flows", List.of("--from", path("city"))), "totalFlow"), within(0.03 * flow));
        Map<?, ?> closed = document("counterfactual", from, "--close", "street.22-32");
        assertThat(number(closed, "loss")).isPositive();
        assertThat(closed.get("numeraire")).isNull();
        assertThat(run("simulate", from, "--out", path("neural-drawn")))
                .as(cli::err)
                .isZero();
    }

    @Test
    void aNeuralRewardIsJudgedOnTripsHeldOut() {
        List<String> words = estimate("--model", "neural", "--hidden", "2", "--iterations", "5", "--splits", "2");
        List<String> briefly = words.subList(1, words.size());
        Map<?, ?> first = document("estimate", briefly, "--threads", "1");
        Map<?, ?> second = document("estimate", briefly, "--threads", "2");
        assertThat(number(Objects.requireNonNull(first.get("outOfSample")), "testLogLikelihoodPerTrip"))
                .isNegative()
                .isEqualTo(number(Objects.requireNonNull(second.get("outOfSample")), "testLogLikelihoodPerTrip"));
        refused(estimate("--model", "neural", "--se", "opg"), "--se has no effect", "such as rl");
        refused(estimate("--model", "neural", "--types", "2"), "--types has no effect");
        refused(estimate("--model", "neural", "--hidden", "4,4"), "--hidden is 4,4", "one hidden layer");
        refused(estimate("--model", "neural", "--hidden", "0"), "hidden");
        refused(estimate("--hidden", "4"), "--hidden has no effect", "--model neural");
    }

    @Test
    void forbiddenPairsAreNotDriven() {
        List<String> forward = new ArrayList<>(options);
        int uturn = forward.indexOf("uturn");
        forward.subList(uturn - 1, uturn + 1).clear(); // with its --feature
        forward.addAll(List.of("--forbid", "uturn"));
        String truth = City.TRUTH.replace("uturn=-2,", "");
        document("simulate", forward, "--parameters", truth, "--demand", demand, "--out", path("forward"));
        Map<?, ?> found =
                document("estimate", forward, "--trips", path("forward/trips.csv"), "--out", path("forward-city"));
        assertThat(number(found, "pairs"))
                .isLessThan(number(document("estimate", options, "--trips", path("drawn/trips.csv")), "pairs"));
        assertThat(run("estimate", options, "--trips", path("forward/trips.csv")))
                .isEqualTo(2);
        assertThat(cli.err()).contains("'uturn' is 0 on every step", "--forbid");
        assertThat(run("flows", List.of("--from", path("forward-city"), "--out", path("forward-flows"))))
                .isZero();
    }
}

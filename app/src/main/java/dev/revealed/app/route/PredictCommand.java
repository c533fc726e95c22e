package dev.revealed.app.route;

import dev.revealed.app.Main;
import dev.revealed.app.Outcome;
import dev.revealed.app.estimate.ChoicePrediction;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Field;
import dev.revealed.estimate.route.RoutePredictions;
import dev.revealed.mdp.route.Demand;
import dev.revealed.mdp.route.Demand.Flow;
import dev.revealed.mdp.route.Destination;
import dev.revealed.mdp.route.Trips;
import dev.revealed.mdp.route.Trips.Trip;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import dev.revealed.numeric.ProgressListener;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** What an estimate says of behaviour: choices in states, or paths on a road network. */
@Command(
        name = "predict",
        description =
                "What an estimated choice model predicts: probabilities of actions, values and expected moves in every"
                        + " state or for every decision of a panel. Or what a model of route choice says of paths: the probability"
                        + " of given ones, the likeliest ones between two places, and how far every link is from a destination.",
        footer = {
            "",
            "Examples:",
            "  ./revealed predict --from zurcher",
            "  ./revealed predict --from zurcher --data buses.csv",
            "  ./revealed predict --from city --origin 12 --destination 7289 --likeliest 5",
            "  ./revealed predict --from city --paths trips.csv",
            "  ./revealed predict --from city --towards 7289",
            "",
            "Guides: docs/guide/judging.md and, for road networks, docs/guide/routes.md"
        })
public final class PredictCommand extends FittedCommand {
    private static final int ROWS_SHOWN = 20;

    @Option(
            names = "--paths",
            paramLabel = "FILE",
            description = "File of paths, in the format of trips, to compute the probabilities of.")
    private @Nullable Path paths;

    @Option(names = "--origin", paramLabel = "LINK", description = "Where likely paths begin.")
    private @Nullable String origin;

    @Option(names = "--destination", paramLabel = "NAME", description = "Where they end: a destination or a link.")
    private @Nullable String destination;

    @Option(
            names = "--demand",
            paramLabel = "FILE",
            description = "CSV with origin,destination: the likeliest paths of every pair.")
    private @Nullable Path demand;

    @Option(names = "--likeliest", paramLabel = "M", description = "Number of paths of each pair" + DEFAULT)
    private int likeliest = 5;

    @Option(
            names = "--towards",
            paramLabel = "NAME",
            description = "A destination or a link: the value of every link towards it, and a map.")
    private @Nullable String towards;

    @Option(
            names = "--data",
            paramLabel = "FILE",
            description =
                    "A panel for a choice model: predictions for each of its decisions (default: for every state).")
    private @Nullable Path data;

    private static final Set<String> OF_CHOICES = Set.of("--json", "--seed", "--out", "--threads", "--from", "--data");

    /** The contract of {@code result.json}. */
    record Document(String model, Optional<List<Likely>> likeliest, Optional<List<Given>> paths, List<String> notes) {}

    /** A likely path, numbered from 1 within its pair. */
    record Likely(String origin, String destination, int rank, double probability, int length, String links) {}

    /** A given path. */
    record Given(String trip, String origin, String destination, double logProbability, double probability) {}

    @Override
    protected Outcome outcome(ProgressListener listener) {
        Path source = source();
        if (source != null && ChoicePrediction.isOf(source)) {
            for (OptionSpec option : matched()) {
                BadInput.when(
                        !OF_CHOICES.contains(option.longestName()),
                        "%s has no effect with %s".formatted(option.longestName(), source),
                        "This is a choice model: predict takes --data there, and counterfactual changes it.");
            }
            return ChoicePrediction.outcome(source, data, listener);
        }
        BadInput.when(
                data != null,
                "--data has no effect on a road network",
                "It belongs to an estimated choice model, of ./revealed estimate --model; give --paths.");
        positive("--likeliest", likeliest);
        boolean pair = origin != null && destination != null;
        BadInput.when(
                (origin == null) != (destination == null),
                "--origin and --destination go together",
                "Give both, or a table of pairs with --demand.");
        BadInput.when(
                !pair && demand == null && paths == null && towards == null,
                "nothing is asked for",
                "Give --origin and --destination, --demand FILE, --paths FILE or --towards NAME.");
        BadInput.when(pair && demand != null, "--origin is given together with --demand", "Drop one of them.");
        FittedRoutes fitted = fitted(listener, demand, paths);
        Optional<List<Likely>> likely = pair
                ? Optional.of(likely(fitted, pair(fitted, String.valueOf(origin), String.valueOf(destination))))
                : demand != null ? Optional.of(likely(fitted, fitted.demand(demand))) : Optional.empty();
        Optional<List<Given>> given =
                paths == null ? Optional.empty() : Optional.of(given(fitted, fitted.trips(Main.existing(paths))));
        Document document = new Document(fitted.result().model(), likely, given, fitted.notes());
        Outcome outcome = Outcome.of(document, "Predicted paths");
        if (likely.isPresent()) {
            outcome = outcome.table(table(likely.get())).file("likeliest.csv", Table.csv(Likely.class, likely.get()));
        }
        if (given.isPresent()) {
            outcome = outcome.table(summary(given.get())).file("paths.csv", Table.csv(Given.class, given.get()));
        }
        outcome = fitted.notes().isEmpty() ? outcome : outcome.notes(fitted.notes());
        return towards == null ? outcome : field(outcome, fitted, towards);
    }

    /** One pair of origin and destination that was typed. */
    private static Demand pair(FittedRoutes fitted, String origin, String destination) {
        int link = fitted.table().link(origin, "--origin");
        List<Destination> known = new ArrayList<>(fitted.reader().destinations());
        int end = number(fitted, known, destination, "--destination");
        Demand demand = new Demand(fitted.table().network(), known, List.of(new Flow(link, end, 1)));
        BadInput.when(
                !demand.split().impossible().isEmpty(),
                "destination '%s' cannot be reached from link '%s'".formatted(destination, origin),
                "Choose another pair, or add the pairs of links that are missing.");
        return demand;
    }

    private static int number(FittedRoutes fitted, List<Destination> known, String name, String option) {
        List<String> names = known.stream().map(Destination::name).toList();
        if (names.contains(name)) {
            return names.indexOf(name);
        }
        int link = fitted.table().network().names().indexOf(name);
        BadInput.when(
                link < 0,
                "%s is '%s', which is neither a destination nor a link".formatted(option, name),
                Closest.question(name, names) + "Name a link, or a destination of the file of --destinations.");
        known.add(new Destination.OnLink(name, link));
        return known.size() - 1;
    }

    private List<Likely> likely(FittedRoutes fitted, Demand asked) {
        List<List<RoutePredictions.Path>> found = fitted.predictions(asked).likeliest(likeliest);
        List<Likely> all = new ArrayList<>();
        List<String> names = fitted.table().network().names();
        for (int i = 0; i < found.size(); i++) {
            Flow flow = asked.flows().get(i);
            for (int rank = 0; rank < found.get(i).size(); rank++) {
                RoutePredictions.Path path = found.get(i).get(rank);
                all.add(new Likely(
                        names.get(flow.origin()),
                        asked.destinations().get(flow.destination()).name(),
                        rank + 1,
                        path.probability(),
                        path.links().length,
                        Arrays.stream(path.links()).mapToObj(names::get).collect(Collectors.joining(" "))));
            }
        }
        return all;
    }

    private static Table table(List<Likely> likely) {
        Table table = Table.of(
                        likely.subList(0, Math.min(ROWS_SHOWN, likely.size())),
                        Field.text("origin", Likely::origin),
                        Field.text("destination", Likely::destination),
                        Field.text("rank", Likely::rank),
                        Field.decimals("probability", 6, Likely::probability),
                        Field.text("links", Likely::length),
                        Field.text(
                                "path",
                                own -> own.links.length() > 60 ? own.links.substring(0, 57) + "..." : own.links))
                .titled("The likeliest paths");
        return likely.size() <= ROWS_SHOWN
                ? table
                : table.note("All %,d are in likeliest.csv.".formatted(likely.size()));
    }

    private static List<Given> given(FittedRoutes fitted, Trips trips) {
        List<Flow> flows = trips.list().stream()
                .map(trip -> new Flow(trip.origin(), trip.destination(), 1))
                .toList();
        int[][] driven = trips.list().stream().map(Trip::links).toArray(int[][]::new);
        double[] logs = fitted.predictions(new Demand(trips.network(), trips.destinations(), flows))
                .logProbabilities(driven);
        return IntStream.range(0, logs.length)
                .mapToObj(i -> {
                    Trip trip = trips.list().get(i);
                    return new Given(
                            trip.name(),
                            trips.network().names().get(trip.origin()),
                            trips.destinations().get(trip.destination()).name(),
                            logs[i],
                            Math.exp(logs[i]));
                })
                .toList();
    }

    private static Table summary(List<Given> given) {
        double sum = given.stream().mapToDouble(Given::logProbability).sum();
        double[] sorted =
                given.stream().mapToDouble(Given::probability).sorted().toArray();
        double median = (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        return Table.of(
                        given.subList(0, Math.min(ROWS_SHOWN, given.size())),
                        Field.text("trip", Given::trip),
                        Field.text("origin", Given::origin),
                        Field.text("destination", Given::destination),
                        Field.decimals("log-probability", 6, Given::logProbability),
                        Field.decimals("probability", 6, Given::probability))
                .titled("Probabilities of paths")
                .note("%,d paths: log-likelihood %s, mean probability %s, median %s. All are in paths.csv."
                        .formatted(
                                given.size(),
                                Numbers.decimals(sum, 6),
                                Numbers.decimals(Arrays.stream(sorted).average().orElse(Double.NaN), 4),
                                Numbers.decimals(median, 4)));
    }

    /** Values towards a destination, in its units where a numeraire is known. */
    private static Outcome field(Outcome outcome, FittedRoutes fitted, String name) {
        BadInput.when(
                fitted.model().withLinkSize(),
                "values towards a destination differ by origin in a model with link size",
                "Use an estimate without link size: --model rl or nrl.");
        List<Destination> known = new ArrayList<>(fitted.reader().destinations());
        int end = number(fitted, known, name, "--towards");
        int first = known.get(end).lastLinks()[0];
        Demand demand = new Demand(fitted.table().network(), known, List.of(new Flow(first, end, 1)));
        double[] values = fitted.predictions(demand).field(0);
        for (int k = 0; k < values.length; k++) {
            values[k] = Double.isInfinite(values[k]) ? Double.NaN : values[k];
        }
        RouteMap map = new RouteMap(fitted.table());
        Outcome shown = outcome.say("Values of all links towards %s are in values.csv.\n".formatted(name))
                .picture("map", map.map("Value of links towards " + name, values, "expected utility"))
                .map(map.page(Map.of("value", values)))
                .file("values.csv", fitted.csv(Map.of("value", values)));
        return map.hasCoordinates() ? shown.file("values.geojson", map.geoJson(Map.of("value", values))) : shown;
    }
}

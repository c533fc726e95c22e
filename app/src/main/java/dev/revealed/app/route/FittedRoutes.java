package dev.revealed.app.route;

import dev.revealed.app.Main;
import dev.revealed.app.Words;
import dev.revealed.app.view.Table;
import dev.revealed.data.route.PairTable;
import dev.revealed.data.route.RouteColumns;
import dev.revealed.data.route.TripReader;
import dev.revealed.estimate.route.RouteGraph;
import dev.revealed.estimate.route.RouteModel;
import dev.revealed.estimate.route.RoutePredictions;
import dev.revealed.mdp.route.Demand;
import dev.revealed.mdp.route.LinkFeatures;
import dev.revealed.mdp.route.PairFeatures;
import dev.revealed.mdp.route.Trips;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A model of route choice with its parameters on a network: what predictions start from. */
final class FittedRoutes {
    private final RouteResult result;
    private final PairTable table;
    private final PairFeatures features;
    private final TripReader reader;
    private final Optional<Trips> trips;
    private final LinkFeatures scales;
    private final Set<String> notes;

    private FittedRoutes(
            RouteResult result,
            PairTable table,
            TripReader reader,
            Optional<Trips> trips,
            LinkFeatures scales,
            Set<String> notes) {
        this.result = result;
        this.table = table;
        this.reader = reader;
        this.trips = trips;
        this.scales = scales;
        this.notes = notes;
        features = result.rewards(table.features(result.source().definitions(), notes));
    }

    /**
     * What was estimated, or given by its parameters.
     *
     * @param from a result; files that are typed stand for those it names
     * @param parameters of recursive logit, where there is no result
     * @param more files beside those of the network which the command reads, null where not given
     */
    static FittedRoutes of(
            @Nullable Path from,
            @Nullable String parameters,
            RouteOptions options,
            ProgressListener listener,
            @Nullable Path... more) {
        RouteSource typed = options.source();
        RouteColumns roles = typed.roles();
        Set<String> notes = new LinkedHashSet<>();
        RouteResult result;
        if (from != null) {
            BadInput.when(
                    parameters != null,
                    "--parameters is given together with --from",
                    "Drop one: the estimate has its own parameters.");
            RouteResult read = RouteResult.read(from);
            BadInput.when(
                    !typed.features().isEmpty(),
                    "--feature is given together with --from",
                    "Drop it: the estimate has its own features, %s."
                            .formatted(String.join(", ", read.source().features())));
            result = read.with(read.source().located().with(typed).checked(from));
            roles = roles.orElse(read.source().roles());
            Optional<String> hash = RouteResult.dataHash(from);
            if (typed.files().isEmpty()
                    && hash.isPresent()
                    && !hash.get().equals(result.source().hash())) {
                notes.add("Warning: the files of the network or of the trips have changed since %s was estimated."
                        .formatted(from));
            }
        } else {
            result = given(parameters, typed);
        }
        List<Path> files = new ArrayList<>(result.source().files());
        for (Path file : more) {
            if (file != null) {
                files.add(Main.existing(file));
            }
        }
        roles.check(files);
        PairTable table = result.source().table(roles, listener);
        TripReader reader = result.source().tripReader(table, roles, listener);
        Optional<Trips> trips = result.source()
                .tripFile()
                .map(file -> reader.trips(
                                file, Optional.empty(), result.source().dropImpossible())
                        .trips());
        LinkFeatures scales = RouteModel.NO_SCALES;
        if (!result.scales().isEmpty()) {
            Trips observed =
                    trips.orElseThrow(() -> new BadInput("no trips are given", "Name their file with --trips."));
            RouteGraph graph =
                    new RouteGraph(observed, table.features(result.source().definitions(), notes));
            scales = RouteScales.of(table, observed, graph, result.scales(), result.flowAt());
        }
        return new FittedRoutes(result, table, reader, trips, scales, notes);
    }

    private static RouteResult given(@Nullable String parameters, RouteSource typed) {
        BadInput.when(
                parameters == null,
                "no parameters are given",
                "Name a result with --from, or give --parameters name=value,... for the features.");
        Map<String, Double> values = Words.numbers("--parameters", String.valueOf(parameters));
        List<String> names =
                typed.definitions().stream().map(PairTable.Definition::name).toList();
        BadInput.when(names.isEmpty(), "no features are given", "Name them with --feature, as in estimate --network.");
        for (String name : names) {
            BadInput.when(
                    !values.containsKey(name),
                    "--parameters has no '%s'".formatted(name),
                    "Give one for each of " + String.join(", ", names) + ".");
        }
        return new RouteResult(
                typed,
                "rl",
                names,
                Words.ordered("--parameters", values, names),
                new double[0][],
                names.stream().filter(name -> name.contains("time")).findFirst(),
                new double[0],
                new double[0],
                List.of(),
                1,
                Optional.empty(),
                Optional.empty());
    }

    RouteResult result() {
        return result;
    }

    PairTable table() {
        return table;
    }

    RouteColumns roles() {
        return reader.roles();
    }

    TripReader reader() {
        return reader;
    }

    Optional<Trips> trips() {
        return trips;
    }

    /** Other trips on the same network; those it does not allow are left out, with a note, where that was asked for. */
    Trips trips(Path file) {
        TripReader.Read read =
                reader.trips(file, Optional.empty(), result.source().dropImpossible());
        RouteSource.leftOut(read, notes);
        return read.trips();
    }

    List<String> notes() {
        return List.copyOf(notes);
    }

    RouteModel model() {
        return new RouteModel(result.linkSizeAt(), scales, result.discount());
    }

    /** A demand table, or as many trips as were observed between the same links. */
    Demand demand(@Nullable Path file) {
        return demand(file, false);
    }

    /** @param whole whether trips must be whole numbers */
    Demand demand(@Nullable Path file, boolean whole) {
        if (file != null) {
            return reader.demand(Main.existing(file), whole);
        }
        return Demand.of(trips.orElseThrow(() -> new BadInput(
                "no demand is given",
                "Name a table of origin,destination,trips with --demand, or trips with --trips.")));
    }

    RoutePredictions predictions(Demand demand) {
        return new RoutePredictions(demand, features, model(), result.drivers());
    }

    /** The same model on another network, whose first links are those of this one; scales of these stay as they are. */
    FittedRoutes on(PairTable other) {
        double[][] values = Arrays.stream(scales.values())
                .map(own -> Arrays.copyOf(own, other.network().links()))
                .toArray(double[][]::new);
        return new FittedRoutes(result, other, reader, trips, new LinkFeatures(scales.names(), values), notes);
    }

    /** Lists of numbers by link as CSV. */
    String csv(Map<String, double[]> columns) {
        StringBuilder out = new StringBuilder();
        Map<String, double[]> all = new LinkedHashMap<>(columns);
        out.append(Table.csvLine(
                Stream.concat(Stream.of("link"), all.keySet().stream()).toList()));
        for (int link = 0; link < table.network().links(); link++) {
            List<String> cells = new ArrayList<>(List.of(table.network().names().get(link)));
            for (double[] values : all.values()) {
                cells.add(Double.isNaN(values[link]) ? "" : Double.toString(values[link]));
            }
            out.append(Table.csvLine(cells));
        }
        return out.toString();
    }
}

package dev.revealed.app.route;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Table;
import dev.revealed.mdp.route.Demand;
import dev.revealed.mdp.route.Trips;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Draws trips on a road network: {@code simulate --network} and {@code simulate --from}. */
public final class RouteDraws {
    /** What stands above the options in the help. */
    public static final String HEADING = "Simulation on road networks";

    @Option(
            names = "--from",
            paramLabel = "RESULT",
            description = "The folder or the result.json of ./revealed estimate --network; or give --network, --feature"
                    + " and --parameters.")
    public @Nullable Path from;

    @Option(
            names = "--demand",
            paramLabel = "FILE",
            description = "CSV with origin,destination,trips, whole numbers (default: a trip for each observed one).")
    public @Nullable Path demand;

    /** What the document says of a simulation. */
    record Document(String model, int trips, long steps, long seed, List<String> files, List<String> notes) {}

    /** Draws the trips. */
    public Outcome outcome(RouteOptions roads, @Nullable String parameters, long seed, ProgressListener listener) {
        FittedRoutes fitted = FittedRoutes.of(from, parameters, roads, listener, demand);
        Demand asked = fitted.demand(demand, true);
        Trips drawn = fitted.predictions(asked).draw(RandomStream.of(seed).named("trips"));
        List<String> names = drawn.network().names();
        StringBuilder csv = new StringBuilder(Table.csvLine(List.of("trip", "destination", "links")));
        for (Trips.Trip trip : drawn.list()) {
            csv.append(Table.csvLine(List.of(
                    trip.name(),
                    drawn.destinations().get(trip.destination()).name(),
                    Arrays.stream(trip.links()).mapToObj(names::get).collect(Collectors.joining(" ")))));
        }
        Outcome outcome = Outcome.of(
                        new Document(
                                fitted.result().model(),
                                drawn.size(),
                                drawn.steps(),
                                seed,
                                List.of("trips.csv"),
                                fitted.notes()),
                        "Simulated trips")
                .say("Simulated %,d trips of %,d steps between links: trips.csv\n"
                        .formatted(drawn.size(), drawn.steps()))
                .file("trips.csv", csv.toString());
        return fitted.notes().isEmpty() ? outcome : outcome.notes(fitted.notes());
    }
}

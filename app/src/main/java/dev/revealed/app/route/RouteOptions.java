package dev.revealed.app.route;

import dev.revealed.app.Main;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a road network, its trips and its features. */
public final class RouteOptions {
    /** What stands above them in the help. */
    public static final String HEADING = "Road networks";

    @Option(
            names = "--network",
            paramLabel = "FILE",
            description =
                    "Pairs of links: CSV (also .gz) with from,to and attributes; or links with their nodes (CSV) or"
                            + " lines (GeoJSON), from which pairs follow.")
    public @Nullable Path network;

    @Option(
            names = "--trips",
            paramLabel = "FILE",
            description = "Trips: CSV with trip,links (links in one cell) or trip,link (a row per link), and perhaps"
                    + " destination.")
    public @Nullable Path trips;

    @Option(
            names = "--links",
            paramLabel = "FILE",
            description = "Attributes and coordinates of links: CSV, or lines in GeoJSON.")
    public @Nullable Path links;

    @Option(names = "--nodes", paramLabel = "FILE", description = "Coordinates of nodes: CSV with node,x,y.")
    public @Nullable Path nodes;

    @Option(
            names = "--destinations",
            paramLabel = "FILE",
            description =
                    "Destinations that are not links: CSV with destination,last_link, a row for each link from which "
                            + "one is entered. Without it trips end on links.")
    public @Nullable Path destinations;

    @Option(
            names = "--column",
            paramLabel = "ROLE=NAME",
            description = "A column that has another name than usual, for example from=link_a or links=path; may be"
                    + " repeated. Roles: docs/guide/routes.md")
    Map<String, String> columns = new LinkedHashMap<>();

    @Option(
            names = "--feature",
            paramLabel = "NAME[=FORMULA]",
            description =
                    "A feature of pairs: a column, or a formula of columns, for example constant=1 or \"left=angle <"
                            + " -0.5236 and angle > -3.1\"; may be repeated.")
    List<String> features = new ArrayList<>();

    @Option(
            names = "--forbid",
            paramLabel = "FORMULA",
            description = "Leave out pairs of links for which a formula is true, for example uturn.")
    public @Nullable String forbid;

    @Option(
            names = "--drop-impossible",
            description = "Leave out trips that the network does not allow, rather than refuse the file.")
    boolean dropImpossible;

    /** The files and definitions that were typed. */
    RouteSource source() {
        return new RouteSource(
                Optional.of(Path.of("").toAbsolutePath().toString()),
                network == null ? "" : Main.existing(network).toString(),
                named(links),
                named(nodes),
                named(destinations),
                named(trips),
                columns,
                features,
                Optional.ofNullable(forbid),
                dropImpossible);
    }

    private static Optional<String> named(@Nullable Path file) {
        return Optional.ofNullable(file).map(Main::existing).map(Path::toString);
    }
}

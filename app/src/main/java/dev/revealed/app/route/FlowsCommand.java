package dev.revealed.app.route;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Field;
import dev.revealed.data.route.PairTable;
import dev.revealed.estimate.route.RoutePredictions;
import dev.revealed.estimate.route.RoutePredictions.Flows;
import dev.revealed.mdp.route.Demand;
import dev.revealed.mdp.route.Trips;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.Vec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Loads a demand on a network by an estimated model of route choice. */
@Command(
        name = "flows",
        description =
                "Link flows that a model of route choice expects for a demand, which pairs of origin and destination"
                        + " use a link, and a map.",
        footer = {
            "",
            "Examples:",
            "  ./revealed estimate --network pairs.csv --trips trips.csv --feature time --feature constant=1 --out city",
            "  ./revealed flows --from city",
            "  ./revealed flows --from city --demand demand.csv --select 3337",
            "  ./revealed flows --network pairs.csv --feature time --feature constant=1 --parameters time=-2,constant=-1"
                    + " --demand demand.csv",
            "",
            "Guide: docs/guide/routes.md"
        })
public final class FlowsCommand extends FittedCommand {
    /** The document lists no more links than these; flows.csv has all. */
    static final int ROWS_IN_DOCUMENT = 20_000;

    private static final int ROWS_SHOWN = 10;

    @Option(
            names = "--demand",
            paramLabel = "FILE",
            description = "CSV with origin,destination,trips (default: as many trips as were observed).")
    private @Nullable Path demand;

    @Option(names = "--select", paramLabel = "LINK", description = "A link: which pairs use it, and how many trips.")
    private @Nullable String select;

    /** The contract of {@code result.json}. */
    record Document(
            String model,
            double trips,
            int originDestinationPairs,
            double totalFlow,
            OptionalDouble correlationWithCounts,
            List<LinkFlow> links,
            Optional<Selected> selected,
            List<String> notes) {}

    /** Expected passages of a link, and the counted ones where trips are the demand. */
    record LinkFlow(String link, double flow, OptionalDouble observed) {}

    /** Pairs that use a link, the heaviest first. */
    record Selected(String link, double flow, List<Use> pairs) {}

    /**
     * A pair of origin and destination.
     *
     * @param probability that a trip passes the link at least once
     * @param flow expected passages of all its trips
     */
    record Use(String origin, String destination, double trips, double probability, double flow) {}

    @Override
    protected Outcome outcome(ProgressListener listener) {
        FittedRoutes fitted = fitted(listener, demand);
        Demand asked = fitted.demand(demand);
        int selected = select == null ? -1 : fitted.table().link(select, "--select");
        RoutePredictions predictions = fitted.predictions(asked);
        Flows flows = predictions.flows();
        Optional<double[]> counted = demand == null ? fitted.trips().map(FlowsCommand::counted) : Optional.empty();
        List<LinkFlow> links = links(fitted.table(), flows.links(), counted);
        Optional<Selected> uses =
                select == null ? Optional.empty() : Optional.of(selected(asked, select, predictions.uses(selected)));
        Document document = new Document(
                fitted.result().model(),
                asked.total(),
                asked.flows().size(),
                Vec.sum(flows.links()),
                counted.map(own -> OptionalDouble.of(correlation(flows.links(), own)))
                        .orElse(OptionalDouble.empty()),
                links.subList(0, Math.min(ROWS_IN_DOCUMENT, links.size())),
                uses,
                fitted.notes());
        Map<String, double[]> columns = new LinkedHashMap<>();
        columns.put("flow", flows.links());
        counted.ifPresent(own -> columns.put("observed", own));
        RouteMap map = new RouteMap(fitted.table());
        Outcome outcome = Outcome.of(document, "Flows on a road network")
                .notes(List.of("%s trips of %,d pairs of origin and destination; %s passages of links."
                        .formatted(
                                Numbers.significant(asked.total(), 8),
                                asked.flows().size(),
                                Numbers.significant(document.totalFlow, 8))))
                .table(busiest(links, document));
        if (uses.isPresent()) {
            outcome = outcome.table(table(uses.get())).file("select.csv", Table.csv(Use.class, uses.get().pairs));
        }
        outcome = fitted.notes().isEmpty() ? outcome : outcome.notes(fitted.notes());
        outcome = outcome.picture("map", map.map("Flow on links", flows.links(), "expected passages"))
                .map(map.page(columns))
                .file("flows.csv", fitted.csv(columns))
                .file("pair_flows.csv", pairs(fitted.table(), flows.pairs()));
        return map.hasCoordinates() ? outcome.file("flows.geojson", map.geoJson(columns)) : outcome;
    }

    /** Passages of each link by trips. */
    static double[] counted(Trips trips) {
        double[] count = new double[trips.network().links()];
        trips.list().forEach(trip -> {
            for (int link : trip.links()) {
                count[link]++;
            }
        });
        return count;
    }

    private static List<LinkFlow> links(PairTable table, double[] flows, Optional<double[]> counted) {
        return IntStream.range(0, flows.length)
                .mapToObj(link -> new LinkFlow(
                        table.network().names().get(link),
                        flows[link],
                        counted.map(own -> OptionalDouble.of(own[link])).orElse(OptionalDouble.empty())))
                .toList();
    }

    private static Table busiest(List<LinkFlow> links, Document document) {
        List<LinkFlow> top = links.stream()
                .sorted(Comparator.comparingDouble((LinkFlow own) -> -own.flow))
                .limit(ROWS_SHOWN)
                .toList();
        List<Field<LinkFlow>> fields =
                new ArrayList<>(List.of(Field.text("link", LinkFlow::link), Field.decimals("flow", 4, LinkFlow::flow)));
        if (document.correlationWithCounts.isPresent()) {
            fields.add(Field.decimals("counted", 0, own -> own.observed.orElse(Double.NaN)));
        }
        Table table = Table.of(top, fields).titled("The busiest links");
        return document.correlationWithCounts.isPresent()
                ? table.note("Correlation of flows and counts over all links: %s."
                        .formatted(Numbers.decimals(document.correlationWithCounts.getAsDouble(), 3)))
                : table;
    }

    private static double correlation(double[] a, double[] b) {
        double meanA = Vec.sum(a) / a.length;
        double meanB = Vec.sum(b) / b.length;
        double ab = 0;
        double aa = 0;
        double bb = 0;
        for (int i = 0; i < a.length; i++) {
            ab += (a[i] - meanA) * (b[i] - meanB);
            aa += (a[i] - meanA) * (a[i] - meanA);
            bb += (b[i] - meanB) * (b[i] - meanB);
        }
        return ab / Math.sqrt(aa * bb);
    }

    private static Selected selected(Demand demand, String link, List<RoutePredictions.Use> uses) {
        List<Use> pairs = IntStream.range(0, uses.size())
                .filter(i -> uses.get(i).probability() > 1e-9)
                .mapToObj(i -> {
                    Demand.Flow own = demand.flows().get(i);
                    return new Use(
                            demand.network().names().get(own.origin()),
                            demand.destinations().get(own.destination()).name(),
                            own.trips(),
                            uses.get(i).probability(),
                            own.trips() * uses.get(i).passages());
                })
                .sorted(Comparator.comparingDouble((Use own) -> -own.flow))
                .toList();
        return new Selected(link, pairs.stream().mapToDouble(Use::flow).sum(), pairs);
    }

    private static Table table(Selected selected) {
        return Table.of(
                        selected.pairs.subList(0, Math.min(ROWS_SHOWN, selected.pairs.size())),
                        Field.text("origin", Use::origin),
                        Field.text("destination", Use::destination),
                        Field.number("trips", 6, Use::trips),
                        Field.decimals("probability", 4, Use::probability),
                        Field.decimals("flow", 4, Use::flow))
                .titled("Who uses link " + selected.link)
                .note("%s passages in all, by %,d %s%s."
                        .formatted(
                                Numbers.significant(selected.flow, 8),
                                selected.pairs.size(),
                                selected.pairs.size() == 1 ? "pair" : "pairs",
                                selected.pairs.size() > ROWS_SHOWN ? "; the others are in select.csv" : ""));
    }

    static String pairs(PairTable table, double[] flows) {
        StringBuilder out = new StringBuilder(Table.csvLine(List.of("from", "to", "flow")));
        List<String> names = table.network().names();
        for (int k = 0; k < names.size(); k++) {
            for (int e = table.network().start()[k]; e < table.network().start()[k + 1]; e++) {
                out.append(Table.csvLine(
                        List.of(names.get(k), names.get(table.network().to()[e]), Double.toString(flows[e]))));
            }
        }
        return out.toString();
    }
}

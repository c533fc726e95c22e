package dev.revealed.app.route;

import dev.revealed.app.Main;
import dev.revealed.app.Outcome;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Field;
import dev.revealed.data.route.PairReader;
import dev.revealed.data.route.PairTable;
import dev.revealed.estimate.route.DriverType;
import dev.revealed.estimate.route.RoutePredictions.Flows;
import dev.revealed.mdp.route.Demand;
import dev.revealed.mdp.route.Demand.Flow;
import dev.revealed.mdp.route.Destination;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.Vec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What changes on a road network do to flows and travellers: {@code counterfactual} of an estimate on a network. */
public final class RouteChanges {
    /** What stands above the options in the help. */
    public static final String HEADING = "Changes of a road network";

    private static final int ROWS_SHOWN = 10;
    private static final int PAIRS_SHOWN = 5;
    private static final double ROUNDING = 1e-9; // a difference of flows relative to the largest flow
    private static final double DIFFERENCE = 1e-4;
    private static final Pattern CHANGE = Pattern.compile("\\s*([^:]+?)\\s*:\\s*(\\w+)\\s*=(?!=)\\s*(.+)");

    @Option(
            names = "--close",
            paramLabel = "LINK",
            split = ",",
            description = "A link that nobody can enter or leave any more; may be repeated.")
    List<String> close = new ArrayList<>();

    @Option(
            names = "--add",
            paramLabel = "FILE",
            description = "Pairs of links to add, with the columns that features use: CSV as --network, new links"
                    + " included.")
    public @Nullable Path add;

    @Option(
            names = "--change",
            paramLabel = "LINK:COLUMN=FORMULA",
            description =
                    "Another value of a column where a link is entered, for example \"3337:time=time * 1.1\"; with"
                            + " elasticities of flows; may be repeated.")
    List<String> change = new ArrayList<>();

    /** Whether something is changed. */
    public boolean given() {
        return !close.isEmpty() || add != null || !change.isEmpty();
    }

    /** Whether a folder or file holds an estimate on a road network. */
    public static boolean isOf(Path from) {
        return RouteResult.isIn(from);
    }

    /** One change of a column of a link. */
    private record Changed(int link, String column, String formula) {}

    /** The contract of {@code result.json}. */
    record Document(
            String model,
            List<String> changes,
            double trips,
            double impossibleTrips,
            Optional<String> numeraire,
            double loss,
            double lossPerTrip,
            List<Elasticity> elasticities,
            List<LinkChange> links,
            List<String> impossible,
            List<String> notes) {}

    /** Flow on a link; the elasticity is that to the changed column of the changed link. */
    record LinkChange(String link, double before, double after, OptionalDouble elasticity) {}

    /** How the flow on a changed link answers to its own column. */
    record Elasticity(String link, String column, double from, double to, double arc, double point) {}

    /** What the trips of a pair of origin and destination lose together; NaN where they are no longer possible. */
    record PairLoss(String origin, String destination, double trips, double loss) {}

    /** Compares the network with the changed one. */
    public Outcome outcome(Path from, @Nullable Path demandFile, RouteOptions roads, ProgressListener listener) {
        BadInput.when(
                !given(), "nothing is changed", "Say what: --close LINK, --add FILE or --change LINK:COLUMN=FORMULA.");
        FittedRoutes base = FittedRoutes.of(from, null, roads, listener, demandFile, add);
        Set<String> notes = new LinkedHashSet<>();
        List<Changed> changed =
                change.stream().map(text -> parsed(base.table(), text)).toList();
        Set<Integer> closed = new LinkedHashSet<>();
        close.forEach(name -> closed.add(base.table().link(name.strip(), "--close")));
        PairTable table = base.table();
        for (Changed own : changed) {
            table = table.changed(own.link, own.column, own.formula, notes);
        }
        if (add != null) {
            PairTable pairs = new PairReader(base.roles(), listener).pairs(Main.existing(add));
            table = table.plus(pairs, add, base.result().source().definitions(), notes);
        }
        FittedRoutes other = base.on(closed.isEmpty() ? table : table.closed(closed));
        notes.addAll(other.notes());
        Demand demand = base.demand(demandFile);
        Demand.Split split = on(demand, other, closed);
        BadInput.when(
                split.possible().flows().isEmpty(),
                "after the change no trip of the demand is possible",
                "Change less, or give another demand.");
        Demand remaining = new Demand(
                demand.network(), demand.destinations(), split.possible().flows());
        Flows before = base.predictions(remaining).flows();
        Flows after = changed(other, split.possible());
        double[] was = Arrays.copyOf(before.links(), after.links().length);
        List<PairLoss> losses = losses(base.result(), remaining, before, after);
        double loss = losses.stream().mapToDouble(PairLoss::loss).sum();
        Optional<double[]> elasticity = changed.size() == 1 && add == null && closed.isEmpty()
                ? Optional.of(elasticities(base, remaining, changed.getFirst(), before, notes))
                : Optional.empty();
        List<Elasticity> own = elasticity.isEmpty()
                ? List.of()
                : List.of(own(base.table(), other.table(), changed.getFirst(), before, after, elasticity.get()));
        List<LinkChange> links = IntStream.range(0, was.length)
                .mapToObj(k -> new LinkChange(
                        other.table().network().names().get(k),
                        was[k],
                        after.links()[k],
                        elasticity.isPresent() && k < elasticity.get().length && was[k] > 0
                                ? OptionalDouble.of(elasticity.get()[k])
                                : OptionalDouble.empty()))
                .toList();
        double impossible = split.impossible().stream().mapToDouble(Flow::trips).sum();
        Document document = new Document(
                base.result().model(),
                described(),
                demand.total(),
                impossible,
                base.result().numeraire(),
                loss,
                loss / split.possible().total(),
                own,
                links.subList(0, Math.min(FlowsCommand.ROWS_IN_DOCUMENT, links.size())),
                split.impossible().stream()
                        .map(flow -> demand.network().names().get(flow.origin()) + " to "
                                + demand.destinations().get(flow.destination()).name())
                        .toList(),
                List.copyOf(notes));
        split.impossible()
                .forEach(flow -> losses.add(new PairLoss(
                        demand.network().names().get(flow.origin()),
                        demand.destinations().get(flow.destination()).name(),
                        flow.trips(),
                        Double.NaN)));
        return shown(document, other, was, after.links(), links, losses);
    }

    private static Flows changed(FittedRoutes other, Demand demand) {
        try {
            return other.predictions(demand).flows();
        } catch (BadInput e) {
            throw new BadInput("after the change " + e.problem(), "Change less: driving in circles must not pay.");
        }
    }

    private static Changed parsed(PairTable table, String text) {
        Matcher matcher = CHANGE.matcher(text);
        BadInput.when(
                !matcher.matches(),
                "--change is '%s'".formatted(text),
                "Write LINK:COLUMN=FORMULA, for example \"3337:time=time * 1.1\".");
        return new Changed(table.link(matcher.group(1), "--change"), matcher.group(2), matcher.group(3));
    }

    private List<String> described() {
        List<String> all = new ArrayList<>();
        close.forEach(name -> all.add("link " + name.strip() + " closed"));
        if (add != null) {
            all.add("pairs of " + add.getFileName() + " added");
        }
        change.forEach(text -> all.add(text.strip()));
        return all;
    }

    /** The demand on the changed network, parted by whether it is still possible. */
    private static Demand.Split on(Demand demand, FittedRoutes other, Set<Integer> closed) {
        List<Destination> ends = demand.destinations().stream()
                .map(end -> end instanceof Destination.Place place
                        ? new Destination.Place(
                                place.name(),
                                Arrays.stream(place.lastLinks())
                                        .filter(link -> !closed.contains(link))
                                        .toArray())
                        : end)
                .toList();
        List<Flow> left = demand.flows().stream()
                .filter(flow -> !closed.contains(flow.origin()))
                .toList();
        Demand.Split split = new Demand(other.table().network(), ends, left).split();
        List<Flow> impossible = new ArrayList<>(demand.flows().stream()
                .filter(flow -> closed.contains(flow.origin()))
                .toList());
        impossible.addAll(split.impossible());
        return new Demand.Split(split.possible(), impossible);
    }

    /** Differences of expected maximum utility in units of the numeraire; with types of drivers, means over them. */
    private static List<PairLoss> losses(RouteResult result, Demand demand, Flows before, Flows after) {
        List<DriverType> types = result.drivers();
        double[] units = result.units();
        List<PairLoss> losses = new ArrayList<>();
        for (int i = 0; i < demand.flows().size(); i++) {
            Flow flow = demand.flows().get(i);
            double loss = 0;
            for (int k = 0; k < units.length; k++) {
                double lost = before.values()[k][i] - after.values()[k][i];
                loss += types.get(k).share() * (flow.trips() * lost / units[k]);
            }
            losses.add(new PairLoss(
                    demand.network().names().get(flow.origin()),
                    demand.destinations().get(flow.destination()).name(),
                    flow.trips(),
                    loss));
        }
        return losses;
    }

    /** Point elasticities of all flows, by central differences. */
    private static double[] elasticities(
            FittedRoutes base, Demand demand, Changed changed, Flows here, Set<String> notes) {
        double[][] sides = new double[2][];
        for (int side = 0; side < 2; side++) {
            double factor = side == 0 ? 1 + DIFFERENCE : 1 - DIFFERENCE;
            PairTable moved =
                    base.table().changed(changed.link, changed.column, changed.column + " * " + factor, notes);
            sides[side] = base.on(moved).predictions(demand).flows().links();
        }
        double[] all = new double[sides[0].length];
        for (int k = 0; k < all.length; k++) {
            all[k] = (sides[0][k] - sides[1][k]) / (2 * DIFFERENCE) / here.links()[k];
        }
        return all;
    }

    private static Elasticity own(
            PairTable table, PairTable other, Changed changed, Flows before, Flows after, double[] elasticity) {
        double from = mean(table, changed);
        double to = mean(other, changed);
        double flow = before.links()[changed.link];
        return new Elasticity(
                table.network().names().get(changed.link),
                changed.column,
                from,
                to,
                Math.log(after.links()[changed.link] / flow) / Math.log(to / from),
                elasticity[changed.link]);
    }

    /** Mean of the changed column where the link is entered. */
    private static double mean(PairTable table, Changed changed) {
        double[] values = table.values(changed.column, new LinkedHashSet<>());
        return IntStream.range(0, values.length)
                .filter(e -> table.network().to()[e] == changed.link)
                .mapToDouble(e -> values[e])
                .average()
                .orElse(Double.NaN);
    }

    /** What was changed, what it costs, and whom it cuts off. */
    private static List<String> answer(Document document, String remaining) {
        List<String> all = new ArrayList<>();
        all.add(String.join("; ", document.changes) + ".");
        all.add("%s of %s trips remain possible and %s %s %s in all, %s per trip."
                .formatted(
                        remaining,
                        Numbers.significant(document.trips, 8),
                        document.loss < 0 ? "gain" : "lose",
                        Numbers.decimals(Math.abs(document.loss), 6),
                        document.numeraire.map(name -> "units of " + name).orElse("utility"),
                        Numbers.decimals(Math.abs(document.lossPerTrip), 6)));
        int lost = document.impossible.size();
        if (lost > 0) {
            all.add("No longer possible: %s%s. losses.csv has them without a loss."
                    .formatted(
                            String.join(", ", document.impossible.subList(0, Math.min(PAIRS_SHOWN, lost))),
                            lost > PAIRS_SHOWN ? " and %,d other pairs".formatted(lost - PAIRS_SHOWN) : ""));
        }
        return all;
    }

    private static Outcome shown(
            Document document,
            FittedRoutes other,
            double[] was,
            double[] now,
            List<LinkChange> links,
            List<PairLoss> losses) {
        String remaining = Numbers.significant(document.trips - document.impossibleTrips, 8);
        double[] differences = new double[now.length];
        double rounding = ROUNDING * Math.max(Vec.maxAbs(was), Vec.maxAbs(now));
        Arrays.setAll(differences, k -> Math.abs(now[k] - was[k]) <= rounding ? 0 : now[k] - was[k]);
        Map<String, double[]> columns = new LinkedHashMap<>();
        columns.put("before", was);
        columns.put("after", now);
        columns.put("difference", differences);
        if (!document.elasticities.isEmpty()) {
            columns.put(
                    "elasticity",
                    links.stream()
                            .mapToDouble(own -> own.elasticity.orElse(Double.NaN))
                            .toArray());
        }
        RouteMap map = new RouteMap(other.table());
        List<LinkChange> most = links.stream()
                .filter(own -> Math.abs(own.after - own.before) > rounding)
                .sorted(Comparator.comparingDouble((LinkChange own) -> -Math.abs(own.after - own.before)))
                .limit(ROWS_SHOWN)
                .toList();
        Table moved = Table.of(
                        most,
                        Field.text("link", LinkChange::link),
                        Field.decimals("before", 4, LinkChange::before),
                        Field.decimals("after", 4, LinkChange::after),
                        Field.decimals("difference", 4, own -> own.after - own.before))
                .titled("Flows that change most")
                .note("%sAll links are in flows.csv."
                        .formatted(
                                document.impossibleTrips == 0
                                        ? ""
                                        : "Before and after are those of the %s trips that remain possible. "
                                                .formatted(remaining)));
        Outcome outcome = Outcome.of(document, "Changes of a road network").notes(answer(document, remaining));
        outcome = most.isEmpty()
                ? outcome.notes(List.of("No flow of the trips that remain possible changes."))
                : outcome.table(moved);
        for (Elasticity own : document.elasticities) {
            outcome = outcome.notes(
                    List.of("Elasticity of the flow on link %s to its %s: arc %s (from %s to %s), point %s."
                            .formatted(
                                    own.link,
                                    own.column,
                                    Numbers.decimals(own.arc, 4),
                                    Numbers.significant(own.from, 6),
                                    Numbers.significant(own.to, 6),
                                    Numbers.decimals(own.point, 4))));
        }
        if (!document.notes.isEmpty()) {
            outcome = outcome.notes(document.notes);
        }
        outcome = outcome.picture(
                        "map",
                        map.map("Change of flow", differences, "passages after less before")
                                .diverging())
                .map(map.page(columns))
                .file("flows.csv", other.csv(columns))
                .file("losses.csv", Table.csv(PairLoss.class, losses));
        return map.hasCoordinates() ? outcome.file("flows.geojson", map.geoJson(columns)) : outcome;
    }
}

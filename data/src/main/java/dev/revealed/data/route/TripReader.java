package dev.revealed.data.route;

import dev.revealed.data.Csv;
import dev.revealed.data.Ints;
import dev.revealed.mdp.route.Demand;
import dev.revealed.mdp.route.Demand.Flow;
import dev.revealed.mdp.route.Destination;
import dev.revealed.mdp.route.Network;
import dev.revealed.mdp.route.Trips;
import dev.revealed.mdp.route.Trips.Trip;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import dev.revealed.numeric.ProgressListener;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads trips of matched links: a row for each trip with its links in one cell, or a row for each link of a trip. A trip
 * ends at the destination it names, which is a place with last links or a link, or on its last link.
 */
public final class TripReader {
    private static final Pattern BRACKETS = Pattern.compile("^[\\[(]|[\\])]$");
    private static final List<Pattern> SEPARATORS = Stream.of(
                    "\\s+", "[\\s,]+", "\\s*;\\s*", "\\s*\\|\\s*", "_", "-", "\\s*>\\s*")
            .map(Pattern::compile)
            .toList();
    private static final int MOST_NAMED = 20;

    private final Network network;
    private final RouteColumns roles;
    private final ProgressListener listener;
    private String forbid = "";
    private Network whole; // before pairs were forbidden
    private final Map<String, Integer> links = new HashMap<>();
    private final List<Destination> destinations = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();

    public TripReader(Network network, RouteColumns roles, ProgressListener listener) {
        this.network = network;
        whole = network;
        this.roles = roles;
        this.listener = listener;
        for (int k = 0; k < network.links(); k++) {
            links.put(network.names().get(k), k);
        }
    }

    /**
     * Trips as read.
     *
     * @param clusters of each trip; empty where none were asked for
     * @param left trips that were left out, since the network does not allow them
     */
    public record Read(Trips trips, List<String> clusters, List<String> left) {}

    /** Names, the first of many. */
    public static String listed(List<String> names) {
        return names.size() <= MOST_NAMED
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, MOST_NAMED)) + " and %d more".formatted(names.size() - MOST_NAMED);
    }

    /** Adds places: {@code destination,last_link}, a row for every link from which one is entered. */
    public TripReader places(Path file) {
        List<String> header = RouteColumns.header(file);
        List<String> needed = List.of(roles.need(file, "destination", header), roles.need(file, "last-link", header));
        Map<String, Ints> lastLinks = new LinkedHashMap<>();
        try (Csv csv = Csv.separated(file, needed, listener)) {
            while (csv.next()) {
                String name = csv.text(0);
                if (links.containsKey(name)) {
                    throw csv.bad(
                            "destination '%s' has the name of a link".formatted(name),
                            "Give it another name; trips that end on links need no file of destinations.");
                }
                lastLinks.computeIfAbsent(name, _ -> new Ints()).add(link(csv, needed.get(1), csv.text(1)));
            }
        }
        BadInput.when(lastLinks.isEmpty(), file + ": there are no destinations", "Give at least one.");
        lastLinks.forEach((name, entered) -> {
            numbers.put(name, destinations.size());
            destinations.add(new Destination.Place(name, entered.toArray()));
        });
        return this;
    }

    /** Says of pairs that were forbidden that they were, where trips use them. */
    public TripReader forbidding(String formula, Network all) {
        forbid = formula;
        whole = all;
        return this;
    }

    /** A destination by name: a place, or a link. */
    public int destination(Csv csv, String column, String name) {
        unknownDestination(csv, column, name).ifPresent(TripReader::refuse);
        Integer number = numbers.get(name);
        return number != null ? number : onLink(Objects.requireNonNull(links.get(name)));
    }

    private Optional<BadInput> unknownDestination(Csv csv, String column, String name) {
        return numbers.containsKey(name) || links.containsKey(name)
                ? Optional.empty()
                : Optional.of(
                        csv.bad(
                                "%s is '%s', which is neither a destination nor a link".formatted(column, name),
                                Closest.question(name, numbers.keySet())
                                        + "Name a link, or give the links from which it is entered in the file of `destinations`."));
    }

    private static void refuse(BadInput flaw) {
        throw flaw;
    }

    private int onLink(int link) {
        String name = network.names().get(link);
        return numbers.computeIfAbsent(name, _ -> {
            destinations.add(new Destination.OnLink(name, link));
            return destinations.size() - 1;
        });
    }

    public List<Destination> destinations() {
        return List.copyOf(destinations);
    }

    public RouteColumns roles() {
        return roles;
    }

    public Network network() {
        return network;
    }

    /** A link by name. */
    public int link(Csv csv, String column, String name) {
        unknownLink(csv, column, name).ifPresent(TripReader::refuse);
        return Objects.requireNonNull(links.get(name));
    }

    private Optional<BadInput> unknownLink(Csv csv, String column, String name) {
        return links.containsKey(name)
                ? Optional.empty()
                : Optional.of(csv.bad(
                        "%s names link '%s', which the network does not have".formatted(column, name),
                        "Add it to the network, or correct the name."));
    }

    /** A demand table: {@code origin,destination,trips}, a row for every pair; one trip where there is no such column. */
    public Demand demand(Path file) {
        return demand(file, false);
    }

    /** @param whole whether trips must be whole numbers, since each is drawn */
    public Demand demand(Path file, boolean whole) {
        List<String> header = RouteColumns.header(file);
        Optional<String> trips = roles.find("trips", header);
        List<String> columns = Stream.concat(
                        Stream.of(roles.need(file, "origin", header), roles.need(file, "destination", header)),
                        trips.stream())
                .toList();
        List<Flow> flows = new ArrayList<>();
        Ints lines = new Ints();
        try (Csv csv = Csv.separated(file, columns, listener)) {
            while (csv.next()) {
                double count = trips.isPresent() ? csv.number(2) : 1;
                if (count < 0) {
                    throw csv.bad("%s is %s".formatted(columns.get(2), count), "Give a number from 0.");
                }
                if (whole && count != Math.rint(count)) {
                    throw csv.bad(
                            "%s is %s".formatted(columns.get(2), count),
                            "Give a whole number: trips are drawn one by one.");
                }
                int origin = link(csv, columns.get(0), csv.text(0));
                int destination = destination(csv, columns.get(1), csv.text(1));
                if (count > 0) {
                    flows.add(new Flow(origin, destination, count));
                    lines.add(csv.line());
                }
            }
        }
        BadInput.when(flows.isEmpty(), file + ": there are no trips", "Give at least one.");
        List<Flow> impossible =
                new Demand(network, destinations(), flows).split().impossible();
        List<String> bad = new ArrayList<>();
        for (int i = 0; i < flows.size(); i++) {
            if (impossible.contains(flows.get(i))) {
                bad.add(Integer.toString(lines.get(i)));
            }
        }
        if (!bad.isEmpty()) {
            Flow first = impossible.getFirst();
            throw new BadInput(
                    "%s: destination '%s' cannot be reached from link '%s'; unreachable in %d %s: %s"
                            .formatted(
                                    file,
                                    destinations.get(first.destination()).name(),
                                    network.names().get(first.origin()),
                                    bad.size(),
                                    bad.size() == 1 ? "line" : "lines",
                                    String.join(", ", bad)),
                    "Leave these rows out, or add the pairs of links that are missing.");
        }
        return Demand.of(network, destinations(), flows);
    }

    /**
     * One trip before it is checked.
     *
     * @param flaw what it names and the network does not have
     */
    private record Raw(
            String name, int[] driven, String destination, String cluster, int line, Optional<BadInput> flaw) {}

    /**
     * Trips, each checked against the network.
     *
     * @param cluster a column whose values are kept
     * @param drop whether to leave out trips that the network does not allow, rather than to refuse them
     */
    public Read trips(Path file, Optional<String> cluster, boolean drop) {
        List<Raw> raw = new ArrayList<>();
        List<String> header = RouteColumns.header(file);
        if (cluster.isPresent() && !header.contains(cluster.get())) {
            throw new BadInput(
                    "%s: there is no column '%s' among %s".formatted(file, cluster.get(), String.join(", ", header)),
                    Closest.question(cluster.get(), header) + "`cluster` names a column of the trips.");
        }
        boolean wide =
                !roles.given("trip-link", header) && roles.find("links", header).isPresent();
        if (!wide && roles.find("trip-link", header).isEmpty()) {
            throw roles.missing(file, "links", header);
        }
        if (wide) {
            wide(file, header, cluster, raw);
        } else {
            longForm(file, header, cluster, raw);
        }
        BadInput.when(raw.isEmpty(), file + ": there are no trips", "Give at least one.");
        return checked(file, raw, cluster.isPresent(), drop);
    }

    private void wide(Path file, List<String> header, Optional<String> cluster, List<Raw> raw) {
        String path = roles.need(file, "links", header);
        Optional<String> trip = roles.find("trip", header);
        Optional<String> destination = roles.find("destination", header);
        List<String> columns = Stream.of(Stream.of(path), trip.stream(), destination.stream(), cluster.stream())
                .flatMap(name -> name)
                .distinct()
                .toList();
        Map<String, Integer> lines = new HashMap<>();
        try (Csv csv = Csv.separated(file, columns, listener)) {
            while (csv.next()) {
                String name = trip.map(own -> csv.text(columns.indexOf(own))).orElse(Integer.toString(raw.size() + 1));
                Integer before = lines.put(name, csv.line());
                if (before != null) {
                    throw csv.bad(
                            "trip '%s' stands in line %d already".formatted(name, before),
                            "Give each trip one row and a name of its own.");
                }
                String end = destination
                        .map(own -> optional(csv, columns.indexOf(own)))
                        .orElse("");
                String group =
                        cluster.map(own -> csv.text(columns.indexOf(own))).orElse("");
                String[] driven = split(csv.text(0));
                Optional<BadInput> flaw = Arrays.stream(driven)
                        .flatMap(link -> unknownLink(csv, path, link).stream())
                        .findFirst()
                        .or(() -> named(csv, destination.orElse(""), end));
                raw.add(new Raw(name, numbers(driven), end, group, csv.line(), flaw));
            }
        }
    }

    private static String optional(Csv csv, int column) {
        return csv.blank(column) ? "" : csv.text(column);
    }

    /** What is wrong with a destination, found where its line is known. */
    private Optional<BadInput> named(Csv csv, String column, String name) {
        return name.isEmpty() ? Optional.empty() : unknownDestination(csv, column, name);
    }

    /** Links by number; -1 for those that the network does not have. */
    private int[] numbers(String... names) {
        return Arrays.stream(names)
                .mapToInt(name -> links.getOrDefault(name, -1))
                .toArray();
    }

    /** The names of links in a cell, parted where most of them are known. */
    private String[] split(String text) {
        String cell = BRACKETS.matcher(text).replaceAll("").strip();
        String[] best = new String[0];
        int most = -1;
        for (Pattern separator : SEPARATORS) {
            String[] parts = separator.split(cell);
            int known = (int) Arrays.stream(parts).filter(links::containsKey).count();
            if (known == parts.length) {
                return parts;
            }
            if (known > most) {
                most = known;
                best = parts;
            }
        }
        return best;
    }

    private void longForm(Path file, List<String> header, Optional<String> cluster, List<Raw> raw) {
        String link = roles.need(file, "trip-link", header);
        String trip = roles.need(file, "trip", header);
        Optional<String> order = roles.find("order", header);
        Optional<String> destination = roles.find("destination", header);
        List<String> columns = Stream.of(Stream.of(trip, link), order.stream(), destination.stream(), cluster.stream())
                .flatMap(name -> name)
                .distinct()
                .toList();
        Map<String, Steps> trips = new LinkedHashMap<>();
        try (Csv csv = Csv.separated(file, columns, listener)) {
            while (csv.next()) {
                Steps steps = trips.computeIfAbsent(csv.text(0), _ -> new Steps(csv.line()));
                steps.links.add(numbers(csv.text(1))[0]);
                steps.flaw = steps.flaw.or(() -> unknownLink(csv, link, csv.text(1)));
                double place =
                        order.map(own -> csv.number(columns.indexOf(own))).orElse((double) steps.links.size());
                if (order.isPresent() && steps.places.contains(place)) {
                    throw csv.bad(
                            "%s %s occurs twice in trip '%s'".formatted(order.get(), place, csv.text(0)),
                            "Number the links of a trip in the order in which they are driven.");
                }
                steps.places.add(place);
                destination
                        .map(own -> optional(csv, columns.indexOf(own)))
                        .filter(name -> !name.isEmpty())
                        .ifPresent(name -> {
                            steps.destination = name;
                            steps.flaw = steps.flaw.or(() -> named(csv, destination.get(), name));
                        });
                cluster.ifPresent(own -> steps.cluster = csv.text(columns.indexOf(own)));
            }
        }
        trips.forEach((name, steps) ->
                raw.add(new Raw(name, steps.inOrder(), steps.destination, steps.cluster, steps.line, steps.flaw)));
    }

    /** The rows of one trip. */
    private static final class Steps {
        private final int line;
        private final Ints links = new Ints();
        private final List<Double> places = new ArrayList<>();
        private String destination = "";
        private String cluster = "";
        private Optional<BadInput> flaw = Optional.empty();

        Steps(int line) {
            this.line = line;
        }

        int[] inOrder() {
            return Stream.iterate(0, i -> i + 1)
                    .limit(places.size())
                    .sorted((a, b) -> Double.compare(places.get(a), places.get(b)))
                    .mapToInt(links::get)
                    .toArray();
        }
    }

    private Read checked(Path file, List<Raw> raw, boolean clustered, boolean drop) {
        List<Trip> trips = new ArrayList<>();
        List<String> clusters = new ArrayList<>();
        List<String> impossible = new ArrayList<>();
        BadInput first = null;
        for (Raw own : raw) {
            try {
                own.flaw.ifPresent(TripReader::refuse);
                trips.add(possible(own, "%s, line %d".formatted(file, own.line)));
                clusters.add(own.cluster);
            } catch (BadInput e) {
                impossible.add(own.name);
                first = first == null ? e : first;
            }
        }
        if (first != null && !drop) {
            String many = impossible.size() == 1
                    ? ""
                    : ". In all %d of %d trips are impossible: %s"
                            .formatted(impossible.size(), raw.size(), String.join(", ", impossible));
            throw new BadInput(first.problem() + many, first.remedy() + " `drop-impossible` leaves such trips out.");
        }
        if (trips.isEmpty()) {
            throw new BadInput(
                    "%s: none of %d trips is possible on this network".formatted(file, raw.size()),
                    "Check that trips and network are those of the same city.");
        }
        return new Read(new Trips(network, destinations(), trips), clustered ? clusters : List.of(), impossible);
    }

    /** The trip, where the network allows it. */
    private Trip possible(Raw raw, String where) {
        int[] driven = raw.driven;
        int last = driven[driven.length - 1];
        int end = raw.destination.isEmpty()
                ? onLink(last)
                : Optional.ofNullable(numbers.get(raw.destination))
                        .orElseGet(() -> onLink(Objects.requireNonNull(links.get(raw.destination))));
        if (destinations.get(end) instanceof Destination.OnLink named && last != named.link()) {
            driven = Arrays.copyOf(driven, driven.length + 1); // the last step was not written
            driven[driven.length - 1] = named.link();
        }
        Trip trip = new Trip(raw.name, driven, end);
        try {
            trip.check(network, destinations);
            return trip;
        } catch (BadInput e) {
            throw reason(raw, driven, e).in(where);
        }
    }

    /** Why a trip is impossible, in words that fit what the user gave. */
    private BadInput reason(Raw raw, int[] driven, BadInput otherwise) {
        int t = 1;
        while (t < driven.length && network.pair(driven[t - 1], driven[t]) >= 0) {
            t++;
        }
        if (t == driven.length) {
            return otherwise;
        }
        String from = network.names().get(driven[t - 1]);
        String to = network.names().get(driven[t]);
        if (whole.pair(driven[t - 1], driven[t]) >= 0) {
            return new BadInput(
                    "trip '%s' goes from link '%s' to link '%s' (steps %d and %d), which `forbid` %s rules out"
                            .formatted(raw.name, from, to, t, t + 1, forbid),
                    "Forbid less, or correct the trip.");
        }
        return t < raw.driven.length
                ? otherwise
                : new BadInput(
                        "trip '%s' ends on link '%s' but names the destination '%s', which cannot be entered from there"
                                .formatted(raw.name, from, to),
                        "Correct the destination or the links of the trip.");
    }
}

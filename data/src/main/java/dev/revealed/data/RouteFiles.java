package dev.revealed.data;

import dev.revealed.mdp.route.Destination;
import dev.revealed.mdp.route.Network;
import dev.revealed.mdp.route.Trips;
import dev.revealed.mdp.route.Trips.Trip;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.Vec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Road networks and trips in CSV, gzipped where the name ends in {@code .gz}. Links may have any names.
 *
 * <ul>
 *   <li>pairs of links: {@code from,to} and attributes; a blank attribute is read as 0, with a note;
 *   <li>destinations that are no links: {@code destination,last_link}, a row for every link from which one is entered;
 *   <li>trips: {@code trip,links} and perhaps {@code destination}; links are separated by spaces. Without a file of
 *       destinations a trip ends on its last link, or on the link that {@code destination} names.
 * </ul>
 */
public final class RouteFiles {
    private static final Pattern SPACES = Pattern.compile("\\s+");

    private RouteFiles() {}

    /** The network and the named attributes of its pairs; other columns are left alone. */
    public static NetworkData pairs(Path file, List<String> attributes, ProgressListener listener) {
        Names names = new Names();
        Ints from = new Ints();
        Ints to = new Ints();
        Ints lines = new Ints();
        Doubles[] values =
                Stream.generate(Doubles::new).limit(attributes.size()).toArray(Doubles[]::new);
        int[] blanks = new int[attributes.size()];
        int[] firstBlank = new int[attributes.size()];
        List<String> required =
                Stream.concat(Stream.of("from", "to"), attributes.stream()).toList();
        try (Csv csv = Csv.amongOthers(file, required, List.of(), "", listener)) {
            while (csv.next()) {
                from.add(names.number(csv, 0));
                to.add(names.number(csv, 1));
                lines.add(csv.line());
                for (int j = 0; j < attributes.size(); j++) {
                    if (csv.blank(2 + j)) {
                        values[j].add(0);
                        firstBlank[j] = blanks[j]++ == 0 ? csv.line() : firstBlank[j];
                    } else {
                        values[j].add(csv.number(2 + j));
                    }
                }
            }
        }
        BadInput.when(from.size() == 0, file + ": there are no link pairs", "Give a row for every pair of links.");
        List<String> notes = new ArrayList<>();
        for (int j = 0; j < blanks.length; j++) {
            if (blanks[j] > 0) {
                notes.add("%s: %s is blank in %d %s (first in line %d) and was read as 0."
                        .formatted(
                                file.getFileName(),
                                attributes.get(j),
                                blanks[j],
                                blanks[j] == 1 ? "row" : "rows",
                                firstBlank[j]));
            }
        }
        return network(file, names.inOrder(), from.toArray(), to.toArray(), lines.toArray(), values, attributes, notes);
    }

    private static NetworkData network(
            Path file,
            List<String> names,
            int[] from,
            int[] to,
            int[] line,
            Doubles[] read,
            List<String> attributes,
            List<String> notes) {
        int links = names.size();
        int[] order = Vec.order(from.length, e -> (double) from[e] * links + to[e]);
        int[] start = new int[links + 1];
        int[] next = new int[from.length];
        double[][] values = new double[attributes.size()][from.length];
        double[][] unsorted = Arrays.stream(read).map(Doubles::toArray).toArray(double[][]::new);
        for (int e = 0; e < order.length; e++) {
            int row = order[e];
            if (e > 0 && from[order[e - 1]] == from[row] && to[order[e - 1]] == to[row]) {
                throw new BadInput(
                        "%s, lines %d and %d: the pair from '%s' to '%s' occurs twice"
                                .formatted(
                                        file, line[order[e - 1]], line[row], names.get(from[row]), names.get(to[row])),
                        "Keep one row for each pair of links.");
            }
            start[from[row] + 1]++;
            next[e] = to[row];
            for (int j = 0; j < values.length; j++) {
                values[j][e] = unsorted[j][row];
            }
        }
        for (int k = 0; k < links; k++) {
            start[k + 1] += start[k];
        }
        return new NetworkData(new Network(names, start, next), attributes, values, notes);
    }

    /** Destinations that are no links, in the order in which the file names them. */
    public static List<Destination> destinations(Path file, Network network, ProgressListener listener) {
        Map<String, Integer> links = numbers(network);
        Map<String, Ints> lastLinks = new LinkedHashMap<>();
        try (Csv csv = Csv.amongOthers(file, List.of("destination", "last_link"), List.of(), "", listener)) {
            while (csv.next()) {
                String name = csv.text(0);
                if (links.containsKey(name)) {
                    throw csv.bad(
                            "destination '%s' has the name of a link".formatted(name),
                            "Give it another name; trips that end on links need no file of destinations.");
                }
                lastLinks.computeIfAbsent(name, _ -> new Ints()).add(link(csv, "last_link", csv.text(1), links));
            }
        }
        BadInput.when(lastLinks.isEmpty(), file + ": there are no destinations", "Give at least one.");
        List<Destination> destinations = new ArrayList<>();
        lastLinks.forEach((name, entered) -> destinations.add(new Destination.Place(name, entered.toArray())));
        return destinations;
    }

    /**
     * Trips, each checked against the network.
     *
     * @param places destinations that are no links; none where trips end on links
     */
    public static Trips trips(Path file, Network network, List<Destination> places, ProgressListener listener) {
        Map<String, Integer> links = numbers(network);
        List<Destination> destinations = new ArrayList<>(places);
        Map<String, Integer> destination = new HashMap<>();
        for (int d = 0; d < places.size(); d++) {
            destination.put(places.get(d).name(), d);
        }
        List<Trip> trips = new ArrayList<>();
        Map<String, Integer> lines = new HashMap<>();
        List<String> required = places.isEmpty() ? List.of("trip", "links") : List.of("trip", "links", "destination");
        List<String> optional = places.isEmpty() ? List.of("destination") : List.of();
        try (Csv csv = Csv.amongOthers(file, required, optional, "", listener)) {
            while (csv.next()) {
                String name = csv.text(0);
                Integer before = lines.put(name, csv.line());
                if (before != null) {
                    throw csv.bad(
                            "trip '%s' stands in line %d already".formatted(name, before),
                            "Give each trip one row and a name of its own.");
                }
                int[] driven = SPACES.splitAsStream(csv.text(1))
                        .mapToInt(link -> link(csv, "links", link, links))
                        .toArray();
                int end;
                if (!places.isEmpty()) {
                    end = place(csv, destination, places);
                } else {
                    if (csv.has(2) && !csv.blank(2)) {
                        int last = link(csv, "destination", csv.text(2), links);
                        if (driven[driven.length - 1] != last) {
                            driven = Arrays.copyOf(driven, driven.length + 1);
                            driven[driven.length - 1] = last;
                        }
                    }
                    int last = driven[driven.length - 1];
                    end = destination.computeIfAbsent(network.names().get(last), found -> {
                        destinations.add(new Destination.OnLink(found, last));
                        return destinations.size() - 1;
                    });
                }
                Trip trip = new Trip(name, driven, end);
                try {
                    trip.check(network, destinations);
                } catch (BadInput e) {
                    throw csv.bad(e.problem(), e.remedy());
                }
                trips.add(trip);
            }
        }
        BadInput.when(trips.isEmpty(), file + ": there are no trips", "Give at least one.");
        return new Trips(network, destinations, trips);
    }

    private static int place(Csv csv, Map<String, Integer> destination, List<Destination> places) {
        String wanted = csv.text(2);
        Integer number = destination.get(wanted);
        if (number == null) {
            List<String> known = places.stream().map(Destination::name).toList();
            throw csv.bad(
                    "destination is '%s', which the file of destinations does not name".formatted(wanted),
                    Closest.question(wanted, known) + "Add rows with the links from which it is entered.");
        }
        return number;
    }

    private static int link(Csv csv, String column, String name, Map<String, Integer> links) {
        Integer number = links.get(name);
        if (number == null) {
            throw csv.bad(
                    "%s names link '%s', which no pair of the network has".formatted(column, name),
                    "Add its pairs to the network, or correct the name.");
        }
        return number;
    }

    private static Map<String, Integer> numbers(Network network) {
        Map<String, Integer> numbers = new HashMap<>();
        for (int k = 0; k < network.links(); k++) {
            numbers.put(network.names().get(k), k);
        }
        return numbers;
    }
}

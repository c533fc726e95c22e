package dev.revealed.data.route;

import dev.revealed.data.Csv;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import dev.revealed.numeric.ProgressListener;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which columns of files hold what: usual names are found by themselves, others are given by their role. A name that is
 * given holds for every file that has such a column; the other files are searched for usual names.
 *
 * @param named column names by role
 * @param earlier those that an estimate was made with, where a file has no column of the first ones
 */
public record RouteColumns(Map<String, String> named, Map<String, String> earlier) {
    private static final Map<String, List<String>> USUAL = usual();

    private static Map<String, List<String>> usual() {
        Map<String, List<String>> all = new LinkedHashMap<>();
        all.put("from", names("from from_link from_edge link_from source_link link_id"));
        all.put("to", names("to to_link next next_link next_link_id to_edge link_to target_link"));
        all.put("link", names("link link_id linkid edge edge_id edgeid n_id"));
        all.put("from-node", names("from_node node_from u init_node a_node start_node a"));
        all.put("to-node", names("to_node node_to v term_node b_node end_node b"));
        all.put("x1", names("x1 from_x x_from start_x x_start lon1 from_lon start_lon"));
        all.put("y1", names("y1 from_y y_from start_y y_start lat1 from_lat start_lat"));
        all.put("x2", names("x2 to_x x_to end_x x_end lon2 to_lon end_lon"));
        all.put("y2", names("y2 to_y y_to end_y y_end lat2 to_lat end_lat"));
        all.put("geometry", names("geometry wkt geom"));
        all.put("node", names("node node_id nodeid id osmid"));
        all.put("x", names("x lon longitude lng x_coord xcoord coord_x"));
        all.put("y", names("y lat latitude y_coord ycoord coord_y"));
        all.put("trip", names("trip trip_id tripid trajectory traj traj_id journey journey_id route_id routeid id"));
        all.put("links", names("links path route edges link_ids edge_ids"));
        all.put("trip-link", names("link link_id linkid edge edge_id edgeid"));
        all.put("order", names("order seq sequence step seq_no position"));
        all.put("destination", names("destination dest des d"));
        all.put("last-link", names("last_link last"));
        all.put("origin", names("origin orig ori o"));
        all.put("trips", names("trips demand flow count volume"));
        return all;
    }

    private static List<String> names(String words) {
        return List.of(words.split(" "));
    }

    public RouteColumns {
        named = Map.copyOf(named);
        earlier = Map.copyOf(earlier);
        for (String role : named.keySet()) {
            BadInput.when(
                    !USUAL.containsKey(role),
                    "`column` names the role '%s', which does not exist".formatted(role),
                    Closest.question(role, USUAL.keySet()) + "There is " + String.join(", ", USUAL.keySet()) + ".");
        }
    }

    public RouteColumns(Map<String, String> named) {
        this(named, Map.of());
    }

    /** The same, with names of before. */
    public RouteColumns orElse(RouteColumns before) {
        return new RouteColumns(named, before.named);
    }

    /** Refuses a name that none of the files has. */
    public void check(List<Path> files) {
        Set<String> unknown = new LinkedHashSet<>(named.values());
        Map<Path, List<String>> headers = new LinkedHashMap<>();
        for (Path file : files) {
            if (!unknown.isEmpty()) {
                headers.put(file, LinkReader.header(file));
                headers.get(file).forEach(unknown::remove);
            }
        }
        named.forEach((role, name) -> BadInput.when(
                unknown.contains(name),
                "`column` is %s=%s, and no file has a column '%s'; %s"
                        .formatted(
                                role,
                                name,
                                name,
                                headers.entrySet().stream()
                                        .map(file -> "%s has %s"
                                                .formatted(file.getKey(), String.join(", ", file.getValue())))
                                        .collect(Collectors.joining("; "))),
                Closest.question(
                                name,
                                headers.values().stream().flatMap(List::stream).toList())
                        + "Name one of these."));
    }

    /** Usual names only. */
    public static RouteColumns usualNames() {
        return new RouteColumns(Map.of());
    }

    /** The columns of a file. */
    static List<String> header(Path file) {
        try (Csv csv = Csv.separated(file, List.of(), ProgressListener.NONE)) {
            return csv.others();
        }
    }

    /** The column of a role, where the file has one. */
    Optional<String> find(String role, List<String> header) {
        Optional<String> given = among(role, header);
        if (given.isPresent()) {
            return given;
        }
        for (String name : USUAL.getOrDefault(role, List.of())) {
            Optional<String> found =
                    header.stream().filter(name::equalsIgnoreCase).findFirst();
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private Optional<String> among(String role, List<String> header) {
        return Stream.of(named, earlier)
                .flatMap(names -> Stream.ofNullable(names.get(role)))
                .filter(header::contains)
                .findFirst();
    }

    /** Whether the user said which column of the file has this role. */
    boolean given(String role, List<String> header) {
        return among(role, header).isPresent();
    }

    /** The column of a role that must be there. */
    String need(Path file, String role, List<String> header) {
        return find(role, header).orElseThrow(() -> missing(file, role, header));
    }

    BadInput missing(Path file, String role, List<String> header) {
        String given = named.getOrDefault(role, earlier.get(role));
        String columns = String.join(", ", header);
        String which = "Say which one it is: `column` %s=NAME%s."
                .formatted(role, role.equals("links") ? ", or `column` trip-link=NAME where a row is one link" : "");
        return given != null
                ? new BadInput(
                        "%s: there is no column '%s' for '%s' among %s".formatted(file, given, role, columns),
                        Closest.question(given, header) + which)
                : new BadInput(
                        "%s: no column for '%s' among %s".formatted(file, role, columns),
                        "%s Found by themselves are %s."
                                .formatted(which, String.join(", ", USUAL.getOrDefault(role, List.of()))));
    }
}

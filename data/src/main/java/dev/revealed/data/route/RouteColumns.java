package dev.revealed.data.route;

import dev.revealed.data.Csv;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import dev.revealed.numeric.ProgressListener;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which columns of files hold what: usual names are found by themselves, others are given by their role.
 *
 * @param named column names by role
 */
public record RouteColumns(Map<String, String> named) {
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
        for (String role : named.keySet()) {
            BadInput.when(
                    !USUAL.containsKey(role),
                    "`column` names the role '%s', which does not exist".formatted(role),
                    Closest.question(role, USUAL.keySet()) + "There is " + String.join(", ", USUAL.keySet()) + ".");
        }
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
        String given = named.get(role);
        if (given != null) {
            return header.contains(given) ? Optional.of(given) : Optional.empty();
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

    /** Whether the user said which column has this role. */
    boolean given(String role) {
        return named.containsKey(role);
    }

    /** The column of a role that must be there. */
    String need(Path file, String role, List<String> header) {
        return find(role, header).orElseThrow(() -> missing(file, role, header));
    }

    BadInput missing(Path file, String role, List<String> header) {
        String given = named.get(role);
        String columns = String.join(", ", header);
        return given != null
                ? new BadInput(
                        "%s: there is no column '%s' among %s".formatted(file, given, columns),
                        Closest.question(given, header) + "`column` %s=NAME names the right one.".formatted(role))
                : new BadInput(
                        "%s: no column for '%s' among %s".formatted(file, role, columns),
                        "Say which one it is: `column` %s=NAME%s. Found by themselves are %s."
                                .formatted(
                                        role,
                                        role.equals("links")
                                                ? ", or `column` trip-link=NAME where a row is one link"
                                                : "",
                                        String.join(", ", USUAL.getOrDefault(role, List.of()))));
    }
}

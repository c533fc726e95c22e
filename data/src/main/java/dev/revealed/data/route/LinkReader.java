package dev.revealed.data.route;

import dev.revealed.data.Csv;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import dev.revealed.numeric.ProgressListener;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads links: CSV with a row for each, or lines in GeoJSON. */
final class LinkReader {
    private static final Pattern GEO_JSON = Pattern.compile(".*\\.(geo)?json(\\.gz)?");
    private static final Pattern NUMBER = Pattern.compile("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?");
    private static final Pattern BETWEEN_POINTS = Pattern.compile("\\s*,\\s*");

    private final RouteColumns roles;
    private final Map<String, Integer> texts;
    private final ProgressListener listener;
    private final List<String> names = new ArrayList<>();
    private final Map<String, Integer> lines = new HashMap<>();
    private final List<String> fromNodes = new ArrayList<>();
    private final List<String> toNodes = new ArrayList<>();
    private final List<Shape> shapes = new ArrayList<>();

    LinkReader(RouteColumns roles, Map<String, Integer> texts, ProgressListener listener) {
        this.roles = roles;
        this.texts = texts;
        this.listener = listener;
    }

    static boolean isGeoJson(Path file) {
        return GEO_JSON.matcher(file.toString()).matches();
    }

    /** Whether a CSV file has a row for each link with its nodes, rather than one for each pair of links. */
    static boolean isLinkList(RouteColumns roles, List<String> header) {
        if (roles.given("from", header) || roles.given("to", header)) {
            return false;
        }
        boolean nodes = roles.find("from-node", header).isPresent()
                && roles.find("to-node", header).isPresent();
        boolean link = roles.find("link", header).isPresent();
        return nodes || (link && header.contains("from") && header.contains("to"));
    }

    LinkTable read(Path file, Optional<Path> nodes) {
        return isGeoJson(file) ? geoJson(file) : csv(file, nodes);
    }

    private void add(String name, int line, Path file, Shape shape) {
        Integer before = lines.put(name, line);
        if (before != null) {
            throw new BadInput(
                    "%s, %s %d and %d: link '%s' occurs twice"
                            .formatted(file, isGeoJson(file) ? "features" : "lines", before, line, name),
                    "Keep one row for each link.");
        }
        names.add(name);
        shapes.add(shape);
    }

    private LinkTable table(Path file, List<Column> columns) {
        boolean known = shapes.stream().anyMatch(Shape::known);
        return new LinkTable(
                file, names, columns, fromNodes, toNodes, known ? shapes.toArray(Shape[]::new) : new Shape[0]);
    }

    private LinkTable csv(Path file, Optional<Path> nodeFile) {
        List<String> header = RouteColumns.header(file);
        String link = roles.find("link", header)
                .or(() -> header.stream().filter("id"::equalsIgnoreCase).findFirst())
                .orElseThrow(() -> roles.missing(file, "link", header));
        Optional<String> from = roles.find("from-node", header)
                .or(() -> header.stream().filter("from"::equals).findFirst());
        Optional<String> to = roles.find("to-node", header)
                .or(() -> header.stream().filter("to"::equals).findFirst());
        Optional<String> geometry = roles.find("geometry", header);
        List<String> ends = Stream.of("x1", "y1", "x2", "y2")
                .flatMap(role -> roles.find(role, header).stream())
                .toList();
        Map<String, double[]> points = nodeFile.map(this::nodes).orElse(Map.of());
        List<String> special = Stream.of(Stream.of(link), from.stream(), to.stream(), geometry.stream())
                .flatMap(name -> name)
                .toList();
        List<String> numbers =
                header.stream().filter(name -> !special.contains(name)).toList();
        List<String> all = Stream.concat(special.stream(), numbers.stream()).toList();
        List<Column.Growing> columns = numbers.stream()
                .map(name -> new Column.Growing(name, file, texts))
                .toList();
        try (Csv csv = Csv.separated(file, all, listener)) {
            while (csv.next()) {
                for (int j = 0; j < numbers.size(); j++) {
                    columns.get(j).add(csv, special.size() + j);
                }
                Shape shape = Shape.UNKNOWN;
                if (from.isPresent() && to.isPresent()) {
                    fromNodes.add(csv.text(all.indexOf(from.get())));
                    toNodes.add(csv.text(all.indexOf(to.get())));
                    shape = between(csv, nodeFile, points);
                }
                if (geometry.isPresent() && !csv.blank(all.indexOf(geometry.get()))) {
                    shape = wkt(csv, csv.text(all.indexOf(geometry.get())));
                } else if (ends.size() == 4) {
                    shape = new Shape(ends.stream()
                            .mapToDouble(name -> csv.number(all.indexOf(name)))
                            .toArray());
                }
                add(csv.text(0), csv.line(), file, shape);
            }
        }
        return table(file, columns.stream().map(Column.Growing::done).toList());
    }

    private Shape between(Csv csv, Optional<Path> nodeFile, Map<String, double[]> points) {
        if (nodeFile.isEmpty()) {
            return Shape.UNKNOWN;
        }
        double[] xy = new double[4];
        List<String> ends = List.of(fromNodes.getLast(), toNodes.getLast());
        for (int i = 0; i < 2; i++) {
            double[] point = points.get(ends.get(i));
            if (point == null) {
                throw csv.bad(
                        "node '%s' is not in %s".formatted(ends.get(i), nodeFile.get()),
                        Closest.question(ends.get(i), points.keySet()) + "Add its row, or correct the name.");
            }
            System.arraycopy(point, 0, xy, 2 * i, 2);
        }
        return new Shape(xy);
    }

    private Map<String, double[]> nodes(Path file) {
        List<String> header = RouteColumns.header(file);
        List<String> needed = Stream.of("node", "x", "y")
                .map(role -> roles.need(file, role, header))
                .toList();
        Map<String, double[]> points = new HashMap<>();
        try (Csv csv = Csv.separated(file, needed, listener)) {
            while (csv.next()) {
                if (points.put(csv.text(0), new double[] {csv.number(1), csv.number(2)}) != null) {
                    throw csv.bad("node '%s' occurs twice".formatted(csv.text(0)), "Keep one row for each node.");
                }
            }
        }
        return points;
    }

    /** LINESTRING (x y, x y, ...). */
    private static Shape wkt(Csv csv, String text) {
        Supplier<BadInput> bad = () -> csv.bad(
                "geometry is '%s'".formatted(text.length() > 60 ? text.substring(0, 60) + "..." : text),
                "Write LINESTRING (x y, x y).");
        int open = text.indexOf('(');
        int close = text.lastIndexOf(')');
        if (open < 0 || close < open || !text.regionMatches(true, 0, "LINESTRING", 0, 10)) {
            throw bad.get();
        }
        String[] points = BETWEEN_POINTS.split(text.substring(open + 1, close).strip(), -1);
        double[] xy = new double[2 * points.length];
        for (int i = 0; i < points.length; i++) {
            String[] numbers = points[i].strip().split("\\s+", -1);
            try {
                xy[2 * i] = BadInput.finite("x", Double.parseDouble(numbers[0]));
                xy[2 * i + 1] = BadInput.finite("y", Double.parseDouble(numbers[1]));
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
                throw bad.get();
            }
        }
        return new Shape(xy);
    }

    /** The names of what a file says of each link. */
    static List<String> header(Path file) {
        return isGeoJson(file) ? properties(features(file)) : RouteColumns.header(file);
    }

    private static JsonNode features(Path file) {
        JsonNode features = parsed(file).path("features");
        BadInput.when(
                !features.isArray(),
                file + ": this is not a GeoJSON collection of features",
                "Give a FeatureCollection of LineStrings, or a CSV file.");
        return features;
    }

    private static List<String> properties(JsonNode features) {
        Set<String> properties = new LinkedHashSet<>();
        for (JsonNode feature : features) {
            properties.addAll(feature.path("properties").propertyNames());
        }
        return List.copyOf(properties);
    }

    private LinkTable geoJson(Path file) {
        JsonNode features = features(file);
        Map<String, Column.Growing> columns = new LinkedHashMap<>();
        int number = 0;
        List<String> properties = properties(features);
        Optional<String> link = roles.find("link", properties)
                .or(() -> properties.stream().filter("id"::equalsIgnoreCase).findFirst());
        Optional<String> from = roles.find("from-node", properties);
        Optional<String> to = roles.find("to-node", properties);
        properties.forEach(name -> columns.put(name, new Column.Growing(name, file, texts)));
        for (JsonNode feature : features) {
            number++;
            JsonNode own = feature.path("properties");
            String name = link.map(own::path).orElse(feature.path("id")).asString("");
            if (name.isEmpty()) {
                throw new BadInput(
                        "%s: feature %d has no link among %s".formatted(file, number, String.join(", ", properties)),
                        "Name the property: `column` link=NAME.");
            }
            int place = number;
            columns.forEach((column, values) -> add(own.path(column), values, place));
            if (from.isPresent() && to.isPresent()) {
                fromNodes.add(own.path(from.get()).asString(""));
                toNodes.add(own.path(to.get()).asString(""));
            }
            add(name, number, file, line(file, number, feature.path("geometry")));
        }
        return table(file, columns.values().stream().map(Column.Growing::done).toList());
    }

    private static void add(JsonNode value, Column.Growing column, int number) {
        if (value.isNumber()) {
            column.add(value.asDouble(), number);
        } else if (value.isBoolean()) {
            column.add(value.asBoolean() ? 1 : 0, number);
        } else if (value.asString("").isBlank()) {
            column.blank(number);
        } else {
            String text = value.asString("").strip();
            if (NUMBER.matcher(text).matches()) {
                column.add(Double.parseDouble(text), number);
            } else {
                column.add(text, number);
            }
        }
    }

    private static Shape line(Path file, int number, JsonNode geometry) {
        JsonNode points = geometry.path("coordinates");
        if (geometry.path("type").asString("").equals("MultiLineString")) {
            points = points.path(0);
        } else if (!geometry.path("type").asString("").equals("LineString")) {
            throw new BadInput(
                    "%s: feature %d is a %s"
                            .formatted(file, number, geometry.path("type").asString("nothing")),
                    "Give every link a LineString.");
        }
        double[] xy = new double[2 * points.size()];
        for (int i = 0; i < points.size(); i++) {
            xy[2 * i] = BadInput.finite("x", points.path(i).path(0).asDouble(Double.NaN));
            xy[2 * i + 1] = BadInput.finite("y", points.path(i).path(1).asDouble(Double.NaN));
        }
        return new Shape(xy);
    }

    private static JsonNode parsed(Path file) {
        try (InputStream raw = Files.newInputStream(file);
                InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
            return JsonMapper.shared().readTree(in);
        } catch (IOException e) {
            throw Csv.unreadable(file, e);
        } catch (JacksonException e) {
            int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
            throw new BadInput(
                    "%s, line %d: this is not JSON".formatted(file, line),
                    "Check the file; CSV needs the ending .csv.");
        }
    }

    /** Ends of links as names, where there are no nodes: links that touch have the same coordinates there. */
    static LinkTable withNodes(LinkTable table) {
        if (!table.fromNodes().isEmpty() || table.shapes().length == 0) {
            return table;
        }
        double unit = Shape.degrees(table.shapes()) ? 1e-6 : 0.01; // ends this near are the same
        List<String> from =
                Arrays.stream(table.shapes()).map(shape -> end(shape, 0, unit)).toList();
        List<String> to = Arrays.stream(table.shapes())
                .map(shape -> end(shape, shape.xy().length - 2, unit))
                .toList();
        return new LinkTable(table.file(), table.names(), table.columns(), from, to, table.shapes());
    }

    private static String end(Shape shape, int at, double unit) {
        return shape.known() ? Math.round(shape.xy()[at] / unit) + " " + Math.round(shape.xy()[at + 1] / unit) : "";
    }
}

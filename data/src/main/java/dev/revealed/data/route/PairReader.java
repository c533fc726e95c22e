package dev.revealed.data.route;

import dev.revealed.data.Csv;
import dev.revealed.data.Ints;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.Vec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Reads a road network: CSV with a row for each pair of links, or links with their nodes or lines (CSV, GeoJSON), from
 * which pairs follow where one ends where the other begins.
 */
public final class PairReader {
    private final RouteColumns roles;
    private final ProgressListener listener;
    private final Map<String, Integer> texts = new LinkedHashMap<>();
    private final Map<String, Integer> firstLine = new HashMap<>(); // of a link in a file of pairs

    public PairReader(RouteColumns roles, ProgressListener listener) {
        this.roles = roles;
        this.listener = listener;
    }

    /**
     * The network with its attributes.
     *
     * @param file of pairs or of links
     * @param linkFile attributes and coordinates of links
     * @param nodeFile coordinates of nodes
     */
    public PairTable read(Path file, Optional<Path> linkFile, Optional<Path> nodeFile) {
        List<String> header = LinkReader.header(file);
        boolean links = LinkReader.isGeoJson(file) || LinkReader.isLinkList(roles, header);
        if (links) {
            BadInput.when(
                    linkFile.isPresent(),
                    "%s lists links, and so does %s"
                            .formatted(file, linkFile.map(Path::toString).orElse("")),
                    "Give pairs of links as `network`, or leave `links` out.");
            return ofLinks(links(file, nodeFile));
        }
        refuseWhatIsNeither(file, header, linkFile.isEmpty() && nodeFile.isPresent());
        PairTable pairs = pairs(file);
        return linkFile.map(more -> joined(pairs, file, links(more, nodeFile), true))
                .orElse(pairs);
    }

    /** Which columns to name depends on what the file was meant to be: pairs of links, or links with their nodes. */
    private void refuseWhatIsNeither(Path file, List<String> header, boolean nodes) {
        Optional<String> from = roles.find("from", header);
        Optional<String> to = roles.find("to", header);
        if (from.isPresent() && to.isPresent()) {
            BadInput.when(
                    nodes,
                    "`nodes` needs links with nodes; %s was read as pairs of links (columns %s, %s)"
                            .formatted(file, from.get(), to.get()),
                    "If these are nodes: `column` from-node=%s `column` to-node=%s. Otherwise leave `nodes` out."
                            .formatted(from.get(), to.get()));
            return;
        }
        String columns = String.join(", ", header);
        List<String> ofLinks = List.of("link", "from-node", "to-node");
        if (nodes || ofLinks.stream().anyMatch(role -> roles.given(role, header))) {
            List<String> missing = ofLinks.stream()
                    .filter(role -> roles.find(role, header).isEmpty())
                    .filter(role -> !role.equals("link") || !header.contains("id"))
                    .toList();
            throw new BadInput(
                    "%s: no column for '%s' among %s".formatted(file, String.join("', '", missing), columns),
                    "Say which they are: `column` %s=NAME.".formatted(String.join("=NAME `column` ", missing)));
        }
        if (!roles.named().containsKey("from") && !roles.named().containsKey("to")) {
            throw new BadInput(
                    "%s: no column for '%s' among %s".formatted(file, from.isEmpty() ? "from" : "to", columns),
                    "If a row is a pair of links: `column` from=NAME `column` to=NAME. If it is a link with its nodes:"
                            + " `column` link=NAME `column` from-node=NAME `column` to-node=NAME.");
        }
    }

    private LinkTable links(Path file, Optional<Path> nodeFile) {
        return new LinkReader(roles, texts, listener).read(file, nodeFile);
    }

    /** Pairs of links in CSV alone, as also scenarios add them. */
    public PairTable pairs(Path file) {
        List<String> header = RouteColumns.header(file);
        String from = roles.need(file, "from", header);
        String to = roles.need(file, "to", header);
        List<String> attributes = header.stream()
                .filter(name -> !name.equals(from) && !name.equals(to))
                .toList();
        List<String> all =
                Stream.concat(Stream.of(from, to), attributes.stream()).toList();
        List<Column.Growing> columns = attributes.stream()
                .map(name -> new Column.Growing(name, file, texts))
                .toList();
        Map<String, Integer> numbers = new HashMap<>();
        List<String> names = new ArrayList<>();
        Ints fromLinks = new Ints();
        Ints toLinks = new Ints();
        Ints lines = new Ints();
        try (Csv csv = Csv.separated(file, all, listener)) {
            while (csv.next()) {
                fromLinks.add(number(csv.text(0), numbers, names));
                toLinks.add(number(csv.text(1), numbers, names));
                firstLine.putIfAbsent(csv.text(0), csv.line());
                firstLine.putIfAbsent(csv.text(1), csv.line());
                lines.add(csv.line());
                for (int j = 0; j < columns.size(); j++) {
                    columns.get(j).add(csv, 2 + j);
                }
            }
        }
        BadInput.when(lines.size() == 0, file + ": there are no link pairs", "Give a row for every pair of links.");
        int[] fromAll = fromLinks.toArray();
        int[] toAll = toLinks.toArray();
        refuseDuplicates(file, names, fromAll, toAll, lines);
        return new PairTable(
                names,
                fromAll,
                toAll,
                columns.stream().map(Column.Growing::done).toList(),
                texts,
                new Shape[0]);
    }

    private static int number(String name, Map<String, Integer> numbers, List<String> names) {
        return numbers.computeIfAbsent(name, own -> {
            names.add(own);
            return names.size() - 1;
        });
    }

    private static void refuseDuplicates(Path file, List<String> names, int[] from, int[] to, Ints lines) {
        int[] order = Vec.order(from.length, e -> (double) from[e] * names.size() + to[e]);
        for (int i = 1; i < order.length; i++) {
            int e = order[i];
            int before = order[i - 1];
            if (from[before] == from[e] && to[before] == to[e]) {
                throw new BadInput(
                        "%s, lines %d and %d: the pair from '%s' to '%s' occurs twice"
                                .formatted(
                                        file,
                                        Math.min(lines.get(before), lines.get(e)),
                                        Math.max(lines.get(before), lines.get(e)),
                                        names.get(from[e]),
                                        names.get(to[e])),
                        "Keep one row for each pair of links.");
            }
        }
    }

    private PairTable ofLinks(LinkTable read) {
        LinkTable table = LinkReader.withNodes(read);
        BadInput.when(
                table.fromNodes().isEmpty(),
                table.file() + ": links have neither nodes nor coordinates, so which of them touch is not known",
                "Name their columns: `column` from-node=NAME `column` to-node=NAME.");
        Map<String, Ints> leaving = new HashMap<>();
        for (int k = 0; k < table.names().size(); k++) {
            leaving.computeIfAbsent(table.fromNodes().get(k), _ -> new Ints()).add(k);
        }
        Ints from = new Ints();
        Ints to = new Ints();
        for (int k = 0; k < table.names().size(); k++) {
            Ints next = leaving.get(table.toNodes().get(k));
            for (int i = 0; next != null && i < next.size(); i++) {
                if (next.get(i) != k) {
                    from.add(k);
                    to.add(next.get(i));
                }
            }
        }
        BadInput.when(
                from.size() == 0,
                table.file() + ": no link ends where another begins",
                "Check the columns of nodes or coordinates.");
        int[] back = IntStream.range(0, from.size())
                .map(e -> uTurn(table, from.get(e), to.get(e)))
                .toArray();
        Column uTurn = Column.of("uturn", Arrays.stream(back).asDoubleStream().toArray());
        PairTable pairs =
                new PairTable(table.names(), from.toArray(), to.toArray(), List.of(uTurn), texts, new Shape[0]);
        return joined(pairs, table.file(), table, false);
    }

    private static int uTurn(LinkTable table, int from, int to) {
        return table.fromNodes().get(from).equals(table.toNodes().get(to)) ? 1 : 0;
    }

    /** Attributes of the links that a pair leaves and enters, and what follows from coordinates. */
    private PairTable joined(PairTable pairs, Path file, LinkTable links, boolean check) {
        List<String> names = pairs.network().names();
        Map<String, Integer> rows = links.rows();
        int[] row = names.stream().mapToInt(name -> rows.getOrDefault(name, -1)).toArray();
        List<String> unknown = IntStream.range(0, row.length)
                .filter(k -> row[k] < 0)
                .mapToObj(names::get)
                .toList();
        if (check && !unknown.isEmpty()) {
            throw new BadInput(
                    "%s, line %d: link '%s' is not in %s%s"
                            .formatted(
                                    file,
                                    firstLine.getOrDefault(unknown.getFirst(), 0),
                                    unknown.getFirst(),
                                    links.file(),
                                    unknown.size() == 1
                                            ? ""
                                            : ". In all %d links are not: %s"
                                                    .formatted(unknown.size(), TripReader.listed(unknown))),
                    "Give every link a row, or leave its pairs out.");
        }
        int[] to = pairs.network().to();
        int[] entered = Arrays.stream(to).map(link -> row[link]).toArray();
        int[] left = new int[to.length];
        for (int k = 0; k < names.size(); k++) {
            Arrays.fill(left, pairs.network().start()[k], pairs.network().start()[k + 1], row[k]);
        }
        List<Column> all = new ArrayList<>(pairs.columns());
        List<String> taken = new ArrayList<>(pairs.names());
        for (Column column : links.columns()) {
            for (Column own : List.of(
                    column.at(entered),
                    column.at(entered).named("to_" + column.name()),
                    column.at(left).named("from_" + column.name()))) {
                if (!taken.contains(own.name())) {
                    taken.add(own.name());
                    all.add(own);
                }
            }
        }
        Shape[] shapes = new Shape[links.shapes().length == 0 ? 0 : names.size()];
        Arrays.setAll(shapes, k -> row[k] < 0 ? Shape.UNKNOWN : links.shapes()[row[k]]);
        if (shapes.length > 0) {
            geometry(pairs, shapes, links.file()).stream()
                    .filter(column -> !taken.contains(column.name()))
                    .forEach(all::add);
        }
        int[] from = new int[to.length];
        for (int k = 0; k < names.size(); k++) {
            Arrays.fill(from, pairs.network().start()[k], pairs.network().start()[k + 1], k);
        }
        return new PairTable(names, from, to, all, texts, shapes);
    }

    /** Turn angles and lengths that follow from coordinates. */
    private static List<Column> geometry(PairTable pairs, Shape[] shapes, Path file) {
        boolean degrees = Shape.degrees(shapes);
        int[] start = pairs.network().start();
        int[] to = pairs.network().to();
        double[] angle = new double[to.length];
        double[] length = new double[to.length];
        String flaw = "";
        for (int k = 0; k < shapes.length; k++) {
            if (!shapes[k].known() && flaw.isEmpty()) {
                flaw = "%s: link '%s' has no coordinates"
                        .formatted(file, pairs.network().names().get(k));
            }
            for (int e = start[k]; e < start[k + 1] && flaw.isEmpty(); e++) {
                Shape next = shapes[to[e]];
                angle[e] = next.known() ? shapes[k].turn(next, degrees) : Double.NaN;
                length[e] = next.length(degrees);
            }
        }
        return List.of(new Column("angle", angle, false, flaw, ""), new Column("length", length, false, flaw, ""));
    }
}

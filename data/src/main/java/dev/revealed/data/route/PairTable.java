package dev.revealed.data.route;

import dev.revealed.data.model.Formula;
import dev.revealed.mdp.route.Network;
import dev.revealed.mdp.route.PairFeatures;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import dev.revealed.numeric.Vec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Pairs of links that can be driven one after the other, with attributes: what formulas of features are about. Rows are
 * sorted by link, then by the link that follows, as those of the network are.
 */
public final class PairTable {
    private static final Pattern QUOTED = Pattern.compile("'([^']*)'|\"([^\"]*)\"");
    private static final Set<String> TURNS = Set.of("angle", "uturn"); // follow from a map
    private static final Pattern DEFINITION =
            Pattern.compile("\\s*([A-Za-z_]\\w*)\\s*(?:=(?!=)\\s*(.+))?", Pattern.DOTALL);

    private final Network network;
    private final int[] from; // by pair
    private final List<Column> columns;
    private final Map<String, Integer> texts;
    private @Nullable Network whole; // before pairs were forbidden
    private final Shape[] shapes; // by link of the network; empty where nothing is known

    PairTable(
            List<String> links,
            int[] from,
            int[] to,
            List<Column> columns,
            Map<String, Integer> texts,
            Shape[] shapes) {
        int[] order = Vec.order(from.length, e -> (double) from[e] * links.size() + to[e]);
        int[] start = new int[links.size() + 1];
        int[] next = new int[order.length];
        this.from = new int[order.length];
        for (int e = 0; e < order.length; e++) {
            start[from[order[e]] + 1]++;
            next[e] = to[order[e]];
            this.from[e] = from[order[e]];
        }
        for (int k = 0; k < links.size(); k++) {
            start[k + 1] += start[k];
        }
        network = new Network(links, start, next);
        this.columns = columns.stream().map(column -> column.at(order)).toList();
        this.texts = texts;
        this.shapes = shapes;
    }

    public Network network() {
        return network;
    }

    /** The network before pairs were forbidden, where some were. */
    public Network whole() {
        return whole == null ? network : whole;
    }

    /** Names that formulas may use. */
    public List<String> names() {
        return columns.stream().map(Column::name).toList();
    }

    /** The line of a link on a map, which may be unknown. */
    public Shape shape(int link) {
        return shapes.length == 0 ? Shape.UNKNOWN : shapes[link];
    }

    public boolean hasShapes() {
        return shapes.length > 0;
    }

    /** The number of a link that was named elsewhere. */
    public int link(String name, String where) {
        int number = network.names().indexOf(name);
        if (number < 0) {
            throw new BadInput(
                    "%s names link '%s', which the network does not have".formatted(where, name),
                    closest(name, network.names()) + "Links are called as in the file of the network.");
        }
        return number;
    }

    /** The closest of some names, where there are few enough to compare. */
    static String closest(String name, List<String> names) {
        return names.size() > 100_000 ? "" : Closest.question(name, names);
    }

    /** A value of a formula for every pair. */
    public double[] values(String formula, Set<String> notes) {
        Formula parsed = parsed(formula);
        List<Column> used = parsed.used().stream().map(this::column).toList();
        boolean quoted = QUOTED.matcher(formula).find();
        for (Column column : used) {
            BadInput.when(!column.flaw().isEmpty(), column.flaw(), "Give a finite number; a blank cell is read as 0.");
            BadInput.when(
                    column.text() && !quoted,
                    "column '%s' holds words, such as '%s'".formatted(column.name(), word(column)),
                    "Compare it with one of them: %s == '%s'.".formatted(column.name(), word(column)));
            if (!column.note().isEmpty()) {
                notes.add(column.note());
            }
        }
        double[] values = new double[from.length];
        double[] x = new double[used.size()];
        for (int e = 0; e < values.length; e++) {
            for (int j = 0; j < x.length; j++) {
                x[j] = used.get(j).values()[e];
            }
            values[e] = parsed.value(x);
            if (!Double.isFinite(values[e])) {
                throw new BadInput(
                        "'%s' is %s for the pair from link '%s' to link '%s'"
                                .formatted(
                                        formula,
                                        values[e],
                                        network.names().get(from[e]),
                                        network.names().get(network.to()[e])),
                        "Correct the cells of that pair, or the formula.");
            }
        }
        return values;
    }

    private Formula parsed(String formula) {
        List<String> names = new ArrayList<>(names());
        Matcher words = QUOTED.matcher(formula);
        StringBuilder coded = new StringBuilder();
        while (words.find()) {
            String word = words.group(1) != null ? words.group(1) : words.group(2);
            Integer code = texts.get(word);
            if (code == null) {
                List<String> known = List.copyOf(new TreeSet<>(texts.keySet()));
                throw new BadInput(
                        "no cell reads '%s', as '%s' expects".formatted(word, formula),
                        Closest.question(word, known) + "There is "
                                + String.join(", ", known.subList(0, Math.min(20, known.size()))) + ".");
            }
            words.appendReplacement(coded, code.toString());
        }
        words.appendTail(coded);
        return Formula.of(coded.toString(), names);
    }

    private Column column(String name) {
        return columns.stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
    }

    private String word(Column column) {
        double code = Arrays.stream(column.values())
                .filter(value -> value > 0)
                .findFirst()
                .orElse(0);
        return texts.entrySet().stream()
                .filter(entry -> entry.getValue() == code)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("");
    }

    /** A name and its formula: {@code time}, {@code left=angle < -0.5}. */
    public record Definition(String name, String formula) {
        public static Definition parse(String option, String text) {
            Matcher matcher = DEFINITION.matcher(text);
            if (!matcher.matches()) {
                throw new BadInput(
                        "%s is '%s'".formatted(option, text),
                        "Name a column, or write name=formula, such as left=angle < -0.5236 and angle > -3.1.");
            }
            String name = matcher.group(1);
            String formula = matcher.group(2);
            return new Definition(name, formula == null ? name : formula.strip());
        }
    }

    /** Features by their definitions. */
    public PairFeatures features(List<Definition> definitions, Set<String> notes) {
        BadInput.when(
                definitions.isEmpty(),
                "no features are given; the network has the columns " + String.join(", ", names()),
                "Name some, for example `feature` %s `feature` constant=1."
                        .formatted(columns.stream()
                                .filter(c -> !c.text())
                                .map(Column::name)
                                .findFirst()
                                .orElse("time")));
        Set<String> seen = new HashSet<>();
        double[][] values = new double[definitions.size()][];
        for (int j = 0; j < values.length; j++) {
            Definition own = definitions.get(j);
            BadInput.when(
                    !seen.add(own.name) || own.name.equals("linkSize"),
                    "feature '%s' is %s"
                            .formatted(own.name, own.name.equals("linkSize") ? "link size's own name" : "given twice"),
                    "Give it another name.");
            try {
                values[j] = values(own.formula, notes);
            } catch (BadInput e) {
                throw new BadInput("feature '%s': %s".formatted(own.name, e.problem()), e.remedy());
            }
        }
        return new PairFeatures(definitions.stream().map(Definition::name).toList(), values);
    }

    /**
     * A formula of attributes that belong to links: its value for each link, from the pairs that enter it.
     *
     * @param given attributes of links by name, in addition to columns
     */
    public double[] linkValues(Definition definition, Map<String, double[]> given, Set<String> notes) {
        List<Column> more = new ArrayList<>(columns);
        given.forEach((name, values) -> more.removeIf(column -> column.name().equals(name)));
        int[] next = network.to();
        given.forEach((name, values) -> more.add(Column.of(
                name,
                IntStream.range(0, next.length)
                        .mapToDouble(e -> values[next[e]])
                        .toArray())));
        double[] byPair = with(more).values(definition.formula, notes);
        double[] byLink = new double[network.links()];
        Arrays.fill(byLink, Double.NaN);
        for (int e = 0; e < next.length; e++) {
            int link = next[e];
            if (!Double.isNaN(byLink[link]) && byLink[link] != byPair[e]) {
                throw new BadInput(
                        "'%s' differs between the pairs that enter link '%s': %s and %s"
                                .formatted(definition.formula, network.names().get(link), byLink[link], byPair[e]),
                        "The scale of a link needs an attribute of the link itself.");
            }
            byLink[link] = byPair[e];
        }
        for (int link = 0; link < byLink.length; link++) {
            byLink[link] = Double.isNaN(byLink[link]) ? 0 : byLink[link]; // nobody enters it
        }
        return byLink;
    }

    private PairTable with(List<Column> others) {
        return new PairTable(network.names(), from, network.to(), others, texts, shapes);
    }

    /** Without the pairs that enter or leave a link. */
    public PairTable closed(Set<Integer> links) {
        return rows(e -> !links.contains(from[e]) && !links.contains(network.to()[e]));
    }

    /** Without the pairs for which a formula is true. */
    public PairTable without(String formula, Set<String> notes) {
        double[] forbidden = values(formula, notes);
        PairTable kept = rows(e -> forbidden[e] == 0);
        kept.whole = whole();
        return kept;
    }

    private PairTable rows(IntPredicate kept) {
        int[] rows = IntStream.range(0, from.length).filter(kept).toArray();
        return new PairTable(
                network.names(),
                Arrays.stream(rows).map(e -> from[e]).toArray(),
                Arrays.stream(rows).map(e -> network.to()[e]).toArray(),
                columns.stream().map(column -> column.at(rows)).toList(),
                texts,
                shapes);
    }

    /** With another value of a column where a link is entered: a formula of the columns. */
    public PairTable changed(int link, String name, String formula, Set<String> notes) {
        int at = names().indexOf(name);
        if (at < 0) {
            throw new BadInput(
                    "there is no column '%s' among %s".formatted(name, String.join(", ", names())),
                    Closest.question(name, names()) + "Name a column of the network.");
        }
        double[] next = values(formula, notes);
        double[] values = columns.get(at).values().clone();
        for (int e = 0; e < values.length; e++) {
            values[e] = network.to()[e] == link ? next[e] : values[e];
        }
        List<Column> changed = new ArrayList<>(columns);
        changed.set(
                at,
                new Column(
                        name,
                        values,
                        columns.get(at).text(),
                        "",
                        columns.get(at).note()));
        return with(changed);
    }

    /**
     * With more pairs, which may name new links. They must have the columns that features use; others that they lack are
     * 0 there, and so are turns, with a note.
     *
     * @param file where the pairs stand
     */
    public PairTable plus(PairTable more, Path file, List<Definition> features, Set<String> notes) {
        features.forEach(feature -> more.need(parsed(feature.formula).used(), file, feature, notes));
        List<String> names = new ArrayList<>(network.names());
        Map<String, Integer> numbers = new HashMap<>();
        for (int k = 0; k < names.size(); k++) {
            numbers.put(names.get(k), k);
        }
        List<String> added = more.network.names();
        int[] number = new int[added.size()];
        for (int k = 0; k < number.length; k++) {
            number[k] = numbers.computeIfAbsent(added.get(k), name -> {
                names.add(name);
                return names.size() - 1;
            });
        }
        int own = from.length;
        int count = own + more.from.length;
        int[] allFrom = Arrays.copyOf(from, count);
        int[] allTo = Arrays.copyOf(network.to(), count);
        for (int e = own; e < count; e++) {
            allFrom[e] = number[more.from[e - own]];
            allTo[e] = number[more.network.to()[e - own]];
            if (allFrom[e] < network.links() && allTo[e] < network.links() && network.pair(allFrom[e], allTo[e]) >= 0) {
                throw new BadInput(
                        "the added pair from '%s' to '%s' is in the network already"
                                .formatted(names.get(allFrom[e]), names.get(allTo[e])),
                        "Change its attributes instead, with `change`.");
            }
        }
        Map<String, Integer> words = new LinkedHashMap<>(texts);
        List<Column> all = new ArrayList<>();
        for (Column column : columns) {
            all.add(
                    more.names().contains(column.name())
                            ? column.plus(more.recoded(more.column(column.name()), words), file)
                            : column.plus(Column.of(column.name(), new double[count - own]), file));
        }
        Shape[] lines = new Shape[shapes.length == 0 ? 0 : names.size()];
        Arrays.setAll(lines, k -> k < shapes.length ? shapes[k] : Shape.UNKNOWN);
        return new PairTable(names, allFrom, allTo, all, words, lines);
    }

    /** Refuses pairs without a column that a feature uses. */
    private void need(List<String> used, Path file, Definition feature, Set<String> notes) {
        for (String name : used) {
            if (names().contains(name)) {
                continue;
            }
            if (!TURNS.contains(name)) {
                throw new BadInput(
                        "%s: there is no column '%s', which feature '%s' needs, among %s"
                                .formatted(file, name, feature.name, String.join(", ", names())),
                        Closest.question(name, names()) + "Give it a value for every pair that is added.");
            }
            notes.add("%s has no column '%s', which is 0 for the pairs that are added."
                    .formatted(file.getFileName(), name));
        }
    }

    /** A column with the codes that its words have elsewhere; new words get codes there. */
    private Column recoded(Column column, Map<String, Integer> codes) {
        if (!column.text()) {
            return column;
        }
        Map<Double, String> words = new HashMap<>();
        texts.forEach((word, code) -> words.put((double) code, word));
        double[] values = Arrays.stream(column.values())
                .map(code -> code == 0 ? 0 : codes.computeIfAbsent(words.getOrDefault(code, ""), _ -> codes.size() + 1))
                .toArray();
        return new Column(column.name(), values, true, column.flaw(), column.note());
    }

    /** Columns of this table, for messages. */
    List<Column> columns() {
        return Collections.unmodifiableList(columns);
    }
}

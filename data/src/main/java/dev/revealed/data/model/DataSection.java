package dev.revealed.data.model;

import dev.revealed.data.Grid;
import dev.revealed.data.PanelColumns;
import dev.revealed.data.PanelStructure;
import dev.revealed.data.Place;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.StateSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a model file says of its panels: where their columns are, and how values are matched to the model. */
final class DataSection {
    private final ModelReader model;
    private final Map<String, Yaml> data;
    private final Map<String, Yaml> states;

    DataSection(ModelReader model, @Nullable Yaml node) {
        this.model = model;
        data = node == null
                ? Map.of()
                : node.mapping(
                        "the columns of panels, for example {individual: firm}",
                        List.of(
                                "individual",
                                "period",
                                "action",
                                "columns",
                                "skip",
                                "weight",
                                "cluster",
                                "gaps",
                                "missing",
                                "aggregate",
                                "covariates"));
        List<String> names = model.space().variables().stream()
                .map(StateSpace.Variable::name)
                .toList();
        states = Yaml.get(data, "columns")
                .map(columns -> columns.mapping("columns of state variables", names))
                .orElse(Map.of());
    }

    /** @param file the name of the model's file, for messages */
    PanelColumns columns(String file) {
        List<PanelColumns.Column> columns = new ArrayList<>();
        for (StateSpace.Variable variable : model.space().variables()) {
            columns.add(column(variable, Yaml.get(states, variable.name()).orElse(null)));
        }
        Optional<Yaml> coded = Yaml.get(data, "action").filter(Yaml::isMapping);
        String action = coded.map(node -> node.mapping("a column and codes", List.of("column", "codes")))
                .map(entries -> text(entries, "column", "action"))
                .orElseGet(() -> text(data, "action", "action"));
        List<String> codes = coded.map(
                        node -> codes(node.need("codes", "For example {column: decision, codes: [1, 2]}.")))
                .orElse(List.of());
        return new PanelColumns(
                text(data, "individual", "individual"),
                period(),
                action,
                codes,
                columns,
                Yaml.get(data, "skip").map(this::skip).orElse(0),
                " A model names its columns under data: in %s.".formatted(file),
                structure());
    }

    private PanelStructure structure() {
        Optional<Yaml> weight = Yaml.get(data, "weight");
        Optional<Yaml> described = weight.filter(Yaml::isMapping);
        described.ifPresent(node -> node.mapping("a column and a kind", List.of("column", "kind")));
        Optional<String> column = weight.map(node -> (described.isPresent()
                        ? node.need("column", "For example {column: copies, kind: frequency}.")
                        : node)
                .text("the name of a column"));
        boolean frequency = described
                .map(node -> node.need("kind", "Give sampling or frequency."))
                .map(node -> word(node, "sampling", "frequency").equals("frequency"))
                .orElse(column.isEmpty());
        Optional<Yaml> aggregate = Yaml.get(data, "aggregate");
        aggregate.ifPresent(node -> node.badWhen(
                column.isPresent(),
                "aggregate variables and weights are both given",
                "Moves of aggregate variables count once for all, so weights of individuals do not apply: drop one."));
        return new PanelStructure(
                column,
                frequency ? Panel.Weights.FREQUENCY : Panel.Weights.SAMPLING,
                Yaml.get(data, "cluster").map(node -> node.text("the name of a column")),
                Yaml.get(data, "gaps")
                        .map(node -> word(node, "refused", "allowed").equals("allowed"))
                        .orElse(false),
                missing(aggregate),
                aggregate.map(this::aggregates).orElse(List.of()),
                Yaml.get(data, "covariates").map(model::covariates).orElse(List.of()));
    }

    private PanelStructure.Missing missing(Optional<Yaml> aggregate) {
        List<PanelStructure.Missing> all = List.of(PanelStructure.Missing.values());
        List<String> words = all.stream().map(PanelStructure.Missing::word).toList();
        PanelStructure.Missing missing = Yaml.get(data, "missing")
                .map(node -> all.get(words.indexOf(word(node, words))))
                .orElse(PanelStructure.Missing.REFUSED);
        aggregate.ifPresent(node -> node.badWhen(
                missing == PanelStructure.Missing.INTEGRATED,
                "missing actions are to be integrated out, and there are aggregate variables",
                "Moves of aggregate variables count once for all: say missing: dropped."));
        return missing;
    }

    private static String word(Yaml node, String one, String other) {
        return word(node, List.of(one, other));
    }

    private static String word(Yaml node, List<String> words) {
        String choice = String.join(", ", words.subList(0, words.size() - 1)) + " or " + words.getLast();
        String word = node.text(choice);
        node.badWhen(!words.contains(word), "here is '%s'".formatted(word), "Give %s.".formatted(choice));
        return word;
    }

    private List<String> aggregates(Yaml node) {
        List<String> known = model.space().variables().stream()
                .map(StateSpace.Variable::name)
                .toList();
        List<String> names = node.list("a list of state variables").stream()
                .map(entry -> entry.text("a state variable"))
                .toList();
        names.forEach(name -> node.badWhen(
                !known.contains(name),
                "'%s' is not a state variable".formatted(name),
                "They are %s.".formatted(String.join(", ", known))));
        return names;
    }

    /** The column of the period: where there is a horizon and nothing else is said, the one that tells where in it. */
    private String period() {
        String clock = model.clock()
                .map(variable -> column(
                                variable, Yaml.get(states, variable.name()).orElse(null))
                        .name())
                .orElse(ModelReader.PERIOD);
        return text(data, "period", clock);
    }

    private List<String> codes(Yaml given) {
        List<String> codes = given.list("a list of codes").stream()
                .map(code -> code.text("a code"))
                .toList();
        given.badWhen(
                codes.size() != model.actions().size()
                        || codes.stream().distinct().count() < codes.size(),
                "%d codes for %d actions"
                        .formatted(codes.size(), model.actions().size()),
                "Give each action its own, in their order: %s.".formatted(String.join(", ", model.actions())));
        return codes;
    }

    private int skip(Yaml given) {
        double skip = model.number(given);
        given.badWhen(
                skip < 0 || skip != Math.rint(skip) || skip > 1e6,
                "skip is " + Place.plain(skip),
                "Give the number of first decisions that do not count, usually 0 or 1.");
        return (int) skip;
    }

    private static String text(Map<String, Yaml> mapping, String key, String otherwise) {
        return Yaml.get(mapping, key)
                .map(node -> node.text("the name of a column"))
                .orElse(otherwise);
    }

    private PanelColumns.Column column(StateSpace.Variable variable, @Nullable Yaml node) {
        Grid grid = Grid.of(variable);
        if (model.hidden()
                .filter(hidden -> hidden.variable().name().equals(variable.name()))
                .isPresent()) {
            return new PanelColumns.Hidden(variable.name(), grid);
        }
        if (node == null || node.isText()) {
            String otherwise =
                    variable.name().equals(ModelReader.PERIOD) && model.clock().isPresent()
                            ? text(data, "period", ModelReader.PERIOD)
                            : variable.name();
            String name = node == null ? otherwise : node.text("the name of a column");
            return new PanelColumns.Exact(name, grid);
        }
        Map<String, Yaml> entries =
                node.mapping("a column, or {column: ..., bins: ...}", List.of("column", "bins", "nearest"));
        String name = text(entries, "column", variable.name());
        Yaml bins = entries.get("bins");
        Yaml nearest = entries.get("nearest");
        if (bins != null && nearest != null) {
            throw node.bad("bins and nearest are both given", "Give one of them.");
        }
        if (bins != null) {
            double[] edges = model.numbers(bins);
            if (edges.length != variable.size() - 1 && edges.length != variable.size() + 1) {
                throw bins.bad(
                        "%d edges for %d values".formatted(edges.length, variable.size()),
                        "Give %d edges between the bins, or %d with those around them; bins are closed on the right."
                                .formatted(variable.size() - 1, variable.size() + 1));
            }
            return new PanelColumns.Binned(name, grid, edges);
        }
        if (nearest != null) {
            String answer = nearest.text("true or false");
            nearest.badWhen(
                    !answer.equals("true") && !answer.equals("false"),
                    "here is '%s'".formatted(answer),
                    "Give true or false.");
            if (answer.equals("true")) {
                return new PanelColumns.Nearest(name, grid);
            }
        }
        return new PanelColumns.Exact(name, grid);
    }
}

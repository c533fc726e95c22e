package dev.revealed.data.model;

import dev.revealed.data.Grid;
import dev.revealed.data.Place;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.HiddenProcess;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Stream;

/** Makes a model of its file. */
final class ModelReader {
    private static final List<String> KEYS = List.of(
            "model discount settings horizon states hidden actions parameters utility terminal transitions available ends shocks data"
                    .split(" "));
    private static final String NAME = "[\\p{L}_][\\p{L}\\p{N}_]*";
    private static final String GUIDE = "docs/guide/models.md shows what a model looks like.";
    private static final int MOST_VALUES = 10_000_000;
    private static final int MOST_ROWS = 1 << 28;

    private static final String SHOCK = "a dissimilarity";

    /** What the periods of a horizon are called that is given as a number. */
    static final String PERIOD = "period";

    private final Yaml root;
    private final Map<String, String> overrides;
    private final Map<String, String> taken = new LinkedHashMap<>(); // names in use, and what they are
    private final Map<String, Double> settings = new LinkedHashMap<>();
    private final List<String> actions;
    private final Optional<StateSpace.Variable> clock; // the periods of a horizon, and the one after the last
    private final Optional<Hidden> hidden;
    private final StateSpace space;
    private final ParameterSection declared;
    private final boolean[] available; // by row
    private final boolean[] ended; // by state

    ModelReader(Yaml root, Map<String, String> overrides) {
        this.root = root;
        this.overrides = overrides;
        Map<String, Yaml> top = root.mapping("a mapping; " + GUIDE, KEYS);
        settings(top);
        actions = names(root.need("actions", "For example actions: [keep, replace]."), "an action");
        if (actions.size() < 2) {
            throw need("actions").bad("there is only one action", "A choice needs two or more.");
        }
        clock = Yaml.get(top, "horizon").map(node -> Periods.read(this, node));
        hidden = Yaml.get(top, "hidden").map(this::hidden);
        space = space(root.need("states", "For example states: {mileage: 1..90}."));
        declared = new ParameterSection(this, root.need("parameters", "For example parameters: [RC, theta]."));
        available = available(top);
        ended = ended(top);
        for (int s = 0; s < ended.length; s++) {
            if (ended[s]) { // one way to do nothing
                Arrays.fill(available, s * actions.size(), (s + 1) * actions.size(), false);
                available[s * actions.size()] = true;
            }
        }
    }

    private Yaml need(String key) {
        return root.need(key, GUIDE);
    }

    /** @param name of the file, without its folder */
    ModelFile file(String name) {
        Map<String, Yaml> top = root.mapping("a mapping");
        double discount = number("discount", root.need("discount", "For example discount: 0.95."));
        Reward plain = new UtilitySection(this, need("utility"), Yaml.get(top, "terminal"), declared).reward();
        Reward utility = Yaml.get(top, "shocks")
                .map(node -> new ShockSection(this, node).with(plain))
                .orElse(plain);
        TransitionLaw moves = new Laws(this, need("transitions")).law(clock.isPresent());
        TransitionLaw law = top.containsKey("ends") ? moves.ending(ended) : moves;
        String called = Yaml.get(top, "model")
                .map(node -> node.text("the name of the model"))
                .orElse(name.replaceFirst("\\.ya?ml$", ""));
        ChoiceModel model = BadInput.placed(
                overrides.containsKey("discount")
                        ? "`set` discount"
                        : need("discount").place(),
                () -> new ChoiceModel(called, actions, law, discount, utility, cost()));
        SequencedMap<String, Double> resolved = new LinkedHashMap<>();
        resolved.put("discount", discount);
        resolved.putAll(settings);
        resolved.putAll(declared.fixed());
        hidden.ifPresent(
                own -> resolved.putIfAbsent("nodes", (double) own.process().cells()));
        return new ModelFile(model, new DataSection(this, top.get("data")).columns(name), resolved, declared.notes());
    }

    // ---- names and settings

    private void settings(Map<String, Yaml> top) {
        Map<String, Yaml> declared = Yaml.get(top, "settings")
                .map(node -> node.mapping("names with numbers, for example {n: 90}"))
                .orElse(Map.of());
        List<String> known = Stream.of(
                        List.of("discount"), declared.keySet(), ParameterSection.fixed(Yaml.get(top, "parameters")))
                .flatMap(Collection::stream)
                .toList();
        for (String key : overrides.keySet()) {
            boolean nodes = key.equals("nodes") && top.containsKey("hidden");
            if (!known.contains(key) && !nodes) {
                throw new BadInput(
                        "unknown setting '%s' of %s".formatted(key, root.place().replaceFirst(", line.*", "")),
                        Closest.question(key, known) + "What can be set: " + String.join(", ", known) + ".");
            }
        }
        declared.forEach((name, node) -> {
            take(node, name, "a setting");
            settings.put(name, number(name, node));
        });
    }

    /** Where a number of the model is written: in the file, or among the overrides. */
    private record Written(String text, String place) {}

    private Written overridden(String key, Yaml node) {
        String other = overrides.get(key);
        return other == null
                ? new Written(node.text("a number"), node.place())
                : new Written(other, "`set` " + key + "=" + other);
    }

    private double number(Written written, String what) {
        double value = BadInput.placed(written.place(), () -> Expression.parse(written.text(), constants()))
                .value(new double[0]);
        if (!Double.isFinite(value)) {
            throw new BadInput("%s: %s is %s".formatted(written.place(), what, value), "Give a finite number.");
        }
        return value;
    }

    void take(Yaml node, String name, String what) {
        node.badWhen(
                !name.matches(NAME) || Expression.reserved(name) || name.equals("action"),
                "'%s' cannot be the name of %s".formatted(name, what),
                "Use letters, digits and _, starting with a letter, and none of the words of formulas: action, exp,"
                        + " log, sqrt, abs, min, max.");
        String other = taken.putIfAbsent(name, what);
        if (other != null) {
            throw node.bad("'%s' is already the name of %s".formatted(name, other), "Rename one of them.");
        }
    }

    List<String> names(Yaml node, String what) {
        List<String> names = new ArrayList<>();
        for (Yaml entry : node.list("a list of names")) {
            String name = entry.text("a name");
            take(entry, name, what);
            names.add(name);
        }
        node.badWhen(names.isEmpty(), "the list is empty", "Name " + what + ".");
        return names;
    }

    /** Columns that describe individuals. */
    List<String> covariates(Yaml node) {
        return names(node, "a covariate of individuals");
    }

    /** The number of something that overrides may name. */
    double number(String name, Yaml node) {
        return number(overridden(name, node), name);
    }

    /** A number that may be written with settings. */
    double number(Yaml node) {
        return number(new Written(node.text("a number"), node.place()), "it");
    }

    /** The name that a text is, unless it stands for a number. */
    Optional<String> name(Yaml node) {
        String text = node.text("a name or a number");
        return text.matches(NAME) && !settings.containsKey(text) ? Optional.of(text) : Optional.empty();
    }

    /** A parameter of a transition law. */
    String lawParameter(Yaml node, String name) {
        take(node, name, "a parameter of a transition law");
        return name;
    }

    /** A parameter of the shocks; several nests may share one. */
    String shockParameter(Yaml node, String name) {
        if (!SHOCK.equals(taken.get(name))) {
            take(node, name, SHOCK);
        }
        return name;
    }

    StateSpace space() {
        return space;
    }

    List<String> actions() {
        return actions;
    }

    // ---- formulas

    private Expression.Scope constants() {
        Map<String, String> elsewhere = new LinkedHashMap<>(taken);
        settings.keySet().forEach(elsewhere::remove);
        return new Expression.Scope(List.of(), List.of(), settings, elsewhere);
    }

    /** State variables, the action by its number, actions by their names, and settings. */
    Expression.Scope formula(List<String> allowed) {
        List<String> variables = Stream.concat(
                        space.variables().stream().map(StateSpace.Variable::name), Stream.of("action"))
                .toList();
        Map<String, Double> constants = new LinkedHashMap<>(settings);
        for (int a = 0; a < actions.size(); a++) {
            constants.put(actions.get(a), (double) a);
        }
        Map<String, String> tied = allowed.isEmpty() ? Map.of() : declared.tied();
        if (!allowed.isEmpty()) {
            constants.putAll(declared.fixed());
        }
        Map<String, String> elsewhere = new LinkedHashMap<>(taken);
        Stream.of(variables, allowed, constants.keySet(), tied.keySet()).forEach(elsewhere.keySet()::removeAll);
        return new Expression.Scope(variables, allowed, constants, tied, elsewhere);
    }

    static Expression parsed(Yaml node, Expression.Scope scope) {
        String text = node.text("a formula");
        return BadInput.placed(node.place(), () -> Expression.parse(text, scope));
    }

    /** A formula without parameters. */
    Expression formula(Yaml node) {
        return parsed(node, formula(List.of()));
    }

    /** Formulas by action: one for all, or a mapping. */
    List<Expression> formulas(Yaml node, Expression.Scope scope) {
        List<Expression> all = new ArrayList<>();
        if (node.isText()) {
            Expression one = parsed(node, scope);
            actions.forEach(ignored -> all.add(one));
            return all;
        }
        node.mapping("a formula for each action", actions);
        for (String action : actions) {
            all.add(parsed(node.need(action, "Give each action its formula; 0 is one."), scope));
        }
        return all;
    }

    /** Values of the state variables and the action, as formulas take them. */
    double[] at(int state, int action, double[] into) {
        for (int v = 0; v < space.variables().size(); v++) {
            into[v] = space.value(state, v);
        }
        into[into.length - 1] = action;
        return into;
    }

    double[] arguments() {
        return new double[space.variables().size() + 1];
    }

    boolean available(int state, int action) {
        return available[state * actions.size() + action];
    }

    /** A number, a list of numbers, or a range such as {@code 1..90} or {@code 0..1 by 0.1}, in ascending order. */
    double[] numbers(Yaml node) {
        double[] values = node.isList()
                ? node.list("numbers").stream().mapToDouble(this::number).toArray()
                : range(node);
        for (int i = 1; i < values.length; i++) {
            if (!(values[i - 1] < values[i]) || Grid.same(values[i - 1], values[i])) {
                throw node.bad(
                        "%s comes before %s".formatted(Place.plain(values[i - 1]), Place.plain(values[i])),
                        "Give different values in ascending order.");
            }
        }
        node.badWhen(values.length == 0, "there are no values", "Give at least one.");
        return values;
    }

    private double[] range(Yaml node) {
        String text = node.text("a range such as 1..90 or 0..1 by 0.1, or a list of numbers");
        int dots = text.indexOf("..");
        int by = text.indexOf(" by ");
        node.badWhen(
                dots < 0 || (by >= 0 && by < dots),
                "'%s' is not a range".formatted(text),
                "Write 1..90 or 0..1 by 0.1, or list the values.");
        double first = number(new Written(text.substring(0, dots), node.place()), "the first value");
        double last = number(
                new Written(by < 0 ? text.substring(dots + 2) : text.substring(dots + 2, by), node.place()),
                "the last value");
        double step = by < 0 ? 1 : number(new Written(text.substring(by + 4), node.place()), "the step");
        double steps = (last - first) / step;
        node.badWhen(
                !(step > 0 && steps >= 0) || Math.abs(steps - Math.rint(steps)) > 1e-6 || steps >= MOST_VALUES,
                "from %s to %s there are %s steps of %s"
                        .formatted(Place.plain(first), Place.plain(last), Place.plain(steps), Place.plain(step)),
                "The steps must be positive, fit a whole number of times, and be fewer than %d."
                        .formatted(MOST_VALUES));
        int n = (int) Math.rint(steps);
        double[] values = new double[n + 1];
        // to the digits that were written: 0.2, not 0.19999999999999996
        double digits = 1e12 / Math.max(1, Math.max(Math.abs(first), Math.abs(last)));
        double scale = Math.pow(10, Math.floor(Math.log10(digits)));
        Arrays.setAll(values, i -> n == 0 ? first : Math.rint((first + (last - first) * i / n) * scale) / scale);
        return values;
    }

    /** A variable that the panel does not show: standard normal, with a persistence. */
    record Hidden(StateSpace.Variable variable, HiddenProcess process) {
        TransitionLaw.Part part(StateSpace space) {
            int v = space.variables().size() - 1;
            return new TransitionLaw.Part(process, (s, a) -> space.coordinate(s, v), TransitionLaw.Destination.OUTCOME);
        }
    }

    Optional<Hidden> hidden() {
        return hidden;
    }

    private Hidden hidden(Yaml node) {
        Map<String, Yaml> entries = node.mapping("a name with its persistence, for example {shock: rho}");
        node.badWhen(
                entries.isEmpty() || entries.size() > 2 || (entries.size() == 2 && !entries.containsKey("nodes")),
                "%d hidden variables are given".formatted(entries.size()),
                "Give one, with the name of its persistence or a number: {shock: rho}, or {shock: rho, nodes: 31}.");
        String name = entries.keySet().stream()
                .filter(key -> !key.equals("nodes"))
                .findFirst()
                .orElseThrow(() -> node.bad("only nodes are given", "Name the variable: {shock: rho}."));
        Yaml persistence = Objects.requireNonNull(entries.get(name));
        take(persistence, name, "the hidden variable");
        double count = overrides.containsKey("nodes") && !settings.containsKey("nodes")
                ? number(new Written(overrides.getOrDefault("nodes", ""), "`set` nodes"), "nodes")
                : Yaml.get(entries, "nodes").map(this::number).orElse(15.0);
        node.badWhen(
                count != Math.rint(count) || count < 1 || count > 200,
                "nodes is %s".formatted(Place.plain(count)),
                "Give a whole number from 1 to 200; 15 are usual.");
        HiddenProcess process = BadInput.placed(
                persistence.place(),
                () -> name(persistence)
                        .map(given -> HiddenProcess.named((int) count, lawParameter(persistence, given)))
                        .orElseGet(() -> HiddenProcess.known((int) count, number(persistence))));
        return new Hidden(new StateSpace.Variable(name, process.nodes()), process);
    }

    private StateSpace space(Yaml node) {
        List<StateSpace.Variable> variables = new ArrayList<>();
        clock.ifPresent(variables::add);
        variables.addAll(variables(node));
        hidden.ifPresent(own -> variables.add(own.variable()));
        double rows = actions.size();
        for (StateSpace.Variable variable : variables) {
            rows *= variable.size();
        }
        node.badWhen(
                rows > MOST_ROWS,
                "%.3g states with %d actions are too many".formatted(rows / actions.size(), actions.size()),
                "Use coarser grids.");
        return new StateSpace(variables);
    }

    private List<StateSpace.Variable> variables(Yaml node) {
        List<StateSpace.Variable> variables = new ArrayList<>();
        node.mapping("names with their values, for example {mileage: 1..90}").forEach((name, values) -> {
            take(values, name, "a state variable");
            Yaml given = values;
            if (values.isMapping()) {
                Map<String, Yaml> entries = values.mapping("grid or values", List.of("grid", "values"));
                if (entries.size() != 1) {
                    throw values.bad("grid and values are both given", "Give one of them.");
                }
                given = entries.values().iterator().next();
            }
            variables.add(new StateSpace.Variable(name, numbers(given)));
        });
        node.badWhen(variables.isEmpty(), "there are no state variables", "For example states: {mileage: 1..90}.");
        return variables;
    }

    // ---- choices

    private boolean[] available(Map<String, Yaml> top) {
        int n = actions.size();
        boolean[] rows = new boolean[space.size() * n];
        Arrays.fill(rows, true);
        Yaml node = top.get("available");
        if (node == null) {
            return rows;
        }
        node.mapping("conditions by action, for example {replace: mileage > 3}", actions)
                .forEach((action, condition) -> {
                    Expression when = formula(condition);
                    int a = actions.indexOf(action);
                    double[] x = arguments();
                    for (int s = 0; s < space.size(); s++) {
                        rows[s * n + a] = finite(condition, when.value(at(s, a, x)), s, a) != 0;
                    }
                });
        for (int s = 0; s < space.size(); s++) {
            boolean any = false;
            for (int a = 0; a < n; a++) {
                any |= rows[s * n + a];
            }
            if (!any) {
                throw node.bad("at %s no action is left".formatted(space.describe(s)), "Leave at least one.");
            }
        }
        return rows;
    }

    /** States in which the process has ended. */
    private boolean[] ended(Map<String, Yaml> top) {
        boolean[] states = new boolean[space.size()];
        Yaml node = top.get("ends");
        if (clock.isPresent()) {
            if (node != null) {
                throw node.bad(
                        "a model with a horizon ends after its last period, and ends gives it another end",
                        "Leave out ends: let a state in which only one action is available and nothing moves stand for it.");
            }
            Arrays.fill(states, states.length - space.stride(0), states.length, true);
            return states;
        }
        if (node == null) {
            return states;
        }
        List<String> names =
                space.variables().stream().map(StateSpace.Variable::name).toList();
        node.mapping("state variables with the values at which all is over, for example {retired: 1}", names)
                .forEach((variable, when) -> {
                    int v = names.indexOf(variable);
                    Optional<double[]> values = endValues(when);
                    for (int s = 0; s < states.length; s++) {
                        double own = space.value(s, v);
                        states[s] |= values.map(all -> Arrays.stream(all).anyMatch(value -> Grid.same(value, own)))
                                .orElse(false);
                    }
                    values.ifPresentOrElse(all -> onGrid(when, v, all), () -> endCondition(when, states));
                });
        boolean any = false;
        boolean all = true;
        for (boolean one : states) {
            any |= one;
            all &= one;
        }
        node.badWhen(!any, "no state ends the process", "Give a value or a condition that some state meets.");
        node.badWhen(all, "every state ends the process", "Leave states in which something is decided.");
        return states;
    }

    /** Values of a variable, where they are given rather than a condition. */
    private Optional<double[]> endValues(Yaml when) {
        if (when.isList()) {
            return Optional.of(numbers(when));
        }
        String text = when.text("a value, a list of values, or a condition");
        try {
            return Optional.of(new double[] {Expression.parse(text, constants()).value(new double[0])});
        } catch (BadInput e) {
            return Optional.empty(); // it is no constant
        }
    }

    private void onGrid(Yaml when, int v, double[] values) {
        for (double value : values) {
            when.badWhen(
                    Arrays.stream(space.variables().get(v).values()).noneMatch(own -> Grid.same(own, value)),
                    "%s is not a value of %s"
                            .formatted(
                                    Place.plain(value), space.variables().get(v).name()),
                    "Its values are %s.".formatted(Grid.of(space.variables().get(v))));
        }
    }

    private void endCondition(Yaml when, boolean[] states) {
        Expression condition = formula(when);
        double[] x = arguments();
        for (int s = 0; s < states.length; s++) {
            double first = finite(when, condition.value(at(s, 0, x)), s, 0);
            for (int a = 1; a < actions.size(); a++) {
                when.badWhen(
                        (condition.value(at(s, a, x)) != 0) != (first != 0),
                        "the condition depends on the action",
                        "Whether the process has ended is a matter of the state alone.");
            }
            states[s] |= first != 0;
        }
    }

    private InformationCost cost() {
        double[] weight = new double[available.length];
        boolean all = true;
        for (int row = 0; row < weight.length; row++) {
            all &= available[row];
            weight[row] = available[row] ? 0 : Double.NEGATIVE_INFINITY;
        }
        return all ? InformationCost.STANDARD : new InformationCost(1, weight);
    }

    double finite(Yaml node, double value, int state, int action) {
        if (!Double.isFinite(value)) {
            throw node.bad(
                    "the formula is %s at %s with action %s"
                            .formatted(value, space.describe(state), actions.get(action)),
                    "It must be a finite number wherever the action is available; guard it with max, or change the"
                            + " grid.");
        }
        return value;
    }

    boolean ended(int state) {
        return ended[state];
    }

    Optional<StateSpace.Variable> clock() {
        return clock;
    }
}

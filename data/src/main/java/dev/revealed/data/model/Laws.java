package dev.revealed.data.model;

import dev.revealed.data.Grid;
import dev.revealed.data.Place;
import dev.revealed.mdp.choice.AutoregressiveProcess;
import dev.revealed.mdp.choice.Frequencies;
import dev.revealed.mdp.choice.KnownProbabilities;
import dev.revealed.mdp.choice.SeparateFamilies;
import dev.revealed.mdp.choice.Shifts;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.mdp.choice.TransitionFamily;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The transitions of a model file: how each state variable moves, under all actions alike or under each its own way. */
final class Laws {
    private static final List<String> KEYS =
            List.of("shift", "probabilities", "matrix", "autoregressive", "counted", "from");
    private static final String KINDS =
            "a formula for the next value, the word counted, or one of shift, probabilities,"
                    + " matrix, autoregressive, counted";

    private final ModelReader model;
    private final StateSpace space;
    private final List<String> actions;
    private final Yaml node;

    Laws(ModelReader model, Yaml node) {
        this.model = model;
        this.space = model.space();
        this.actions = model.actions();
        this.node = node;
    }

    /** @param horizon whether the first variable is the period, which moves on by itself */
    TransitionLaw law(boolean horizon) {
        List<String> names = space.variables().stream()
                .skip(horizon ? 1 : 0)
                .map(StateSpace.Variable::name)
                .filter(name -> model.hidden()
                        .filter(own -> own.variable().name().equals(name))
                        .isEmpty())
                .toList();
        node.mapping("the law of each state variable", names);
        List<TransitionLaw.Part> parts = new ArrayList<>();
        for (String name : names) {
            Yaml own = node.need(name, "Say how it moves; '%s: %s' keeps it where it is.".formatted(name, name));
            parts.add(new VariableLaw(parts.size() + (horizon ? 1 : 0)).part(own));
        }
        model.hidden().ifPresent(own -> parts.add(own.part(space)));
        return horizon
                ? TransitionLaw.overPeriods(space, actions.size(), parts)
                : new TransitionLaw(space, actions.size(), parts);
    }

    /**
     * One way to move.
     *
     * @param family the distribution of the outcomes, in cells of its own
     * @param cell the cell of a row
     */
    private record Move(TransitionFamily family, TransitionLaw.Cell cell, TransitionLaw.Destination destination) {}

    /** Which of some moves is made in a row. */
    @FunctionalInterface
    private interface Selector {
        int of(int state, int action);
    }

    /** Moves of which each row makes one. */
    private record Moves(List<Move> all, Selector selector) implements TransitionLaw.Destination {
        static Moves only(Move move) {
            return new Moves(List.of(move), (s, a) -> 0);
        }

        Move in(int state, int action) {
            return all.get(selector.of(state, action));
        }

        @Override
        public int of(int state, int action, int outcome) {
            return in(state, action).destination().of(state, action, outcome);
        }

        @Override
        public boolean isOutcome(int state, int action) {
            return in(state, action).destination().isOutcome(state, action);
        }
    }

    /** The law of one variable. */
    private final class VariableLaw {
        private final int v;
        private final String name;
        private final Grid grid;
        private final Map<Object, TransitionFamily> families = new LinkedHashMap<>(); // by what the file says of them

        VariableLaw(int v) {
            this.v = v;
            this.name = space.variables().get(v).name();
            this.grid = Grid.of(space.variables().get(v));
        }

        private int size() {
            return grid.values().length;
        }

        TransitionLaw.Part part(Yaml own) {
            Moves moves = moves(own);
            List<TransitionFamily> different =
                    moves.all().stream().map(Move::family).distinct().toList();
            if (different.size() == 1) {
                return new TransitionLaw.Part(
                        different.getFirst(), (s, a) -> moves.in(s, a).cell().of(s, a), moves);
            }
            SeparateFamilies separate = new SeparateFamilies(different);
            int[] family = moves.all().stream()
                    .mapToInt(m -> different.indexOf(m.family()))
                    .toArray();
            TransitionLaw.Cell cell = (s, a) -> separate.cell(
                    family[moves.selector().of(s, a)], moves.in(s, a).cell().of(s, a));
            return new TransitionLaw.Part(separate, cell, moves);
        }

        /** One law for all rows, laws by action, or by a condition. */
        private Moves moves(Yaml own) {
            Map<String, Yaml> entries = own.isMapping() ? own.mapping("a law") : Map.of();
            if (entries.containsKey("if")) {
                own.mapping("a condition and two laws", List.of("if", "then", "else"));
                return conditional(
                        own.need("if", ""),
                        moves(own.need("then", "Give the law where the condition holds.")),
                        moves(own.need("else", "Give the law where it does not.")));
            }
            if (entries.keySet().stream().noneMatch(actions::contains)) {
                return Moves.only(move(own, -1));
            }
            own.mapping("a law for each action", actions);
            List<Move> all = new ArrayList<>();
            for (int a = 0; a < actions.size(); a++) {
                all.add(move(own.need(actions.get(a), "Give each action its law."), a));
            }
            return new Moves(all, (s, a) -> a);
        }

        private Moves conditional(Yaml condition, Moves yes, Moves no) {
            Expression formula = model.formula(condition);
            int n = actions.size();
            boolean[] holds = new boolean[space.size() * n];
            double[] x = model.arguments();
            for (int row = 0; row < holds.length; row++) {
                int s = row / n;
                holds[row] = model.finite(condition, formula.value(model.at(s, row % n, x)), s, row % n) != 0;
            }
            List<Move> all = new ArrayList<>(yes.all());
            all.addAll(no.all());
            int first = yes.all().size();
            return new Moves(
                    all,
                    (s, a) -> holds[s * n + a]
                            ? yes.selector().of(s, a)
                            : first + no.selector().of(s, a));
        }

        /** @param action the one it is for, or -1 for all */
        private Move move(Yaml law, int action) {
            if (law.isText()) {
                return law.text(KINDS).equals("counted") ? counted(law, null, action) : certain(law, action);
            }
            Map<String, Yaml> entries = law.mapping(KINDS, KEYS);
            TransitionLaw.Cell from = from(entries.get("from"), action);
            List<String> kinds = entries.keySet().stream()
                    .filter(key -> !key.equals("from") && !key.equals("probabilities"))
                    .toList();
            Yaml probabilities = entries.get("probabilities");
            String kind = kinds.isEmpty() ? "probabilities" : kinds.getFirst();
            if (kinds.size() > 1 || (kinds.isEmpty() && probabilities == null)) {
                throw law.bad(
                        kinds.isEmpty() ? "it is not said how" : String.join(" and ", kinds) + " are both given",
                        "Give " + KINDS + ".");
            }
            if (probabilities != null && !kind.equals("shift") && !kind.equals("probabilities")) {
                throw probabilities.bad("probabilities do not go with " + kind, "Leave them out.");
            }
            law.badWhen(
                    entries.containsKey("from") && (kind.equals("counted") || kind.equals("probabilities")),
                    "from does not go with " + kind,
                    "Leave it out: the move starts nowhere.");
            return switch (kind) {
                case "shift" -> shift(law, from);
                case "probabilities" -> draw(law.need("probabilities", ""));
                case "matrix" -> matrix(law.need("matrix", ""), from);
                case "autoregressive" -> autoregressive(law.need("autoregressive", ""), from);
                default -> counted(law.need("counted", ""), law.need("counted", ""), action);
            };
        }

        /** The same words about chance, under two actions, mean the same family with the same parameters. */
        private TransitionFamily family(Yaml where, Object key, Supplier<TransitionFamily> made) {
            TransitionFamily known = families.get(key);
            if (known == null) {
                try {
                    known = made.get();
                } catch (BadInput e) {
                    throw e.problem().startsWith(where.place()) ? e : e.in(where.place());
                }
                families.put(key, known);
            }
            return known;
        }

        // ---- where a move starts

        private TransitionLaw.Cell own() {
            int stride = space.stride(v);
            int size = size();
            return (s, a) -> s / stride % size;
        }

        private TransitionLaw.Cell from(@Nullable Yaml where, int action) {
            if (where == null) {
                return own();
            }
            if (where.isText()) {
                int[] table = table(where, action);
                int n = actions.size();
                return (s, a) -> table[s * n + a];
            }
            where.badWhen(action >= 0, "from is given by action under an action", "Give one formula.");
            Map<String, Yaml> given = where.mapping("a formula, or formulas by action such as {replace: 1}", actions);
            List<TransitionLaw.Cell> starts = new ArrayList<>();
            for (int a = 0; a < actions.size(); a++) {
                starts.add(from(given.get(actions.get(a)), a));
            }
            return (s, a) -> starts.get(a).of(s, a);
        }

        /** A formula's place on the grid, row by row; where an action is not available the variable stays. */
        private int[] table(Yaml where, int action) {
            Expression formula = model.formula(where);
            int n = actions.size();
            int[] table = new int[space.size() * n];
            double[] x = model.arguments();
            for (int s = 0; s < space.size(); s++) {
                for (int a = 0; a < n; a++) {
                    if ((action >= 0 && a != action) || !model.available(s, a) || model.ended(s)) {
                        table[s * n + a] = space.coordinate(s, v);
                        continue;
                    }
                    double value = model.finite(where, formula.value(model.at(s, a, x)), s, a);
                    int place = grid.find(value);
                    if (place < 0) {
                        String last = Place.plain(grid.values()[size() - 1]);
                        String at = space.describe(s);
                        throw where.bad(
                                "'%s' is %s at %s with action %s, which is not a value of %s"
                                        .formatted(formula, Place.plain(value), at, actions.get(a), name),
                                "Its values are %s. At an end of the grid write min(..., %s) or max(..., %s)."
                                        .formatted(grid, last, Place.plain(grid.values()[0])));
                    }
                    table[s * n + a] = place;
                }
            }
            return table;
        }

        // ---- the ways to move

        private Move certain(Yaml formula, int action) {
            int[] table = table(formula, action);
            int n = actions.size();
            return new Move(
                    family(formula, "certain", KnownProbabilities::certain),
                    (s, a) -> 0,
                    (s, a, outcome) -> table[s * n + a]);
        }

        private Move shift(Yaml law, TransitionLaw.Cell from) {
            Yaml steps = law.need("shift", "");
            int[] by = steps.list("steps along the grid, for example [0, 1, 2]").stream()
                    .mapToInt(Laws.this::step)
                    .toArray();
            steps.badWhen(
                    by.length == 0 || Arrays.stream(by).distinct().count() < by.length,
                    "the steps are %s".formatted(Arrays.toString(by)),
                    "Give different whole numbers.");
            Yaml said = law.need(
                    "probabilities",
                    "Give the %d probabilities as numbers, or name all but the last for the data to decide."
                            .formatted(by.length));
            Given given = given(said, by.length);
            // without names it only says where each step leads
            Shifts places = new Shifts(
                    IntStream.range(1, by.length).mapToObj(Integer::toString).toList(), by, size());
            Supplier<TransitionFamily> made = () -> given.known()
                    ? known(places, given.numbers())
                    : new Shifts(parameters(said, given.names()), by, size());
            TransitionFamily family = family(said, List.of("shift", Arrays.toString(by), given.key()), made);
            return new Move(family, from, (s, a, o) -> places.destination(from.of(s, a), o));
        }

        private KnownProbabilities known(Shifts shifts, double[] shares) {
            double[] free = Arrays.copyOf(shares, shares.length - 1);
            double[][] p = new double[size()][];
            for (int x = 0; x < p.length; x++) {
                p[x] = new double[shifts.outcomes(x)];
                shifts.at(free, x, p[x]);
            }
            return new KnownProbabilities(p);
        }

        /** A draw that does not depend on where the variable stands. */
        private Move draw(Yaml said) {
            Given given = given(said, size());
            int[] all = IntStream.range(0, size()).toArray();
            Supplier<TransitionFamily> made = () -> given.known()
                    ? new KnownProbabilities(new double[][] {given.numbers()})
                    : new Shifts(parameters(said, given.names()), all, size());
            TransitionFamily family = family(said, List.of("draw", given.key()), made);
            return new Move(family, (s, a) -> 0, TransitionLaw.Destination.OUTCOME);
        }

        private Move matrix(Yaml said, TransitionLaw.Cell from) {
            List<Yaml> rows = said.list("a list of %d rows of probabilities".formatted(size()));
            said.badWhen(
                    rows.size() != size(),
                    "%d rows for the %d values of %s".formatted(rows.size(), size(), name),
                    "Give one for each value it may move from.");
            double[][] p = new double[size()][];
            for (int x = 0; x < p.length; x++) {
                Given given = given(rows.get(x), size());
                rows.get(x)
                        .badWhen(!given.known(), "a matrix has no names in it", "Give numbers, or let it be counted.");
                p[x] = given.numbers();
            }
            TransitionFamily family = family(said, Arrays.deepToString(p), () -> new KnownProbabilities(p));
            return new Move(family, from, TransitionLaw.Destination.OUTCOME);
        }

        private Move autoregressive(Yaml said, TransitionLaw.Cell from) {
            List<Yaml> three = said.list("[mu, rho, sigma], each a name or a number");
            said.badWhen(
                    three.size() != 3,
                    "%d coefficients are given".formatted(three.size()),
                    "Give three, names or numbers: mu, rho and sigma of x' = mu + rho x + sigma e.");
            double[] known = new double[3];
            List<String> names = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Yaml entry = three.get(i);
                model.name(entry).ifPresent(names::add);
                known[i] = model.name(entry).isPresent() ? Double.NaN : model.number(entry);
            }
            TransitionFamily family = family(
                    said,
                    List.of("autoregressive", names, Arrays.toString(known)),
                    () -> new AutoregressiveProcess(grid.values(), parameters(said, names), known));
            return new Move(family, from, TransitionLaw.Destination.OUTCOME);
        }

        /** @param given what the frequencies depend on; without it the variable itself and the action */
        private Move counted(Yaml where, @Nullable Yaml given, int action) {
            List<String> on = new ArrayList<>();
            List<String> known = new ArrayList<>();
            space.variables().forEach(variable -> known.add(variable.name()));
            known.add("action");
            if (given == null) {
                on.add(name);
                on.add("action");
            } else {
                for (Yaml entry :
                        given.list("what the frequencies depend on, for example [%s, action]".formatted(name))) {
                    String word = entry.text("a state variable or action");
                    if (!known.contains(word) || on.contains(word)) {
                        throw entry.bad(
                                on.contains(word)
                                        ? "'%s' stands twice".formatted(word)
                                        : "'%s' is unknown".formatted(word),
                                Closest.question(word, known) + "Known here: " + String.join(", ", known) + ".");
                    }
                    on.add(word);
                }
            }
            if (action >= 0) {
                on.remove("action");
            }
            int[] sizes = new int[on.size()];
            int[] variable = new int[on.size()];
            long cells = 1;
            for (int i = 0; i < sizes.length; i++) {
                variable[i] = known.indexOf(on.get(i));
                sizes[i] = on.get(i).equals("action")
                        ? actions.size()
                        : space.variables().get(variable[i]).size();
                cells = Math.min(Integer.MAX_VALUE, cells * sizes[i]);
            }
            int count = (int) cells;
            String under = action < 0 ? "" : actions.get(action);
            TransitionFamily family = family(
                    where,
                    List.of("counted", on, under),
                    () -> new Frequencies(count, size(), (cell, o) -> described(on, variable, sizes, under, cell, o)));
            return new Move(
                    family,
                    (s, a) -> {
                        int cell = 0;
                        for (int i = 0; i < sizes.length; i++) {
                            int at = variable[i] == known.size() - 1 ? a : space.coordinate(s, variable[i]);
                            cell = cell * sizes[i] + at;
                        }
                        return cell;
                    },
                    TransitionLaw.Destination.OUTCOME);
        }

        /** {@code P(demand=2|demand=1,enter)}. */
        private String described(List<String> on, int[] variable, int[] sizes, String under, int cell, int outcome) {
            String[] conditions = new String[on.size()];
            int rest = cell;
            for (int i = on.size() - 1; i >= 0; i--) {
                int at = rest % sizes[i];
                rest /= sizes[i];
                boolean isAction = on.get(i).equals("action");
                double value = isAction ? 0 : space.variables().get(variable[i]).values()[at];
                conditions[i] = isAction ? actions.get(at) : on.get(i) + "=" + Place.plain(value);
            }
            String all = Stream.concat(Arrays.stream(conditions), Stream.of(under))
                    .filter(condition -> !condition.isEmpty())
                    .collect(Collectors.joining(","));
            return "P(%s=%s%s)".formatted(name, Place.plain(grid.values()[outcome]), all.isEmpty() ? "" : "|" + all);
        }
    }

    // ---- numbers and names

    private int step(Yaml entry) {
        double step = model.number(entry);
        entry.badWhen(
                step != Math.rint(step) || Math.abs(step) > 1e9,
                "%s is not a whole number".formatted(Place.plain(step)),
                "Steps count grid points.");
        return (int) step;
    }

    /** What is known of chance, and what the data are to decide: names, or numbers. */
    private record Given(List<String> names, double[] numbers) {
        boolean known() {
            return numbers.length > 0;
        }

        /** For comparing what is said at two places. */
        Object key() {
            return List.of(names, Arrays.toString(numbers));
        }
    }

    /** So many numbers that sum to one, or names for all but the last. */
    private Given given(Yaml node, int count) {
        List<Yaml> entries = node.list("%d numbers, or the names of all but the last".formatted(count));
        List<String> names =
                entries.stream().flatMap(entry -> model.name(entry).stream()).toList();
        node.badWhen(
                !names.isEmpty() && names.size() < entries.size(),
                "names and numbers are mixed",
                "Either all are known, or none.");
        boolean known = names.isEmpty() && !entries.isEmpty();
        node.badWhen(
                entries.size() != (known ? count : count - 1),
                "%d %s for %d outcomes".formatted(entries.size(), known ? "probabilities" : "names", count),
                "Give %d numbers that sum to 1, or %d names: the last probability is one less the others."
                        .formatted(count, count - 1));
        double[] numbers = known ? entries.stream().mapToDouble(model::number).toArray() : new double[0];
        if (known) {
            BadInput.placed(node.place(), () -> new KnownProbabilities(new double[][] {numbers}));
        }
        return new Given(names, numbers);
    }

    private List<String> parameters(Yaml node, List<String> names) {
        return names.stream().map(name -> model.lawParameter(node, name)).toList();
    }
}

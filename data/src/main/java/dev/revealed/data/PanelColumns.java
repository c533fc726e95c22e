package dev.revealed.data;

import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Buckets;
import dev.revealed.numeric.Closest;
import dev.revealed.numeric.ProgressListener;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where the columns of a CSV file hold a panel, and how their values are matched to a model.
 *
 * @param codes how each action is written, where neither by its name nor by its number; else empty
 * @param states one for each state variable
 * @param skip first decisions of each individual that do not count, though the moves after them do
 * @param hint what else to do about a column that is not there
 */
public record PanelColumns(
        String individual,
        String period,
        String action,
        List<String> codes,
        List<Column> states,
        int skip,
        String hint) {

    /** How a column tells the value of a state variable. */
    public sealed interface Column {
        String name();

        Grid grid();

        /** The place of a number on the grid, or -1. */
        int place(double value);

        /** A number that stands for a place on the grid. */
        default double value(int place) {
            return grid().values()[place];
        }

        /** What to do about a number without a place. */
        default String remedy() {
            return "";
        }
    }

    /** The value itself. */
    public record Exact(String name, Grid grid) implements Column {
        @Override
        public int place(double value) {
            return grid.find(value);
        }

        @Override
        public String remedy() {
            return "The model's values are %s; a model can also take the nearest, or bins.".formatted(grid);
        }
    }

    /** A variable that the agent sees and the panel does not show: it has no column, and the middle of its grid stands for it. */
    public record Hidden(String name, Grid grid) implements Column {
        @Override
        public int place(double value) {
            return grid.values().length / 2;
        }
    }

    /** A number of which the nearest value on the grid is meant. */
    public record Nearest(String name, Grid grid) implements Column {
        @Override
        public int place(double value) {
            return grid.nearest(value);
        }
    }

    /**
     * A number in a bin that is closed on the right.
     *
     * @param edges between the bins and, where outside numbers are refused, around them
     */
    public record Binned(String name, Grid grid, double[] edges) implements Column {
        private boolean bounded() {
            return edges.length == grid.values().length + 1;
        }

        @Override
        public int place(double value) {
            int found = Arrays.binarySearch(edges, value);
            int bin = found >= 0 ? found : -found - 1; // edges below the value
            if (!bounded()) {
                return bin;
            }
            return value == edges[0] ? 0 : bin == edges.length ? -1 : bin - 1;
        }

        @Override
        public double value(int place) {
            int edge = bounded() ? place + 1 : place;
            return edge < edges.length ? edges[edge] : edges[edge - 1] + 1;
        }

        @Override
        public String remedy() {
            return "The model's bins reach from %s to %s."
                    .formatted(Place.plain(edges[0]), Place.plain(edges[edges.length - 1]));
        }
    }

    /** The columns individual, period, action, and one for each state variable by its name. */
    public static PanelColumns standard(StateSpace space) {
        List<Column> states = new ArrayList<>();
        for (StateSpace.Variable variable : space.variables()) {
            states.add(new Exact(variable.name(), Grid.of(variable)));
        }
        return new PanelColumns("individual", "period", "action", List.of(), states, 0, "");
    }

    private List<String> columns() {
        return Stream.concat(
                        Stream.of(individual, period, action),
                        states.stream()
                                .filter(column -> !(column instanceof Hidden))
                                .map(Column::name))
                .toList();
    }

    /** Reads a panel, with what its file leaves open. */
    public ChoiceData read(Path file, ChoiceModel model, ProgressListener listener) {
        Names names = new Names();
        Ints who = new Ints();
        Ints when = new Ints();
        Ints state = new Ints();
        Ints chosen = new Ints();
        Ints line = new Ints();
        int[] strides = strides(model.space());
        List<String> written = codes.isEmpty() ? model.actions() : codes;
        List<FarValues> far = new ArrayList<>();
        states.forEach(column -> far.add(new FarValues(column.name(), column.grid())));
        List<String> unused;
        try (Csv csv = Csv.amongOthers(file, columns(), List.of(), hint, listener)) {
            unused = csv.others();
            while (csv.next()) {
                int s = 0;
                for (int v = 0; v < strides.length; v++) {
                    s += strides[v] * place(csv, v, far.get(v));
                }
                int a = csv.blank(2) || model.law().ended(s) ? -1 : action(csv, written);
                if (a >= 0 && model.cost().logWeight(s * model.actions().size() + a) == Double.NEGATIVE_INFINITY) {
                    String where = model.space().describe(s);
                    throw csv.bad(
                            "%s is %s, which the model rules out at %s"
                                    .formatted(action, model.actions().get(a), where),
                            "Either the model's availability of actions or the data is wrong.");
                }
                who.add(names.number(csv, 0));
                when.add(csv.index(1));
                state.add(s);
                chosen.add(a);
                line.add(csv.line());
            }
        }
        BadInput.when(names.size() == 0, file + ": there are no rows below the header", "Give at least one decision.");
        Place place = Place.lines(file, line.toArray());
        List<String> all = names.inOrder();
        Buckets rows = Periods.inOrder(place, individual, all, who.toArray(), when.toArray());
        Panel panel = new Rows(this, model, place, state.toArray(), chosen.toArray()).panel(all, rows);
        List<String> cautions =
                far.stream().flatMap(values -> values.warning(file).stream()).toList();
        return new ChoiceData(model, panel, unused, cautions);
    }

    private static int[] strides(StateSpace space) {
        int[] strides = new int[space.variables().size()];
        Arrays.setAll(strides, space::stride);
        return strides;
    }

    private int place(Csv csv, int variable, FarValues far) {
        Column column = states.get(variable);
        if (column instanceof Hidden) { // always the last
            return column.place(0);
        }
        double value = csv.number(3 + variable);
        int place = column.place(value);
        if (column instanceof Nearest) {
            far.see(value, csv.line());
        }
        if (place < 0) {
            throw csv.bad("%s is %s".formatted(column.name(), Place.plain(value)), column.remedy());
        }
        return place;
    }

    private int action(Csv csv, List<String> written) {
        for (int a = 0; a < written.size(); a++) {
            if (csv.reads(2, written.get(a))) {
                return a;
            }
        }
        String text = csv.text(2);
        if (codes.isEmpty() && !text.isEmpty() && Character.isDigit(text.charAt(0))) {
            int a = csv.index(2);
            if (a < written.size()) {
                return a;
            }
        }
        throw csv.bad(
                "%s is '%s'".formatted(action, text),
                Closest.question(text, written)
                        + "The actions are written "
                        + String.join(", ", written)
                        + (codes.isEmpty() ? ", or by their numbers from 0." : "."));
    }

    /** The rows of a file, as numbers of the model. */
    private record Rows(PanelColumns columns, ChoiceModel model, Place place, int[] state, int[] chosen) {

        Panel panel(List<String> names, Buckets rows) {
            List<Panel.Individual> individuals = new ArrayList<>();
            for (int i = 0; i < names.size(); i++) {
                int begin = rows.start()[i];
                int end = untilEnd(rows.row(), begin, rows.start()[i + 1]);
                if (decisions(rows.row(), begin, end, names.get(i)) > columns.skip) {
                    individuals.add(individual(names.get(i), rows.row(), begin, end));
                }
            }
            BadInput.when(
                    individuals.isEmpty(),
                    "%s: no %s has a decision that counts".formatted(place.file(), columns.individual),
                    columns.skip == 0
                            ? "Give at least one."
                            : "The first %d of each are skipped; give more.".formatted(columns.skip));
            return new Panel(individuals);
        }

        /** What comes after the end of the process does not count. */
        private int untilEnd(int[] order, int begin, int end) {
            int k = begin;
            while (k < end && !model.law().ended(state[order[k]])) {
                k++;
            }
            return Math.min(k + 1, end);
        }

        /** How many rows hold a decision: all, or all but the last. */
        private int decisions(int[] order, int begin, int end, String name) {
            for (int k = begin; k < end; k++) {
                if (chosen[order[k]] < 0 && k < end - 1) {
                    throw place.bad(
                            order[k],
                            "%s is blank, and this is not the last row of %s %s"
                                    .formatted(columns.action, columns.individual, name),
                            "Only a last row may be without: it tells where the last decision led.");
                }
            }
            return chosen[order[end - 1]] < 0 ? end - begin - 1 : end - begin;
        }

        private Panel.Individual individual(String name, int[] order, int begin, int end) {
            int first = begin + columns.skip;
            int n = end - first;
            int[] states = new int[n];
            Arrays.setAll(states, t -> state[order[first + t]]);
            int[] actions = Arrays.stream(order, first, end)
                    .map(row -> chosen[row])
                    .filter(a -> a >= 0)
                    .toArray();
            int parts = model.law().parts().size();
            int[][] cells = new int[parts][n];
            int[][] outcomes = new int[parts][n];
            for (int t = 0; t < n; t++) {
                for (int v = 0; v < parts; v++) {
                    if (first + t == begin || columns.states.get(v) instanceof Hidden) {
                        cells[v][t] = -1;
                    } else {
                        int before = order[first + t - 1];
                        cells[v][t] = model.law().parts().get(v).cell().of(state[before], chosen[before]);
                        outcomes[v][t] = outcome(v, before, order[first + t]);
                    }
                }
            }
            return new Panel.Individual(name, new Trajectory(states, actions), cells, outcomes);
        }

        private int outcome(int v, int before, int now) {
            TransitionLaw law = model.law();
            int from = state[before];
            int a = chosen[before];
            int outcome = law.outcome(v, from, a, state[now]);
            if (outcome < 0) {
                BadInput impossible = law.impossible(
                        v, from, model.actions().get(a), state[now], " (%s)".formatted(place.list(before)));
                throw place.bad(now, impossible.problem(), impossible.remedy());
            }
            return outcome;
        }
    }

    public void write(Path file, ChoiceModel model, Panel panel) {
        List<String> written = codes.isEmpty() ? model.actions() : codes;
        // the periods of a horizon may stand in the column of the period
        List<String> header = columns().stream().distinct().toList();
        CsvOut.write(file, header, out -> {
            for (Panel.Individual one : panel.individuals()) {
                int[] states = one.choices().states();
                int[] actions = one.choices().actions();
                for (int t = 0; t < states.length; t++) {
                    String action = actions == null || t == actions.length ? "" : written.get(actions[t]);
                    List<Object> cells = new ArrayList<>(List.of(one.name(), t, action));
                    for (int v = 0; v < this.states.size() && !(this.states.get(v) instanceof Hidden); v++) {
                        int place = model.space().coordinate(states[t], v);
                        String value = Place.plain(this.states.get(v).value(place));
                        if (this.states.get(v).name().equals(period)) {
                            cells.set(1, value);
                        } else {
                            cells.add(value);
                        }
                    }
                    out.row(cells);
                }
            }
        });
    }
}

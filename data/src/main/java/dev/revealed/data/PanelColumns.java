package dev.revealed.data;

import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Buckets;
import dev.revealed.numeric.Closest;
import dev.revealed.numeric.ProgressListener;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Where the columns of a CSV file hold a panel, and how their values are matched to a model.
 *
 * @param codes how each action is written, where neither by its name nor by its number; else empty
 * @param states one for each state variable
 * @param skip first decisions of each individual that do not count, though the moves after them do
 * @param hint what else to do about a column that is not there
 * @param structure weights, clusters, gaps and what else there is to know of the individuals
 */
public record PanelColumns(
        String individual,
        String period,
        String action,
        List<String> codes,
        List<Column> states,
        int skip,
        String hint,
        PanelStructure structure) {

    public PanelColumns(
            String individual,
            String period,
            String action,
            List<String> codes,
            List<Column> states,
            int skip,
            String hint) {
        this(individual, period, action, codes, states, skip, hint, PanelStructure.PLAIN);
    }

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
            return "The model's values are %s; under data, columns a model can take the nearest (nearest: true), or bins."
                    .formatted(grid);
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

    private static final String GAPS = " A model may also say gaps: allowed under data:.";

    private List<String> columns() {
        return Stream.concat(
                        Stream.of(individual, period, action),
                        states.stream()
                                .filter(column -> !(column instanceof Hidden))
                                .map(Column::name))
                .toList();
    }

    /** All columns, those that describe the individuals last. */
    public List<String> columnsAndMore() {
        List<String> known = columns(); // the periods of a horizon may stand there twice
        return Stream.concat(
                        known.stream(), structure.columns().stream().distinct().filter(name -> !known.contains(name)))
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
        List<String> wanted = columnsAndMore();
        PanelStructure.Reader more = structure.reader(wanted);
        int[] strides = strides(model.space());
        List<String> written = written(model);
        List<FarValues> far = new ArrayList<>();
        states.forEach(column -> far.add(new FarValues(column.name(), column.grid())));
        List<String> unused;
        try (Csv csv = Csv.amongOthers(file, wanted, List.of(), hint, listener)) {
            unused = csv.others();
            while (csv.next()) {
                int s = 0;
                for (int v = 0; v < strides.length; v++) {
                    s += strides[v] * place(csv, v, far.get(v));
                }
                int a = action(csv, model, written, s);
                who.add(names.number(csv, 0));
                when.add(csv.index(1));
                state.add(s);
                chosen.add(a);
                line.add(csv.line());
                more.read(csv);
            }
        }
        BadInput.when(names.size() == 0, file + ": there are no rows below the header", "Give at least one decision.");
        Place place = Place.lines(file, line.toArray());
        List<String> all = names.inOrder();
        Buckets rows = structure.gaps()
                ? Periods.sorted(place, individual, all, who.toArray(), when.toArray())
                : Periods.inOrder(place, individual, all, who.toArray(), when.toArray(), GAPS);
        PanelRows read = new PanelRows(this, model, place, state.toArray(), chosen.toArray(), when.toArray(), more);
        Panel panel = read.panel(all, rows);
        List<String> cautions = Stream.concat(
                        far.stream().flatMap(values -> values.warning(file).stream()), read.notes().cautions().stream())
                .toList();
        return new ChoiceData(model, panel, unused, cautions, read.notes().notes(), read.periods());
    }

    /**
     * What is wrong with the rows of one individual.
     *
     * @param state of each row, in the order of periods
     * @param chosen action of each row, -1 where it has none
     */
    public BadInput wrong(Place place, ChoiceModel model, String name, int[] period, int[] state, int[] chosen) {
        List<String> names = List.of(name);
        int[] who = new int[period.length];
        try {
            Buckets rows = structure.gaps()
                    ? Periods.sorted(place, individual, names, who, period)
                    : Periods.inOrder(place, individual, names, who, period, GAPS);
            new PanelRows(this, model, place, state, chosen, period, PanelStructure.PLAIN.reader(List.of()))
                    .panel(names, rows);
        } catch (BadInput e) {
            return e;
        }
        return place.bad(
                0,
                "weight, cluster or covariates of %s %s differ between its rows".formatted(individual, name),
                "Weights, clusters and covariates belong to an individual: repeat the same in each of its rows.");
    }

    private static int[] strides(StateSpace space) {
        int[] strides = new int[space.variables().size()];
        Arrays.setAll(strides, space::stride);
        return strides;
    }

    /** The place of a state variable's value on its grid, by the current row. */
    public int place(TableRows csv, int variable, FarValues far) {
        Column column = states.get(variable);
        if (column instanceof Hidden) { // always the last
            return column.place(0);
        }
        double value = csv.number(3 + variable);
        int place = column.place(value);
        if (column instanceof Nearest) {
            far.see(value, csv.position());
        }
        if (place < 0) {
            throw csv.bad("%s is %s".formatted(column.name(), Place.plain(value)), column.remedy());
        }
        return place;
    }

    /** How each action is written. */
    public List<String> written(ChoiceModel model) {
        return codes.isEmpty() ? model.actions() : codes;
    }

    /** The action of the current row, or -1 where it has none. */
    public int action(TableRows csv, ChoiceModel model, List<String> written, int state) {
        int a = csv.blank(2) || model.law().ended(state) ? -1 : action(csv, written);
        if (a >= 0 && model.cost().logWeight(state * model.actions().size() + a) == Double.NEGATIVE_INFINITY) {
            String where = model.space().describe(state);
            throw csv.bad(
                    "%s is %s, which the model rules out at %s"
                            .formatted(action, model.actions().get(a), where),
                    "Either the model's availability of actions or the data is wrong.");
        }
        return a;
    }

    private int action(TableRows csv, List<String> written) {
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

    /** Names of the columns of a panel's file. */
    public List<String> header() {
        // the periods of a horizon may stand in the column of the period
        return columnsAndMore().stream().distinct().toList();
    }

    public void write(Path file, ChoiceModel model, Panel panel) {
        CsvOut.write(file, header(), out -> rows(model, panel).forEach(out::row));
    }

    /** The rows of a panel's file, cell by cell; a state after the last decision has no action. */
    public Iterable<List<Object>> rows(ChoiceModel model, Panel panel) {
        return () -> panel.individuals().stream()
                .flatMap(one -> rows(model, one).stream())
                .iterator();
    }

    private List<List<Object>> rows(ChoiceModel model, Panel.Individual one) {
        List<String> written = written(model);
        List<String> header = header();
        Map<String, String> more = structure.of(one);
        List<List<Object>> rows = new ArrayList<>();
        int[] states = one.choices().states();
        int[] actions = one.choices().actions();
        for (int t = 0; t < states.length; t++) {
            String chosen = actions == null || t == actions.length ? "" : written.get(actions[t]);
            List<Object> cells = new ArrayList<>(List.of(one.name(), t, chosen));
            for (int v = 0; v < this.states.size() && !(this.states.get(v) instanceof Hidden); v++) {
                int place = model.space().coordinate(states[t], v);
                String value = Place.plain(this.states.get(v).value(place));
                if (this.states.get(v).name().equals(period)) {
                    cells.set(1, value);
                } else {
                    cells.add(value);
                }
            }
            header.subList(cells.size(), header.size()).forEach(name -> cells.add(more.getOrDefault(name, "")));
            rows.add(cells);
        }
        return rows;
    }
}

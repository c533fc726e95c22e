package dev.revealed.data.panel;

import dev.revealed.data.FarValues;
import dev.revealed.data.PanelColumns;
import dev.revealed.data.PanelStructure;
import dev.revealed.data.Place;
import dev.revealed.data.TableRows;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.numeric.BadInput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** Rows of a model whose columns are described: places are states. */
public final class ColumnCoding implements PanelCoding {
    private final PanelColumns columns;
    private final ChoiceModel model;
    private final List<String> required;
    private final RowRules rules;
    private final boolean[] hidden;

    public ColumnCoding(PanelColumns columns, ChoiceModel model) {
        this.columns = columns;
        this.model = model;
        required = columns.columnsAndMore();
        BitSet ended = new BitSet();
        Arrays.stream(model.law().ends()).forEach(ended::set);
        rules = new RowRules(
                columns.skip(), columns.structure().gaps(), columns.structure().missing(), ended);
        hidden = new boolean[columns.states().size()];
        for (int v = 0; v < hidden.length; v++) {
            hidden[v] = columns.states().get(v) instanceof PanelColumns.Hidden;
        }
        BadInput.when(
                !columns.structure().aggregate().isEmpty(),
                "aggregate variables are not counted in tables of any size",
                "Give the panel as one CSV file, which is then read as a whole.");
        BadInput.when(
                (model.actions().size() + 1L) * model.states() >= Integer.MAX_VALUE,
                "%d states are too many to count rows by".formatted(model.states()),
                "Give the panel as one CSV file, which is then read as a whole.");
    }

    @Override
    public int places() {
        return model.states();
    }

    @Override
    public int actions() {
        return model.actions().size();
    }

    @Override
    public ChoiceModel model(PanelCounts counts) {
        return model;
    }

    @Override
    public void move(ChoiceModel by, int before, int code, int[] into) {
        int from = place(before);
        int action = action(before);
        int to = place(code);
        for (int v = 0; v < hidden.length; v++) {
            into[2 * v] = hidden[v] ? -1 : by.law().parts().get(v).cell().of(from, action);
            into[2 * v + 1] = hidden[v] ? -1 : by.law().outcome(v, from, action, to);
        }
    }

    @Override
    public List<String> required() {
        return required;
    }

    @Override
    public List<String> optional() {
        return List.of();
    }

    @Override
    public String hint() {
        return columns.hint();
    }

    @Override
    public RowRules rules() {
        return rules;
    }

    @Override
    public PanelStructure structure() {
        return columns.structure();
    }

    @Override
    public BadInput wrong(Place place, IndividualRows rows) {
        int[] state = new int[rows.size()];
        int[] chosen = new int[rows.size()];
        for (int i = 0; i < state.length; i++) {
            state[i] = place(rows.code(i));
            chosen[i] = action(rows.code(i));
        }
        return columns.wrong(place, model, rows.name(), rows.periods(), state, chosen);
    }

    @Override
    public Coder coder() {
        return new RowCoder();
    }

    private final class RowCoder implements Coder {
        private final List<String> written = columns.written(model);
        private final List<FarValues> far = new ArrayList<>();
        private final int[] strides;
        private final int weight;
        private final int cluster;
        private final int[] covariates;

        RowCoder() {
            StateSpace space = model.space();
            strides = new int[space.variables().size()];
            Arrays.setAll(strides, space::stride);
            columns.states().forEach(column -> far.add(new FarValues(column.name(), column.grid())));
            weight = structure().weight().map(required::indexOf).orElse(-1);
            cluster = structure().cluster().map(required::indexOf).orElse(-1);
            covariates = structure().covariates().stream()
                    .mapToInt(required::indexOf)
                    .toArray();
        }

        @Override
        public int code(TableRows rows) {
            int state = 0;
            for (int v = 0; v < strides.length; v++) {
                state += strides[v] * columns.place(rows, v, far.get(v));
            }
            return ColumnCoding.this.code(state, columns.action(rows, model, written, state));
        }

        @Override
        public int period(TableRows rows) {
            return rows.index(1);
        }

        @Override
        public double weight(TableRows rows) {
            if (weight < 0) {
                return 1;
            }
            double value = rows.number(weight);
            String column = required.get(weight);
            if (!(value > 0 && value < 1e9)) {
                throw rows.bad(
                        "%s is %s".formatted(column, Place.plain(value)),
                        "Weights are positive and below 1e9; leave out rows that do not count.");
            }
            if (structure().kind() == Panel.Weights.FREQUENCY && value != Math.rint(value)) {
                throw rows.bad(
                        "%s is %s, no whole number".formatted(column, Place.plain(value)),
                        "Frequencies count individuals; other weights are kind: sampling.");
            }
            return value;
        }

        @Override
        public String cluster(TableRows rows) {
            return cluster < 0 ? "" : rows.text(cluster);
        }

        @Override
        public double[] covariates(TableRows rows) {
            if (covariates.length == 0) {
                return NOTHING;
            }
            double[] own = new double[covariates.length];
            for (int c = 0; c < own.length; c++) {
                own[c] = rows.number(covariates[c]);
            }
            return own;
        }

        @Override
        public double[] notes() {
            return far.stream()
                    .flatMapToDouble(one -> Arrays.stream(one.notes()))
                    .toArray();
        }

        @Override
        public void remember(double[] notes) {
            int each = far.isEmpty() ? 0 : notes.length / far.size();
            for (int v = 0; v < far.size(); v++) {
                far.get(v).remember(Arrays.copyOfRange(notes, v * each, (v + 1) * each));
            }
        }

        @Override
        public List<String> cautions(List<? extends Coder> coders) {
            List<String> all = new ArrayList<>();
            for (int v = 0; v < far.size(); v++) {
                FarValues sum = new FarValues(
                        columns.states().get(v).name(), columns.states().get(v).grid());
                for (Coder other : coders) {
                    sum.merge(((RowCoder) other).far.get(v));
                }
                sum.warning("the panel", "row %d of its file".formatted(sum.farthest()))
                        .ifPresent(all::add);
            }
            return all;
        }
    }
}

package dev.revealed.app.estimate;

import dev.revealed.app.Main;
import dev.revealed.app.Outcome;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import dev.revealed.data.ChoiceData;
import dev.revealed.data.RustBusFiles;
import dev.revealed.data.StataFile;
import dev.revealed.data.model.ModelFile;
import dev.revealed.data.panel.PanelFiles;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.hidden.RecursiveIntegration;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.Vec;
import dev.revealed.runs.Json;
import dev.revealed.runs.RunFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What an estimated choice model predicts in every state, or for every decision of a panel. */
public final class ChoicePrediction {
    private static final double ROUNDING = 1e-14;
    private static final int ROWS_SHOWN = 20;
    private static final int ROWS_IN_DOCUMENT = 1000;
    private static final String DECISION = "decision";
    private static final String WEIGHT = "weight";

    private ChoicePrediction() {}

    /**
     * The contract of {@code result.json}: the first rows; all are in predictions.csv.
     *
     * @param logLikelihood of the panel's decisions
     */
    record Document(
            String model,
            int count,
            List<String> columns,
            List<double[]> first,
            Optional<Double> logLikelihood,
            List<String> notes) {}

    /** Whether a folder or file holds an estimated choice model. */
    public static boolean isOf(Path from) {
        Path file = Main.existing(Files.isDirectory(from) ? from.resolve(RunFiles.RESULT) : from);
        try {
            return Json.read(Files.readString(file), Map.class).get("choice") != null;
        } catch (IOException | BadInput e) {
            return false;
        }
    }

    /**
     * One prediction: a state, with who was observed in it and when, the individual's weight, and the action or -1.
     *
     * @param predicted probabilities of the nodes of a hidden variable, given the choices before; empty without one
     */
    private record Row(String who, int when, double weight, int state, int action, double[] predicted) {}

    /**
     * What is predicted for.
     *
     * @param clock the name of what says when: the panel's period, or the number of the decision
     * @param weighted whether individuals have weights
     */
    private record Rows(List<Row> all, String clock, boolean weighted) {
        boolean observed() {
            return all.getFirst().action >= 0;
        }

        double totalWeight() {
            return all.stream().mapToDouble(Row::weight).sum();
        }
    }

    public static Outcome outcome(Path from, @Nullable Path data, ProgressListener listener) {
        ChoiceResult.Recorded recorded = ChoiceResult.read(from);
        ChoiceResult result = recorded.result();
        ChoiceModel model = result.rebuild();
        Rows all = data == null ? states(model) : rows(result, Main.existing(data), listener);
        List<Row> rows = all.all;
        Predicted predicted = new Predicted(result, model);
        List<String> notes = new ArrayList<>(result.warnings());
        notes.addAll(recorded.warnings());
        if (data == null) {
            notes.add("A row for each of the %s states; --data gives one for each decision of a panel."
                    .formatted(Numbers.count(model.states())));
        }
        List<String> columns = predicted.columns();
        double[][] numbers = new double[rows.size()][];
        double logLikelihood = 0;
        for (int i = 0; i < numbers.length; i++) {
            Row row = rows.get(i);
            numbers[i] = predicted.of(row);
            logLikelihood += row.action < 0
                    ? 0
                    : row.weight * Math.log(numbers[i][model.space().variables().size() + row.action]);
        }
        if (data != null && predicted.mixed()) {
            notes.add(
                    "Probabilities are means over the individuals of the population; the likelihood of single decisions"
                            + " does not use what an individual did before.");
        }
        Document document = new Document(
                model.name(),
                rows.size(),
                columns,
                Arrays.asList(numbers).subList(0, Math.min(ROWS_IN_DOCUMENT, numbers.length)),
                data == null ? Optional.empty() : Optional.of(logLikelihood),
                notes);
        Table table =
                Table.of(columns.stream().map(name -> Column.number(name, 5)).toArray(Column[]::new));
        for (int i = 0; i < Math.min(ROWS_SHOWN, numbers.length); i++) {
            table = table.row(Arrays.stream(numbers[i]).boxed().toArray());
        }
        table = table.titled("Predicted choices")
                .note("%s rows are in predictions.csv and predictions.dta.".formatted(Numbers.count(rows.size())));
        if (data != null) {
            table = table.fact("Log-likelihood", Numbers.decimals(logLikelihood, 3))
                    .fact("Per decision", Numbers.decimals(logLikelihood / all.totalWeight(), 4));
        }
        return Outcome.of(document, "Predicted choices")
                .table(table)
                .notes(notes)
                .file("predictions.csv", csv(columns, all, numbers, model))
                .writing(folder -> folder.write("predictions.dta", stata(columns, all, numbers, model)));
    }

    private static Rows states(ChoiceModel model) {
        List<Row> rows = new ArrayList<>();
        for (int s = 0; s < model.states(); s++) {
            rows.add(new Row("", 0, 1, s, -1, new double[0]));
        }
        return new Rows(rows, "", false);
    }

    private static Rows rows(ChoiceResult result, Path file, ProgressListener listener) {
        if (result.text().isEmpty()) {
            RustBusFiles.Settings settings = RustBusFiles.Settings.of(result.settings());
            return rows(PanelFiles.buses(file, settings, listener), DECISION, result);
        }
        ModelFile model = ModelFile.parse(result.model(), result.text().get(), result.settings());
        ChoiceData data = model.panel(file, listener);
        String period = model.columns().period();
        boolean clock = model.model().space().variables().stream()
                .noneMatch(variable -> variable.name().equals(period)); // that of a horizon is among the states
        return rows(data, clock && !data.periods().isEmpty() ? period : DECISION, result);
    }

    private static Rows rows(ChoiceData data, String clock, ChoiceResult result) {
        int nodes = HiddenView.nodes(data.model());
        double[][] predicted = nodes == 0
                ? new double[0][]
                : RecursiveIntegration.predicted(new ChoiceProblem(data.model(), data.panel()), result.estimates());
        List<Row> rows = new ArrayList<>();
        int i = -1;
        for (Panel.Individual one : data.panel().individuals()) {
            i++;
            int[] actions = one.choices().actions();
            int[] periods = clock.equals(DECISION) ? new int[0] : data.periods().get(i);
            for (int t = 0; actions != null && t < actions.length; t++) {
                int when = periods.length == 0 ? t : periods[t];
                double[] own =
                        nodes == 0 ? new double[0] : Arrays.copyOfRange(predicted[i], t * nodes, (t + 1) * nodes);
                rows.add(new Row(one.name(), when, one.weight(), one.choices().states()[t], actions[t], own));
            }
        }
        return new Rows(rows, clock, data.panel().weighted());
    }

    /** Means over the individuals of the population, where these differ. */
    private static final class Predicted {
        private final ChoiceModel model;
        private final double[] policy;
        private final double[] values;
        private final Kernel kernel;
        private final boolean mixed;
        private final Map<Integer, double[]> byState = new HashMap<>(); // as far as they were asked for

        Predicted(ChoiceResult result, ChoiceModel model) {
            this.model = model;
            double[] phi = result.phi(model);
            policy = new double[model.utility().rows()];
            values = new double[model.states()];
            List<ChoiceResult.Share> shares = result.population(model);
            mixed = shares.size() > 1;
            for (ChoiceResult.Share share : shares) {
                SoftPolicy solved = share.model().solve(share.theta(), phi);
                Vec.axpy(share.weight(), solved.policy(), policy);
                Vec.axpy(share.weight(), solved.values(), values);
            }
            kernel = model.law().kernel(phi);
        }

        boolean mixed() {
            return mixed;
        }

        List<String> columns() {
            List<String> columns = new ArrayList<>();
            List<String> variables = model.space().variables().stream()
                    .map(StateSpace.Variable::name)
                    .toList();
            columns.addAll(variables);
            model.actions().forEach(action -> columns.add("P(" + action + ")"));
            columns.add("value");
            variables.forEach(name -> columns.add("E(next " + name + ")"));
            return columns;
        }

        /** The mean over the values of a hidden variable, where there is one. */
        double[] of(Row row) {
            if (row.predicted.length == 0) {
                return of(row.state);
            }
            int first = row.state - row.state % row.predicted.length;
            double[] mean = new double[width()];
            for (int j = 0; j < row.predicted.length; j++) {
                Vec.axpy(row.predicted[j], of(first + j), mean);
            }
            return mean;
        }

        private int width() {
            return 2 * model.space().variables().size() + model.actions().size() + 1;
        }

        private double[] of(int state) {
            return byState.computeIfAbsent(state, this::computed);
        }

        private double[] computed(int state) {
            StateSpace space = model.space();
            int variables = space.variables().size();
            int actions = model.actions().size();
            double[] numbers = new double[width()];
            for (int v = 0; v < variables; v++) {
                numbers[v] = space.value(state, v);
            }
            numbers[variables + actions] = values[state];
            for (int a = 0; a < actions; a++) {
                int row = state * actions + a;
                numbers[variables + a] = policy[row];
                for (int e = kernel.rowStart()[row]; e < kernel.rowStart()[row + 1]; e++) {
                    double p = policy[row] * kernel.probability()[e];
                    for (int v = 0; v < variables; v++) {
                        numbers[variables + actions + 1 + v] += p * space.value(kernel.successor()[e], v);
                    }
                }
            }
            for (int v = 0; v < variables; v++) { // what sums to zero but for rounding is zero
                int at = variables + actions + 1 + v;
                double largest = Vec.maxAbs(space.variables().get(v).values());
                numbers[at] = Math.abs(numbers[at]) <= ROUNDING * largest ? 0 : numbers[at];
            }
            return numbers;
        }
    }

    private static String csv(List<String> columns, Rows rows, double[][] numbers, ChoiceModel model) {
        List<String> header =
                new ArrayList<>(rows.observed() ? List.of("individual", rows.clock, "action") : List.of());
        header.addAll(rows.weighted ? List.of(WEIGHT) : List.of());
        header.addAll(columns);
        StringBuilder csv = new StringBuilder(Table.csvLine(header));
        for (int i = 0; i < numbers.length; i++) {
            List<String> line = new ArrayList<>();
            if (rows.observed()) {
                Row row = rows.all.get(i);
                line.addAll(List.of(
                        row.who, Integer.toString(row.when), model.actions().get(row.action)));
                line.addAll(rows.weighted ? List.of(Double.toString(row.weight)) : List.of());
            }
            Arrays.stream(numbers[i]).forEach(x -> line.add(Double.toString(x)));
            csv.append(Table.csvLine(line));
        }
        return csv.toString();
    }

    private static byte[] stata(List<String> columns, Rows rows, double[][] numbers, ChoiceModel model) {
        List<StataFile.Variable> variables = new ArrayList<>();
        if (rows.observed()) {
            variables.add(StataFile.Variable.of(
                    "individual", "individual", rows.all.stream().map(Row::who).toList()));
            variables.add(StataFile.Variable.of(
                    rows.clock,
                    rows.clock.equals(DECISION) ? "number of the decision, from 0" : "period",
                    rows.all.stream().mapToDouble(Row::when).toArray()));
            variables.add(StataFile.Variable.of(
                    "action",
                    "what was chosen",
                    rows.all.stream()
                            .map(row -> model.actions().get(row.action))
                            .toList()));
        }
        if (rows.weighted) {
            variables.add(StataFile.Variable.of(
                    WEIGHT,
                    "weight of the individual",
                    rows.all.stream().mapToDouble(Row::weight).toArray()));
        }
        for (int c = 0; c < columns.size(); c++) {
            int column = c;
            variables.add(StataFile.Variable.of(
                    columns.get(c),
                    columns.get(c),
                    Arrays.stream(numbers).mapToDouble(row -> row[column]).toArray()));
        }
        return StataFile.write(variables);
    }
}

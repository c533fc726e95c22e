package dev.revealed.app.estimate;

import dev.revealed.app.Main;
import dev.revealed.app.Outcome;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import dev.revealed.data.RustBusFiles;
import dev.revealed.data.StataFile;
import dev.revealed.data.model.ModelFile;
import dev.revealed.data.panel.PanelFiles;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What an estimated choice model predicts in every state, or for every decision of a panel. */
public final class ChoicePrediction {
    private static final int ROWS_SHOWN = 20;
    private static final int ROWS_IN_DOCUMENT = 1000;

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

    /** One prediction: a state, with who was observed in it and the action, or -1. */
    private record Row(String who, int decision, int state, int action) {}

    public static Outcome outcome(Path from, @Nullable Path data, ProgressListener listener) {
        ChoiceResult result = ChoiceResult.read(from);
        ChoiceModel model = result.rebuild();
        List<Row> rows = data == null ? states(model) : rows(panel(result, Main.existing(data), listener));
        Predicted predicted = new Predicted(result, model);
        List<String> notes = new ArrayList<>(result.warnings());
        if (data == null) {
            notes.add("A row for each of the %s states; --data gives one for each decision of a panel."
                    .formatted(Numbers.count(model.states())));
        }
        List<String> columns = predicted.columns();
        double[][] numbers = new double[rows.size()][];
        double logLikelihood = 0;
        for (int i = 0; i < numbers.length; i++) {
            Row row = rows.get(i);
            numbers[i] = predicted.of(row.state);
            logLikelihood += row.action < 0
                    ? 0
                    : Math.log(numbers[i][model.space().variables().size() + row.action]);
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
                    .fact("Per decision", Numbers.decimals(logLikelihood / rows.size(), 4));
        }
        return Outcome.of(document, "Predicted choices")
                .table(table)
                .notes(notes)
                .file("predictions.csv", csv(columns, rows, numbers, model))
                .writing(folder -> folder.write("predictions.dta", stata(columns, rows, numbers, model)));
    }

    private static Panel panel(ChoiceResult result, Path data, ProgressListener listener) {
        return result.text().isPresent()
                ? ModelFile.parse(result.model(), result.text().get(), result.settings())
                        .panel(data, listener)
                        .panel()
                : PanelFiles.buses(data, RustBusFiles.Settings.of(result.settings()), listener)
                        .panel();
    }

    private static List<Row> states(ChoiceModel model) {
        List<Row> rows = new ArrayList<>();
        for (int s = 0; s < model.states(); s++) {
            rows.add(new Row("", 0, s, -1));
        }
        return rows;
    }

    private static List<Row> rows(Panel panel) {
        List<Row> rows = new ArrayList<>();
        for (Panel.Individual one : panel.individuals()) {
            int[] actions = one.choices().actions();
            for (int t = 0; actions != null && t < actions.length; t++) {
                rows.add(new Row(one.name(), t, one.choices().states()[t], actions[t]));
            }
        }
        return rows;
    }

    /** Means over the individuals of the population, where these differ. */
    private static final class Predicted {
        private final ChoiceModel model;
        private final double[] policy;
        private final double[] values;
        private final Kernel kernel;
        private final boolean mixed;

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

        double[] of(int state) {
            StateSpace space = model.space();
            int variables = space.variables().size();
            int actions = model.actions().size();
            double[] numbers = new double[2 * variables + actions + 1];
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
            return numbers;
        }
    }

    private static String csv(List<String> columns, List<Row> rows, double[][] numbers, ChoiceModel model) {
        boolean observed = rows.getFirst().action >= 0;
        List<String> header = new ArrayList<>(observed ? List.of("individual", "decision", "action") : List.of());
        header.addAll(columns);
        StringBuilder csv = new StringBuilder(Table.csvLine(header));
        for (int i = 0; i < numbers.length; i++) {
            List<String> line = new ArrayList<>();
            if (observed) {
                Row row = rows.get(i);
                line.addAll(List.of(
                        row.who, Integer.toString(row.decision), model.actions().get(row.action)));
            }
            Arrays.stream(numbers[i]).forEach(x -> line.add(Double.toString(x)));
            csv.append(Table.csvLine(line));
        }
        return csv.toString();
    }

    private static byte[] stata(List<String> columns, List<Row> rows, double[][] numbers, ChoiceModel model) {
        List<StataFile.Variable> variables = new ArrayList<>();
        if (rows.getFirst().action >= 0) {
            variables.add(StataFile.Variable.of(
                    "individual", "individual", rows.stream().map(Row::who).toList()));
            variables.add(StataFile.Variable.of(
                    "decision",
                    "number of the decision, from 0",
                    rows.stream().mapToDouble(Row::decision).toArray()));
            variables.add(StataFile.Variable.of(
                    "action",
                    "what was chosen",
                    rows.stream().map(row -> model.actions().get(row.action)).toList()));
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
